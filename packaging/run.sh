#!/usr/bin/env bash
# From a fresh clone to a window with the example sweep in it, ready to start.
#
#   packaging/run.sh [SWEEP_FILE]             install what is missing, build, open the window
#   packaging/run.sh --headless [SWEEP_FILE]  the same without a display: run the sweep to its end, print the results
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

headless=no
sweep_file=""
for argument in "$@"; do
    case "$argument" in
    --headless) headless=yes ;;
    -h | --help)
        sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
        exit 0
        ;;
    -*)
        echo "error: unknown option $argument; see packaging/run.sh --help" >&2
        exit 2
        ;;
    *) sweep_file="$(realpath "$argument")" ;;
    esac
done

# shellcheck source=packaging/setup.sh
source "$here/setup.sh"
configure release
build release sweepscope sweepctl sweepscope-agent sweepscope-worker >&2

programs="$sweepscope_source/build/release/bin"
[ -n "$sweep_file" ] || sweep_file="$sweepscope_source/resources/examples/digits-mlp.toml"

if [ "$headless" = yes ]; then
    results="${XDG_DATA_HOME:-$HOME/.local/share}/sweepscope/results/$(basename "$sweep_file" .toml)"
    exec "$programs/sweepctl" run "$sweep_file" --wait --csv "$results"
fi
if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}${QT_QPA_PLATFORM:-}" ]; then
    echo "error: there is no display here; packaging/run.sh --headless runs the example sweep without one" >&2
    exit 2
fi
exec "$programs/sweepscope" "$sweep_file"
