#!/usr/bin/env python3
"""A sweep of a script that reports with TensorBoard's own writer, which torch.utils.tensorboard uses, too.
Usage: tst_tensorboardlive.py SWEEPCTL [unittest arguments]"""
import collections
import sys
import time
import unittest

try:
    import tensorboard.summary.writer.event_file_writer  # noqa: F401
except ImportError as error:
    print(f"skipped: no tensorboard here ({error})")
    sys.exit(77)

from workspacecase import WorkspaceCase

WorkspaceCase.SWEEPCTL = sys.argv.pop(1)

# Trials run at the same time and write to the same folder, as scripts with the default folder do.
TRAIN = """
import pathlib, sys, time
try:
    from torch.utils.tensorboard import SummaryWriter
except ImportError:
    from tensorboard.compat.proto import event_pb2, summary_pb2
    from tensorboard.summary.writer.event_file_writer import EventFileWriter

    class SummaryWriter:
        def __init__(self, folder):
            self._writer = EventFileWriter(folder)
        def add_scalar(self, tag, value, step):
            summary = summary_pb2.Summary(value=[summary_pb2.Summary.Value(tag=tag, simple_value=value)])
            self._writer.add_event(event_pb2.Event(wall_time=time.time(), step=step, summary=summary))
        def flush(self):
            self._writer.flush()
        def close(self):
            self._writer.close()

lr = float(sys.argv[1])
writer = SummaryWriter("runs")
for step in range(1, 101):
    writer.add_scalar("Loss/train", lr / step, step)
    if step == 50:
        writer.flush()
        until = time.monotonic() + 60
        while not pathlib.Path("go").exists() and time.monotonic() < until:
            time.sleep(0.05)
writer.close()
"""
SWEEP = """
[sweep]
name = "live"
objective = "loss"
[space]
lr = [1.0, 2.0]
[run]
command = ["PYTHON", "train.py", "{lr}"]
[run.metrics]
tensorboard = "runs"
loss = "Loss/train"
[devices]
kind = "cpu"
concurrent = 2
cpu_slots = 2
"""


class TensorBoardLive(WorkspaceCase):
    def curves(self):
        found = collections.defaultdict(list)
        try:
            rows = self.table("1", option="--curves")
        except AssertionError:
            return found  # not even the sweep is there
        for row in rows:
            found[row["trial"], row["series"]].append((int(row["step"]), float(row["value"])))
        return found

    def test_scalars_are_followed_while_the_script_runs(self):
        (self.folder / "train.py").write_text(TRAIN)
        (self.folder / "live.toml").write_text(SWEEP.replace("PYTHON", sys.executable))
        sweep = self.start("run", "live.toml", "--wait")
        self.addCleanup(sweep.kill)
        until = time.monotonic() + 60
        while time.monotonic() < until and [len(points) for points in self.curves().values()] != [50, 50]:
            time.sleep(0.2)
        self.assertEqual([len(points) for points in self.curves().values()], [50, 50])
        (self.folder / "go").touch()
        self.assertEqual(sweep.wait(60), 0)
        curves = self.curves()
        for trial, lr in (("1", 1.0), ("2", 2.0)):
            points = curves[trial, "loss"]
            self.assertEqual([step for step, _ in points], list(range(1, 101)))
            for step, value in points:
                self.assertAlmostEqual(value, lr / step, places=6)


if __name__ == "__main__":
    unittest.main()
