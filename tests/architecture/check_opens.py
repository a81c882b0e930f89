#!/usr/bin/env python3
"""Checks that files which a rank can replace are opened by openRegularFile() and readFile() of core/base/files.h, which
never block and refuse anything but a regular file. Usage: check_opens.py SOURCE_FOLDER. Exit code 1 and a line per
breach."""
import pathlib
import re
import sys

# Rooms that open files below an attempt's folder.
ROOMS = ["core/launch", "core/media", "core/engine", "core/feed", "core/series", "core/diagnosis", "ui/logs", "ui/timeline", "ui/trial", "ui/live", "ui/media"]
OPENS = re.compile(r"::open(at)?\(|\bi?fstream\b|\bofstream\b|\bfopen\(|\bQFile\b")
# Exceptions: /dev/null, files outside of all attempts, and new files created with O_EXCL or O_TMPFILE.
ALLOWED = {
    "core/launch/agentprocess.cpp": ['"/dev/null"'],
    "core/launch/forkserver.cpp": ['"/dev/null"'],
    "core/launch/forkserverloop.cpp": ['"/dev/null"'],
    "core/launch/rankprocess.cpp": ['"/dev/null"'],
    "core/engine/database.cpp": ["log.c_str()", "temporary.c_str()"],
    "core/engine/enginelock.cpp": ["lockFile.c_str()"],
    "core/engine/workspacewatch.cpp": ["m_workspace.database()"],
    "core/feed/ring.cpp": ["O_EXCL"],
    "core/feed/ringmapping.cpp": ["O_EXCL", "O_NONBLOCK"],
    "core/feed/logpacking.cpp": ["O_TMPFILE"],
    "core/series/indexfile.cpp": ["O_EXCL", "O_NONBLOCK"],
}
# `Room::open(` is one of our functions.
OURS = re.compile(r"\b\w+::open\(")


def breaches(source):
    for room in ROOMS:
        for path in sorted((source / room).rglob("*")):
            if path.suffix not in (".h", ".cpp") or "examples" in path.parts:
                continue
            name = path.relative_to(source).as_posix()
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                code = OURS.sub("", line.split("//")[0])
                if OPENS.search(code) and "#include" not in code and not any(text in line for text in ALLOWED.get(name, [])):
                    yield f"{name}:{number}: open this with openRegularFile() or readFile(): {line.strip()}"


def main():
    found = list(breaches(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(found) if found else "files that ranks can replace are opened in one way")
    sys.exit(1 if found else 0)


main()
