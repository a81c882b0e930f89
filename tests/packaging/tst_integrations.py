"""What the integrations of packaging/python report, without the frameworks: tests/frameworks/run has those."""

import json
import os
import subprocess
import sys
import tempfile
import threading
import types
import unittest
from pathlib import Path
from unittest import mock

PYTHON = Path(__file__).resolve().parents[2] / "packaging" / "python"
sys.path.insert(0, str(PYTHON))

from sweepscope import agreement, frameworks, tensorboard, wandb  # noqa: E402
from sweepscope import run as reporting  # noqa: E402


class Recorder:
    """Takes the place of a ring's writer."""

    stop_requested = False
    dropped = 0

    def __init__(self):
        self.points = []
        self.events = []

    def log(self, step, values=None, **more):
        self.points += [(step, name, value) for name, value in dict(values or {}, **more).items()]

    def event(self, kind, step, text):
        self.events.append((kind, text))

    def trace_steps(self, tracer):
        pass

    def declare(self, name, unit):
        pass

    def close(self):
        return True

    def forget_in_child(self):
        pass


class Reporting(unittest.TestCase):
    def setUp(self):
        self.recorder = Recorder()
        self.begin({})
        self.complaints = []
        for module in (wandb, tensorboard):
            patched = mock.patch.object(module, "complain", self.complaints.append)
            patched.start()
            self.addCleanup(patched.stop)
        tensorboard._has_complained = False
        wandb._complained.clear()
        self.addCleanup(wandb.finish)

    def begin(self, params):
        frameworks._run = reporting.Run(self.recorder, 0, 1, params)
        self.addCleanup(setattr, frameworks, "_run", None)


class Wandb(Reporting):
    def test_steps_are_those_of_wandb(self):
        """As wandb 0.31 writes them."""
        run = wandb.init()
        steps = []
        for data, how in (({"a": 1}, {}), ({"a": 2}, {"commit": False}), ({"b": 3}, {}), ({"a": 4}, {"step": 5}),
                          ({"b": 5}, {"step": 5}), ({"c": 6}, {}), ({"d": 7}, {"step": 3}), ({"d": 8}, {"step": 9, "commit": True}),
                          ({"e": {"f": {"g": 9}, "h": 10}}, {}), ({"a": 11}, {"step": 20, "commit": False}),
                          ({"a": 12}, {"step": 21}), ({"z": 1}, {"commit": False})):
            wandb.log(data, **how)
            steps.append(run.step)
        wandb.finish()
        self.assertEqual(steps, [1, 1, 2, 5, 5, 6, 6, 10, 11, 20, 21, 21])
        self.assertEqual(self.recorder.points, [
            (0, "a", 1), (1, "a", 2), (1, "b", 3), (5, "a", 4), (5, "b", 5), (5, "c", 6), (9, "d", 8), (10, "e.f.g", 9),
            (10, "e.h", 10), (20, "a", 11), (21, "a", 12), (21, "z", 1)])
        self.assertEqual(len(self.complaints), 1)
        self.assertIn("step 3 is ignored", self.complaints[0])

    def test_a_value_that_waits_can_be_replaced(self):
        with wandb.init():
            wandb.log({"a": 1}, commit=False)
            wandb.log({"a": 2})
        self.assertEqual(self.recorder.points, [(0, "a", 2)])

    def test_parameters_of_the_trial_override_config(self):
        self.begin({"lr": 0.1, "layers": 3})
        run = wandb.init(config={"lr": 0.5, "momentum": 0.9, "model": {"width": 8}})
        config = wandb.config
        self.assertEqual((config.lr, config["layers"], config.momentum, config["model"]["width"]), (0.1, 3, 0.9, 8))
        config.lr = 0.7
        config.update({"lr": 0.8, "epochs": 4}, allow_val_change=True)
        config.setdefaults({"momentum": 0.0, "seed": 1})
        self.assertEqual(config.as_dict(),
                         {"lr": 0.1, "layers": 3, "momentum": 0.9, "model": {"width": 8}, "epochs": 4, "seed": 1})
        self.assertEqual(len(self.complaints), 1)
        self.assertIs(run.config, config)
        self.assertTrue("lr" in config and "other" not in config and config.get("other", 5) == 5)
        with self.assertRaises(AttributeError):
            config.other

    def test_a_namespace_is_a_config(self):
        wandb.init(config=types.SimpleNamespace(lr=0.5))
        self.assertEqual(wandb.config.lr, 0.5)

    def test_without_a_run(self):
        with self.assertRaisesRegex(wandb.Error, "call wandb.init"):
            wandb.log({"a": 1})
        self.assertIsNone(wandb.run)
        wandb.finish()

    def test_what_cannot_be_recorded_is_ignored_with_one_complaint(self):
        run = wandb.init()
        table = wandb.Table(columns=["a"])
        table.add_data(1)
        wandb.log({"sound": wandb.Audio([1]), "table": table, "text": "words", "nothing": None, "loss": 1})
        wandb.log({"histogram": wandb.Histogram([1, 2]), "loss": 2})
        wandb.save("model.pt")
        run.log_artifact(wandb.Artifact("model", type="model"))
        wandb.watch(None)
        wandb.define_metric("val/*", step_metric="epoch")
        self.assertEqual(self.recorder.points, [(0, "loss", 1), (1, "loss", 2)])
        self.assertEqual(len(self.complaints), 1)

    def test_summary(self):
        run = wandb.init()
        wandb.log({"accuracy": 0.5})
        wandb.log({"accuracy": 0.4})
        self.assertEqual(wandb.summary["accuracy"], 0.4)
        run.summary["best"] = 0.5
        run.summary.update({"worst": 0.4})
        self.assertEqual(self.recorder.points[-2:], [(2, "best", 0.5), (2, "worst", 0.4)])

    def test_a_second_run_begins_anew(self):
        first = wandb.init(config={"lr": 1})
        self.assertIs(wandb.init(), first)
        wandb.finish()
        self.assertIsNot(wandb.init(), first)
        self.assertNotIn("lr", wandb.config)


