#!/usr/bin/env python3
"""A script that reports only after its agent has begun to read its output, as one that loads a large model.
Usage: tst_slowstart.py SWEEPCTL [unittest arguments]"""
import csv
import io
import pathlib
import sys
import unittest

from importcase import ImportCase

ImportCase.SWEEPCTL = str(pathlib.Path(sys.argv.pop(1)).resolve())

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


class SlowStart(ImportCase):
    def test_what_the_script_reports_replaces_what_it_prints(self):
        (self.folder / "train.py").write_text(TRAIN)
        (self.folder / "sweep.toml").write_text(SWEEP)
        self.sweepctl("run", str(self.folder / "sweep.toml"), "--wait")
        table = self.sweepctl("export", "1", "--curves", "-").stdout
        points = [(int(row["step"]), float(row["value"])) for row in csv.DictReader(io.StringIO(table)) if row["series"] == "loss"]
        self.assertEqual(points, [(1, 9.0)] + [(step, 1 / step) for step in range(2, 22)])


if __name__ == "__main__":
    unittest.main()
