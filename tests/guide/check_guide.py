#!/usr/bin/env python3
"""Checks that the user's guide is complete: every rule, subcommand, variable, shortcut and page of the window is in it, and every
picture exists and is used. Usage: check_guide.py SOURCE_FOLDER [SWEEPCTL]. Exit code 1 and a line for each gap."""
import pathlib
import re
import subprocess
import sys
import tomllib

SOURCE = pathlib.Path(sys.argv[1]).resolve()
GUIDE = SOURCE / "docs/guide"
REFERENCE = GUIDE / "reference"
STANDARD_KEYS = {"New": "Ctrl+N", "Open": "Ctrl+O", "Save": "Ctrl+S", "SaveAs": "Ctrl+Shift+S", "Undo": "Ctrl+Z", "Find": "Ctrl+F", "Copy": "Ctrl+C"}


def read(path):
    return path.read_text(encoding="utf-8")


def rules():
    """Each rule of diagnosis has a page with its title and severity, and a row in the index."""
    index = read(REFERENCE / "findings/index.md")
    found = re.findall(r'Rule\{\s*"([\w-]+)",\s*"([^"]+)",\s*Severity::(\w+)', read(SOURCE / "core/diagnosis/rule.cpp"))
    if len(found) < 15:
        yield f"core/diagnosis/rule.cpp: found only {len(found)} rules: is the pattern still right?"
    for name, title, severity in found:
        page = REFERENCE / f"findings/{name}.md"
        if not page.exists():
            yield f"{page.relative_to(SOURCE)}: is missing"
            continue
        if not read(page).startswith(f"# {title}\n") or f"| `{name}` | {severity.lower()} |" not in read(page):
            yield f"{page.relative_to(SOURCE)}: the heading must be '{title}', and the severity {severity.lower()}"
        if f"| [{title}]({name}.md) | `{name}` | {severity.lower()} |" not in index:
            yield f"docs/guide/reference/findings/index.md: no row for {name}"
    for page in (REFERENCE / "findings").glob("*.md"):
        if page.stem != "index" and page.stem not in [name for name, _, _ in found]:
            yield f"{page.relative_to(SOURCE)}: there is no such rule"


