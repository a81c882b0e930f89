#!/usr/bin/env python3
"""A script that reports only after its agent has begun to read its output, as one that loads a large model.
Usage: tst_slowstart.py SWEEPCTL REPORTSPOINTS [unittest arguments]"""
import pathlib
import sys
import unittest

from workspacecase import WorkspaceCase

WorkspaceCase.SWEEPCTL = sys.argv.pop(1)
REPORTSPOINTS = str(pathlib.Path(sys.argv.pop(1)).resolve())

SWEEP = """
[sweep]
name = "slow"
objective = "loss"
[run]
command = {command}
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


#: Media and events use the ring as well, but are no metrics.
MEDIA = """
import sys, time
import sweepscope
run = sweepscope.init()
run.event("begins")
for step in range(3):
    print("step", step, "loss={}".format(step + 5), flush=True)
    run.image("image", [[0, 255]], step=step)
time.sleep(float(sys.argv[1]))
"""


class SlowStart(WorkspaceCase):
    def losses(self, *command):
        (self.folder / "train.py").write_text(TRAIN)
        (self.folder / "media.py").write_text(MEDIA)
        (self.folder / "sweep.toml").write_text(SWEEP.format(command=list(command)))
        number = self.sweepctl("run", str(self.folder / "sweep.toml"), "--wait").stdout.split()[1]
        return [(int(row["step"]), float(row["value"])) for row in self.table(number, option="--curves") if row["series"] == "loss"]

    def test_what_the_script_reports_replaces_what_it_prints(self):
        self.assertEqual(self.losses("python3", "train.py"), [(1, 9.0)] + [(step, 1 / step) for step in range(2, 22)])

    def test_what_a_script_prints_counts_if_it_reports_only_media_and_events(self):
        for seconds in ("0", "25"):
            self.assertEqual(self.losses("python3", "media.py", seconds), [(0, 5.0), (1, 6.0), (2, 7.0)])

    def test_so_it_is_with_the_c_interface(self):
        losses = self.losses("sh", "-c", "echo step 1 loss=9; sleep 25; exec {} 20".format(REPORTSPOINTS))
        self.assertEqual(losses, [(1, 9.0)] + [(step, float(step)) for step in range(20)])


if __name__ == "__main__":
    unittest.main()
