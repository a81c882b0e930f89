#!/usr/bin/env python3
"""Attempts as jobs of a real Slurm, through core/slurm. Usage: tst_slurmjobs.py DRIVER AGENT [unittest arguments]"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest

from slurmcluster import SlurmCluster, missing, until

DRIVER = pathlib.Path(sys.argv.pop(1)).resolve()
AGENT = pathlib.Path(sys.argv.pop(1)).resolve()
PYTHON = str(pathlib.Path(__file__).resolve().parents[3] / "packaging/python")

# Saves when it is asked to, as a script with checkpoints does.
SAVES = """
import sweepscope, time
run = sweepscope.init()
print("training", flush=True)
for step in range(100000):
    run.log(step, loss=1 / (step + 1))
    if run.should_stop():
        print("saved at step", step, flush=True)
        break
    time.sleep(0.05)
"""
WAITS = "import time; print('training', flush=True); time.sleep(987)"


@unittest.skipIf(missing(), missing())
class SlurmJobs(unittest.TestCase):
    def setUp(self):
        self.cluster = SlurmCluster(nodes=2, gpus=2)  # takes 0.3 s; jobs would take longer to end
        self.addCleanup(self.cluster.stop)
        self.root = self.cluster.folder / "work"
        self.attempts = 0

    def driver(self, verb, **arguments):
        result = subprocess.run([DRIVER, verb, json.dumps(arguments)], env=self.cluster.environment(), capture_output=True, text=True,
                                timeout=100)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def attempt(self, script, **more):
        """What a job needs: its folder, and launch.json in it."""
        self.attempts += 1
        folder = self.root / str(self.attempts)
        folder.mkdir(parents=True)
        name = f"1-1-{self.attempts}-x"
        launch = {"version": 1, "attempt_id": name, "argv": ["python3", "-c", script], "working_folder": "/", "ranks": 1,
                  "gpus_of_job": True, "python_path": PYTHON}
        (folder / "launch.json").write_text(json.dumps(launch))
        return {"attempt": name, "folder": str(folder), "command": [str(AGENT), str(folder)], **more}

    def submit(self, job):
        answer = self.driver("submit", **job)
        self.assertIn("job", answer, answer)
        return answer["job"]

    def seen(self, job):
        return self.driver("queue").get(job, {"state": "gone"})

    def until_state(self, job, state, seconds=60):
        until(lambda: self.seen(job)["state"] == state, seconds)
        return self.seen(job)

    def until_training(self, job, seconds=30):
        log = pathlib.Path(job["folder"]) / "rank-0.log"
        until(lambda: log.exists() and "training" in log.read_text(), seconds)

    def events(self, job):
        return [json.loads(line) for line in (pathlib.Path(job["folder"]) / "events.jsonl").read_text().splitlines()]

    def agent_log(self, job):
        log = pathlib.Path(job["folder"]) / "agent.log"  # an agent removes an empty one
        return log.read_text() if log.exists() else ""

    def until_saved(self):
        """The controller writes its state every few seconds, and forgets what came since then when it is killed."""
        state = self.cluster.folder / "state/job_state"
        began = time.time()
        self.submit(self.attempt(WAITS, settings="extra = ['--hold']"))  # something to save
        until(lambda: state.exists() and state.stat().st_mtime > began)

    def named(self, job):
        return [one for one in self.driver("queue").values() if one["name"] == "sweepscope-" + job["attempt"]]

    def test_an_attempt_runs_to_its_end_without_variables_of_slurm(self):
        job = self.attempt("import os; print(sorted(name for name in os.environ if name.startswith(('SLURM', 'SBATCH'))), "
                           "os.environ['CUDA_VISIBLE_DEVICES'], os.environ['RANK'], os.environ.get('MARK'))",
                           gpus=2, setup="export MARK=here", settings="time = '10'")
        id = self.submit(job)
        self.until_state(id, "ended")
        self.assertEqual(self.events(job)[-1]["outcome"], "completed", self.agent_log(job))
        self.assertEqual((pathlib.Path(job["folder"]) / "rank-0.log").read_text(), "[] 0,1 0 here\n")
        self.assertEqual((pathlib.Path(job["folder"]) / "slurm-job").read_text().strip(), id)
        self.assertEqual(self.driver("show", job=id)["why"], "")

    def test_a_sweep_may_ask_for_the_variables(self):
        job = self.attempt("import os; print(os.environ['SLURM_JOB_ID'])", slurm_environment=True)
        id = self.submit(job)
        self.until_state(id, "ended")
        self.assertEqual((pathlib.Path(job["folder"]) / "rank-0.log").read_text(), id + "\n")

    def test_a_setup_that_fails_says_so(self):
        job = self.attempt(WAITS, settings="modules = ['cuda/12']")
        end = self.until_state(self.submit(job), "ended")
        self.assertEqual((end["why"], end["blame"]), ("Its job failed", True))
        self.assertIn("module load 'cuda/12' failed", self.agent_log(job).replace("'\\''", "'"))

    def test_a_submission_whose_answer_was_lost_is_found_by_its_name(self):
        job = self.attempt(WAITS)
        programs = self.root / "bin"
        programs.mkdir()
        (programs / "sbatch").write_text("#!/bin/sh\nPATH=${PATH#*:}\nsbatch \"$@\" > /dev/null\necho submitted >&3\nsleep 987\n")
        (programs / "sbatch").chmod(0o755)
        reading, writing = os.pipe()
        environment = self.cluster.environment()
        submitter = subprocess.Popen(["sh", "-c", f'exec 3>&{writing}; exec "$@"', "sh", DRIVER, "submit", json.dumps(job)],
                                     env={**environment, "PATH": f"{programs}:{environment['PATH']}"}, pass_fds=(writing,),
                                     start_new_session=True)
        os.close(writing)
        with os.fdopen(reading) as told:
            self.assertEqual(told.readline(), "submitted\n")
        submitter.kill()
        submitter.wait()
        found = self.named(job)
        self.assertEqual(len(found), 1)
        self.until_training(job)
        subprocess.run(["pkill", "-KILL", "-f", f"{programs}/sbatch"])

    def test_a_second_job_of_an_attempt_ends_at_once(self):
        job = self.attempt(WAITS)
        first = self.submit(job)
        self.until_training(job)
        second = self.submit(job)
        self.until_state(second, "ended")
        self.assertEqual(self.seen(first)["state"], "running")
        self.assertIn(f"this attempt belongs to job {first}, so job {second} ends", self.agent_log(job))
        self.assertEqual([event["kind"] for event in self.events(job)].count("agent_started"), 1)

    def test_waiting_jobs_say_why_and_whether_they_start(self):
        full = [self.submit(self.attempt(WAITS, gpus=2, settings="time = '60'")) for _ in range(2)]
        for id in full:
            self.until_state(id, "running")
        waiting = {
            "next": self.submit(self.attempt(WAITS, gpus=2)),
            "long": self.submit(self.attempt(WAITS, settings="partition = 'short'\ntime = '5'")),
            "closed": self.submit(self.attempt(WAITS, settings="partition = 'closed'")),
            "later": self.submit(self.attempt(WAITS, settings="extra = ['--begin=now+1hour']")),
            "held": self.submit(self.attempt(WAITS, settings="extra = ['--hold']")),
            "orphan": self.submit(self.attempt(WAITS, settings="extra = ['--dependency=afternotok:99999']")),
        }
        codes = {"next": ("job_waits_for_resources", True), "long": ("job_beyond_partition", False),
                 "closed": ("job_partition_closed", True), "later": ("job_begins_later", True), "held": ("job_held_by_user", False)}
        for name, (code, starts) in codes.items():
            until(lambda: self.seen(waiting[name]).get("code") == code)
            self.assertEqual(self.seen(waiting[name])["starts"], starts, name)
        until(lambda: "Slurm expects a start in" in self.seen(waiting["next"])["why"])
        self.assertRegex(self.seen(waiting["next"])["why"], r"^Is next when enough .* are free \(Resources\); Slurm expects a start in "
                         r"(1 h|5\d min)")
        second = self.submit(self.attempt(WAITS, gpus=2))
        until(lambda: self.seen(second).get("code") == "job_waits_for_priority")

    def test_the_start_of_a_job_is_asked_for_before_it_is_submitted(self):
        self.assertLess(self.driver("test", **self.attempt(WAITS, gpus=1))["starts_in"], 60)
        self.assertEqual(self.driver("test", **self.attempt(WAITS, gpus=3)),
                         {"refused": "Slurm refused the job: Requested node configuration is not available"})
        self.assertEqual(self.driver("queue"), self.driver("queue"))
        self.assertEqual(self.named({"attempt": "1-1-1-x"}), [])
        refused = self.driver("submit", **self.attempt(WAITS, settings="partition = 'nope'"))
        self.assertIn("invalid partition specified: nope", refused["refused"])

    def test_before_its_time_is_over_an_attempt_saves_a_checkpoint(self):
        job = self.attempt(SAVES, settings="partition = 'short'\ntime = '1'")
        id = self.submit(job)
        self.until_training(job)
        self.assertEqual(self.until_state(id, "ended", 100)["checkpoint"], "job_time_limit")
        self.assertIn("saved at step", (pathlib.Path(job["folder"]) / "rank-0.log").read_text())
        self.assertIn(("stop_requested", "checkpoint"),
                      [(event["kind"], event.get("reason", {}).get("mode")) for event in self.events(job)])

    def test_an_attempt_that_goes_on_ends_with_its_time(self):
        job = self.attempt(WAITS, settings="partition = 'short'\ntime = '1'")
        id = self.submit(job)
        end = self.until_state(id, "ended", 180)
        self.assertEqual((end["code"], end["again"], end["blame"]), ("job_time_limit", True, False))
        self.assertEqual(self.events(job)[-1]["kind"], "ended", self.agent_log(job))

    def test_a_preempted_attempt_saves_a_checkpoint_first(self):
        job = self.attempt(SAVES, gpus=2, settings="partition = 'scavenge'\nextra = ['--nodelist=n1']")
        id = self.submit(job)
        self.until_training(job)
        self.submit(self.attempt(WAITS, gpus=2, settings="extra = ['--nodelist=n1']"))
        end = self.until_state(id, "ended")
        self.assertIn("saved at step", (pathlib.Path(job["folder"]) / "rank-0.log").read_text())
        # Slurm calls a job completed that ends in time.
        self.assertEqual((end["code"], end["checkpoint"]), ("", "job_preempted"))

    def test_signals_reach_the_agent_alone_and_a_waiting_job_is_not_waited_for(self):
        job = self.attempt(WAITS)
        id = self.submit(job)
        self.until_training(job)
        self.assertEqual(self.driver("signal", job=id, signal="TERM"), {"done": True})
        until(lambda: self.events(job)[-1]["kind"] == "ended")
        self.assertEqual(self.events(job)[-1]["outcome"], "stopped")
        self.until_state(id, "ended")
        held = self.submit(self.attempt(WAITS, settings="extra = ['--hold']"))
        self.assertEqual(self.driver("signal", job=held, signal="TERM"), {"done": True})
        self.assertEqual(self.driver("signal", job="99999", signal="TERM"), {"done": True})
        self.assertEqual(self.driver("cancel", job=held), {"done": True})
        self.assertEqual(self.driver("cancel", job="99999"), {"done": True})
        self.assertEqual(self.until_state(held, "ended")["code"], "job_cancelled")

    def test_a_cancelled_job_ends_its_ranks(self):
        job = self.attempt(WAITS)
        id = self.submit(job)
        self.until_training(job)
        self.driver("cancel", job=id)
        self.assertEqual(self.until_state(id, "ended")["code"], "job_cancelled")
        until(lambda: not [pid for pid in self.cluster.processes() if self.runs(pid, "time.sleep(987)")])

    @staticmethod
    def runs(pid, words):
        try:
            return words.encode() in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            return False

    def test_a_frozen_controller_loses_answers_and_no_job_is_submitted_twice(self):
        job = self.attempt(WAITS)
        self.cluster.signal("slurmctld", signal.SIGSTOP)
        try:
            self.assertIn("uncertain", self.driver("submit", **job))
            self.assertIn("Socket timed out", self.driver("queue")["error"])
        finally:
            self.cluster.signal("slurmctld", signal.SIGCONT)
        until(lambda: self.named(job))
        self.until_training(job)
        self.assertEqual(len(self.named(job)), 1)

    def test_without_a_controller_nothing_is_guessed_and_attempts_go_on(self):
        job = self.attempt(SAVES)
        id = self.submit(job)
        self.until_training(job)
        self.until_saved()
        self.cluster.signal("slurmctld", signal.SIGKILL)
        try:
            self.assertIn("Unable to contact slurm controller", self.driver("queue")["error"])
            self.assertIn("does not answer", self.driver("submit", **self.attempt(WAITS))["postponed"])
            self.assertIn("error", self.driver("signal", job=id, signal="USR2"))
        finally:
            self.cluster.start_controller()
        self.assertEqual(self.until_state(id, "running")["id"], id)
        self.driver("signal", job=id, signal="USR2")
        self.until_state(id, "ended")
        self.assertEqual(self.events(job)[-1]["kind"], "ended")

    def test_a_crashed_node_is_named_and_the_attempt_is_to_be_continued(self):
        job = self.attempt(WAITS, settings="extra = ['--nodelist=n2']")
        id = self.submit(job)
        self.until_training(job)
        self.cluster.crash_node("n2")
        try:
            end = self.until_state(id, "ended", 90)
            self.assertEqual((end["why"], end["again"], end["blame"]), ("Its node failed (n2)", True, False))
        finally:
            self.cluster.start_node("n2")

    def test_a_dead_slurmd_leaves_the_attempt_running(self):
        job = self.attempt(SAVES, settings="extra = ['--nodelist=n2']")
        id = self.submit(job)
        self.until_training(job)
        self.cluster.signal("n2", signal.SIGKILL)
        self.cluster.start_node("n2")
        until(lambda: self.driver("signal", job=id, signal="USR2") == {"done": True})
        self.until_state(id, "ended")
        self.assertIn("saved at step", (pathlib.Path(job["folder"]) / "rank-0.log").read_text())

    def test_a_cluster_without_accounts_says_so(self):
        self.assertEqual(self.driver("accounted", attempt="a"), {"error": "this cluster has no accounting database"})

    def test_a_job_that_slurm_has_forgotten_is_not_found(self):
        self.assertTrue(re.search("Invalid job id", self.driver("show", job="99999")["error"]))


if __name__ == "__main__":
    unittest.main()
