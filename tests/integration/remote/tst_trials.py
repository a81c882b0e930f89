#!/usr/bin/env python3
"""Trials on other machines. Usage: tst_trials.py SWEEPCTL [unittest arguments]"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from machinesweeps import MachineSweeps, processes
from slowrelay import SlowRelay

sys.argv.pop(1)
SILENCE = float(os.environ.get("SWEEPSCOPE_SILENCE", 5))  # seconds
SCRIPT = """
import os, pathlib, sys, time
import settings
rank = int(os.environ.get("RANK", "0"))
starts = pathlib.Path(os.environ["STARTS"])
if rank == 0:
    with open(starts, "a") as file:
        file.write(f"{os.environ['SWEEPSCOPE_TRIAL']} {os.getcwd()}\\n")
steps = int(sys.argv[2])
for step in range(steps):
    print(f"step {step} loss={float(sys.argv[1]) / (step + 1) * settings.SCALE:g}", flush=True)
    time.sleep(0.05)
"""


class Trials(MachineSweeps):
    script = SCRIPT

    def test_trials_spread_over_machines(self):
        self.add("m1")
        self.add("m2", "--setup", "export GREETING=hello", "--data", f"digits={self.code}")
        self.launch(["m1", "localhost", "m2"], lrs=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6], ranks=2, trials=1, steps=100, concurrent=6)
        self.wait(lambda trials: len(self.started()) == 6)
        listed = {m["name"]: m for m in json.loads(self.sweepctl("devices", "--json").stdout)["machines"]}
        for name in ("m1", "m2"):
            self.assertTrue(listed[name]["connected"])
            self.assertGreater(listed[name]["clock_error_seconds"], 0)
            holders = {h["trial"] for d in listed[name]["devices"] for h in d["holders"]}
            self.assertEqual(len(holders), listed[name]["trials"])
        trials = self.wait_for_end()
        self.assertEqual([t["state"] for t in trials], ["completed"] * 6, [t["reason"] for t in trials])
        self.assertEqual(sorted(self.started()), list("123456"))
        machines = {device.partition("@")[2] for t in trials for device in t["devices"]}
        self.assertEqual(machines, {"", "m1", "m2"})
        for number, trial in enumerate(trials, 1):
            self.assertAlmostEqual(trial["objective_best"]["value"], float(trial["parameters"]["lr"]) * 2 / 100, places=6)
            # All that the ranks wrote is here.
            for rank in (0, 1):
                lines = (self.attempt(number) / f"rank-{rank}.log").read_text().splitlines()
                self.assertEqual(sum(line.startswith("step ") for line in lines), 100, lines)
        folders = {line.split()[1] for line in self.starts.read_text().splitlines()}
        self.assertIn(str(self.code), folders)
        there = [pathlib.Path(folder) for folder in folders if folder != str(self.code)]
        self.assertEqual({folder.parts[len(self.folder.parts)] for folder in there}, {"m1", "m2"})
        for folder in there:  # what ran cannot be changed any more
            self.assertEqual((folder / "settings.py").stat().st_mode & 0o222, 0)
        environment = json.loads((self.attempt([t["devices"][0].endswith("@m2") for t in trials].index(True) + 1)
                                  / "launch.json").read_text())["environment"]
        self.assertEqual(environment["SWEEPSCOPE_DATA_DIGITS"], str(self.code))
        self.assertEqual(self.agents(), [])
        plan = self.sweepctl("plan", self.code / "sweep.toml").stdout
        self.assertIn("6 trials, 3 at once\n", plan)
        self.assertRegex(plan, "trial 1  immediately.*\n    rank 0 on CPU slot 0 of m1; rank 1 on CPU slot 1 of m1")
        self.assertRegex(plan, "trial 3  immediately.*\n    rank 0 on CPU slot 0 of m2")

    def test_attempts_outlive_everything_but_run_once(self):
        self.add("m1")
        self.launch(["m1"], lrs=[0.1, 0.2], steps=160, concurrent=2)
        self.wait(lambda trials: len(self.started()) == 2)
        self.server.cut()
        time.sleep(1)
        self.kill_engine_and_node_processes()
        self.assertEqual(len(self.agents()), 2)
        self.serve()
        trials = self.wait_for_end()
        self.assertEqual([t["state"] for t in trials], ["completed"] * 2)
        self.assertEqual(sorted(self.started()), ["1", "2"])
        for number in (1, 2):
            self.assertEqual((self.attempt(number) / "rank-0.log").read_text().count("step "), 160)

    def test_a_trial_is_unreachable_until_the_machine_is_back(self):
        self.add("m1")
        self.launch(["m1"], lrs=[0.1, 0.2], steps=300, concurrent=2)
        self.wait(lambda trials: [t["state"] for t in trials] == ["running"] * 2 and len(self.started()) == 2)
        self.server.stop()
        self.wait_for_warning("No connection to m1; 2 trials keep running there (1, 2)")
        for command in ("pause", "resume"):
            self.assertIn("1 of them is on an unreachable machine, and follows when the connection is back",
                          self.sweepctl(command, "1", "--trial", "1").stdout.lower())
            self.assertEqual(self.status()["trials"][0]["state"], "running")  # it is not frozen yet
        self.sweepctl("stop", "1", "--trial", "2")
        self.wait_for_warning("No connection to m1; trial 2 stops when it is back")
        self.wait_for_warning("No connection to m1; trial 1 keeps running there")
        time.sleep(2)
        self.server.start()
        self.assertEqual([t["state"] for t in self.wait_for_end()], ["completed", "stopped"])
        self.assertEqual(sorted(self.started()), ["1", "2"])
        self.assertEqual((self.attempt() / "rank-0.log").read_text().count("step "), 300)

    def wait_for_warning(self, text):
        end = time.monotonic() + 60
        while time.monotonic() < end and not any(text in warning for warning in self.status()["warnings"]):
            time.sleep(0.3)
        self.assertIn(text, json.dumps(self.status()["warnings"]))

    def test_a_setup_that_ends_its_shell_is_refused(self):
        self.add("m1", "--setup", "exit 0")
        self.launch(["m1"], steps=5)
        self.wait(lambda trials: "the setup ended its shell (exit code 0)" in (trials[0]["cause"] or ""))
        self.assertEqual(self.started(), [])
        self.add("m1", "--setup", "")
        self.assertEqual(self.wait_for_end()[0]["state"], "completed")

    def test_stop_reaches_a_trial_whose_setup_hangs(self):
        self.add("m1", "--setup", "sleep 100")
        self.launch(["m1"], steps=5)
        self.wait(lambda trials: trials[0]["state"] == "starting")
        time.sleep(1)
        self.sweepctl("stop", "1")
        self.assertEqual(self.wait_for_end(20)[0]["state"], "stopped")
        self.assertEqual(self.started(), [])

    def test_a_silent_line_loses_nothing(self):
        relay = SlowRelay(self.server.port, delay=0)
        self.server.behind(relay)
        self.add("m1")
        self.launch(["m1"], lrs=[0.1, 0.2], steps=200, concurrent=1)
        self.wait(lambda trials: trials[0]["state"] == "running" and trials[0]["objective_best"])
        relay.silent = True
        time.sleep(SILENCE)
        relay.silent = False
        trials = self.wait_for_end()
        self.assertEqual([(t["state"], t["attempts"]) for t in trials], [("completed", 1)] * 2)
        self.assertEqual(self.started(), ["1", "2"])
        for number in (1, 2):
            self.assertEqual((self.attempt(number) / "rank-0.log").read_text().count("step "), 200)

    def test_a_full_disk_on_the_machine_is_reported(self):
        disk = self.folder / "m1"
        disk.mkdir()
        if os.getuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "none", disk], capture_output=True).returncode:
            self.skipTest("may not mount")
        self.mounted = disk
        self.add("m1")
        self.launch(["m1"], lrs=[0.1, 0.2], steps=300, concurrent=1, more="retries = 0")
        self.wait(lambda trials: trials[0]["state"] == "running" and trials[0]["objective_best"])
        with open(disk / "others", "wb", buffering=0) as file:
            try:
                while file.write(b"x" * 4096):
                    pass
            except OSError:
                pass
        self.wait(lambda trials: f"The disk of m1 that holds {disk}" in json.dumps(self.status()["warnings"]))
        self.assertIn("starts no trials now: the disk of m1", self.sweepctl("devices").stdout)
        self.assertRegex(self.sweepctl("machine", "check", "m1", code=None).stdout, "disk +warning +0 GiB free")
        until = time.monotonic() + 60
        while time.monotonic() < until and self.ranks():  # it cannot write what it prints
            time.sleep(0.2)
        (disk / "others").unlink()
        end = time.monotonic() + 60
        while time.monotonic() < end and self.trials()[1]["state"] != "completed":
            time.sleep(0.3)
        trials = self.trials()
        self.assertEqual([t["state"] for t in trials], ["failed", "completed"])
        self.assertIn("the disk that holds its log is full", trials[0]["cause"])
        self.assertEqual(self.status()["warnings"], [])

    def test_a_machine_that_stays_away_is_given_up(self):
        self.add("m1")
        with open(self.workspace / "machines.toml", "a") as file:
            file.write('lost_after = "3s"\n')
        self.launch(["m1"], steps=2000, more="retries = 0")
        self.wait(lambda trials: self.started() == ["1"])
        self.server.stop()
        trials = self.wait_for_end()
        self.assertEqual(trials[0]["state"], "lost")
        self.assertIn("unreachable for 3 s", json.dumps(trials[0]))
        self.assertEqual(len(self.agents()), 1)
        self.server.start()
        self.launch(["m1"], steps=5)  # the engine connects again
        end = time.monotonic() + 60
        while time.monotonic() < end and any("0001-count" in line for _, line in processes("sweepscope-agent")):
            time.sleep(0.3)
        self.assertEqual([line for _, line in processes("sweepscope-agent") if "0001-count" in line], [])

    def test_stopping_and_an_agent_that_is_killed(self):
        self.add("m1")
        self.launch(["m1"], lrs=[0.1, 0.2], steps=2000, concurrent=2)
        self.wait(lambda trials: len(self.started()) == 2)
        self.sweepctl("stop", "1", "--trial", "1")
        self.wait(lambda trials: trials[0]["state"] == "stopped")
        os.kill(self.agents()[0], signal.SIGKILL)
        trials = self.wait(lambda trials: trials[1]["state"] == "lost")
        self.assertIn("agent", trials[1]["cause"])
        self.assertGreater((self.attempt(2) / "rank-0.log").read_text().count("step "), 0)
        time.sleep(0.5)
        self.assertEqual(self.ranks(), [])

    def test_the_whole_repository_travels_and_what_ran_is_kept(self):
        (self.code / "shared.py").write_text("FACTOR = 3\n")
        (self.code / ".gitignore").write_text("data\n")
        (self.code / "data").mkdir()
        (self.code / "data" / "large").write_bytes(bytes(1_000_000))
        subprocess.run(["git", "init", "-q", self.code], check=True)
        self.code = self.code / "experiments"
        self.code.mkdir()
        (self.code / "settings.py").write_text("import sys\nsys.path.insert(0, '..')\nfrom shared import FACTOR as SCALE\n")
        (self.code / "train.py").write_text(SCRIPT)
        self.add("m1")
        self.assertIn("The code is sent to other machines: 7 files, ", self.launch(["m1"], steps=4).stdout)
        trials = self.wait_for_end()
        self.assertEqual(trials[0]["state"], "completed", trials[0]["cause"])
        self.assertAlmostEqual(trials[0]["objective_best"]["value"], 0.1 * 3 / 4, places=6)
        for i in range(5):
            with open(self.code / f"weights-{i}.bin", "wb") as file:
                file.truncate(60 << 20)
        refused = self.launch(["m1"], code=2)
        self.assertIn("the code cannot be sent to other machines", refused.stderr)
        for i in range(5):
            (self.code / f"weights-{i}.bin").unlink()
        place = pathlib.Path(self.starts.read_text().split()[1])
        self.assertEqual(place.name, "experiments")
        self.assertFalse((place.parent / "data").exists())
        # What exactly ran, though the files have changed since.
        (self.code.parent / "shared.py").write_text("FACTOR = 5\n")
        self.assertIn(place.parent.name, self.sweepctl("code", "1", "1").stdout)
        self.sweepctl("code", "1", "1", "--checkout", self.folder / "again")
        self.assertEqual((self.folder / "again" / "shared.py").read_text(), "FACTOR = 3\n")

    def test_a_checkpoint_comes_on_request(self):
        (self.code / "train.py").write_text(
            "import os, pathlib\nfolder = pathlib.Path(os.environ['SWEEPSCOPE_ATTEMPT_FOLDER'], 'checkpoint', 'step 3')\n"
            "folder.mkdir(parents=True)\n(folder / 'weights').write_bytes(os.urandom(3_000_000))\n"
            "(folder / '.metadata').write_text('small')\nprint('step 3 loss=1')\n")
        self.add("m1")
        self.launch(["m1"], lrs=[0.1])
        self.wait_for_end()
        self.assertFalse((self.attempt() / "checkpoint").exists())
        shown = self.sweepctl("checkpoint", "1", "1").stdout
        self.assertRegex(shown, r"^trial 1, attempt 1: 2 files, 2\.9 MiB, in m1:/.*/checkpoint$")
        there = pathlib.Path(shown.strip().partition("m1:")[2]) / "step 3"
        here = self.folder / "the copy"
        self.sweepctl("checkpoint", "1", "1", "--to", here)
        self.assertEqual([path.name for path in here.iterdir()], ["step 3"])
        copy = here / "step 3" / "weights"
        state = subprocess.run("find . -type f -exec ls -ln {} + -exec stat -c '%n %s %Y' {} + | cksum", shell=True,
                               cwd=there.parent, capture_output=True, text=True).stdout.split()[0]
        (here / ".sweepscope-copy").write_text(state)  # as if the copy had been interrupted
        os.truncate(copy, 1_000_000)
        with open(copy, "r+b") as file:
            file.write(b"kept")
        self.sweepctl("checkpoint", "1", "1", "--to", here)
        self.assertEqual(copy.read_bytes(), b"kept" + (there / "weights").read_bytes()[4:])
        self.assertIn("is not empty", self.sweepctl("checkpoint", "1", "1", "--to", here, code=2).stderr)
        # Files of a later checkpoint, which have the same size, are not taken for the rest of this one.
        (there / "weights").write_bytes(os.urandom(copy.stat().st_size))
        (here / ".sweepscope-copy").write_text(state)
        self.assertIn("part of another checkpoint", self.sweepctl("checkpoint", "1", "1", "--to", here, code=2).stderr)
        here = self.folder / "the newest"
        self.sweepctl("checkpoint", "1", "1", "--to", here)
        for name in ("weights", ".metadata"):
            self.assertEqual((here / "step 3" / name).read_bytes(), (there / name).read_bytes())
        (self.code / "train.py").write_text("print('step 3 loss=1')\n")
        self.launch(["localhost"], lrs=[0.1])
        self.wait_for_end()
        self.assertIn("has saved no checkpoint", self.sweepctl("checkpoint", "2", "1", code=2).stderr)

    def test_trials_run_in_the_container_of_a_machine(self):
        (self.code / "train.py").write_text("import os\nprint('step 3 loss=1 in', os.environ['CONTAINER'])\n")
        self.add("m1", "--setup", "IMAGE='my box'", "--container", "env CONTAINER=\"$IMAGE\"")
        self.launch(["m1"], lrs=[0.1])
        trial = self.wait_for_end()[0]
        self.assertEqual((trial["state"], trial["objective_best"]["value"]), ("completed", 1.0), trial["cause"])
        self.assertIn("in my box\n", (self.attempt() / "rank-0.log").read_text())
        self.add("m1", "--setup", "", "--container", "no-such-program run")
        self.launch(["m1"], lrs=[0.1])
        trial = self.wait(lambda trials: "does not run in the machine's container" in (trials[0]["cause"] or ""))[0]
        self.assertIn("no-such-program", trial["cause"])
        check = self.sweepctl("machine", "check", "m1", code=None)
        self.assertIn("python3' does not run in the container", check.stdout)

    def test_trials_of_a_removed_machine_end_there(self):
        self.add("m1", "--setup", "false")
        self.launch(["m1"], steps=60)
        self.wait(lambda trials: "setup failed with code 1" in (trials[0]["cause"] or ""))
        self.sweepctl("stop", "1")
        self.add("m1", "--setup", "")
        self.launch(["m1"], lrs=[0.1, 0.2], steps=60, trials=1)
        self.wait(lambda trials: len(self.started()) == 1)
        self.sweepctl("machine", "remove", "m1")
        trials = self.wait(lambda trials: trials[0]["state"] == "completed" and "no such machine" in (trials[1]["cause"] or ""))
        self.assertEqual(trials[1]["state"], "queued")
        self.add("m1")
        self.assertEqual([t["state"] for t in self.wait_for_end()], ["completed"] * 2)

    def test_a_deleted_sweep_leaves_nothing_on_the_machine(self):
        self.add("m1")
        self.launch(["m1"], steps=2)
        self.wait_for_end()
        place = next((self.folder / "m1" / "work").glob("*/sweeps/0001-count"))
        self.sweepctl("delete", "1", "--yes")
        end = time.monotonic() + 30
        while time.monotonic() < end and place.exists():
            time.sleep(0.2)
        self.assertFalse(place.exists())

    def test_a_machine_that_cannot_start_trials_says_why(self):
        self.sweepctl("machine", "add", "m1", "ssh://127.0.0.1:1")
        refused = self.launch(["m1", "m2"], code=2)
        self.assertIn("the workspace has no machine 'm2'", refused.stdout + refused.stderr)
        self.launch(["m1"])
        self.wait(lambda trials: "cannot be reached" in trials[0]["cause"] or "")
        reason = self.trials()[0]["cause"]
        self.assertIn("m1: cannot be reached: connect to host 127.0.0.1 port 1: Connection refused", reason)
        self.add("m1")
        self.assertEqual(self.wait_for_end()[0]["state"], "completed")

    def test_a_machine_without_a_working_environment_takes_no_trials(self):
        self.add("m1", "--setup", "source /nowhere/activate")
        self.add("m2")
        self.add("m3")
        self.sweepctl("machine", "add", "m3", "box", "--python", "python9")
        self.launch(["m1", "m3", "m2"], lrs=[0.1, 0.2, 0.3, 0.4], trials=1)
        trials = self.wait_for_end()
        self.assertEqual([t["state"] for t in trials], ["completed"] * 4)
        self.assertEqual({t["devices"][0].split("@")[1] for t in trials}, {"m2"})
        history = "".join(self.sweepctl("history", "1", "--trial", str(trial)).stdout for trial in range(1, 5))
        self.assertIn("/nowhere/activate: No such file", history)
        self.assertIn("there is no python9; set the machine's python or setup", history)


if __name__ == "__main__":
    unittest.main()