def variables():
    """Each environment variable that a program reads or sets is in environment.md."""
    page = read(REFERENCE / "environment.md")
    used = set()
    for top in ("core", "app", "ui", "packaging/python"):
        for path in [p for ending in ("*.cpp", "*.h", "*.py") for p in (SOURCE / top).rglob(ending)]:
            text = read(path)
            used |= set(re.findall(r'(?:getenv|qEnvironmentVariable\w*)\((?:u?)"(\w+)"', text))
            used |= set(re.findall(r'"(SWEEPSCOPE_[A-Z0-9_]*[A-Z0-9])"', text))
    # Settings of every system, and names that are examples.
    used -= {"HOME", "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "SSH_CONNECTION", "SWEEPSCOPE_DATA_IMAGENET_1K"}
    if len(used) < 25:
        yield f"found only {len(used)} environment variables: are the patterns still right?"
    for name in sorted(used):
        if f"`{name}`" not in page:
            yield f"docs/guide/reference/environment.md: {name} is missing"


def sequence(text):
    """`Ctrl+Shift+E` for the C++ expression of a key sequence."""
    standard = re.fullmatch(r"QKeySequence::(\w+)", text.strip())
    if standard:
        return STANDARD_KEYS[standard.group(1)]
    names = {"CTRL": "Ctrl", "SHIFT": "Shift", "ALT": "Alt", "Comma": ",", "Plus": "+", "Equal": "=", "Minus": "-", "Slash": "/"}
    return "+".join(names.get(part, part) for part in re.findall(r"(?:Qt::)(?:Key_)?(\w+)", text))


def shortcuts():
    """(where, what, keys) of each row of the window's dialog of shortcuts."""
    actions = re.sub(r"\s+", " ", read(SOURCE / "ui/shell/windowactions.cpp"))
    for text, keys in re.findall(r'WindowActionsWords::tr\("(?!&Shortcuts)([^"]+)"\), QKeySequence\(([^)]*)\)', actions):
        yield "General", re.sub("[&…]", "", text), sequence(keys)
    for action, keys in re.findall(r"(\w+)->setShortcuts\(\{(.*?)\}\)", actions):
        text = re.search(rf'\b{action} = add\(.*?tr\("([^"]+)"\)', actions).group(1)
        yield "General", re.sub("[&…]", "", text), ", ".join(sequence(key) for key in re.findall(r"QKeySequence\(([^)]*)\)", keys))
    editor = read(SOURCE / "ui/editor/sweepeditor.cpp")
    for text, keys in re.findall(r'addButton\(u"(?:new|open|save|saveAs)"_s, u"\w+"_s, tr\("([^"]+)"\), (QKeySequence::\w+)\)', editor):
        yield "General", re.sub("…", "", text), sequence(keys)
    dialog = read(SOURCE / "ui/home/helpdialogs.cpp")
    for lines, heading in re.findall(r'const Lines \w+ = \{(.*?)\n    \};\n    addLines\(grid, HelpWords::tr\("([^"]+)"\)', dialog, re.DOTALL):
        for row in re.findall(r"\{HelpWords::tr\((.*?)\},?\n", lines + "\n", re.DOTALL):
            what = re.match(r'"([^"]+)"', row).group(1)
            how = row[len(what) + 2:]
            text = re.search(r'HelpWords::tr\("([^"]+)"\)', how)
            keys = [sequence(key) for key in re.findall(r"QKeySequence::\w+|Qt::CTRL[^)]*", how)]
            shown = text.group(1) if text else "%1"
            for number, key in enumerate(keys, 1):
                shown = shown.replace(f"%{number}", key)
            yield heading, what, shown


def keys():
    page = read(REFERENCE / "keys.md")
    found = list(shortcuts())
    if len(found) < 60:
        yield f"found only {len(found)} shortcuts: are the patterns still right?"
    for where, what, how in found:
        if f"| {what} | {how} |" not in page.partition(f"## {where}\n")[2].partition("\n## ")[0]:
            yield f"docs/guide/reference/keys.md: ## {where}: no row | {what} | {how} |"


def pages():
    """Each page of the window has a section and a picture."""
    catalogue = tomllib.loads(read(GUIDE / "pictures.toml"))
    text = read(REFERENCE / "window.md")
    found = re.findall(r'\{m_\w+, u"(\w+)"_s, tr\("(\w+)"\), tr\(', read(SOURCE / "ui/shell/mainwindow.cpp"))
    if len(found) < 10:
        yield f"ui/shell/mainwindow.cpp: found only {len(found)} pages: is the pattern still right?"
    for page, title in found:
        if f"\n## {title}\n" not in text:
            yield f"docs/guide/reference/window.md: no section '{title}'"
        names = [name for name, entry in catalogue.items() if entry["page"] == page]
        if not names:
            yield f"docs/guide/pictures.toml: no picture of the page {page}"
        elif not any(f"![{catalogue[name]['alt']}](../pictures/{name}-light.png)" in text for name in names):
            yield f"docs/guide/reference/window.md: no picture of the page {page}"


def pictures():
    """Each entry of the catalogue has both files, and each file has an entry."""
    catalogue = tomllib.loads(read(GUIDE / "pictures.toml"))
    wanted = {f"{name}-{theme}.png" for name in catalogue for theme in ("light", "dark")}
    present = {path.name for path in (GUIDE / "pictures").glob("*.png")}
    for name in sorted(wanted - present):
        yield f"docs/guide/pictures/{name}: is missing; run packaging/pictures.py"
    for name in sorted(present - wanted):
        yield f"docs/guide/pictures/{name}: is not in docs/guide/pictures.toml"
    for name, entry in catalogue.items():
        if not entry.get("caption") or not entry.get("alt"):
            yield f"docs/guide/pictures.toml: {name} needs a caption and an alternative text"


def subcommands():
    """Each subcommand of sweepctl has its help in sweepctl.md, which tests/guide/run compares."""
    if len(sys.argv) < 3:
        return
    page = read(REFERENCE / "sweepctl.md")
    listed = subprocess.run([sys.argv[2], "--help"], capture_output=True, text=True, check=True).stdout
    for name in re.findall(r"^  (\w+) {2,}", listed.partition("Subcommands:")[2].partition("Start here:")[0], re.MULTILINE):
        if f"$ sweepctl {name} --help\n" not in page:
            yield f"docs/guide/reference/sweepctl.md: no section for {name}"


def main():
    checks = (rules, variables, keys, pages, pictures, subcommands)
    found = [gap for check in checks for gap in check()]
    print("\n".join(found) if found else f"{len(checks)} parts of the guide are complete")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
