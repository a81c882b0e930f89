#!/usr/bin/env python3
"""Event files of the real TensorBoard, imported by sweepctl and compared with what TensorBoard reads.
Usage: tst_tensorboardimport.py SWEEPCTL [unittest arguments]"""
import collections
import csv
import json
import math
import struct
import subprocess
import sys
import unittest

try:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.compat.proto import event_pb2, summary_pb2, tensor_pb2
    from tensorboard.plugins.hparams import api_pb2, plugin_data_pb2
    from tensorboard.summary.writer.event_file_writer import EventFileWriter  # torch.utils.tensorboard writes with it
    from tensorboard.util import tensor_util
except ImportError as error:
    print(f"skipped: no tensorboard here ({error})")
    sys.exit(77)

from exportedsweep import ExportedSweep  # noqa: E402
from workspacecase import WorkspaceCase  # noqa: E402

WorkspaceCase.SWEEPCTL = SWEEPCTL = sys.argv.pop(1)
START = 1_700_000_000


def metadata(plugin, content=b""):
    data = summary_pb2.SummaryMetadata.PluginData(plugin_name=plugin, content=content)
    return summary_pb2.SummaryMetadata(plugin_data=data)


def hparams(tag, **data):
    content = plugin_data_pb2.HParamsPluginData(**data).SerializeToString()
    return summary_pb2.Summary.Value(tag=tag, metadata=metadata("hparams", content))


