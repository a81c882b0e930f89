#!/usr/bin/env python3
"""Sweeps whose trials are jobs of a Slurm of this machine. Usage: tst_slurmsweeps.py SWEEPCTL [unittest arguments]"""
import json
import os
import signal
import time
import unittest

from jobsweeps import JobSweeps, processes, until


class SlurmSweeps(JobSweeps):
    def test_a_sweep_completes_on_gpus_that_slurm_has_chosen(self):
        plan = self.sweepctl("plan", self.sweep(lrs=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]))
        self.assertIn("6 trials, each as a Slurm job", plan)
        self.assertIn("Job: 1 GPU, 1 CPU, up to 10 min", plan)
        self.assertIn("Requested: 1 GPU-hours at most", plan)
        self.assertIn("Slurm expects a start", plan)
        self.launch(lrs=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
        trials = self.wait_for_states(*["completed"] * 6)
        self.assertEqual(sorted(self.started()), ["1", "2", "3", "4", "5", "6"])
        for trial, lr in zip(trials, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]):
            self.assertAlmostEqual(trial["objective_best"]["value"], lr / 3, places=6)
            self.assertEqual(trial["devices"], ["job:0@localhost"])
        self.assertTrue({line.split()[1] for line in self.starts.read_text().splitlines()} <= {"0", "1"})
        self.assertEqual(len(self.cluster.output("squeue", "-h", "-t", "all").splitlines()), 6)

    def test_waiting_and_running_trials_are_stopped(self):
        self.launch(lrs=[0.1, 0.2, 0.3], steps=9999, devices="kind = 'gpu'\nper_rank = 2")
        trials = self.wait(lambda trials: [t["state"] for t in trials] == ["running", "running", "starting"]
                           and "enough nodes, GPUs or memory" in (trials[2]["cause"] or ""))
        self.assertRegex(trials[0]["cause"], r"^Runs as job \d+")
        self.assertIn("Slurm expects a start in", self.wait(lambda trials: "expects" in trials[2]["cause"])[2]["cause"])
        self.sweepctl("stop", "1", "--trial", "3")
        stopped = self.wait_for_states("running", "running", "stopped")
        self.assertEqual(stopped[2]["cause"], "Stopped on request")
        self.assertEqual((self.attempt(3) / "slurm-job").read_text(), "withdrawn\n")
        self.sweepctl("stop", "1", "--trial", "1")
        self.wait_for_states("stopped", "running", "stopped")
        self.sweepctl("pause", "1", "--trial", "2")
        self.wait_for_states("stopped", "paused", "stopped")
        until(lambda: "\nState:\tT" in self.rank_status(2))
        self.sweepctl("resume", "1", "--trial", "2")
        until(lambda: "\nState:\tT" not in self.rank_status(2))
        self.wait_for_states("stopped", "running", "stopped")
        self.sweepctl("stop", "1", "--kill")
        self.wait_for_states("stopped", "stopped", "stopped")
        until(lambda: not self.cluster.output("squeue", "-h"))
        self.assertEqual(sorted(self.started()), ["1", "2"])

    def test_short_trials_follow_each_other_in_one_job(self):
        self.launch(lrs=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6], steps=60, concurrent=2)
        trials = self.wait(lambda trials: any("which has run" in (trial["cause"] or "") for trial in trials))
        self.wait_for_states(*["completed"] * 6)
        self.assertEqual(sorted(self.started()), ["1", "2", "3", "4", "5", "6"])
        jobs = [(self.attempt(trial) / "slurm-job").read_text().strip() for trial in range(1, 7)]
        self.assertEqual(sorted(set(jobs)), ["1", "2"])
        until(lambda: self.cluster.output("squeue", "-h", "-t", "all", "-o", "%T").split() == ["COMPLETED"] * 2)  # they do not stay

    def test_a_trial_that_waits_runs_in_a_job_that_has_become_idle(self):
        self.launch(lrs=[0.1, 0.2, 0.3, 0.4, 0.5], steps=60, devices="kind = 'gpu'\nper_rank = 2")
        self.wait(lambda trials: any("which has run" in (trial["cause"] or "") for trial in trials))
        self.wait_for_states(*["completed"] * 5)
        self.assertEqual(sorted(self.started()), ["1", "2", "3", "4", "5"])
        jobs = [(self.attempt(trial) / "slurm-job").read_text().strip() for trial in range(1, 6)]
        self.assertEqual(sorted(set(jobs)), ["1", "2"])
        until(lambda: sorted(self.cluster.output("squeue", "-h", "-t", "all", "-o", "%T").split())
              == ["CANCELLED"] * 3 + ["COMPLETED"] * 2)

    def test_an_engine_that_is_killed_hands_no_trial_over_twice(self):
        self.launch(lrs=[0.1 * n for n in range(1, 9)], steps=40, devices="kind = 'gpu'\nper_rank = 2")
        for pause in (3.1, 3.3, 3.5, 3.7, 3.9, 4.1):
            time.sleep(pause)
            self.kill_engine()
            self.start_engine()
        trials = self.wait_for_states(*["completed"] * 8, seconds=120)
        self.assertEqual(sorted(self.started()), [str(n) for n in range(1, 9)])
        self.assertEqual([trial["attempts"] for trial in trials], [1] * 8)
        until(lambda: not self.cluster.output("squeue", "-h"))

    def test_a_trial_that_fails_ends_before_its_job(self):
        (self.folder / "train.py").write_text("import sys, time\ntime.sleep(3)\nsys.exit(3)\n")
        self.launch()
        trial = self.wait_for_states("failed", seconds=25)[0]
        self.assertIn("exited with code 3", trial["cause"])

    def test_trials_in_one_job_are_stopped_and_found_again_one_by_one(self):
        self.launch(lrs=[0.1, 0.2, 0.3], steps=100, concurrent=1)
        self.wait(lambda trials: trials[1]["state"] == "running" and trials[1]["objective_best"])
        self.end_engines()
        self.sweepctl("stop", "1", "--trial", "2")  # starts an engine
        self.wait(lambda trials: [trial["state"] for trial in trials][:2] == ["completed", "stopped"])
        self.wait_for_states("completed", "stopped", "completed")
        self.assertEqual(self.started(), ["1", "2", "3"])
        jobs = [(self.attempt(trial) / "slurm-job").read_text().strip() for trial in range(1, 4)]
        self.assertEqual(jobs[0], jobs[1])
        self.assertNotEqual(jobs[1], jobs[2])  # who is asked to end is not followed by another one

    def test_no_trial_begins_in_a_job_that_is_about_to_end(self):
        self.settings("time = '2'")
        self.launch(lrs=[0.1, 0.2, 0.3], steps=400, concurrent=1)
        self.wait_for_states(*["completed"] * 3, seconds=200)
        self.assertEqual([trial["attempts"] for trial in self.trials()], [1] * 3)
        jobs = [(self.attempt(trial) / "slurm-job").read_text().strip() for trial in range(1, 4)]
        self.assertEqual(jobs, ["1", "1", "2"])

    def test_an_engine_that_is_killed_before_sbatch_answers_submits_no_second_job(self):
        bin = self.folder / "bin"
        bin.mkdir()
        (bin / "sbatch").write_text(f"#!/bin/sh\nPATH=${{PATH#*:}}\n[ ! -e {self.folder}/slow ] && exec sbatch \"$@\"\n"
                                    f"case \"$*\" in *--test-only*) exec sbatch \"$@\";; esac\n"
                                    f"sbatch \"$@\" > /dev/null\ntouch {self.folder}/submitted\nsleep 987\n")
        (bin / "sbatch").chmod(0o755)
        (self.folder / "slow").touch()
        self.programs = {"PATH": f"{bin}:{self.cluster.environment()['PATH']}"}
        self.launch(lrs=[0.1], steps=100)
        until((self.folder / "submitted").exists)
        self.kill_engine()
        (self.folder / "slow").unlink()
        self.start_engine()
        trials = self.wait_for_states("completed")
        self.assertEqual(trials[0]["attempts"], 1)
        self.assertAlmostEqual(trials[0]["objective_best"]["value"], 0.1 / 100, places=6)
        self.assertEqual(self.started(), ["1"])
        self.assertEqual(len(self.cluster.output("squeue", "-h", "-t", "all").splitlines()), 1)
        for pid in processes(f"{bin}/sbatch"):
            os.kill(pid, signal.SIGKILL)

    def test_a_trial_goes_on_in_another_job_when_its_time_is_over(self):
        self.settings("partition = 'short'\ntime = '1'")
        steps = 2000  # Slurm looks every 30 s, and may end a job so much later
        self.launch(lrs=[1], steps=steps, pause=0.05)
        trials = self.wait_for_states("completed", seconds=250)
        self.assertGreaterEqual(trials[0]["attempts"], 2)
        self.assertEqual(trials[0]["step"], steps - 1)
        self.assertAlmostEqual(trials[0]["objective_best"]["value"], 1 / steps, places=6)
        history = self.sweepctl("history", "1", "--trial", "1")
        self.assertIn("running -> queued  Queued for another job: its job reached its time limit (slurm.time)", history)
        # One curve, without a hole.
        self.assertEqual(self.steps_of_curve(), set(range(steps)))

    def test_a_trial_outlives_its_node(self):
        self.launch(lrs=[1], steps=400)
        self.wait(lambda trials: trials[0]["state"] == "running" and trials[0]["objective_best"])
        node = self.cluster.output("squeue", "-h", "-o", "%N").strip()
        self.cluster.crash_node(node)
        trials = self.wait_for_states("completed", seconds=150)
        self.assertEqual(trials[0]["attempts"], 2)
        self.assertEqual(self.started(), ["1", "1"])
        history = self.sweepctl("history", "1", "--trial", "1")
        self.assertIn(f"Queued for another job: its node failed ({node})", history)
        self.assertNotIn("failed  ", history)

    def test_a_preempted_trial_goes_on_in_another_job(self):
        self.settings("partition = 'scavenge'")
        self.launch(lrs=[1], steps=600, devices="kind = 'gpu'\nper_rank = 2")
        self.wait(lambda trials: trials[0]["state"] == "running" and trials[0]["objective_best"])
        node = self.cluster.output("squeue", "-h", "-o", "%N").strip()
        self.cluster.command("sbatch", f"--nodelist={node}", "--gres=gpu:2", "--output=/dev/null", "--wrap=sleep 5")
        trials = self.wait_for_states("completed", seconds=150)
        self.assertEqual(trials[0]["attempts"], 2)
        self.assertIn("its job was preempted", self.sweepctl("history", "1", "--trial", "1"))
        self.assertEqual(self.steps_of_curve(), set(range(600)))  # from its checkpoint

    def test_a_job_that_somebody_cancels_is_a_stopped_trial(self):
        self.launch(lrs=[0.1, 0.2, 0.3], steps=9999, devices="kind = 'gpu'\nper_rank = 2")
        self.wait(lambda trials: [t["state"] for t in trials] == ["running", "running", "starting"] and trials[0]["step"])
        jobs = {line.split()[0]: line.split()[1] for line in self.cluster.output("squeue", "-h", "-o", "%j %i").splitlines()}
        for trial in (1, 3):
            name = next(name for name in jobs if name.startswith(f"sweepscope-1-{trial}-"))
            self.cluster.command("scancel", jobs[name])
        trials = self.wait(lambda trials: trials[0]["state"] == "stopped" and trials[2]["state"] == "stopped")
        self.assertEqual({trials[0]["cause"], trials[2]["cause"]}, {"Its job was canceled"})
        self.assertEqual(trials[1]["state"], "running")

    def test_a_controller_that_hangs_delays_and_breaks_nothing(self):
        self.launch(lrs=[0.1, 0.2], steps=40, pause=0.1)
        self.wait(lambda trials: trials[0]["state"] == "running" and trials[1]["state"] == "running")
        self.cluster.signal("slurmctld", signal.SIGSTOP)
        try:
            began = time.monotonic()
            self.wait_for_states("completed", "completed")  # files say so
            self.sweepctl("run", self.sweep(lrs=[0.5]))
            until(lambda: time.monotonic() - began > 20, 40)
        finally:
            self.cluster.signal("slurmctld", signal.SIGCONT)
        trials = self.wait_for_states("completed", seconds=120)
        self.assertEqual(trials[0]["attempts"], 1)
        self.assertEqual(self.started().count("1"), 2)

    def test_a_job_that_slurm_refuses_says_why_and_waits_for_better_settings(self):
        self.settings("account = 'nobody'\nextra = ['--mem=999G']")
        self.launch(lrs=[0.1])
        self.assertIn("Memory specification can not be satisfied",
                      self.wait(lambda trials: trials[0]["state"] == "queued" and "refused" in (trials[0]["cause"] or ""))[0]["cause"])
        self.settings("")
        self.wait_for_states("completed")

    def test_a_job_that_is_too_large_holds_back_its_sweep_alone(self):
        self.launch(lrs=[0.1], more="ranks = 3")
        self.wait(lambda trials: "Requested node configuration is not available" in (trials[0]["cause"] or ""))
        self.launch(lrs=[0.2])
        self.wait_for_states("completed")
        large = json.loads(self.sweepctl("status", "--json"))["sweeps"][0]["trials"][0]
        self.assertIn(large["state"], ("queued", "starting"))
        self.sweepctl("stop", "1")


if __name__ == "__main__":
    unittest.main()
