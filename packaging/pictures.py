#!/usr/bin/env python3
"""Renders the pictures of the user's guide (docs/guide/pictures.toml) in a light and a dark theme, without a display.

    packaging/pictures.py [--build build/release] [--workspace FOLDER] [NAME...]

Runs the sweeps of docs/guide/pictures/recorded in a new workspace, which takes some minutes. With --workspace, it keeps the workspace, or
uses the one of an earlier run. Needs a python3 with PyTorch, the built-in worker, and pngquant.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

SOURCE = pathlib.Path(__file__).resolve().parent.parent
GUIDE = SOURCE / "docs/guide"
HOME = pathlib.Path("/tmp/ann")  # pictures show it
SIZE = "1280x800"
LARGEST = 80_000  # bytes of a picture, because each new version of it stays in the repository


class Recording:
    def __init__(self, build):
        self.workspace = HOME / "runs"
        self.environment = {**os.environ, "HOME": str(HOME), "PATH": f"{build.resolve() / 'bin'}:{os.environ['PATH']}",
                            "QT_QPA_PLATFORM": "offscreen", "TZ": "UTC", "SWEEPSCOPE_WORKSPACE": str(self.workspace)}
        for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
            self.environment.pop(variable, None)

    def run_sweeps(self):
        folder = HOME / "sweeps"
        shutil.copytree(GUIDE / "pictures/recorded", folder)
        tutorial = (GUIDE / "tutorials/slow-rank.md").read_text(encoding="utf-8")
        script = re.search(r"file: train\.py -->\n\n```python\n(.*?)\n```", tutorial, re.DOTALL).group(1)
        (folder / "train.py").write_text(script + "\n", encoding="utf-8")
        for sweep in sorted(folder.glob("*.toml")):
            subprocess.run(["sweepctl", "run", str(sweep), "--wait"], env=self.environment, check=True)

    def best_trial(self, sweep):
        status = subprocess.run(["sweepctl", "status"], env=self.environment, check=True, capture_output=True, text=True).stdout
        return int(re.search(rf"-{re.escape(sweep)} .*\(trial (\d+)\)", status).group(1))

    def render(self, name, entry):
        for theme in ("light", "dark"):
            picture = GUIDE / "pictures" / f"{name}-{theme}.png"
            command = ["sweepscope", "--screenshot", str(picture), "--page", entry["page"], "--size", entry.get("size", SIZE),
                       "--theme", theme, "--sweep", entry["sweep"]]
            if trial := entry.get("trial"):
                command += ["--trial", str(self.best_trial(entry["sweep"]) if trial == "best" else trial)]
            subprocess.run(command, env=self.environment, check=True)
            subprocess.run(["pngquant", "--force", "--ext", ".png", "--speed", "1", "--strip", "128", str(picture)], check=True)
            size = picture.stat().st_size
            print(f"{picture.relative_to(SOURCE)}: {size // 1000} kB", flush=True)
            if size > LARGEST:
                sys.exit(f"error: {picture} has {size} bytes, more than {LARGEST}: give it a smaller window (size)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build/release")
    parser.add_argument("--workspace", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    catalogue = tomllib.loads((GUIDE / "pictures.toml").read_text(encoding="utf-8"))
    HOME.mkdir()
    try:
        recording = Recording(arguments.build)
        if arguments.workspace and arguments.workspace.exists():
            shutil.copytree(arguments.workspace, recording.workspace, symlinks=True)
        else:
            recording.run_sweeps()
            if arguments.workspace:
                shutil.copytree(recording.workspace, arguments.workspace, symlinks=True)
        for name in arguments.names or catalogue:
            recording.render(name, catalogue[name])
    finally:
        shutil.rmtree(HOME)


main()
