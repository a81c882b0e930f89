#!/usr/bin/env bash
# Builds the user's guide, docs/guide, as HTML. Needs python3-sphinx, python3-myst-parser and furo of Debian, or the same from pip.
#
#   packaging/guide.sh [FOLDER]   writes it to FOLDER, by default build/guide; warnings are errors
#
# Exit code 77: Sphinx is not installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# sphinx-build belongs to the Python that has its extensions, which need not be the first in PATH.
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import furo, myst_parser, sphinx, tomllib' 2>/dev/null; then
        exec env PYTHONDONTWRITEBYTECODE=1 "$python" -m sphinx -q -W --keep-going -b html -d "${1:-build/guide}/.doctrees" \
            docs/guide "${1:-build/guide}"
    fi
done
echo "Sphinx, MyST or furo are not installed: apt-get install python3-sphinx python3-myst-parser furo" >&2
exit 77
