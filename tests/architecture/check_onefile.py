#!/usr/bin/env python3
"""Checks that a class lives in one .cpp file, and that a .cpp file has its header. A class that needs two files has a
second responsibility: make that a class, or functions, with a header. Usage: check_onefile.py SOURCE_FOLDER. Exit
code 1 and a line per breach."""
import collections
import pathlib
import re
import sys

ROOTS = ("core", "app", "ui")
# Programs, and files that share one header: commands of sweepctl, rules of the diagnosis, exports.
WITHOUT_HEADER = ("*/main.cpp", "core/*/examples/*", "app/sweepctl/*command.cpp", "app/sweepctl/*commands.cpp",
                  "core/diagnosis/*.cpp", "core/exporting/*export.cpp", "app/node/portable.cpp", "app/node/staticlibraries.cpp", "app/libraryversions.cpp")

NAMESPACE = re.compile(r"(?:inline )?namespace ?([\w:]*) ?\{")
# A line that begins a definition: the return type, the class, perhaps a nested class, and the name. Namespaces begin
# with a lower-case letter, and nested classes count as part of the outer one.
MEMBER = re.compile(r"(?! |using |return |typedef |//|///)(?:[\w:<>,&*() ]*[ &*>])?(?:[a-z]\w*::)*([A-Z]\w*)(?:<[^()]*>)?::"
                    r"(?:\w+::)*(?:~?\w+|operator[^\w(]+|operator \w+)\(")


def classes(path):
    """Returns the classes whose member functions the file defines, with namespaces; an anonymous one is the file's."""
    found = set()
    namespaces = []
    for line in path.read_text(encoding="utf-8").splitlines():
        opened = NAMESPACE.match(line)
        if opened and "}" not in line:
            namespaces.append(opened.group(1) or str(path))
        elif line.startswith("}  // namespace"):
            namespaces.pop()
        defined = MEMBER.match(line)
        if defined:
            found.add("::".join([*namespaces, defined.group(1)]))
    return found


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    paths = [path for root in ROOTS for path in sorted((source / root).rglob("*.cpp"))]
    files = collections.defaultdict(list)
    found = []
    for path in paths:
        name = path.relative_to(source)
        for known in classes(path):
            files[known].append(name.as_posix())
        if not path.with_suffix(".h").exists() and not any(name.match(pattern) for pattern in WITHOUT_HEADER):
            found.append(f"{name}: has no header of its own")
    for known, where in sorted(files.items()):
        if len(where) > 1:
            found.append(f"{known} is defined in {', '.join(where)}")
    if not files:
        found.append("no class was found: is the pattern still right?")
    print("\n".join(found) if found else f"{len(files)} classes, each in one file")
    sys.exit(1 if found else 0)


main()
