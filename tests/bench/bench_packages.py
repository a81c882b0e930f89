#!/usr/bin/env python3
"""Sizes of the packages that packaging/build.sh wrote, what they consist of, and how long they take to install.

    bench_packages.py [FOLDER]    by default build/packages

Wheels are installed into a new virtual environment without what they depend on, next to unpacking the same file. Debian packages and
the folder are only unpacked: tests/packaging/bareroot prints the time of an installation with all dependencies.
"""

import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile
import time
import venv
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PARTS = 8


def megabytes(count):
    return f"{count / 1e6:5.1f} MB"


def seconds(*command):
    began = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - began


def part(name):
    """What a file of the wheel belongs to: a program, the guide, or a library."""
    words = name.split("/")
    if "guide" in words:
        return "guide"
    if "bin" in words or "portable" in words:
        return "/".join(words[1:])
    return words[-1] if ".so" in words[-1] else "other files"


def wheel(package, folder):
    parts = collections.Counter()
    with zipfile.ZipFile(package) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist())
        for entry in archive.infolist():
            parts[part(entry.filename)] += entry.compress_size
    venv.create(folder / "environment", with_pip=True)
    python = folder / "environment/bin/python3"
    install = seconds(python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", package)
    unpack = seconds(sys.executable, "-m", "zipfile", "-e", package, folder / "unpacked")
    print(f"{megabytes(package.stat().st_size)}  {package.name}: {megabytes(unpacked).strip()} unpacked; "
          f"installed in {install:.1f} s, {install / unpack:.1f} times unzip")
    if len(parts) > 2:
        for name, size in parts.most_common(PARTS):
            print(f"    {megabytes(size)}  {name}")


def unpacked(package, folder, command):
    unpack = seconds(*command, folder)
    size = int(subprocess.check_output(["du", "-sb", folder]).split()[0])
    print(f"{megabytes(package.stat().st_size)}  {package.name}: {megabytes(size).strip()} unpacked in {unpack:.1f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=SOURCE / "build/packages")
    packages = sorted(path for path in parser.parse_args().folder.iterdir() if path.name.endswith((".whl", ".deb", ".tar.xz")))
    if not packages:
        sys.exit("no packages there: packaging/build.sh makes them")
    for package in packages:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            if package.suffix == ".whl":
                wheel(package, folder)
            elif package.suffix == ".deb":
                unpacked(package, folder, ["dpkg-deb", "-x", package])
            else:
                unpacked(package, folder, ["tar", "-xJf", package, "-C"])


if __name__ == "__main__":
    main()
