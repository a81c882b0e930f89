#!/usr/bin/env python3
"""A script that reports only after its agent has begun to read its output, as one that loads a large model.
Usage: tst_slowstart.py SWEEPCTL [unittest arguments]"""
import sys
import unittest

from workspacecase import WorkspaceCase

WorkspaceCase.SWEEPCTL = sys.argv.pop(1)

SWEEP = """
[sweep]
name = "slow"
objective = "loss"
[run]
command = ["python3", "train.py"]
[devices]
kind = "cpu"
"""

#: The agent reads the output of ranks that have reported nothing for 20 seconds.
TRAIN = """
import time
import sweepscope
print("step 1 loss=9", flush=True)
time.sleep(25)
run = sweepscope.init()
for step in range(2, 22):
    run.log(step, loss=1 / step)
"""


class SlowStart(WorkspaceCase):
    def test_what_the_script_reports_replaces_what_it_prints(self):
        (self.folder / "train.py").write_text(TRAIN)
        (self.folder / "sweep.toml").write_text(SWEEP)
        self.sweepctl("run", "sweep.toml", "--wait")
        points = [(int(row["step"]), float(row["value"])) for row in self.table("1", option="--curves") if row["series"] == "loss"]
        self.assertEqual(points, [(1, 9.0)] + [(step, 1 / step) for step in range(2, 22)])


if __name__ == "__main__":
    unittest.main()
