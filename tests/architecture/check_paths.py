#!/usr/bin/env python3
"""Checks that every path that README.md, CONTRIBUTING.md and the pages of docs name in `code` exists. A name counts as a path
if it starts with one of our top-level folders. Usage: check_paths.py SOURCE_FOLDER."""
import pathlib
import re
import sys

TOP_LEVEL = "app|core|ui|resources|tests|packaging|docs|cmake"


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    missing = []
    checked = 0
    for page in [source / "README.md", source / "CONTRIBUTING.md", *sorted((source / "docs").rglob("*.md"))]:
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            for name in re.findall(rf"[`(](?:\./)?((?:{TOP_LEVEL})/[\w./*-]*)", line):
                checked += 1
                if not list(source.glob(name.rstrip("/"))):
                    missing.append(f"{page.relative_to(source)}:{number}: {name} does not exist")
    if checked == 0:
        missing.append("no path was found to check: is the pattern still right?")
    print("\n".join(missing) if missing else f"{checked} paths exist")
    sys.exit(1 if missing else 0)


main()