class TensorBoardImport(WorkspaceCase):
    def writer(self, run, **options):
        writer = EventFileWriter(str(self.folder / "runs" / run), **options)
        self.addCleanup(writer.close)
        return writer

    def add(self, writer, time, step, *values):
        writer.add_event(event_pb2.Event(wall_time=START + time, step=step, summary=summary_pb2.Summary(value=values)))

    def write_runs(self):
        for number in range(3):
            writer = self.writer(f"run-{number}")
            start = plugin_data_pb2.SessionStartInfo(start_time_secs=START + 100 * number)
            start.hparams["lr"].number_value = 0.1 * (number + 1)
            start.hparams["optimizer"].string_value = "sgd" if number else "adam"
            self.add(writer, 100 * number, 0, hparams("_hparams_/session_start_info", session_start_info=start))
            for step in range(1, 51):
                loss = math.nan if number == 1 and step == 3 else 1 / step + number
                self.add(writer, 100 * number + step, step, summary_pb2.Summary.Value(tag="loss", simple_value=loss),
                         summary_pb2.Summary.Value(tag="histogram", histo=summary_pb2.HistogramProto(min=1)))
                content = {"tensor_content": struct.pack("<f", step / 3)} if step % 2 else {"float_val": [step / 3]}
                tensor = tensor_pb2.TensorProto(dtype=1, **content)
                self.add(writer, 100 * number + step, step,
                         summary_pb2.Summary.Value(tag="eval/accuracy", tensor=tensor, metadata=metadata("scalars")))
            if number == 2:
                end = plugin_data_pb2.SessionEndInfo(status=api_pb2.STATUS_FAILURE, end_time_secs=START + 300)
                self.add(writer, 300, 0, hparams("_hparams_/session_end_info", session_end_info=end))
            writer.close()

    def test_an_engine_that_runs_adds_the_sweep(self):
        self.write_runs()
        with self.start("serve", stderr=subprocess.PIPE, text=True) as engine:
            try:
                self.assertIn("engine of", engine.stderr.readline())
                answers = [self.sweepctl("import", "runs").stdout for _ in range(2)]
                self.assertIn("0001-runs: 3 trials", answers[0])
                self.assertEqual(answers[1], answers[0].replace("0001-", "0002-"))
                tables = [self.sweepctl("export", number, "--curves", "-").stdout for number in "12"]
                self.assertGreater(len(tables[0].splitlines()), 300)
                self.assertEqual(tables[1], tables[0])
                refused = self.sweepctl("retry", "1", code=2).stderr
                self.assertIn("no program to run", refused)
            finally:
                engine.terminate()
                engine.stderr.read()
        folders = [folder.name for folder in (self.folder / "workspace" / "sweeps").iterdir()]
        self.assertEqual(sorted(folders), ["0001-runs", "0002-runs"])

    def expected(self):
        """What TensorBoard reads, by run and tag."""
        found = {}
        for folder in {file.parent for file in (self.folder / "runs").rglob("*tfevents*")}:
            run = EventAccumulator(str(folder), size_guidance={"scalars": 0, "tensors": 0}).Reload()
            for tag in run.Tags()["scalars"]:
                found[folder.name, tag] = [(event.step, event.wall_time, event.value) for event in run.Scalars(tag)]
            for tag in run.Tags()["tensors"]:
                if not tag.startswith("_hparams_"):
                    found[folder.name, tag] = [(event.step, event.wall_time, float(tensor_util.make_ndarray(event.tensor_proto)))
                                               for event in run.Tensors(tag)]
        return found

    def imported(self):
        """The same of the workspace."""
        self.sweepctl("export", "1", "--curves", "curves.csv")
        self.sweepctl("export", "1", "--trials", "trials.json")
        trials = json.loads((self.folder / "trials.json").read_text())["trials"]
        names = {str(trial["trial"]): trial["note"] for trial in trials}
        found = collections.defaultdict(list)
        with open(self.folder / "curves.csv", newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                found[names[row["trial"]], row["series"]].append((int(row["step"]), float(row["value"])))
        return trials, found

    def compare(self):
        expected = self.expected()
        trials, found = self.imported()
        self.assertEqual(set(found), set(expected))
        for key, points in expected.items():
            self.assertEqual([step for step, _ in found[key]], [step for step, _, _ in points], key)
            for (_, value), (_, _, other) in zip(found[key], points):
                self.assertTrue(value == other or math.isnan(value) and math.isnan(other), key)
        return trials

    def test_all_values_are_those_that_tensorboard_reads(self):
        self.write_runs()
        said = self.sweepctl("import", "runs").stdout
        self.assertIn("0001-runs: 3 trials, 2 completed, 1 failed", said)
        self.assertIn("Maximizes eval/accuracy", said)
        trials = self.compare()
        self.assertEqual([trial["parameters"]["optimizer"] for trial in trials], ["adam", "sgd", "sgd"])
        self.assertAlmostEqual(trials[0]["parameters"]["lr"], 0.1)
        self.assertAlmostEqual(trials[0]["objective_best"]["value"], 50 / 3, places=5)

    def test_the_objective_can_be_chosen(self):
        self.write_runs()
        said = self.sweepctl("import", "runs", "--objective", "loss").stdout
        self.assertIn("Minimizes loss", said)
        self.assertAlmostEqual(self.imported()[0][1]["objective_best"]["value"], 1.02, places=6)
        self.assertIn("has no series 'nothing'", self.sweepctl("import", "runs", "--objective", "nothing", code=2).stderr)

    def test_files_of_a_run_that_was_continued_are_joined(self):
        for number, steps in enumerate((range(1, 8), range(5, 11))):
            writer = self.writer("run", filename_suffix=f".{number}")
            for step in steps:
                self.add(writer, 100 * number + step, step, summary_pb2.Summary.Value(tag="loss", simple_value=step + 100 * number))
            writer.close()
            # A real run continues in another process, later; within one, the names of the tenth and ninth file are in this order.
            file = next((self.folder / "runs" / "run").glob(f"*.{number}"))
            file.rename(file.with_name(f"events.out.tfevents.{START + 100 * number}.host"))
        self.sweepctl("import", "runs")
        self.assertEqual(self.imported()[1]["run", "loss"],
                         [(step, float(step if step < 5 else step + 100)) for step in range(1, 11)])

    def test_a_torn_file_is_imported_as_far_as_it_goes(self):
        self.write_runs()
        file = next((self.folder / "runs" / "run-0").iterdir())
        file.write_bytes(file.read_bytes()[:-7])
        self.sweepctl("import", "runs")
        self.compare()

    def test_findings_say_that_trials_were_imported(self):
        self.write_runs()
        self.sweepctl("import", "runs")
        said = self.sweepctl("diagnose", "1", code=2)
        self.assertEqual(said.stderr, "Imported; how it was started is not known\n")

    def test_exports_of_sweepscope_come_back(self):
        sweep = ExportedSweep(SWEEPCTL)
        self.addCleanup(sweep.close)
        sweep.export("--tensorboard", self.folder / "runs")
        rows = sweep.table("1")
        said = self.sweepctl("import", "runs").stdout
        self.assertIn("Minimizes loss", said)
        trials = self.compare()
        self.assertEqual(len(trials), len(rows))
        for trial in trials:
            row = rows[int(trial["note"].removeprefix("trial-")) - 1]
            self.assertEqual(trial["state"], row["state"])
            self.assertAlmostEqual(trial["parameters"]["lr"], float(row["lr"]))
            self.assertEqual(trial["parameters"]["optimizer"], row["optimizer"])

    def test_add_hparams_of_the_writer_of_tensorboardx(self):
        try:
            from tensorboardX import SummaryWriter
        except ImportError as error:
            self.skipTest(f"no tensorboardX here ({error})")
        for lr in (0.1, 0.2):
            with SummaryWriter(str(self.folder / "runs" / f"lr-{lr}")) as writer:
                for step in range(3):
                    writer.add_scalar("loss", lr * step, step)
                writer.add_scalars("losses", {"train": 1, "eval": 2}, 0)
                writer.add_hparams({"lr": lr, "nesterov": True}, {"hp/accuracy": lr})
        self.assertIn("2 trials", self.sweepctl("import", "runs").stdout)
        trials, curves = self.imported()
        self.assertEqual([trial["parameters"] for trial in trials], [{"lr": lr, "nesterov": True} for lr in (0.1, 0.2)])
        self.assertEqual([name for run, name in sorted(curves) if run == "lr-0.1"],
                         ["hp/accuracy", "loss", "losses/eval/losses", "losses/train/losses"])


if __name__ == "__main__":
    unittest.main()
