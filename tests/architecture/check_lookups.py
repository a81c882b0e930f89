#!/usr/bin/env python3
"""Checks that the program finds no object by its name: object names are for tests, style sheets and screen readers, and a
renamed button must not break a command. Usage: check_lookups.py SOURCE_FOLDER. Exit code 1 and a line per breach."""
import pathlib
import re
import sys

BY_NAME = re.compile(r"findChild(?:ren)?\s*<[^;()]*>\s*\(\s*(?!\)|Qt::)")


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    files = [p for top in ("core", "ui", "app") for p in sorted((source / top).rglob("*")) if p.suffix in (".h", ".cpp")]
    found = []
    for path in files:
        text = path.read_text(encoding="utf-8")
        for match in BY_NAME.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            found.append(f"{path.relative_to(source)}:{line}: finds an object by its name; keep a pointer to it, or give its "
                         "owner a method, signal or action")
    print("\n".join(found) if found else f"no lookup by name in {len(files)} files")
    sys.exit(1 if found or not files else 0)


main()
