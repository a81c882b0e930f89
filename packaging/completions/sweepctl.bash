# Completion of sweepctl in bash. sweepctl itself knows the candidates: options, names of sweeps, numbers of trials.
_sweepctl() {
    local word="${COMP_WORDS[COMP_CWORD]}" line
    local -a candidates=()
    COMPREPLY=()
    while IFS= read -r line; do
        case "$line" in
        :files) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word") ;;
        :folders) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$word") ;;
        *) candidates+=("${line%%$'\t'*}") ;;
        esac
    done < <(sweepctl __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    for line in "${candidates[@]}"; do
        [[ "$line" != "$word"* ]] || COMPREPLY+=("$(printf '%q' "$line")")
    done
}
complete -F _sweepctl sweepctl