class Writer(Reporting):
    def test_scalars(self):
        with tensorboard.SummaryWriter("runs") as writer:
            writer.add_scalar("Loss/train", 0.5, 7)
            writer.add_scalar("Loss/train", 0.4)
            writer.add_scalar("new", 1)
            writer.add_scalar("new", 2, walltime=1.0)
            writer.add_scalars("Loss", {"a": 1, "b": 2}, 9)
            writer.add_hparams({"lr": 0.1}, {"hparam/accuracy": 0.9})
            writer.flush()
        self.assertEqual(self.recorder.points, [
            (7, "Loss/train", 0.5), (8, "Loss/train", 0.4), (0, "new", 1), (1, "new", 2), (9, "Loss/a", 1), (9, "Loss/b", 2),
            (9, "hparam/accuracy", 0.9)])
        self.assertEqual(self.recorder.events, [("message", 'hyperparameters: {"lr": 0.1}')])
        self.assertEqual(writer.get_logdir(), "runs")

    def test_everything_else_is_ignored_with_one_complaint(self):
        writer = tensorboard.SummaryWriter()
        writer.add_mesh("mesh", [[1]], 0)
        writer.add_video("video", [1, 2], 0)
        self.assertEqual(len(self.complaints), 1)
        self.assertIn("add_mesh()", self.complaints[0])
        with self.assertRaises(AttributeError):
            writer.add_scalr("loss", 1)

    def test_another_writer_gets_all_calls(self):
        other = mock.Mock(log_dir="there")
        writer = tensorboard.SummaryWriter(also=other)
        writer.add_scalar("loss", 0.5, 7, walltime=2.0)
        writer.add_image("image", [[[1]]], 0)
        writer.add_mesh("mesh", [1], 1)
        writer.add_hparams({"lr": 0.1}, {"accuracy": 0.9}, run_name="final")
        writer.close()
        self.assertEqual(other.mock_calls, [
            mock.call.add_scalar("loss", 0.5, 7, walltime=2.0), mock.call.add_image("image", [[[1]]], 0, None, "CHW"),
            mock.call.add_mesh("mesh", [1], 1),
            mock.call.add_hparams({"lr": 0.1}, {"accuracy": 0.9}, run_name="final"), mock.call.close()])
        self.assertEqual(writer.log_dir, "there")
        self.assertEqual(self.complaints, [])
        self.assertEqual(self.recorder.points[0], (7, "loss", 0.5))


