"""A workspace in a temporary folder, for tests of single runs."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

PYTHON = pathlib.Path(__file__).resolve().parents[3] / "packaging" / "python"
sys.path.insert(0, str(PYTHON))

import sweepscope

SWEEPCTL = pathlib.Path(sys.argv.pop(1)).resolve()
PATIENCE = 60


class Workspace:
    def __init__(self, test):
        temporary = tempfile.TemporaryDirectory()
        test.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name).resolve()
        self.root = self.folder / "workspace"
        (self.folder / "runtime").mkdir(mode=0o700)
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": str(self.folder / "runtime"),
                            "SWEEPSCOPE_WORKSPACE": str(self.root), "PYTHONPATH": str(PYTHON)}
        test.addCleanup(self.end_engine)

    def write(self, name, content):
        (self.folder / name).write_text(content)
        return self.folder / name

    def start(self, *command, **options):
        environment = {**self.environment, **options.pop("environment", {})}
        return subprocess.Popen([str(word) for word in command], cwd=self.folder, env=environment, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **options)

    def run(self, *command, **options):
        process = self.start(*command, **options)
        out, err = process.communicate(timeout=PATIENCE)
        return process.returncode, out, err

    def execute(self, *words, **options):
        return self.run(SWEEPCTL, "exec", *words, **options)

    def engine(self):
        """The pid of the engine; None if there is none."""
        try:
            pid = int((self.root / "engine.lock").read_text())
            os.kill(pid, 0)
        except (OSError, ValueError):
            return None
        return pid

    def end_engine(self):
        pid = self.engine()
        if pid:
            os.kill(pid, 15)
            wait_until(lambda: not self.engine())

    def read(self):
        return sweepscope.read(self.root)


def wait_until(condition):
    """Returns what `condition` returns once that is true."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        result = condition()
        if result:
            return result
        time.sleep(0.02)
    raise AssertionError("the condition did not become true within {} s".format(PATIENCE))
