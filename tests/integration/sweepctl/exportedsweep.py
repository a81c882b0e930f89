"""A small sweep with every kind of parameter and end, for tests that read its exports with other programs."""
import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SWEEP = """
[sweep]
name = "kinds <script>"
objective = "loss"
[search]
method = "random"
trials = 14
seed = 3
[space]
lr = { log = [1e-4, 1e-1] }
momentum = { float = [0.0, 0.99] }
dropout = { float = [0.0, 0.5], step = 0.1 }
layers = { int = [1, 9], step = 2 }
width = { int = [16, 4096], log = true, points = 9 }
batch = [32, 64, 128]
optimizer = ["sgd", "adam </script>"]
nesterov = { values = [true, false], when = "optimizer == 'sgd'" }
[run]
command = ["python3", "train.py"]
ranks = 2
[devices]
kind = "cpu"
concurrent = 2
cpu_slots = 4
"""

#: Trial 3 fails, trial 5 reports NaN, trial 7 nothing.
TRAIN = """
import json, math, os, sys
import sweepscope
run = sweepscope.init()
with open(os.path.join(os.environ["SWEEPSCOPE_ATTEMPT_FOLDER"], "params.json")) as file:
    parameters = json.load(file)
lr, dropout = parameters["lr"], parameters["dropout"]
trial, rank = int(os.environ["SWEEPSCOPE_TRIAL"]), int(os.environ.get("RANK", "0"))
for step in range(1, 301):
    if trial == 7:
        break
    loss = abs(math.log10(lr) + 3) + dropout + 10 / step + math.sin(step) / 100
    run.log(step, **{"loss": math.nan if trial == 5 else loss, "train/loss, \\u00e4": loss + rank})
    if trial == 3 and rank == 0 and step == 100:
        sys.exit(3)
"""


def remove_with_engine(folder):
    """Removes a folder with a workspace whose engine may still write: it ends when the workspace is gone."""
    deadline = time.monotonic() + 30
    while pathlib.Path(folder).exists() and time.monotonic() < deadline:
        shutil.rmtree(folder, ignore_errors=True)


class ExportedSweep:
    def __init__(self, sweepctl):
        self._sweepctl = pathlib.Path(sweepctl).resolve()
        self._temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._temporary.name)
        (self.folder / "runtime").mkdir(mode=0o700)
        self._environment = {**os.environ, "XDG_RUNTIME_DIR": str(self.folder / "runtime"), "LC_ALL": "C.UTF-8"}
        (self.folder / "sweep.toml").write_text(SWEEP)
        (self.folder / "train.py").write_text(TRAIN)
        result = self.sweepctl("run", self.folder / "sweep.toml", "--wait")
        if result.returncode != 3:  # some trials fail
            sys.exit(result.stdout + result.stderr)

    def close(self):
        remove_with_engine(self.folder)
        self._temporary.cleanup()

    def sweepctl(self, *arguments):
        return subprocess.run([self._sweepctl, *map(str, arguments), "--workspace", self.folder / "workspace"],
                              env=self._environment, capture_output=True, text=True, timeout=300)

    def export(self, *arguments):
        result = self.sweepctl("export", "1", *arguments)
        assert result.returncode == 0, result.stderr

    def table(self, option):
        """The rows of an export as CSV."""
        file = self.folder / "table.csv"
        self.export(option, file)
        with open(file, newline="", encoding="utf-8") as text:
            return list(csv.DictReader(text))