class Frameworks(Reporting):
    def test_numbers_of_nested_values(self):
        self.assertEqual(frameworks.numbers({"a": 1, "b": {"c": True, "d": {"e": 2.5}}, "text": "3", "none": None, "list": [1]}),
                         {"a": 1, "b/c": 1, "b/d/e": 2.5})

    def test_a_parameter_that_the_script_does_not_use(self):
        self.begin({"lr": 0.1, "optimizer": "adam", "steps": 5})
        frameworks.hyperparameters({"lr": 0.2, "optimizer": "adam", "steps": "5", "seed": 1})
        self.assertEqual([kind for kind, _ in self.recorder.events], ["message", "warning"])
        self.assertTrue(self.recorder.events[1][1].startswith("lr is 0.2 in the script, but 0.1 in the trial"))

    def test_the_first_value_of_a_step_counts(self):
        once = frameworks.OncePerStep()
        once.report(5, {"loss": 1, "epoch": 0.5})
        once.report(5, {"eval_loss": 2, "epoch": 0.6})
        once.report(6, {"epoch": 0.7})
        self.assertEqual(self.recorder.points, [(5, "loss", 1), (5, "epoch", 0.5), (5, "eval_loss", 2), (6, "epoch", 0.7)])

    def test_a_checkpoint_of_an_earlier_attempt_if_the_last_is_incomplete(self):
        with tempfile.TemporaryDirectory() as folder:
            for attempt, name in ((1, "checkpoint-5/trainer_state.json"), (1, "new.tmp/checkpoint-6/trainer_state.json"),
                                  (2, "checkpoint-9/model")):
                path = Path(folder, str(attempt), "checkpoint", name)
                path.parent.mkdir(parents=True)
                path.touch()
            with mock.patch.dict(os.environ, SWEEPSCOPE_ATTEMPT_FOLDER=os.path.join(folder, "3")):
                found = frameworks.newest_checkpoint(lambda path: os.path.exists(os.path.join(path, "trainer_state.json")))
        self.assertEqual(found, os.path.join(folder, "1", "checkpoint", "checkpoint-5"))

    def test_the_wait_for_batches_is_part_of_a_step(self):
        times = iter([1.0, 3.0, 4.0, 5.0, 7.0])
        clock = frameworks.StepClock()
        with mock.patch.object(frameworks.time, "perf_counter", lambda: next(times)):
            self.assertEqual(clock.batch_ended(), {})  # its beginning is unknown
            clock.batch_begins()
            self.assertEqual(clock.batch_ended(is_step=False), {})
            clock.batch_begins()
            self.assertEqual(clock.batch_ended(), {"step_time": 6.0, "data_wait": 3.0})
            clock.interrupt()
            clock.batch_begins()


class Ranks:
    """torch.distributed of threads: a rank that asks at another step than the others fails."""

    ReduceOp = types.SimpleNamespace(MAX="max")

    def __init__(self, count):
        self._count = count
        self._barrier = threading.Barrier(count, timeout=30)
        self._exchanged = []
        self._lock = threading.Lock()
        self.step = threading.local()

    def is_available(self):
        return True

    is_initialized = is_available

    def get_world_size(self):
        return self._count

    def get_backend(self):
        return "gloo"

    def all_reduce(self, tensor, op):
        with self._lock:
            self._exchanged.append((self.step.now, list(tensor)))
        self._barrier.wait()
        steps = {step for step, _ in self._exchanged}
        maxima = [max(values) for values in zip(*(tensor for _, tensor in self._exchanged))]
        if self._barrier.wait() == 0:
            self._exchanged.clear()
        self._barrier.wait()
        assert len(steps) == 1, steps
        tensor[:] = maxima


