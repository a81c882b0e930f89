"""Sweeps whose trials run on other machines: a real sshd, engine, node processes, agents and ranks. All machines are this one
under different names, each with a separate folder."""
import fcntl
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

SWEEPCTL = pathlib.Path(sys.argv[1]).resolve()


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
class MachineSweeps(unittest.TestCase):
    script = ""
    mounted = None

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.server = SshServer(self.folder / "server")
        self.workspace = self.folder / "workspace"
        self.runtime = self.folder / "run"
        self.runtime.mkdir(mode=0o700)
        self.code = self.folder / "code"
        self.code.mkdir()
        (self.code / "train.py").write_text(self.script)
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
        if self.mounted:
            subprocess.run(["umount", "-l", self.mounted])
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

    def ranks(self):
        """Of this test; others may run at the same time."""
        found = []
        for pid, line in processes("train.py "):
            try:
                if os.readlink(f"/proc/{pid}/cwd").startswith(str(self.folder)):
                    found.append((pid, line))
            except OSError:
                pass
        return found

    def agents(self):
        return [pid for pid, line in processes(str(self.folder)) if "sweepscope-agent" in line]

    def kill_engine_and_node_processes(self):
        engine = int((self.workspace / "engine.lock").read_text())
        os.kill(engine, signal.SIGKILL)
        for pid, line in processes("sweepscope-node"):
            if str(self.folder) in line:
                os.kill(pid, signal.SIGKILL)
        with open(self.workspace / "engine.lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # once the last of its threads has ended

    def serve(self):
        engine = subprocess.Popen([SWEEPCTL, "serve", "--workspace", self.workspace], stdout=subprocess.DEVNULL,
                                  env=self.server.environment(XDG_RUNTIME_DIR=str(self.runtime)))
        self.addCleanup(engine.wait)

    def attempt(self, trial=1, attempt=1):
        return self.workspace / f"sweeps/0001-count/trials/{trial:04}/{attempt}"
