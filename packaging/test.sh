#!/usr/bin/env bash
# The whole test suite, from a fresh clone, without a display. Closes with ctest's summary of the release build.
#
#   packaging/test.sh            every build: without Qt, without LibTorch, sanitizers, fuzzing (short), then release
#   packaging/test.sh --quick    the release build only
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

quick=no
case "${1:-}" in
--quick) quick=yes ;;
"") ;;
*)
    sed -n '2,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac

# shellcheck source=packaging/setup.sh
source "$here/setup.sh"
export QT_QPA_PLATFORM=offscreen
export SWEEPSCOPE_MNIST="${SWEEPSCOPE_MNIST:-}"
# tests/parity compares the worker with the Python torch of the same LibTorch; pip's has it in its own environment.
if [ -z "${SWEEPSCOPE_TORCH_PREFIX:-}" ] && ! python_has_torch; then
    install_packages python3-torch
fi
failed=()

# check PRESET [cmake arguments]: build it, run its tests. Goes on after failures, which are told at the end.
check() {
    local preset="$1"
    shift
    say "== $preset =="
    if configure "$preset" "$@" && build "$preset"; then
        (cd "$sweepscope_source" && ctest --preset "$preset" --parallel "$(nproc)") || failed+=("$preset")
    else
        failed+=("$preset (build)")
    fi
}

if [ "$quick" = no ]; then
    install_packages clang libclang-rt-dev
    # Every file is compiled with warnings as errors in one of these; notorch is not, so that it and release share ccache.
    for preset in noqt tsan fuzz asan; do
        check "$preset" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON
    done
    check notorch
    [ "${#failed[@]}" -eq 0 ] || say "failed so far: ${failed[*]}"
fi
check release
[ "${#failed[@]}" -eq 0 ] || die "failed: ${failed[*]}"
