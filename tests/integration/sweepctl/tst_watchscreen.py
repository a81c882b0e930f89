#!/usr/bin/env python3
"""`sweepctl watch` in a pseudo-terminal. Usage: tst_watchscreen.py SWEEPCTL [unittest arguments]"""
import fcntl
import os
import pathlib
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

SWEEPCTL = pathlib.Path(sys.argv.pop(1)).resolve()
SWEEP = """
[sweep]
name = "count"
objective = "loss"
[space]
lr = [0.25, 0.5]
[run]
command = ["python3", "-c", "import time\\nfor i in range(600): print('step', i, 'loss=%g' % ({lr} / (i + 1)), flush=True); time.sleep(0.05)"]
[run.metrics]
format = "auto"
[devices]
kind = "cpu"
concurrent = 1
"""


class WatchScreen(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        (self.folder / "runtime").mkdir(mode=0o700)
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": str(self.folder / "runtime"), "TERM": "xterm-256color",
                            "LC_ALL": "C.UTF-8"}
        self.workspace = self.folder / "workspace"
        (self.folder / "sweep.toml").write_text(SWEEP)
        self.sweepctl("run", self.folder / "sweep.toml")

    def tearDown(self):
        self.sweepctl("stop", "1", "--kill")
        subprocess.run(["pkill", "-f", f"serve --workspace {self.workspace}"])
        time.sleep(0.3)
        self.temporary.cleanup()

    def sweepctl(self, *arguments):
        subprocess.run([SWEEPCTL, *map(str, arguments), "--workspace", self.workspace], env=self.environment,
                       capture_output=True, timeout=60)

    def watch(self, *arguments):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
        self.process = subprocess.Popen([SWEEPCTL, "watch", *arguments, "--workspace", self.workspace], stdin=slave, stdout=slave,
                                        stderr=slave, env=self.environment, start_new_session=True)
        os.close(slave)
        self.output = ""

    def until(self, text, seconds=20):
        end = time.monotonic() + seconds
        while text not in self.output:
            self.assertLess(time.monotonic(), end, f"no {text!r} in {self.output!r}")
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    self.output += os.read(self.master, 65536).decode(errors="replace")
                except OSError:
                    break
        self.assertIn(text, self.output)

    def press(self, keys):
        self.output = ""
        os.write(self.master, keys.encode())

    def test_a_sweep_is_watched_and_keys_work(self):
        self.watch()
        self.until("best loss")
        self.until("running")
        self.press("h")
        self.until("next, previous trial")
        self.press("h")
        self.until("by state")
        self.press("s")
        self.until("result")
        self.press("\n")
        self.until("attempts")
        self.press("q")
        self.until("result")
        self.press("q")
        self.assertEqual(self.process.wait(10), 0)

    def test_it_survives_its_engine(self):
        self.watch("count")
        self.until("best loss")
        subprocess.run(["pkill", "-KILL", "-f", f"serve --workspace {self.workspace}"])
        self.output = ""
        self.until("completed", 60)  # trial 1 ends, and the next engine tells it
        self.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.process.wait(10), 0)

    def test_without_a_terminal_it_refuses(self):
        result = subprocess.run([SWEEPCTL, "watch", "--workspace", self.workspace], env=self.environment, stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, timeout=30)
        self.assertEqual(result.returncode, 2)
        self.assertIn("needs a terminal", result.stderr)


if __name__ == "__main__":
    unittest.main()
