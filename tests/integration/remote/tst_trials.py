#!/usr/bin/env python3
"""Trials on other machines: a real sshd, engine, node processes, agents and ranks. Two names stand for the one machine that there is;
each has a folder of its own. Usage: tst_trials.py SWEEPCTL [unittest arguments]"""
import csv
import io
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from sshserver import SshServer, is_available

SWEEPCTL = pathlib.Path(sys.argv.pop(1)).resolve()
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


def processes(text):
    """Those of this test, whose command lines contain the text; without their children."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if text in line and int(path.parent.name) != os.getpid():
            found.append((int(path.parent.name), line))
    return found


@unittest.skipUnless(is_available(), "OpenSSH's server or client is not installed")
class Trials(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.server = SshServer(self.folder / "server")
        self.workspace = self.folder / "workspace"
        self.runtime = self.folder / "run"
        self.runtime.mkdir(mode=0o700)
        self.code = self.folder / "code"
        self.code.mkdir()
        (self.code / "train.py").write_text(SCRIPT)
        (self.code / "settings.py").write_text("SCALE = 2\n")
        self.starts = self.folder / "starts"
        self.starts.write_text("")

    def tearDown(self):
        for pid, _ in processes(f"serve --workspace {self.workspace}"):
            os.kill(pid, signal.SIGKILL)
        for pid, _ in processes(str(self.folder)):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.server.stop()
        time.sleep(0.3)
        subprocess.run(["chmod", "-R", "u+w", self.folder])
        self.temporary.cleanup()

    def sweepctl(self, *arguments, code=0):
        result = subprocess.run([SWEEPCTL, *map(str, arguments), "--workspace", self.workspace], capture_output=True, text=True,
                                stdin=subprocess.DEVNULL, timeout=200,
                                env=self.server.environment(XDG_RUNTIME_DIR=str(self.runtime)))
        if code is not None:
            self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def add(self, name, *more):
        self.sweepctl("machine", "add", name, "box", "--folder", self.folder / name, "--python", sys.executable, *more)

    def launch(self, machines, lrs=(0.1,), steps=20, ranks=1, trials=2, concurrent=3, more="", code=0):
        sweep = self.code / "sweep.toml"
        sweep.write_text(f"""
[sweep]
name = "count"
objective = "loss"
[space]
lr = {list(lrs)}
[run]
command = ["python3", "train.py", "{{lr}}", "{steps}"]
ranks = {ranks}
{more}
[run.environment]
STARTS = "{self.starts}"
[run.metrics]
format = "auto"
[devices]
kind = "cpu"
cpu_slots = {ranks * trials}
machines = {json.dumps(list(machines))}
concurrent = {concurrent}
""")
        return self.sweepctl("run", sweep, code=code)

    def trials(self):
        return self.status()["trials"]

    def status(self):
        return json.loads(self.sweepctl("status", "--json").stdout)["sweeps"][-1]

    def wait(self, what, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            trials = self.trials()
            if what(trials):
                return trials
            if any(t["state"] == "failed" for t in trials):
                break
            time.sleep(0.2)
        log = (self.workspace / "engine.log").read_text()[-3000:]
        self.fail(f"{trials}\n{log}")

    def wait_for_end(self, seconds=60):
        return self.wait(lambda trials: all(t["state"] in ("completed", "failed", "stopped", "lost") for t in trials), seconds)

    def started(self):
        return [line.split()[0] for line in self.starts.read_text().splitlines()]

    def agents(self):
        return [pid for pid, line in processes(str(self.folder)) if "sweepscope-agent" in line]

    def attempt(self, trial=1, attempt=1):
        return self.workspace / f"sweeps/0001-count/trials/{trial:04}/{attempt}"

    def test_trials_spread_over_machines(self):
        self.add("m1")
        self.add("m2", "--setup", "export GREETING=hello", "--data", f"digits={self.code}")
        self.launch(["m1", "localhost", "m2"], lrs=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6], ranks=2, trials=1, steps=100, concurrent=6)
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

    def test_attempts_outlive_everything_but_run_once(self):
        self.add("m1")
        self.launch(["m1"], lrs=[0.1, 0.2], steps=160, concurrent=2)
        self.wait(lambda trials: len(self.started()) == 2)
        engine = processes(f"serve --workspace {self.workspace}")[0][0]
        self.server.cut()
        time.sleep(1)
        os.kill(engine, signal.SIGKILL)
        for pid, line in processes("sweepscope-node"):
            if str(self.folder) in line:
                os.kill(pid, signal.SIGKILL)
        while processes(f"serve --workspace {self.workspace}"):
            time.sleep(0.1)
        self.assertEqual(len(self.agents()), 2)
        engine = subprocess.Popen([SWEEPCTL, "serve", "--workspace", self.workspace], stdout=subprocess.DEVNULL,
                                  env=self.server.environment(XDG_RUNTIME_DIR=str(self.runtime)))
        self.addCleanup(engine.wait)
        trials = self.wait_for_end()
        self.assertEqual([t["state"] for t in trials], ["completed"] * 2)
        self.assertEqual(sorted(self.started()), ["1", "2"])
        for number in (1, 2):
            self.assertEqual((self.attempt(number) / "rank-0.log").read_text().count("step "), 160)

    def test_a_trial_is_unreachable_until_the_machine_is_back(self):
        self.add("m1")
        self.launch(["m1"], steps=100)
        self.wait(lambda trials: trials[0]["state"] == "running" and self.started() == ["1"])
        self.server.stop()
        end = time.monotonic() + 60
        while time.monotonic() < end and "no connection to m1" not in json.dumps(self.status()):
            time.sleep(0.3)
        self.assertIn("no connection to m1", json.dumps(self.status()))
        self.assertEqual(self.status()["trials"][0]["state"], "running")
        time.sleep(4)
        self.server.start()
        self.assertEqual(self.wait_for_end()[0]["state"], "completed")
        self.assertEqual(self.started(), ["1"])
        self.assertEqual((self.attempt() / "rank-0.log").read_text().count("step "), 100)

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
        self.assertEqual(processes("train.py 0."), [])

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
        self.launch(["m1"], steps=4)
        trials = self.wait_for_end()
        self.assertEqual(trials[0]["state"], "completed", trials[0]["cause"])
        self.assertAlmostEqual(trials[0]["objective_best"]["value"], 0.1 * 3 / 4, places=6)
        place = pathlib.Path(self.starts.read_text().split()[1])
        self.assertEqual(place.name, "experiments")
        self.assertFalse((place.parent / "data").exists())
        # What exactly ran, though the files have changed since.
        (self.code.parent / "shared.py").write_text("FACTOR = 5\n")
        self.assertIn(place.parent.name, self.sweepctl("code", "1", "1").stdout)
        self.sweepctl("code", "1", "1", "--checkout", self.folder / "again")
        self.assertEqual((self.folder / "again" / "shared.py").read_text(), "FACTOR = 3\n")

    def test_trials_of_a_removed_machine_end_there(self):
        self.add("m1", "--setup", "false")
        self.launch(["m1"], steps=60)
        self.assertIn("setup failed with code 1", self.wait(lambda trials: trials[0]["state"] == "failed")[0]["cause"])
        self.add("m1")
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


if __name__ == "__main__":
    unittest.main()
