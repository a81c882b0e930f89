#!/usr/bin/env python3
"""Sweeps whose trials are jobs of a real Slurm: real engine, agents and ranks. Usage: tst_slurmsweeps.py SWEEPCTL [unittest arguments]"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from slurmcluster import SlurmCluster, missing, until

SWEEPCTL = pathlib.Path(sys.argv.pop(1)).resolve()
# Continues from its last checkpoint, and saves one when it is asked to.
SCRIPT = """
import json, os, pathlib, sys, time
import sweepscope
run = sweepscope.init()
lr, steps, pause = float(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
with open(os.environ["STARTS"], "a") as file:
    file.write(os.environ["SWEEPSCOPE_TRIAL"] + " " + os.environ.get("CUDA_VISIBLE_DEVICES", "none") + "\\n")
first, last = 0, run.last_checkpoint()
if last:
    first = json.loads((pathlib.Path(last) / "step").read_text())
for step in range(first, steps):
    run.log(step, loss=lr / (step + 1))
    if run.should_stop():
        folder = pathlib.Path(run.checkpoint_folder)
        folder.mkdir()
        (folder / "step").write_text(json.dumps(step + 1))
        sys.exit()
    time.sleep(pause)
"""


def processes(text):
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if text in line and int(path.parent.name) != os.getpid():
            found.append(int(path.parent.name))
    return found


@unittest.skipIf(missing(), missing())
class SlurmSweeps(unittest.TestCase):
    def setUp(self):
        self.cluster = SlurmCluster(nodes=2, gpus=2)
        self.addCleanup(self.cluster.stop)
        self.folder = self.cluster.folder / "work"
        self.workspace = self.folder / "workspace"
        self.workspace.mkdir(parents=True)
        (self.folder / "run").mkdir(mode=0o700)
        (self.folder / "train.py").write_text(SCRIPT)
        self.starts = self.folder / "starts"
        self.starts.write_text("")
        self.addCleanup(self.end_engines)
        self.settings("")

    def end_engines(self):
        for pid in processes(f"serve --workspace {self.workspace}"):
            os.kill(pid, signal.SIGKILL)

    def settings(self, toml):
        (self.workspace / "machines.toml").write_text(f"[localhost.slurm]\n{toml}\n")

    def sweepctl(self, *arguments, code=0):
        result = subprocess.run([SWEEPCTL, *map(str, arguments), "--workspace", self.workspace], capture_output=True, text=True,
                                stdin=subprocess.DEVNULL, timeout=200,
                                env=self.cluster.environment(XDG_RUNTIME_DIR=str(self.folder / "run"), **self.programs))
        if code is not None:
            self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stdout + result.stderr

    programs = {}

    def sweep(self, lrs=(0.1,), steps=3, pause=0.05, more="", devices="", sweep=""):
        file = self.folder / "sweep.toml"
        file.write_text(f"""
[sweep]
name = "count"
objective = "loss"
{sweep}
[space]
lr = {list(lrs)}
[run]
command = ["python3", "train.py", "{{lr}}", "{steps}", "{pause}"]
{more}
[run.environment]
STARTS = "{self.starts}"
[devices]
concurrent = 10
{devices}
""")
        return file

    def launch(self, *arguments, **options):
        return self.sweepctl("run", self.sweep(*arguments, **options))

    def trials(self):
        return json.loads(self.sweepctl("status", "--json"))["sweeps"][-1]["trials"]

    def wait(self, condition, seconds=60):
        found = []

        def holds():
            found[:] = self.trials()
            return condition(found)

        try:
            until(holds, seconds)
        except AssertionError:
            log = self.workspace / "engine.log"
            self.fail(json.dumps(found, indent=1) + self.cluster.output("squeue") + (log.read_text()[-3000:] if log.exists() else ""))
        return found

    def wait_for_states(self, *states, seconds=60):
        return self.wait(lambda trials: [trial["state"] for trial in trials] == list(states), seconds)

    def attempt(self, trial, number=1):
        return next(self.workspace.glob(f"sweeps/0001-*/trials/{trial:04}/{number}"))

    def started(self):
        return [line.split()[0] for line in self.starts.read_text().splitlines()]

    def rank_status(self, trial):
        events = [json.loads(line) for line in (self.attempt(trial) / "events.jsonl").read_text().splitlines()]
        pid = next(event["pid"] for event in events if event["kind"] == "rank_started")
        return pathlib.Path(f"/proc/{pid}/status").read_text()

    def start_engine(self):
        engine = subprocess.Popen([SWEEPCTL, "serve", "--workspace", self.workspace, "--idle-exit", "30"], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  env=self.cluster.environment(XDG_RUNTIME_DIR=str(self.folder / "run")))
        self.addCleanup(engine.wait)
        self.addCleanup(engine.kill)

    def kill_engine(self):
        for pid in processes(f"serve --workspace {self.workspace}"):
            os.kill(pid, signal.SIGKILL)
        until(lambda: not processes(f"serve --workspace {self.workspace}"))

    def test_a_sweep_completes_on_gpus_that_slurm_has_chosen(self):
        plan = self.sweepctl("plan", self.sweep(lrs=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]))
        self.assertIn("6 trials, each as a job of Slurm", plan)
        self.assertIn("Job: 1 GPU, 1 CPU, up to 10 min", plan)
        self.assertIn("Requested: 1 GPU-hours at most", plan)
        self.assertIn("Slurm expects a start in", plan)
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
        self.assertEqual(os.readlink(self.attempt(3) / "slurm-job"), "withdrawn")
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
        self.launch(lrs=[1], steps=1200, pause=0.05)
        trials = self.wait_for_states("completed", seconds=170)
        self.assertGreaterEqual(trials[0]["attempts"], 2)
        self.assertEqual(trials[0]["step"], 1199)
        self.assertAlmostEqual(trials[0]["objective_best"]["value"], 1 / 1200, places=6)
        history = self.sweepctl("history", "1", "--trial", "1")
        self.assertIn("running -> queued  Queued for another job: its job reached its time limit (slurm.time)", history)
        # One curve, without a hole.
        self.sweepctl("export", "1", "--curves", self.folder / "curves.csv")
        rows = (self.folder / "curves.csv").read_text().splitlines()
        column = rows[0].split(",").index("step")
        self.assertEqual({int(row.split(",")[column]) for row in rows[1:]}, set(range(1200)))

    def test_a_job_that_somebody_cancels_is_a_stopped_trial(self):
        self.launch(lrs=[0.1, 0.2, 0.3], steps=9999, devices="kind = 'gpu'\nper_rank = 2")
        self.wait(lambda trials: [t["state"] for t in trials] == ["running", "running", "starting"] and trials[0]["step"])
        jobs = {line.split()[0]: line.split()[1] for line in self.cluster.output("squeue", "-h", "-o", "%j %i").splitlines()}
        for trial in (1, 3):
            name = next(name for name in jobs if name.startswith(f"sweepscope-1-{trial}-"))
            self.cluster.command("scancel", jobs[name])
        trials = self.wait(lambda trials: trials[0]["state"] == "stopped" and trials[2]["state"] == "stopped")
        self.assertEqual({trials[0]["cause"], trials[2]["cause"]}, {"Its job was cancelled"})
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


if __name__ == "__main__":
    unittest.main()
