#!/usr/bin/env python3
"""Runs of scripts that Sweepscope did not start. Usage: tst_ownruns.py SWEEPCTL [unittest arguments]"""
import glob
import json
import os
import signal
import subprocess
import sys
import unittest

from workspaces import SWEEPCTL, Workspace, wait_until

SCRIPT = """
import os, sys, time, sweepscope
run = sweepscope.init(name="mine", config={"lr": 0.1, "optimizer": "adam", "nested": {"a": 1}})
for step in range(1, 6):
    run.log(step, loss=run.rank + 1 / step)
sys.stdout.write("rank {} of {} {} {}\\n".format(run.rank, run.world_size, run.active, run.params["lr"]))
sys.stdout.flush()
"""
WAITS = SCRIPT + "sys.stdin.readline()\n"
#: What torchrun does for two processes.
LAUNCHER = """
import os, subprocess, sys
ranks = [subprocess.Popen([sys.executable, *sys.argv[1:], str(rank)],
                          env=dict(os.environ, RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE="2", MASTER_PORT="29500"))
         for rank in range(2)]
sys.exit(max(rank.wait() for rank in ranks))
"""


class OwnRuns(unittest.TestCase):
    def setUp(self):
        self.workspace = Workspace(self)
        self.inbox = self.workspace.root / "inbox"

    def serve(self):
        """Starts an engine that stays."""
        self.workspace.root.mkdir(exist_ok=True, mode=0o700)
        engine = self.workspace.start(SWEEPCTL, "serve")
        self.addCleanup(lambda: (engine.kill(), engine.communicate()))
        wait_until(self.workspace.engine)
        wait_until((self.workspace.root / "sweepscope.db").exists)
        return engine

    def trial(self, state, sweep=1):
        def found():
            try:
                sweeps = self.workspace.read().sweeps
                trials = sweeps[sweep].trials if len(sweeps) >= sweep else []
            except Exception:  # the database is being created
                return None
            return trials[0] if trials and trials[0].state == state else None
        return wait_until(found)

    def begin(self, script, *arguments, **options):
        """Starts the script, and waits for its line."""
        process = self.workspace.start(sys.executable, script, *arguments, stdin=subprocess.PIPE, **options)
        self.addCleanup(lambda: (process.kill(), process.communicate()))
        self.assertIn("rank 0 of 1 True", process.stdout.readline())
        return process

    def assert_curve(self, trial, rank=0):
        self.assertEqual(list(trial.curve("loss", rank=rank).values), [rank + 1 / step for step in range(1, 6)])

    def test_a_run_without_an_engine_is_found_later(self):
        self.workspace.write("train.py", SCRIPT)
        code, out, err = self.workspace.run(sys.executable, "train.py")
        self.assertEqual((code, out, err), (0, "rank 0 of 1 True 0.1\n", ""))
        self.serve()
        trial = self.trial("completed")
        self.assert_curve(trial)
        self.assertEqual(trial.log(), "rank 0 of 1 True 0.1\n")
        self.assertEqual(trial.params, {"lr": 0.1, "optimizer": "adam"})
        self.assertEqual(trial.sweep.name, "mine")
        wait_until(lambda: not os.listdir(self.inbox))

    def test_images_and_others_are_recorded_while_an_engine_moves_the_run(self):
        self.serve()
        process = self.begin(self.workspace.write("train.py", WAITS + """
run.image("samples", [[0, 255]], 1)
sys.stdin.readline()
run.text("story", "once upon a time", 2)
run.artifact(sys.argv[0], "code.py", 3)
"""))
        process.stdin.write("\n")
        process.stdin.flush()
        trial = self.trial("running")
        wait_until(lambda: [item.name for item in trial.media()] == ["samples"])
        process.stdin.write("\n")
        process.stdin.flush()
        trial = self.trial("completed")
        self.assertEqual([(item.kind, item.name, item.step, item.rank) for item in trial.media()],
                         [("image", "samples", 1, 0), ("text", "story", 2, 0), ("artifact", "code.py", 3, 0)])
        self.assertEqual(trial.media("story")[0].value, "once upon a time")
        self.assertEqual(trial.media(kind="artifact")[0].read(), (self.workspace.folder / "train.py").read_bytes())

    def test_a_run_is_seen_while_it_runs_and_completes(self):
        self.serve()
        process = self.begin(self.workspace.write("train.py", WAITS))
        trial = self.trial("running")
        wait_until(lambda: len(trial.curve("loss").values) == 5)
        process.communicate("\n", timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assert_curve(self.trial("completed"))
        wait_until(lambda: "train.py" in self.workspace.run(SWEEPCTL, "code", "1", "1", "--list")[1])

    def test_an_exception_fails_the_run(self):
        self.workspace.write("train.py", SCRIPT + "raise ValueError('lr is bad')\n")
        code, _, err = self.workspace.run(sys.executable, "train.py")
        self.assertEqual(code, 1)
        self.assertIn("ValueError: lr is bad", err)
        self.serve()
        trial = self.trial("failed")
        self.assertIn("ValueError: lr is bad", trial.log())
        self.assertIn("ValueError: lr is bad", self.status())

    def status(self):
        code, out, err = self.workspace.run(SWEEPCTL, "history", "1", "--trial", "1")
        self.assertEqual(code, 0, err)
        return out

    def test_the_status_of_exit_counts(self):
        self.workspace.write("train.py", SCRIPT + "sys.exit(3)\n")
        self.assertEqual(self.workspace.run(sys.executable, "train.py")[0], 3)
        self.serve()
        self.trial("failed")
        self.assertIn("code 3", self.status())

    def test_a_raised_exit_counts(self):
        for end in ("raise SystemExit(3)", "if True: raise SystemExit(3)", "exit(3)"):
            with self.subTest(end):
                self.workspace.write("train.py", SCRIPT + end + "\n")
                self.assertEqual(self.workspace.run(sys.executable, "train.py")[0], 3)
        self.serve()
        for sweep in (1, 2, 3):
            self.trial("failed", sweep)

    def test_a_script_that_catches_exits_still_does(self):
        self.workspace.write("train.py", SCRIPT + "try:\n    sys.exit(3)\nexcept SystemExit:\n    raise SystemExit(0)\n")
        self.assertEqual(self.workspace.run(sys.executable, "train.py")[0], 0)

    def test_a_killed_script_has_failed_and_its_points_are_kept(self):
        self.serve()
        process = self.begin(self.workspace.write("train.py", WAITS))
        self.trial("running")
        process.kill()
        trial = self.trial("failed")
        self.assert_curve(trial)
        self.assertIn("killed", self.status())
        self.assertEqual(glob.glob("/dev/shm/sweepscope-run-*-{}-*".format(process.pid)), [])

    def test_a_script_that_was_killed_without_an_engine_has_failed(self):
        process = self.begin(self.workspace.write("train.py", WAITS))
        process.kill()
        process.wait()
        self.serve()
        self.assert_curve(self.trial("failed"))

    def test_a_killed_engine_changes_nothing(self):
        engine = self.serve()
        process = self.begin(self.workspace.write("train.py", WAITS))
        self.trial("running")
        engine.kill()
        engine.wait()
        process.communicate("\n", timeout=60)
        self.assertEqual(process.returncode, 0)
        self.serve()
        self.assert_curve(self.trial("completed"))
        self.assertEqual(len(self.workspace.read().sweeps), 1)

    def test_a_run_can_be_stopped(self):
        self.serve()
        process = self.begin(self.workspace.write("train.py", WAITS))
        self.trial("running")
        code, _, err = self.workspace.run(SWEEPCTL, "stop", "1")
        self.assertEqual(code, 0, err)
        self.trial("stopped")
        self.assertEqual(process.wait(timeout=60), -signal.SIGTERM)

    def test_a_run_that_is_asked_for_a_checkpoint_ends_itself(self):
        self.serve()
        self.workspace.write("train.py", SCRIPT + "while not run.should_stop():\n    time.sleep(0.01)\n")
        process = self.begin("train.py")
        self.trial("running")
        code, _, err = self.workspace.run(SWEEPCTL, "stop", "1", "--checkpoint")
        self.assertEqual(code, 0, err)
        self.trial("stopped")
        self.assertEqual(process.wait(timeout=60), 0)

    def test_values_that_are_no_parameters_are_left_out(self):
        self.workspace.write("train.py", """
import sweepscope
sweepscope.init(config={"lr": float("nan"), "layers": 3, "data": object(), 7: "x", "a b": 1, "text": "a\\nb"}).log(1, loss=1)
""")
        code, _, err = self.workspace.run(sys.executable, "train.py")
        self.assertEqual((code, err), (0, ""))
        self.serve()
        self.assertEqual(self.trial("completed").params.get("layers"), 3)

    def test_two_ranks_are_one_run(self):
        self.workspace.write("launch.py", LAUNCHER)
        self.workspace.write("train.py", SCRIPT)
        code, out, err = self.workspace.run(sys.executable, "launch.py", "train.py")
        self.assertEqual(code, 0, err)
        self.assertEqual(sorted(out.splitlines()), ["rank 0 of 2 True 0.1", "rank 1 of 2 True 0.1"])
        self.serve()
        trial = self.trial("completed")
        for rank in range(2):
            self.assert_curve(trial, rank)
        self.assertEqual(len(self.workspace.read().sweeps), 1)

    def test_only_rank_0_may_report(self):
        self.workspace.write("launch.py", LAUNCHER)
        self.workspace.write("train.py", "import os\nif os.environ['RANK'] == '0':\n" + "".join(
            "    " + line + "\n" for line in SCRIPT.splitlines()))
        for sweep in range(2):
            self.assertEqual(self.workspace.run(sys.executable, "launch.py", "train.py")[0], 0)
        self.serve()
        for sweep in (1, 2):
            self.assert_curve(self.trial("completed", sweep))

    def test_forked_processes_do_not_report(self):
        self.workspace.write("train.py", SCRIPT + """
import multiprocessing
def work(step):
    run.log(step, loss=77)
    return sweepscope.init().active
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(work, range(10, 14)) == [False] * 4
""")
        code, _, err = self.workspace.run(sys.executable, "train.py")
        self.assertEqual((code, err), (0, ""))
        self.serve()
        self.assert_curve(self.trial("completed"))
        self.assertEqual(len(self.workspace.read().sweeps), 1)

    def test_closing_ends_the_run_and_another_one_can_begin(self):
        self.workspace.write("train.py", """
import sweepscope
for name in ("one", "two"):
    with sweepscope.init(name=name) as run:
        for step in range(1, 6):
            run.log(step, loss=1 / step)
""")
        code, _, err = self.workspace.run(sys.executable, "train.py")
        self.assertEqual((code, err), (0, ""))
        self.serve()
        self.assert_curve(self.trial("completed", 2))
        self.assertEqual(sorted(sweep.name for sweep in self.workspace.read().sweeps), ["one", "two"])

    def test_output_after_the_end_goes_to_no_other_file(self):
        self.workspace.write("train.py", """
import sys
import sweepscope
with sweepscope.init():
    write = sys.stdout.write  # as another tracker may keep it
files = [open(f"mine-{i}", "w") for i in range(8)]
write("said later\\n")
""")
        code, out, err = self.workspace.run(sys.executable, "train.py")
        self.assertEqual((code, out, err), (0, "said later\n", ""))
        for i in range(8):
            self.assertEqual((self.workspace.folder / f"mine-{i}").read_text(), "")

    def test_nothing_is_recorded_where_that_is_not_wanted(self):
        self.workspace.write("train.py", "import sweepscope\nprint(sweepscope.init().active)\n")
        code, out, err = self.workspace.run(sys.executable, "train.py", environment={"SWEEPSCOPE_RECORD": "0"})
        self.assertEqual((code, out, err), (0, "False\n", ""))
        self.assertFalse(self.inbox.exists())

    def test_a_workspace_that_cannot_be_written_does_not_end_the_script(self):
        self.workspace.root.write_text("a file")
        self.workspace.write("train.py", "import sweepscope\nsweepscope.init().log(1, loss=1)\nprint('done')\n")
        code, out, err = self.workspace.run(sys.executable, "train.py")
        self.assertEqual((code, out), (0, "done\n"))
        self.assertIn("the run is not recorded", err)

    def test_invalid_folders_in_the_inbox_are_left_there(self):
        for name, content in (("no-file", None), ("no-json", "{"), ("wrong", json.dumps({"version": 1, "attempt_id": "../x"}))):
            (self.inbox / name).mkdir(parents=True)
            if content is not None:
                (self.inbox / name / "run.json").write_text(content)
        self.workspace.write("train.py", SCRIPT)
        self.assertEqual(self.workspace.run(sys.executable, "train.py")[0], 0)
        self.serve()
        self.trial("completed")
        wait_until(lambda: sorted(os.listdir(self.inbox)) == ["no-file", "no-json", "wrong"])
        self.assertEqual(len(self.workspace.read().sweeps), 1)


if __name__ == "__main__":
    unittest.main()
