#!/usr/bin/env bash
# Builds the user's guide, docs/guide. Needs python3-sphinx, python3-myst-parser and furo of Debian, or the same from pip.
#
#   packaging/guide.sh [FOLDER]       as HTML, by default in build/guide; warnings are errors
#   packaging/guide.sh --man FOLDER   the reference as manual pages
#
# Exit code 77: Sphinx is not installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

builder=html
if [ "${1:-}" = --man ]; then
    builder=man
    shift
fi
folder="${1:-build/guide}"

# sphinx-build belongs to the Python that has its extensions, which need not be the first in PATH.
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import furo, myst_parser, sphinx, tomllib' 2>/dev/null; then
        exec env PYTHONDONTWRITEBYTECODE=1 "$python" -m sphinx -q -W --keep-going -b "$builder" -d "$folder/.doctrees" docs/guide "$folder"
    fi
done
echo "Sphinx, MyST or furo are not installed: apt-get install python3-sphinx python3-myst-parser furo" >&2
exit 77
