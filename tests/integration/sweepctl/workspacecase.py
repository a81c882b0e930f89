"""Shared by tests of sweepctl: a temporary folder with a workspace, and the tables that it exports."""
import csv
import io
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest


class WorkspaceFolder:
    def __init__(self, sweepctl):
        self.program = pathlib.Path(sweepctl).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sweepscope-test-"))
        (self.folder / "runtime").mkdir(mode=0o700)
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": str(self.folder / "runtime"), "LC_ALL": "C.UTF-8",
                            "SWEEPSCOPE_WORKSPACE": str(self.folder / "workspace")}

    def close(self):
        """An engine may still write: it ends when its workspace is gone."""
        deadline = time.monotonic() + 30
        while self.folder.exists() and time.monotonic() < deadline:
            shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, *words, **options):
        return subprocess.Popen([self.program, *map(str, words)], cwd=self.folder, env=self.environment, **options)

    def sweepctl(self, *words, code=0):
        """Runs sweepctl, which must end with this exit code."""
        result = subprocess.run([self.program, *map(str, words)], cwd=self.folder, env=self.environment,
                                capture_output=True, text=True, encoding="utf-8", timeout=300)
        assert result.returncode == code, result.stdout + result.stderr
        return result

    def table(self, *sweeps, option="--trials"):
        """The rows of an export as CSV."""
        return list(csv.DictReader(io.StringIO(self.sweepctl("export", *sweeps, option, "-").stdout, newline="")))


class WorkspaceCase(unittest.TestCase):
    """A test in a WorkspaceFolder, whose functions it has, too."""
    SWEEPCTL = ""  # set by each program

    def setUp(self):
        self.workspace = WorkspaceFolder(self.SWEEPCTL)
        self.addCleanup(self.workspace.close)
        self.folder, self.environment = self.workspace.folder, self.workspace.environment
        self.start, self.sweepctl, self.table = self.workspace.start, self.workspace.sweepctl, self.workspace.table
