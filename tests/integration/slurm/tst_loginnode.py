#!/usr/bin/env python3
"""Sweeps whose trials are jobs of a Slurm whose login node is reached by ssh: a real sshd besides. The login node is this machine, in
another folder, which alone its jobs see. Usage: tst_loginnode.py SWEEPCTL [unittest arguments]"""
import os
import pathlib
import sys
import unittest

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parent.parent / "remote"))

from jobsweeps import JobSweeps, until
from sshserver import SshServer, is_available


@unittest.skipUnless(is_available(), "OpenSSH's server or client is not installed")
class LoginNode(JobSweeps):
    machines = ("lab",)

    def prepare(self):
        self.server = SshServer(self.cluster.folder / "server", f"SetEnv SLURM_CONF={self.cluster.conf}\n")
        self.addCleanup(self.server.stop)
        self.there = self.cluster.folder / "there"  # not beside the code, which travels
        # Slurm's programs are over there only.
        self.programs = {"PATH": f"{self.server.path}:{os.environ['PATH']}", "SLURM_CONF": "/nowhere"}

    def settings(self, toml):
        (self.workspace / "machines.toml").write_text(
            f"[lab]\nssh = 'box'\nfolder = '{self.there}'\npython = '{sys.executable}'\nsetup = 'export FROM_SETUP=1'\n[lab.slurm]\n{toml}\n")

    def jobs(self, *more):
        return self.cluster.output("squeue", "-h", "-t", "all", "-o", "%T", *more).split()

    def attempt_there(self, trial, number=1):
        return next(self.there.glob(f"work/*/sweeps/0001-*/trials/{trial:04}/{number}"))

    def test_a_sweep_completes_with_code_and_results_that_travel(self):
        plan = self.sweepctl("plan", self.sweep(lrs=[0.1, 0.2, 0.3]))
        self.assertIn("3 trials, each as a Slurm job on lab", plan)
        self.assertIn("Slurm expects a start", plan)
        self.launch(lrs=[0.1, 0.2, 0.3])
        trials = self.wait_for_states(*["completed"] * 3)
        for trial, lr in zip(trials, [0.1, 0.2, 0.3]):
            self.assertAlmostEqual(trial["objective_best"]["value"], lr / 3, places=6)
            self.assertEqual(trial["devices"], ["job:0@lab"])
            self.assertEqual(trial["attempts"], 1)
        self.assertEqual(sorted(self.started()), ["1", "2", "3"])
        self.assertTrue({line.split()[1] for line in self.starts.read_text().splitlines()} <= {"0", "1"})  # GPUs of jobs
        until(lambda: self.jobs() == ["COMPLETED"] * 3)
        # What ran there is here, too, and nothing of the workspace was used there.
        self.assertEqual((self.attempt(1) / "slurm-job").read_text(), (self.attempt_there(1) / "slurm-job").read_text())
        self.assertIn(str(self.there), (self.attempt(1) / "launch.json").read_text())
        self.assertIn("FROM_SETUP", (self.attempt(1) / "launch.json").read_text())

    def test_short_trials_follow_each_other_in_one_job(self):
        self.launch(lrs=[0.1, 0.2, 0.3], steps=80, concurrent=1)
        self.wait_for_states(*["completed"] * 3, seconds=120)
        self.assertEqual([(self.attempt(trial) / "slurm-job").read_text() for trial in (1, 2, 3)], ["1\n"] * 3)
        self.assertEqual(self.started(), ["1", "2", "3"])

    def test_a_trial_that_waits_runs_in_a_job_that_has_become_idle(self):
        self.launch(lrs=[0.1, 0.2, 0.3, 0.4], steps=80, devices="kind = 'gpu'\nper_rank = 2")
        self.wait_for_states(*["completed"] * 4, seconds=120)
        self.assertEqual({(self.attempt(trial) / "slurm-job").read_text() for trial in range(1, 5)}, {"1\n", "2\n"})
        self.assertEqual(sorted(self.started()), ["1", "2", "3", "4"])

    def test_waiting_and_running_trials_are_stopped(self):
        self.launch(lrs=[0.1, 0.2, 0.3], steps=9999, devices="kind = 'gpu'\nper_rank = 2")
        trials = self.wait(lambda trials: [t["state"] for t in trials] == ["running", "running", "starting"]
                           and "enough nodes, GPUs or memory" in (trials[2]["cause"] or ""))
        self.assertRegex(trials[0]["cause"], r"^Runs as job \d+")
        self.sweepctl("stop", "1", "--trial", "3")
        self.wait_for_states("running", "running", "stopped")
        self.assertEqual((self.attempt_there(3) / "slurm-job").read_text(), "withdrawn\n")
        self.sweepctl("stop", "1")
        self.wait_for_states("stopped", "stopped", "stopped")
        until(lambda: not self.cluster.output("squeue", "-h"))
        self.assertEqual(sorted(self.started()), ["1", "2"])

    def test_jobs_outlive_connection_and_engine(self):
        self.launch(lrs=[0.1, 0.2], steps=60, pause=0.2)
        self.wait(lambda trials: all(t["state"] == "running" and t["step"] for t in trials))
        self.server.stop()
        until(lambda: "No connection to lab" in self.sweepctl("status", "--json"), 30)
        self.assertEqual([t["state"] for t in self.trials()], ["running"] * 2)
        self.kill_engine()
        until(lambda: not self.cluster.output("squeue", "-h", "-t", "running"), 40)  # both jobs end without an engine
        self.server.start()
        self.start_engine()
        trials = self.wait_for_states("completed", "completed", seconds=90)
        self.assertEqual([t["attempts"] for t in trials], [1, 1])
        self.assertEqual([t["step"] for t in trials], [59, 59])
        self.assertEqual(sorted(self.started()), ["1", "2"])
        until(lambda: self.jobs() == ["COMPLETED"] * 2)

    def test_an_engine_that_is_killed_while_it_submits_runs_nothing_twice(self):
        self.launch(lrs=[0.1, 0.2, 0.3, 0.4], steps=30, pause=0.1)
        until(lambda: list(self.there.glob("work/*/sweeps/0001-*/trials/0001/1/launch.json")))
        self.kill_engine()
        self.start_engine()
        self.wait_for_states(*["completed"] * 4, seconds=200)
        self.assertEqual(sorted(self.started()), ["1", "2", "3", "4"])
        until(lambda: self.jobs() == ["COMPLETED"] * len(self.jobs()))

    def test_a_trial_goes_on_in_another_job_when_its_time_is_over(self):
        self.settings("partition = 'short'\ntime = '1'")
        self.launch(lrs=[1], steps=1200, pause=0.05)
        trials = self.wait_for_states("completed", seconds=170)
        self.assertGreaterEqual(trials[0]["attempts"], 2)
        self.assertEqual(trials[0]["step"], 1199)
        self.assertEqual(self.steps_of_curve(), set(range(1200)))


if __name__ == "__main__":
    unittest.main()
