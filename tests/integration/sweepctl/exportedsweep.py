"""A small sweep with every kind of parameter and end, for tests that read its exports with other programs."""
from workspacecase import WorkspaceFolder

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
parameters = json.loads(os.environ["SWEEPSCOPE_PARAMS"])
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


class ExportedSweep(WorkspaceFolder):
    def __init__(self, sweepctl):
        super().__init__(sweepctl)
        (self.folder / "sweep.toml").write_text(SWEEP)
        (self.folder / "train.py").write_text(TRAIN)
        self.sweepctl("run", "sweep.toml", "--wait", code=3)  # some trials fail

    def export(self, *arguments):
        self.sweepctl("export", "1", *arguments)
