#!/usr/bin/env bash
# Checks what a build of many files at a time does not.
#
#   packaging/lint.sh format [FILE...]   clang-format 14 on these files, or on all
#   packaging/lint.sh alone [FILE...]    whether these .cpp files compile alone, or the 120 changed last (about 2 minutes on 2 cores)
#   packaging/lint.sh tidy [FILE...]     clang-tidy 14 on these .cpp files, or on the 24 changed last (about 2 minutes on 2 cores)
#
# The last two take the compilers' arguments from build/dev, which must be configured but not built. SWEEPSCOPE_LINT_BUILD names
# another folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
files_to_compile=120
files_to_tidy=24
build="${SWEEPSCOPE_LINT_BUILD:-build/dev}"

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

# changed_last COUNT: uncommitted changes first, then the newest commits. Neither tests nor what includes LibTorch, which takes
# clang-tidy a minute per file; nor what $build does not compile, such as programs that are linked statically.
changed_last() {
    { git diff --name-only HEAD; git log --name-only --format= -n 400; } |
        grep -E '^(app|core|ui)/.*\.cpp$' | grep -v '^core/train/' | awk '!seen[$0]++' |
        while read -r file; do ! grep -qF "/$file\"" "$build/compile_commands.json" || echo "$file"; done | sed -n "1,$1p"
}

need_configured_build() {
    [ -e "$build/compile_commands.json" ] || { echo "error: $build is not configured; run cmake --preset dev" >&2; exit 2; }
    cmake "$build" >/dev/null  # files may have come
}

# A file that includes too little compiles all the same behind another one that includes more.
check_alone() {
    local files=("$@")
    need_configured_build
    [ "$#" -gt 0 ] || mapfile -t files < <(changed_last "$files_to_compile")
    python3 - "$build" "${files[@]}" <<'python' | xargs -0 -r -n 1 -P "$(nproc)" bash -c
import json, os, shlex, sys
build, *files = sys.argv[1:]
wanted = {os.path.realpath(file): file for file in files}
for entry in json.load(open(os.path.join(build, "compile_commands.json"))):
    file = wanted.pop(os.path.realpath(os.path.join(entry["directory"], entry["file"])), None)
    if file is None:
        continue
    command = shlex.split(entry["command"])
    if os.path.basename(command[0]) == "ccache":
        del command[0]
    output = command.index("-o")
    del command[output:output + 2]
    print(f"cd {shlex.quote(entry['directory'])} && {shlex.join(command + ['-fsyntax-only', '-Werror'])} >&2", end="\0")
if wanted:
    sys.exit(f"error: {build} does not compile {' '.join(wanted.values())}")
python
    echo "${#files[@]} files compile alone"
}

check_tidy() {
    local tool files=("$@")
    tool="$(tool_of_14 clang-tidy)"
    need_configured_build
    [ "$#" -gt 0 ] || mapfile -t files < <(changed_last "$files_to_tidy")
    printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" "$tool" --quiet -p "$build" 2>/dev/null
    echo "clang-tidy: nothing to say about ${#files[@]} files"
}

case "${1:-}" in
format) shift; check_format "$@" ;;
alone) shift; check_alone "$@" ;;
tidy) shift; check_tidy "$@" ;;
*)
    sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
