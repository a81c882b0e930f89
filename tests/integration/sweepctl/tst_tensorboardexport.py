#!/usr/bin/env python3
"""`sweepctl export --tensorboard` read by TensorBoard. Usage: tst_tensorboardexport.py SWEEPCTL [unittest arguments]"""
import collections
import datetime
import math
import struct
import sys
import unittest

try:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.plugins.hparams import metadata, plugin_data_pb2
except ImportError as error:
    print(f"skipped: no tensorboard here ({error})")
    sys.exit(77)

from exportedsweep import ExportedSweep

SWEEPCTL = sys.argv.pop(1)


def single(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def seconds(text):
    whole, fraction = text.rstrip("Z").split(".")
    start = datetime.datetime.fromisoformat(whole).replace(tzinfo=datetime.timezone.utc)
    return start.timestamp() + float("0." + fraction)


def accumulated(folder):
    result = EventAccumulator(str(folder), size_guidance={"scalars": 0, "tensors": 0})
    result.Reload()
    return result


class TensorBoardExport(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sweep = ExportedSweep(SWEEPCTL)
        cls.runs = cls.sweep.folder / "runs"
        cls.sweep.export("--tensorboard", cls.runs, "--ranks")
        cls.rows = cls.sweep.table("1")

    @classmethod
    def tearDownClass(cls):
        cls.sweep.close()

    def test_every_point_is_that_of_the_table(self):
        expected = collections.defaultdict(list)
        for row in self.sweep.table("1", option="--curves"):
            run = "trial-%04d" % int(row["trial"]) + ("" if row["rank"] == "0" else "/rank-" + row["rank"])
            expected[run, row["series"]].append((int(row["step"]), seconds(row["time"]), float(row["value"])))
        found = {}
        for folder in {file.parent for file in self.runs.rglob("*tfevents*")}:
            run = accumulated(folder)
            for tag in run.Tags()["scalars"]:
                found[str(folder.relative_to(self.runs)), tag] = run.Scalars(tag)
        self.assertEqual(set(found), set(expected))
        for key, points in expected.items():
            self.assertEqual([event.step for event in found[key]], [step for step, _, _ in points])
            for event, (_, time, value) in zip(found[key], points):
                self.assertAlmostEqual(event.wall_time, time, delta=1e-6)
                self.assertTrue(event.value == single(value) or math.isnan(event.value) and math.isnan(value))

    def test_hparams_has_every_trial(self):
        experiment = self.plugin_data(self.runs)[metadata.EXPERIMENT_TAG].experiment
        self.assertEqual([info.name for info in experiment.hparam_infos],
                         ["lr", "momentum", "dropout", "layers", "width", "batch", "optimizer", "nesterov"])
        self.assertTrue(all(info.differs for info in experiment.hparam_infos))
        self.assertEqual([info.name.tag for info in experiment.metric_infos], ["loss"])
        for row in self.rows:
            data = self.plugin_data(self.runs / ("trial-%04d" % int(row["trial"])))
            start = data[metadata.SESSION_START_INFO_TAG].session_start_info
            end = data[metadata.SESSION_END_INFO_TAG].session_end_info
            self.assertEqual(start.hparams["lr"].number_value, float(row["lr"]))
            self.assertEqual(start.hparams["optimizer"].string_value, row["optimizer"])
            self.assertEqual("nesterov" in start.hparams, row["nesterov"] != "")
            self.assertEqual(end.status, {"completed": 1, "failed": 2}[row["state"]])
            self.assertAlmostEqual(end.end_time_secs, seconds(row["end"]), delta=1e-6)

    def plugin_data(self, folder):
        result = {}
        for tag, content in accumulated(folder).PluginTagToContent("hparams").items():
            result[tag] = plugin_data_pb2.HParamsPluginData.FromString(content)
        return result

    def test_the_plugin_lists_the_sessions(self):
        try:
            from tensorboard.backend import application  # noqa: F401
            from tensorboard.backend.event_processing import data_provider, plugin_event_multiplexer
            from tensorboard.context import RequestContext
            from tensorboard.plugins import base_plugin
            from tensorboard.plugins.hparams import api_pb2, backend_context, get_experiment, list_session_groups
        except ImportError as error:
            self.skipTest(f"this version has other modules ({error})")
        multiplexer = plugin_event_multiplexer.EventMultiplexer()
        multiplexer.AddRunsFromDirectory(str(self.runs))
        multiplexer.Reload()
        provider = data_provider.MultiplexerDataProvider(multiplexer, str(self.runs))
        context = backend_context.Context(base_plugin.TBContext(data_provider=provider, logdir=str(self.runs)))
        request = RequestContext()
        experiment = get_experiment.Handler(request, context, "", api_pb2.GetExperimentRequest()).run()
        self.assertEqual(len(experiment.hparam_infos), 8)
        wanted = api_pb2.ListSessionGroupsRequest(start_index=0, slice_size=100, allowed_statuses=[0, 1, 2, 3])
        groups = list_session_groups.Handler(request, context, "", wanted).run().session_groups
        self.assertEqual(len(groups), len(self.rows))
        for group in groups:
            self.assertEqual([value.name.tag for value in group.metric_values],
                             [] if group.name == "trial-0007" else ["loss"])

    def test_other_ranks_only_on_request(self):
        folder = self.sweep.folder / "first"
        self.sweep.export("--tensorboard", folder, "--points", 20)
        self.assertFalse(list(folder.rglob("rank-*")))
        for tag in ("loss", "train/loss, ä"):
            self.assertLessEqual(len(accumulated(folder / "trial-0001").Scalars(tag)), 20)

    def test_the_same_data_gives_the_same_bytes(self):
        folder = self.sweep.folder / "again"
        self.sweep.export("--tensorboard", folder, "--ranks")
        files = sorted(file.relative_to(folder) for file in folder.rglob("*tfevents*"))
        self.assertEqual(files, sorted(file.relative_to(self.runs) for file in self.runs.rglob("*tfevents*")))
        for file in files:
            self.assertEqual((folder / file).read_bytes(), (self.runs / file).read_bytes())


if __name__ == "__main__":
    unittest.main()
