#!/usr/bin/env python3
"""`sweepctl export --optuna FILE --follow` read by Optuna while the sweep runs. Usage: tst_optunafollow.py SWEEPCTL
[unittest arguments]"""
import signal
import subprocess
import sys
import time
import unittest

from optunastudy import load
from optuna.trial import TrialState
from workspacecase import WorkspaceCase

WorkspaceCase.SWEEPCTL = sys.argv.pop(1)

SWEEP = """
[sweep]
name = "followed"
objective = "loss"
[search]
method = "grid"
[space]
lr = [0.5, 0.25, 0.125]
optimizer = ["sgd"]
[run]
command = ["python3", "train.py"]
[devices]
kind = "cpu"
cpu_slots = 1
"""

#: Each trial reports three steps, and three more once its file is there. The second fails unless the file "fixed" is there.
TRAIN = """
import math, os, sys, time
import sweepscope
run = sweepscope.init()
trial = os.environ["SWEEPSCOPE_TRIAL"]
for step in range(1, 7):
    while step == 4 and not os.path.exists("go-" + trial):
        time.sleep(0.05)
    run.log(step, loss=math.nan if step == 2 else 1 / step)
if trial == "2" and not os.path.exists("fixed"):
    sys.exit(3)
"""
NAN = float("nan")


class OptunaFollow(WorkspaceCase):
    def setUp(self):
        super().setUp()
        (self.folder / "sweep.toml").write_text(SWEEP)
        (self.folder / "train.py").write_text(TRAIN)
        self.file = self.folder / "study.journal"

    def follow(self):
        process = self.start("export", "1", "--optuna", self.file, "--follow", stdout=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def await_states(self, study, *states):
        """And that trials that have begun have reported."""
        deadline = time.monotonic() + 60
        while True:
            trials = study.trials
            reported = all(len(trial.intermediate_values) in (3, 6) for trial in trials
                           if trial.state != TrialState.WAITING)
            if reported and [trial.state.name for trial in trials] == list(states):
                return trials
            if time.monotonic() > deadline:
                self.fail(f"{[(trial.state.name, trial.intermediate_values) for trial in trials]} are not {states}")
            time.sleep(0.1)

    def touch(self, name):
        (self.folder / name).touch()

    def test_optuna_follows_a_sweep_that_runs(self):
        self.sweepctl("run", "sweep.toml")
        follower = self.follow()
        deadline = time.monotonic() + 60
        while not (self.file.exists() and self.file.read_bytes().count(b"\n") >= 6) and time.monotonic() < deadline:
            time.sleep(0.1)
        study = load(self.file)  # it reads on where it stopped
        trials = self.await_states(study, "RUNNING", "WAITING", "WAITING")
        self.assertEqual([trial.params for trial in trials],
                         [{"lr": lr, "optimizer": "sgd"} for lr in (0.5, 0.25, 0.125)])
        self.assertEqual(str(trials[0].intermediate_values), str({1: 1.0, 2: NAN, 3: 1 / 3}))
        self.assertIsNotNone(trials[0].datetime_start)

        self.touch("go-1")
        trials = self.await_states(study, "COMPLETE", "RUNNING", "WAITING")
        self.assertEqual(trials[0].value, 1 / 6)
        self.assertEqual(trials[0].user_attrs["state"], "completed")
        self.assertEqual(study.best_trial.number, 0)

        # A command that was killed is continued, and a reader keeps its place.
        follower.send_signal(signal.SIGKILL)
        follower.wait()
        before = self.file.read_bytes()
        self.touch("go-2")
        follower = self.follow()
        trials = self.await_states(study, "COMPLETE", "FAIL", "RUNNING")
        self.assertTrue(self.file.read_bytes().startswith(before))
        self.assertEqual(trials[1].user_attrs["reason"], "rank_exited")
        self.assertEqual(len(trials[1].intermediate_values), 6)

        self.touch("fixed")
        self.sweepctl("retry", "1", "-t", "2")
        trials = self.await_states(study, "COMPLETE", "FAIL", "RUNNING", "WAITING")
        self.assertEqual([trial.user_attrs["trial"] for trial in trials], [1, 2, 3, 2])
        self.touch("go-3")
        trials = self.await_states(study, "COMPLETE", "FAIL", "COMPLETE", "COMPLETE")
        self.assertEqual(follower.wait(60), 0)  # with its sweep
        for trial, again in zip(trials, load(self.file).trials):
            trial._validate()  # what copy_study() requires
            self.assertEqual(str(trial), str(again))

        # Nothing is missing.
        before = self.file.read_bytes()
        self.assertEqual(self.follow().wait(60), 0)
        self.assertEqual(self.file.read_bytes(), before)

    def test_optuna_runs_a_waiting_trial_with_its_parameters(self):
        self.sweepctl("run", "sweep.toml")
        self.sweepctl("export", "1", "--optuna", self.file)
        self.sweepctl("stop", "1")
        study = load(self.file)
        waiting = next(trial for trial in study.trials if trial.state == TrialState.WAITING)
        trial = study.ask()
        self.assertEqual(trial.number, waiting.number)
        self.assertEqual(trial.suggest_categorical("lr", [0.5, 0.25, 0.125]), waiting.params["lr"])
        study.tell(trial, 1.0)
        self.assertEqual(study.trials[trial.number].state, TrialState.COMPLETE)


if __name__ == "__main__":
    unittest.main()
