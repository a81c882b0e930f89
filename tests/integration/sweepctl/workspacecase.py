"""Shared by the tests of `sweepctl import`: runs sweepctl in a temporary folder with a workspace."""
import os
import pathlib
import subprocess
import tempfile
import unittest

from exportedsweep import remove_with_engine


class ImportCase(unittest.TestCase):
    SWEEPCTL = ""  # set by each program

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sweepscope-import-"))
        self.addCleanup(remove_with_engine, self.folder)
        (self.folder / "runtime").mkdir(mode=0o700)
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": str(self.folder / "runtime"), "LC_ALL": "C.UTF-8",
                            "SWEEPSCOPE_WORKSPACE": str(self.folder / "workspace")}

    def sweepctl(self, *words, code=0):
        result = subprocess.run([self.SWEEPCTL, *words], cwd=self.folder, env=self.environment, capture_output=True, text=True,
                                timeout=120)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result
