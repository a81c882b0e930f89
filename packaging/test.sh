#!/usr/bin/env bash
# The whole test suite, from a fresh clone, without a display. Closes with ctest's summary of the release build.
#
#   packaging/test.sh            sanitizers, fuzzing (short), the worker on pip's torch, then release
#   packaging/test.sh --quick    the release build only, with all of its tests
#
# No test runs twice in the same surroundings. tsan (what has threads or several processes), fuzz (clang) and noqt (pip's torch
# with CUDA and NCCL; the tests need no GPU) compile all that is without Qt, and run what only they can; asan is all that is
# without LibTorch, and release, with Debian's LibTorch, the whole but for tests of single rooms that asan has run already.
# Where pip's cannot be had, Debian's takes its place, and a line before the last summary says so.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

quick=no
case "${1:-}" in
--quick) quick=yes ;;
"") ;;
*)
    sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac

# shellcheck source=packaging/setup.sh
source "$here/setup.sh"
export QT_QPA_PLATFORM=offscreen
export SWEEPSCOPE_MNIST="${SWEEPSCOPE_MNIST:-}"
# tests/parity compares the worker with the Python torch of the same LibTorch; pip's has it in its own environment.
debian_torch=no
if [ -z "${SWEEPSCOPE_TORCH_PREFIX:-}" ] && ! python_has_torch; then
    debian_torch=yes
    install_packages python3-torch
fi
failed=()

# On a disk that is nearly full the compiler fails without a word: the builds that were tested make room.
room_for_a_build=8  # GB; the largest, release, takes 5.4, and the compilers' cache grows beside it
tested=()
make_room() {
    mkdir -p "$sweepscope_source/build"
    while [ "$(free_gigabytes "$sweepscope_source/build")" -lt "$room_for_a_build" ] && [ "${#tested[@]}" -gt 0 ]; do
        say "The disk is nearly full: removing build/${tested[0]}, which is tested"
        rm -rf "${sweepscope_source:?}/build/${tested[0]}"
        tested=("${tested[@]:1}")
    done
}

# A test that fails beside others is run once more. One that passes then does not stop the suite, but it is told, and it
# is a fault to mend: in the test, or a race in the program.
second_tries=()
run_tests() {
    local preset="$1" output result=0
    shift
    output="$(mktemp)"
    # One more than there are cores: many tests wait for processes.
    (cd "$sweepscope_source" && ctest --preset "$preset" --parallel "$(($(nproc) + 1))" --repeat until-pass:2 "$@") |
        tee "$output" || result=1
    local tried
    tried="$(sed -nE 's/^ *[0-9]*\/?[0-9]* *Test +#[0-9]+: ([^ ]+) .*\*\*\*(Failed|Timeout|Exception).*/\1/p' "$output" | sort -u | xargs)"
    rm -f "$output"
    if [ "$result" -eq 0 ] && [ -n "$tried" ]; then
        second_tries+=("$preset: $tried")
    fi
    return "$result"
}

# check PRESET LABEL [cmake arguments]: build it, run its tests of that label; everything and all tests where it is "all".
# Goes on after failures, which are told at the end.
check() {
    local preset="$1" label="$2" targets=() only=()
    shift 2
    if [ "$label" != all ]; then
        targets=(rooms "tests-$label")
        only=(--label-regex "^$label\$")
    fi
    say "== $preset, after $((SECONDS / 60)) min =="
    make_room
    if configure "$preset" "$@" && build "$preset" "${targets[@]}"; then
        run_tests "$preset" "${only[@]}" || failed+=("$preset")
    else
        say "Free: $(free_gigabytes "$sweepscope_source/build") GB of disk, $(awk '/MemAvailable/ { print int($2 / 2 ^ 20) }' /proc/meminfo) GB of memory"
        failed+=("$preset (build)")
    fi
    tested+=("$preset")
}

# Gigabytes may have to come: they do while the builds that need no LibTorch are made.
torch_log="$sweepscope_source/build/torch-environment.log"
torch_job=""
begin_torch_environment() {
    install_packages python3-venv python3-pip
    mkdir -p "$(dirname "$torch_log")"
    set -m  # a process group of its own, so that it can be ended as a whole
    make_torch_environment "$room_for_a_build" >"$torch_log" 2>&1 </dev/null &
    torch_job="$!"
    set +m
    trap 'kill -- "-$torch_job" 2>/dev/null || true' EXIT
}

untested=""
check_noqt() {
    local torch="${SWEEPSCOPE_TORCH_PREFIX:-}"
    if [ "$debian_torch" = yes ]; then
        if wait "$torch_job"; then
            torch="$(torch_of_environment)"
        else
            cat "$torch_log" >&2
            untested="NOT TESTED: the worker on pip's torch, with CUDA and NCCL. $(tail -n 1 "$torch_log")"
            say "$untested"
        fi
        trap - EXIT
    fi
    SWEEPSCOPE_TORCH_PREFIX="$torch" check noqt torch -DCMAKE_COMPILE_WARNING_AS_ERROR=ON
}

if [ "$quick" = no ]; then
    install_packages clang libclang-rt-dev
    [ "$debian_torch" = no ] || begin_torch_environment
    # Every file is compiled with warnings as errors in one of these, the rooms with both compilers.
    check tsan threads -DCMAKE_COMPILE_WARNING_AS_ERROR=ON
    check fuzz fuzz -DCMAKE_COMPILE_WARNING_AS_ERROR=ON
    check asan all -DCMAKE_COMPILE_WARNING_AS_ERROR=ON
    check_noqt
    [ "${#failed[@]}" -eq 0 ] || say "failed so far: ${failed[*]}"
fi
[ -z "$untested" ] || say "$untested"
[ "${#second_tries[@]}" -eq 0 ] || say "Passed only at the second try: ${second_tries[*]}"
room_tests=OFF
[ "$quick" = no ] || room_tests=ON
check release all -DSWEEPSCOPE_ROOM_TESTS="$room_tests"
[ "${#failed[@]}" -eq 0 ] || die "failed: ${failed[*]}"
