#!/usr/bin/env bash
# Checks what the compiler does not: the layout (.clang-format) of all files, and the checks of .clang-tidy on those changed last.
#
#   packaging/lint.sh format [FILE...]   clang-format 14 on these files, or on all
#   packaging/lint.sh tidy [FILE...]     clang-tidy 14 on these .cpp files, or on the 24 changed last (about 2 minutes on 2 cores)
#
# clang-tidy needs a build that compiles each file alone: dev, or asan. SWEEPSCOPE_LINT_BUILD names its folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
files_to_tidy=24

# tool_of_14 NAME: prints the command; other versions lay files out differently.
tool_of_14() {
    local tool
    for tool in "$1-14" "$1"; do
        if command -v "$tool" >/dev/null && "$tool" --version | grep -q 'version 14\.'; then
            echo "$tool"
            return
        fi
    done
    echo "error: $1 14 is not installed; Debian 12 has it as $1-14" >&2
    exit 2
}

check_format() {
    local tool files=("$@")
    tool="$(tool_of_14 clang-format)"
    [ "$#" -gt 0 ] || mapfile -t files < <(git ls-files --cached --others --exclude-standard -- '*.cpp' '*.h' '*.c')
    printf '%s\0' "${files[@]}" | xargs -0 -n 64 -P "$(nproc)" "$tool" --dry-run --Werror
    echo "clang-format: ${#files[@]} files are laid out as .clang-format says"
}

# Uncommitted changes first, then the newest commits. Neither tests nor what includes LibTorch, which takes clang-tidy a minute per file.
changed_last() {
    { git diff --name-only HEAD; git log --name-only --format= -n 400; } |
        grep -E '^(app|core|ui)/.*\.cpp$' | grep -v '^core/train/' | awk '!seen[$0]++' |
        while read -r file; do [ ! -f "$file" ] || echo "$file"; done | sed -n "1,${files_to_tidy}p"
}

check_tidy() {
    local tool build="${SWEEPSCOPE_LINT_BUILD:-}" candidate files=("$@")
    tool="$(tool_of_14 clang-tidy)"
    for candidate in build/asan build/dev; do
        if [ -z "$build" ] && [ -e "$candidate/compile_commands.json" ]; then
            build="$candidate"
        fi
    done
    [ -n "$build" ] || { echo "error: clang-tidy needs a configured build; run cmake --preset dev" >&2; exit 2; }
    [ "$#" -gt 0 ] || mapfile -t files < <(changed_last)
    printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" "$tool" --quiet -p "$build" 2>/dev/null
    echo "clang-tidy: nothing to say about ${#files[@]} files"
}

case "${1:-}" in
format) shift; check_format "$@" ;;
tidy) shift; check_tidy "$@" ;;
*)
    sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
