#!/usr/bin/env python3
"""Checks that rooms include only what the arrows in docs/architecture.md allow, and that Qt, Widgets and LibTorch stay in the
rooms that may see them. Usage: check_arrows.py SOURCE_FOLDER. Exit code 1 and a line per breach."""
import pathlib
import re
import sys

# room -> rooms whose headers it may include
ALLOWED = {
    "base": set(),
    "facts": {"base"},
    "wording": {"base", "facts"},
    "feed": {"base"},
    "series": {"base", "feed"},
    "data": {"base"},
    "expression": {"base"},
    "process": {"base"},
    "snapshot": {"base", "facts", "wording"},
    "output": {"base"},
    "sweep": {"base", "facts", "data", "expression", "output"},
    "alerts": {"base", "facts", "sweep", "wording"},
    "slurm": {"base", "facts", "sweep", "wording"},
    "pruning": {"base", "facts", "sweep", "search"},
    "search": {"base", "facts", "sweep"},
    "device": {"base", "facts", "process"},
    "schedule": {"base", "facts", "sweep", "device", "process"},
    "launch": {"base", "facts", "feed", "series", "output", "process"},
    "media": {"base", "launch"},
    "node": {"base", "facts", "feed", "series", "device", "schedule", "launch", "process"},
    "diagnosis": {"base", "facts", "wording", "feed", "series", "sweep", "device", "launch", "process"},
    "analysis": {"base", "sweep", "search"},
    "exporting": {"base", "facts", "wording", "feed", "series", "launch", "output", "snapshot", "sweep", "analysis", "diagnosis"},
    "importing": {"base", "output", "sweep"},
    "train": {"base", "feed", "data", "sweep", "launch"},
    "protocol": {"base", "facts", "sweep"},
    "remote": {"base", "node", "launch", "slurm", "sweep", "device", "schedule", "protocol", "wording"},
    "engine": {"alerts", "base", "facts", "wording", "feed", "importing", "series", "sweep", "device", "schedule", "search", "pruning", "launch", "node", "output", "process", "protocol", "remote", "slurm", "snapshot"},
    "ui": {"alerts", "base", "expression", "facts", "wording", "series", "sweep", "device", "launch", "media", "schedule", "diagnosis", "protocol", "exporting", "feed", "importing", "analysis", "output", "process", "remote", "search"},
}
# Parts of ui, from the innermost; each may include those before it, but pages do not see each other.
UI_PARTS = ["theme", "models", "base", "plot", "actions", "examination"]
PAGES = {"home", "editor", "live", "logs", "devices", "timeline", "findings", "trial", "trials", "analysis", "probe", "exporting", "media"}
WITH_QT = {"protocol", "remote", "engine", "ui"}
WITH_WIDGETS = {"ui"}
WITH_TORCH = {"train"}
WIDGETS_HEADER = re.compile(r"^(Q(Widget|MainWindow|Dialog|Push|Table(View|Widget)|Application|Painter|Icon)|qcustomplot)")


def room_of(path, source):
    parts = path.relative_to(source).parts
    return parts[1] if parts[0] == "core" else "ui"


def may_include(part, other):
    """Whether a file in ui/part may include one in ui/other."""
    if part == other or part == "shell":
        return True
    known = UI_PARTS if part in PAGES else UI_PARTS[:UI_PARTS.index(part)] if part in UI_PARTS else []
    return other in known


def breaches(source):
    files = [p for top in ("core", "ui") for p in sorted((source / top).rglob("*")) if p.suffix in (".h", ".cpp")]
    for path in files:
        room = room_of(path, source)
        if room not in ALLOWED:
            yield f"{path}: the room {room} is not in docs/architecture.md's list; add it there and here"
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
            if not match:
                continue
            header = match.group(1)
            target = header.split("/")[0] if "/" in header else None
            where = f"{path.relative_to(source)}:{number}: {room} includes {header}"
            if room == "ui" and target == "ui" and not may_include(path.relative_to(source).parts[1], header.split("/")[1]):
                yield f"{where}: docs/architecture.md has no such arrow in ui"
            if target in ALLOWED and target != room and target not in ALLOWED[room]:
                yield f"{where}: no arrow from {room} to {target}"
            if re.match(r"^(Q[A-Z]\w+|Qt\w+/.*)$", header) and room not in WITH_QT:
                yield f"{where}: {room} is a room without Qt"
            if WIDGETS_HEADER.match(header) and room not in WITH_WIDGETS:
                yield f"{where}: Widgets belong to ui"
            if re.match(r"^(torch|c10|c10d|ATen)/", header) and room not in WITH_TORCH:
                yield f"{where}: LibTorch belongs to train"


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    found = list(breaches(source))
    print("\n".join(found) if found else "all includes follow the arrows")
    sys.exit(1 if found else 0)


main()
