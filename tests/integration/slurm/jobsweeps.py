"""Sweeps whose trials are jobs of a real Slurm: real engine, agents and ranks."""
import json
import os
import pathlib
import signal
import subprocess
import sys
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


def has_released_its_files(pid):
    """A process that is killed loses its command line before its locks: another engine would be refused."""
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        return state in "ZX" and len(os.listdir(f"/proc/{pid}/task")) <= 1
    except (FileNotFoundError, ProcessLookupError):
        return True


@unittest.skipIf(missing(), missing())
class JobSweeps(unittest.TestCase):
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
        self.prepare()
        self.settings("")

    def prepare(self):
        """Before the first settings."""

    def end_engines(self):
        for pid in processes(f"serve --workspace {self.workspace}"):
            os.kill(pid, signal.SIGKILL)

    def settings(self, toml):
        (self.workspace / "machines.toml").write_text(f"[localhost.slurm]\n{toml}\n")

    def sweepctl(self, *arguments, code=0):
        result = subprocess.run([SWEEPCTL, *map(str, arguments), "--workspace", self.workspace], capture_output=True, text=True,
                                stdin=subprocess.DEVNULL, timeout=200,
                                env=self.environment())
        if code is not None:
            self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stdout + result.stderr

    programs = {}
    machines = ()

    def environment(self):
        return self.cluster.environment(XDG_RUNTIME_DIR=str(self.folder / "run"), **self.programs)

    def sweep(self, lrs=(0.1,), steps=3, pause=0.05, more="", devices="", sweep="", concurrent=10):
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
concurrent = {concurrent}
machines = {list(self.machines)}
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
                                  env=self.environment())
        self.addCleanup(engine.wait)
        self.addCleanup(engine.kill)

    def steps_of_curve(self):
        """Of trial 1, through all of its attempts."""
        self.sweepctl("export", "1", "--curves", self.folder / "curves.csv")
        rows = (self.folder / "curves.csv").read_text().splitlines()
        column = rows[0].split(",").index("step")
        return {int(row.split(",")[column]) for row in rows[1:]}

    def kill_engine(self):
        for pid in processes(f"serve --workspace {self.workspace}"):
            os.kill(pid, signal.SIGKILL)
            until(lambda pid=pid: has_released_its_files(pid))