class Tensor(list):
    def tolist(self):
        return list(self)


class Agreement(unittest.TestCase):
    def test_ranks_of_different_speeds_stop_after_the_same_step(self):
        ranks = Ranks(2)
        torch = types.SimpleNamespace(distributed=ranks, int64=None, device=lambda name: name,
                                      tensor=lambda values, **_: Tensor(values))
        clocks = threading.local()
        asked, stopped = [0, 0], [None, None]

        def train(rank):
            ends = agreement.Agreement()
            clocks.now = 0.0
            for step in range(1, 2000):
                ranks.step.now = step
                clocks.now += 0.01 * (1 + rank)
                wanted.here = rank == 1 and step >= 500
                if ends.should_stop():
                    stopped[rank] = step
                    return

        wanted = threading.local()

        class Run:
            def should_stop(self):
                asked[0] += 1
                return wanted.here

        with mock.patch.dict(sys.modules, torch=torch), mock.patch.dict(os.environ, SWEEPSCOPE_ATTEMPT_ID="1"), \
                mock.patch.object(agreement, "run", Run), mock.patch.object(agreement.time, "monotonic", lambda: clocks.now):
            threads = [threading.Thread(target=train, args=(rank,)) for rank in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(stopped[0], stopped[1])
        self.assertTrue(500 <= stopped[0] <= 700, stopped)
        self.assertLess(asked[0], 60)  # in 500 steps of two ranks


class Outside(unittest.TestCase):
    def test_nothing_is_reported_or_printed(self):
        script = """
            import sweepscope.wandb as wandb
            from sweepscope.tensorboard import SummaryWriter
            run = wandb.init(project="p", config={"lr": 0.5})
            wandb.log({"loss": 1, "image": wandb.Image(None)})
            assert wandb.config.lr == 0.5 and wandb.summary["loss"] == 1 and run.disabled
            writer = SummaryWriter()
            writer.add_scalar("loss", 1)
            writer.add_image("image", None)
            writer.close()
        """
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SWEEPSCOPE_")}
        ended = subprocess.run([sys.executable, "-c", "\n".join(line.strip() for line in script.splitlines())], text=True,
                               env={**environment, "PYTHONPATH": str(PYTHON)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual((ended.returncode, ended.stdout), (0, ""))


class MetricsOfOutput(unittest.TestCase):
    """The agent reads the metrics of a sweep with [run.metrics]; scripts record media."""

    def ended(self, script):
        with tempfile.TemporaryDirectory() as folder:
            ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60,
                                   env={**os.environ, "PYTHONPATH": str(PYTHON), "SWEEPSCOPE_RING": "",
                                        "SWEEPSCOPE_ATTEMPT_ID": "1", "SWEEPSCOPE_ATTEMPT_FOLDER": folder})
            index = Path(folder) / "rank-0.media.jsonl"
            return ended, [json.loads(line)["name"] for line in index.read_text().splitlines()] if index.exists() else []

    def test_a_script_is_told_once_that_its_numbers_go_nowhere(self):
        ended, _ = self.ended("import sweepscope\nfor step in range(3):\n    sweepscope.init().log(step, loss=1)")
        self.assertEqual(ended.stderr.count("log() records nothing, because [run.metrics]"), 1)

    def test_media_are_recorded(self):
        ended, names = self.ended("""
import os, sweepscope
from sweepscope.tensorboard import SummaryWriter
from sweepscope import wandb
run = sweepscope.init()
run.image("image", [[0, 255], [255, 0]], step=1)
run.table("table", ["a"], [[1]])
SummaryWriter().add_image("board", [[[0, 1]]], 2)
wandb.init()
wandb.log({"loss": 1, "picture": wandb.Html("<b>")})
if os.fork() == 0:
    run.text("text", "of a child")
    os._exit(0)
os.wait()
print(run.active)""")
        self.assertEqual((ended.stdout, ended.stderr), ("False\n", ""))
        self.assertEqual(names[:3], ["image", "table", "board"])
        self.assertNotIn("text", names)


if __name__ == "__main__":
    unittest.main()
