#!/usr/bin/env python3
"""`sweepctl exec` with real commands. Usage: tst_exec.py SWEEPCTL [unittest arguments]"""
import os
import signal
import sys
import unittest

from workspaces import SWEEPCTL, Workspace, wait_until

REPORTS = """
import os, sys, sweepscope
run = sweepscope.init()
for step in range(1, 6):
    run.log(step, loss=run.rank + 1 / step)
print("rank", os.environ.get("RANK"), "of", os.environ.get("WORLD_SIZE"), sys.argv[1:])
"""
PRINTS = """
import sys
for step in range(1, 6):
    print("step {} loss={}".format(step, 1 / step))
sys.exit(int(sys.argv[1]))
"""


class Exec(unittest.TestCase):
    def setUp(self):
        self.workspace = Workspace(self)

    def trial(self, sweep=1):
        (trial,) = self.workspace.read().sweeps[sweep].trials
        return trial

    def test_output_and_exit_code_are_those_of_the_command(self):
        self.workspace.write("train.py", PRINTS)
        code, out, err = self.workspace.execute("--", sys.executable, "train.py", "7")
        self.assertEqual(code, 7, err)
        self.assertEqual(out, "".join("step {} loss={}\n".format(step, 1 / step) for step in range(1, 6)))
        self.assertIn("run 0001-train failed", err)
        self.assertEqual(self.trial().state, "failed")

    def test_metrics_are_found_in_the_output_of_a_script_that_reports_nothing(self):
        self.workspace.write("train.py", PRINTS)
        code, _, err = self.workspace.execute("--", sys.executable, "train.py", "0")
        self.assertEqual(code, 0, err)
        self.assertEqual(list(self.trial().curve("loss").values), [1 / step for step in range(1, 6)])
        self.assertEqual(self.trial().state, "completed")

    def test_a_script_that_reports_is_not_read(self):
        self.workspace.write("train.py", REPORTS + "print('step 1 loss=77')\n")
        code, out, err = self.workspace.execute("--", sys.executable, "train.py")
        self.assertEqual((code, out), (0, "rank None of None []\nstep 1 loss=77\n"), err)
        self.assertEqual(list(self.trial().curve("loss").values), [1 / step for step in range(1, 6)])

    def test_the_processes_of_torchrun_are_ranks(self):
        self.workspace.write("train.py", REPORTS)
        code, out, err = self.workspace.execute("--", sys.executable, "-m", "torch.distributed.run", "--standalone",
                                                "--nproc-per-node=2", "train.py", "--lr", "{x}")
        self.assertEqual(code, 0, err)
        self.assertEqual(sorted(out.splitlines()),
                         ["rank 0 of 2 ['--lr', '{x}']", "rank 1 of 2 ['--lr', '{x}']"])
        for rank in range(2):
            self.assertEqual(list(self.trial().curve("loss", rank=rank).values), [rank + 1 / step for step in range(1, 6)])

    def test_the_command_has_folder_and_environment_of_the_shell(self):
        script = "import os; print(os.getcwd(), os.environ['OF_RUN'], os.environ['MY_TOKEN'])"
        for text in ("a {b}", "another"):  # the first one starts the engine, which keeps its environment
            code, out, err = self.workspace.execute("--", sys.executable, "-c", script,
                                                    environment={"OF_RUN": text, "MY_TOKEN": "of " + text})
            self.assertEqual(code, 0, err)
            self.assertEqual(out, "{} {} of {}\n".format(self.workspace.folder, text, text))
        self.assertEqual(list(self.workspace.root.glob("*.env")), [])
        for file in self.workspace.root.rglob("*"):
            if file.is_file() and file.suffix in (".toml", ".json", ".db"):
                self.assertNotIn(b"of another", file.read_bytes(), file)

    def test_a_signal_that_ends_the_command_is_in_the_exit_code(self):
        code, _, err = self.workspace.execute("--", "sh", "-c", "kill -9 $$")
        self.assertEqual(code, 128 + signal.SIGKILL, err)

    def test_interrupting_it_stops_the_run(self):
        process = self.workspace.start(SWEEPCTL, "exec", "--", "sh", "-c", "echo begun; exec sleep 1000")
        self.assertEqual(process.stdout.readline(), "begun\n")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(self.trial().state, "stopped")

    def test_a_killed_engine_changes_nothing(self):
        os.mkfifo(self.workspace.folder / "go")
        process = self.workspace.start(SWEEPCTL, "exec", "--", "sh", "-c",
                                       "echo begun; read -r line < go; echo $line; exit 5")
        self.assertEqual(process.stdout.readline(), "begun\n")
        killed = self.workspace.engine()
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: self.workspace.engine() not in (None, killed))
        (self.workspace.folder / "go").write_text("done\n")
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (5, "done\n"), err)
        self.assertEqual(self.trial().state, "failed")

    def test_what_cannot_be_started_is_an_error(self):
        code, out, err = self.workspace.execute("--", "no-such-program")
        self.assertEqual((code, out), (3, ""))
        self.assertIn("no-such-program", err)
        code, _, err = self.workspace.execute("--", "torchrun", "--nnodes", "2", "train.py")
        self.assertEqual(code, 2)
        self.assertIn("--nnodes", err)


if __name__ == "__main__":
    unittest.main()
