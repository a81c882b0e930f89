#!/usr/bin/env python3
"""A workspace on another machine, seen through a mirror: a real sshd, engine, agents and ranks. Usage: tst_mirror.py SWEEPCTL
[unittest arguments]"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from mirrorclient import MirrorClient, cbor
from slowrelay import SlowRelay
from sshserver import SshServer, is_available

SWEEPCTL = pathlib.Path(sys.argv.pop(1)).resolve()
SILENCE = float(os.environ.get("SWEEPSCOPE_SILENCE", 5))  # seconds
SWEEP = """
[sweep]
name = "count"
objective = "loss"
[space]
lr = [0.1, 0.2]
[run]
command = ["python3", "-c", "import time\\nfor i in range(600): print('step', i, 'loss=%g' % ({lr} / (i + 1)), flush=True); time.sleep(0.05)"]
[run.metrics]
format = "auto"
[devices]
kind = "cpu"
concurrent = 1
"""


@unittest.skipUnless(is_available(), "OpenSSH's server or client is not installed")
class Mirror(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.server = SshServer(self.folder / "server")
        self.there = self.folder / "there"
        self.mirror = self.folder / "mirror"
        self.mirror.mkdir(mode=0o700)
        (self.mirror / "mirror.toml").write_text(f'workspace = "ssh://box{self.there}"\n')
        self.runtimes = {}
        for name in ("here", "other"):
            self.runtimes[name] = self.folder / name
            self.runtimes[name].mkdir(mode=0o700)
        # The other machine: its own sockets, and sweepctl in its PATH.
        wrapper = self.folder / "sweepctl"
        wrapper.write_text(f'#!/bin/sh\nXDG_RUNTIME_DIR={self.runtimes["other"]} exec {SWEEPCTL} "$@"\n')
        wrapper.chmod(0o755)
        self.server.stop()
        config = self.server.folder / "sshd_config"
        config.write_text(config.read_text() + f"SetEnv PATH={self.folder}:{os.environ['PATH']}\n")
        self.server.start()

    def tearDown(self):
        subprocess.run([SWEEPCTL, "stop", "1", "--kill", "--workspace", self.there], env=self.environment("other"),
                       capture_output=True)
        for folder in (self.mirror, self.there):
            subprocess.run(["pkill", "-f", f"serve --workspace {folder}"])
        self.server.stop()
        time.sleep(0.5)
        self.temporary.cleanup()

    def environment(self, side):
        return self.server.environment(XDG_RUNTIME_DIR=str(self.runtimes[side]))

    def sweepctl(self, *arguments, side="here", code=0):
        result = subprocess.run([SWEEPCTL, *map(str, arguments)], env=self.environment(side), capture_output=True, text=True,
                                timeout=100)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def launch(self):
        sweep = self.folder / "sweep.toml"
        sweep.write_text(SWEEP)
        self.sweepctl("run", sweep, "--workspace", self.there, side="other")

    def attempt(self, root, name, trial=1):
        return root / f"sweeps/0001-count/trials/{trial:04}/1/{name}"

    def until(self, condition, seconds=30):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end, (self.mirror / "engine.log").read_text()
                            if (self.mirror / "engine.log").exists() else "no engine.log")
            time.sleep(0.1)

    def size(self, root, name):
        path = self.attempt(root, name)
        return path.stat().st_size if path.exists() else 0

    def follows(self, name="rank-0.log"):
        """Waits until the mirror has more of the file than the other machine has now."""
        now = self.size(self.there, name)
        self.assertGreater(now, 0)
        self.until(lambda: self.size(self.mirror, name) > now)
        copy = self.attempt(self.mirror, name).read_bytes()
        self.assertEqual(copy, self.attempt(self.there, name).read_bytes()[:len(copy)])

    def begin(self):
        self.launch()
        self.until(lambda: self.size(self.there, "rank-0.log") > 0)
        self.sweepctl("priority", "1", "--level", "5", "--workspace", self.mirror)

    def processes(self, pattern):
        out = subprocess.run(["pgrep", "-f", pattern], capture_output=True, text=True).stdout
        return [int(pid) for pid in out.split() if int(pid) != os.getpid()]

    def test_commands_go_there_and_files_come_here(self):
        self.begin()
        self.follows("rank-0.log")
        self.follows("rank-0.feed")
        self.assertFalse((self.mirror / "sweepscope.db").exists())
        paused = self.sweepctl("pause", "1", "--workspace", self.mirror).stdout
        self.assertIn("0001-count: ", paused)
        state = json.loads(self.sweepctl("status", "--json", "--workspace", self.there, side="other").stdout)
        self.assertEqual(state["sweeps"][0]["priority"] if "priority" in state["sweeps"][0] else 5, 5)
        self.sweepctl("resume", "1", "--workspace", self.mirror)
        self.sweepctl("stop", "1", "--workspace", self.mirror)
        self.until(lambda: b'"outcome":"stopped"' in self.attempt(self.mirror, "events.jsonl").read_bytes())

    def test_a_broken_connection_is_made_again_and_nothing_is_lost(self):
        self.begin()
        self.follows()
        for _ in range(2):
            self.server.cut()
            self.until(lambda: not self.processes(f"serve --workspace {self.mirror}"))
            self.assertIn(b"count", (self.mirror / "state.cbor").read_bytes())  # for a window without a connection
            time.sleep(1)
            self.sweepctl("priority", "1", "--level", "6", "--workspace", self.mirror)  # a client connects again
            self.follows()
        self.until(lambda: self.size(self.mirror, "rank-0.feed") > 0)

    def test_a_sweep_is_started_once_although_the_answer_was_lost(self):
        relay = SlowRelay(self.server.port, delay=0)
        self.server.behind(relay)
        self.begin()
        relay.delay = 1.5
        sweep = self.folder / "second.toml"
        sweep.write_text(SWEEP.replace('"count"', '"second"'))
        command = subprocess.Popen([SWEEPCTL, "run", sweep, "--workspace", self.mirror], env=self.environment("here"), text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.until(lambda: (self.there / "sweeps/0002-second").exists())
        relay.cut()  # the answer is on its way
        relay.delay = 0
        out, error = command.communicate(timeout=60)
        self.assertEqual(command.returncode, 0, out + error)
        self.assertIn("Reconnecting.", error)
        self.assertIn("Sweep 2 (0002-second)", out)
        state = json.loads(self.sweepctl("status", "--json", "--workspace", self.there, side="other").stdout)
        self.assertEqual([one["name"] for one in state["sweeps"]], ["count", "second"])

    def test_a_silent_line_loses_nothing(self):
        relay = SlowRelay(self.server.port, delay=0)
        self.server.behind(relay)
        self.begin()
        self.follows()
        relay.silent = True
        time.sleep(SILENCE)
        relay.silent = False
        self.until(lambda: b'"outcome"' in self.attempt(self.there, "events.jsonl").read_bytes(), seconds=60)
        mark = [SWEEPCTL, "mark", "1", "--trial", "1", "--star", "--workspace", self.mirror]  # connects again
        self.until(lambda: subprocess.run(mark, timeout=100, env=self.environment("here"), capture_output=True).returncode == 0)
        client = MirrorClient(next((self.runtimes["here"] / "sweepscope").glob("*.sock")), self.mirror)
        self.addCleanup(client.socket.close)
        client.look(1)
        for name in ("rank-0.log", "events.jsonl"):
            self.until(lambda: self.size(self.mirror, name) == self.size(self.there, name))
            self.assertEqual(self.attempt(self.mirror, name).read_bytes(), self.attempt(self.there, name).read_bytes())

    def test_two_machines_share_an_engine(self):
        self.begin()
        second = self.folder / "second"
        second.mkdir(mode=0o700)
        (second / "mirror.toml").write_text((self.mirror / "mirror.toml").read_text())
        self.addCleanup(lambda: subprocess.run(["pkill", "-f", f"serve --workspace {second}"]))
        self.sweepctl("pause", "1", "--trial", "1", "--workspace", second)
        paused = json.loads(self.sweepctl("status", "--json", "--workspace", self.there, side="other").stdout)
        self.assertEqual(paused["sweeps"][0]["trials"][0]["state"], "paused")
        self.sweepctl("resume", "1", "--trial", "1", "--workspace", self.mirror)
        self.follows()
        self.until(lambda: self.size(second, "rank-0.log") > 0)
        self.assertEqual(len(self.processes(f"serve --workspace {self.there}")), 1)
        self.sweepctl("stop", "1", "--workspace", second)
        self.until(lambda: b'"outcome":"stopped"' in self.attempt(self.mirror, "events.jsonl").read_bytes())

    def test_another_version_says_so(self):
        (self.folder / "sweepctl").write_text("#!/bin/sh\necho hello\necho sweepscope-relay 99\nsleep 60\n")
        refused = self.sweepctl("priority", "1", "--level", "5", "--workspace", self.mirror, code=4)
        self.assertIn("has a different version", refused.stderr)
        hello = cbor({"type": "hello", "version": 99, "program": "sweepctl", "pid": 1, "workspace": "/w", "new": [1, "x"]})
        script = self.folder / "relay.py"
        script.write_text("import sys, time\nsys.stdin.buffer.read(20)\n"
                          f"sys.stdout.buffer.write(b'sweepscope-relay 1\\n' + {len(hello).to_bytes(4, 'big') + hello!r})\n"
                          "sys.stdout.flush()\ntime.sleep(60)\n")
        (self.folder / "sweepctl").write_text(f"#!/bin/sh\nexec {sys.executable} {script}\n")
        refused = self.sweepctl("priority", "1", "--level", "5", "--workspace", self.mirror, code=4)
        self.assertIn("The engine speaks version 99 of the protocol", refused.stderr)

    def test_killed_processes_are_replaced(self):
        self.begin()
        for pattern in (f"sweepscope-node {self.there}", f"serve --workspace {self.mirror}", f"ControlPath={self.runtimes['here']}.*ControlMaster=yes"):
            self.follows()
            victims = self.processes(pattern)
            self.assertTrue(victims, pattern)
            for pid in victims:
                os.kill(pid, signal.SIGKILL)
            self.until(lambda: not self.processes(f"serve --workspace {self.mirror}"))
            self.sweepctl("priority", "1", "--level", "6", "--workspace", self.mirror)
        self.follows()
        self.assertEqual(len(self.processes(f"serve --workspace {self.there}")), 1)

    def test_a_full_disk_here_stops_the_copying_and_nothing_else(self):
        self.mirror.rename(self.folder / "kept")
        self.mirror.mkdir(mode=0o700)
        if os.getuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k,mode=700", "none", self.mirror],
                                              capture_output=True).returncode:
            self.skipTest("may not mount")
        try:
            (self.mirror / "mirror.toml").write_text((self.folder / "kept/mirror.toml").read_text())
            self.launch()
            self.until(lambda: self.size(self.there, "rank-0.log") > 0)
            with open(self.attempt(self.there, "rank-0.log"), "ab") as log:
                log.write(b"x" * 20_000_000)
            self.sweepctl("priority", "1", "--level", "5", "--workspace", self.mirror)
            self.until(lambda: os.statvfs(self.mirror).f_bavail == 0)
            before = self.processes(f"serve --workspace {self.mirror}")
            for level in range(4):
                self.sweepctl("priority", "1", "--level", level, "--workspace", self.mirror)
                time.sleep(1)
            self.assertEqual(self.processes(f"serve --workspace {self.mirror}"), before)
        finally:
            subprocess.run(["pkill", "-f", f"serve --workspace {self.mirror}"])
            time.sleep(1)
            subprocess.run(["umount", "-l", self.mirror])

    def test_subcommands_run_on_the_other_machine(self):
        sweep = self.folder / "sweep.toml"
        sweep.write_text(SWEEP)
        address = f"ssh://box{self.there}"
        self.assertIn(f"{sweep} is valid", self.sweepctl("--host", "box", "validate", sweep).stdout)
        launched = self.sweepctl("--host", address, "run", sweep).stdout
        self.assertIn("0001-count", launched)
        self.assertIn(f" --host box --workspace {self.there}", launched)
        state = json.loads(self.sweepctl("--host=" + address, "status", "--json").stdout)
        self.assertEqual([one["name"] for one in state["sweeps"]], ["count"])
        self.sweepctl("--host", address, "stop", "1")
        self.assertIn("names no machine", self.sweepctl("--host", "-x", "status", code=2).stderr)
        self.sweepctl("--host", "ssh://127.0.0.1:1", "status", code=255)
        self.sweepctl("--host", "box", "nonsense", code=2)

    def test_a_long_curve_comes_with_few_points_first(self):
        script = self.folder / "train.py"
        script.write_text("import sweepscope, time\nrun = sweepscope.init()\nfor step in range(200_000): run.log(step, loss=1 / (step + 1))\n"
                          "for step in range(200_000, 210_000): run.log(step, loss=0); time.sleep(0.02)\n")
        sweep = self.folder / "sweep.toml"
        sweep.write_text(SWEEP[:SWEEP.index("command")] + f'command = ["python3", "{script}"]\n[devices]\nkind = "cpu"\nconcurrent = 1\n')
        self.sweepctl("run", sweep, "--workspace", self.there, side="other")
        self.until(lambda: self.size(self.there, "rank-0.feed") > 2_000_000)
        self.sweepctl("priority", "1", "--level", "5", "--workspace", self.mirror)
        self.until(lambda: self.size(self.mirror, "rank-0.feed.thin") > 0)
        few = self.size(self.mirror, "rank-0.feed")
        self.assertLess(few, 300_000)
        self.until(lambda: self.size(self.mirror, "rank-0.feed") > few)  # what is reported meanwhile follows
        newest = self.attempt(self.mirror, "rank-0.feed").read_bytes()[few:]
        self.assertIn(newest, self.attempt(self.there, "rank-0.feed").read_bytes())
        client = MirrorClient(next((self.runtimes["here"] / "sweepscope").glob("*.sock")), self.mirror)
        client.look(1, whole=True)
        self.addCleanup(client.socket.close)
        self.until(lambda: not self.attempt(self.mirror, "rank-0.feed.thin").exists())
        self.follows("rank-0.feed")

    def test_a_machine_without_sweepscope_says_so(self):
        (self.folder / "sweepctl").unlink()
        refused = self.sweepctl("priority", "1", "--level", "5", "--workspace", self.mirror, code=4)
        self.assertIn("Sweepscope is not installed on ssh://box", refused.stderr)
        with self.assertRaises(AssertionError) as answer:  # a window can offer more
            MirrorClient(next((self.runtimes["here"] / "sweepscope").glob("*.sock")), self.mirror)
        self.assertIn("notInstalledOn", str(answer.exception))
        there = self.sweepctl("--host", "box", "status", code=127)
        self.assertIn("sweepctl was not found in PATH", there.stderr)

    def test_an_unreachable_machine_says_why(self):
        self.server.stop()
        try:
            refused = self.sweepctl("priority", "1", "--level", "5", "--workspace", self.mirror, code=4)
            self.assertIn("Connection refused", refused.stderr)
            self.assertNotIn("engine did not start", refused.stderr)
        finally:
            self.server.start()


if __name__ == "__main__":
    unittest.main()
