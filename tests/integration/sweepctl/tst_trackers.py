#!/usr/bin/env python3
"""A sweep copied to MLflow and to W&B, and read back with the real packages. Usage: tst_trackers.py SWEEPCTL PACKAGE_FOLDER
[unittest arguments]"""
import json
import os
import pathlib
import struct
import subprocess
import sys
import unittest

from exportedsweep import ExportedSweep

SWEEPCTL = sys.argv.pop(1)
PACKAGE = str(pathlib.Path(sys.argv.pop(1)).resolve())
sys.path.insert(0, PACKAGE)

import sweepscope  # noqa: E402

try:
    import mlflow
except ImportError:
    mlflow = None
try:
    import wandb
except ImportError:
    wandb = None


def records_of(data):
    """The records of a .wandb file: blocks of 32 KiB with parts of records, as in a log of LevelDB, behind a header of 7 bytes."""
    record, at = b"", 7
    while at + 7 <= len(data):
        if 32768 - at % 32768 < 7:
            at += 32768 - at % 32768
            continue
        length, kind = struct.unpack("<HB", data[at + 4 : at + 7])
        record += data[at + 7 : at + 7 + length]
        at += 7 + length
        if kind in (1, 4):  # whole, or the last part
            yield record
            record = b""


class Trackers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sweep = ExportedSweep(SWEEPCTL)
        cls.trials = sweepscope.read(cls.sweep.folder / "workspace").sweeps[1].trials

    @classmethod
    def tearDownClass(cls):
        cls.sweep.close()

    def export(self, module, *arguments, code=0, **environment):
        result = subprocess.run([sys.executable, "-m", "sweepscope." + module, self.sweep.folder / "workspace", *map(str, arguments)],
                                env={**os.environ, "PYTHONPATH": PACKAGE, **environment}, cwd=self.sweep.folder,
                                capture_output=True, text=True, timeout=280)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    @unittest.skipIf(mlflow is None, "mlflow is not installed here")
    def test_mlflow_has_every_point(self):
        os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
        uri = (self.sweep.folder / "mlruns").as_uri()
        said = self.export("to_mlflow", "--tracking-uri", uri, "--sweep", "1", "--experiment", "kinds")
        self.assertIn("14 trials to the experiment kinds", said.stdout)
        client = mlflow.MlflowClient(tracking_uri=uri)
        experiment = client.get_experiment_by_name("kinds").experiment_id
        runs = {run.data.tags["sweepscope.trial"]: run for run in client.search_runs([experiment])}
        self.assertEqual(len(runs), len(self.trials))
        for trial in self.trials:
            run = runs[str(trial.number)]
            self.assertEqual(run.info.status, "FAILED" if trial.state == "failed" else "FINISHED")
            self.assertEqual(run.info.start_time, trial.started_ns // 1_000_000)
            self.assertEqual(run.info.end_time, trial.ended_ns // 1_000_000)
            self.assertEqual(run.data.params, {name: str(value) for name, value in trial.params.items()})
            for name, metric in (("loss", "loss"), ("train/loss, ä", "train/loss_ ä")):
                points = sorted((point.step, point.value) for point in client.get_metric_history(run.info.run_id, metric))
                expected = []
                if name in trial.curves():
                    curve = trial.curve(name)
                    expected = list(zip(map(int, curve.steps), map(float, curve.values)))
                self.assertEqual(str(points), str(expected))
        refused = self.export("to_mlflow", "--tracking-uri", uri, "--experiment", "kinds", code=2)
        self.assertIn("name another with --experiment", refused.stderr)

    @unittest.skipIf(wandb is None, "wandb is not installed here")
    def test_wandb_has_an_offline_run_for_each_trial(self):
        said = self.export("to_wandb", "--output", self.sweep.folder / "offline", WANDB_ERROR_REPORTING="false")
        self.assertIn("14 trials", said.stdout)
        folders = sorted((self.sweep.folder / "offline" / "wandb").glob("offline-run-*"))
        self.assertEqual(len(folders), len(self.trials))
        found = {}
        for folder in folders:
            config, points, code, summary = self.read_run(next(folder.glob("*.wandb")))
            found[config["sweepscope.trial"]] = (config, points, code, summary)
        for trial in self.trials:
            config, points, code, summary = found[str(trial.number)]
            self.assertEqual(code, 1 if trial.state == "failed" else 0)
            for name, value in trial.params.items():
                self.assertEqual(config[name], value)
            expected = list(map(float, trial.curve("loss").values)) if "loss" in trial.curves() else []
            self.assertEqual(str([float(value) for _, value in points]), str(expected))
            self.assertEqual([step for step, _ in points], list(range(1, len(expected) + 1)))
            if trial.best is not None:
                self.assertEqual(summary["best_loss"], trial.best)

    def read_run(self, file):
        """Config, points of the loss, exit code and summary."""
        from wandb.proto import wandb_internal_pb2

        config, points, code, summary = {}, [], None, {}
        for data in records_of(file.read_bytes()):
            record = wandb_internal_pb2.Record()
            record.ParseFromString(data)
            kind = record.WhichOneof("record_type")
            items = {}
            if kind == "run":
                config.update({item.key: json.loads(item.value_json) for item in record.run.config.update})
            elif kind == "config":
                config.update({item.key: json.loads(item.value_json) for item in record.config.update})
            elif kind == "history":
                for item in record.history.item:
                    items[item.key or "/".join(item.nested_key)] = json.loads(item.value_json)
                if "loss" in items:
                    points.append((items["_step"], items["loss"]))
            elif kind == "summary":
                for item in record.summary.update:
                    summary[item.key or item.nested_key[0]] = json.loads(item.value_json)
            elif kind == "exit":
                code = record.exit.exit_code
        return config, points, code, summary

    def test_a_missing_package_and_a_missing_sweep_are_named(self):
        blocked = self.sweep.folder / "blocked"
        for name in ("mlflow", "wandb"):
            (blocked / name).mkdir(parents=True)
            (blocked / name / "__init__.py").write_text(f"raise ImportError('no', name={name!r})")
        for name in ("mlflow", "wandb"):
            refused = self.export("to_" + name, code=2, PYTHONPATH=os.pathsep.join([str(blocked), PACKAGE]))
            self.assertEqual(refused.stderr, f"{name} is not installed here: pip install {name}\n")
            self.assertIn("nothing", self.export("to_" + name, "--sweep", "nothing", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
