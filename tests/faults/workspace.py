"""One workspace of the fault harness: its folder, its engine and clients, and the processes that may be killed."""

import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections import namedtuple

import processes

Programs = namedtuple("Programs", "sweepctl window worker native fake_nvml python")

LAUNCH_TRIES = 8


def find_programs(build, source):
    def built(*parts):
        path = os.path.join(build, *parts)
        return path if os.path.exists(path) else None

    return Programs(
        built("bin", "sweepctl"),
        built("bin", "sweepscope"),
        built("bin", "sweepscope-worker"),
        built("tests", "clients", "client-reportspoints"),
        built("tests", "clients", "libfakenvml.so"),
        os.path.join(source, "packaging", "python"),
    )


class Workspace:
    def __init__(self, programs):
        self.programs = programs
        self.home = tempfile.mkdtemp(prefix="sweepscope-faults-")
        self.move_to(os.path.join(self.home, "ws"))
        self.runtime = os.path.join(self.home, "run")
        os.mkdir(self.runtime, 0o700)
        self.launched = []  # (id, definition): launches that sweepctl reported
        self.stopped = []  # (id, trial or 0, time in ns since 1970): stops that it reported
        self.definitions = {}
        self._known = {}  # processes that we wait for: pid -> Popen; sweeps are launched from threads
        self._environment = dict(
            os.environ,
            HOME=self.home,
            XDG_RUNTIME_DIR=self.runtime,
            XDG_CONFIG_HOME=os.path.join(self.home, "config"),
            XDG_DATA_HOME=os.path.join(self.home, "data"),
            QT_QPA_PLATFORM="offscreen",
            PYTHONDONTWRITEBYTECODE="1",
            PYTHONPATH=programs.python,
            SWEEPSCOPE_LEASE_FOLDER=os.path.join(self.home, "leases"),
        )
        self._environment.pop("DBUS_SESSION_BUS_ADDRESS", None)
        if programs.fake_nvml:
            self._environment["SWEEPSCOPE_NVML"] = programs.fake_nvml

    def move_to(self, folder):
        self.folder = folder
        self.database = os.path.join(folder, "sweepscope.db")

    def start(self, *words):
        with open(os.path.join(self.home, "said"), "ab") as said:
            process = subprocess.Popen(
                words, env=self._environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said, cwd=self.home
            )
        self._known[process.pid] = process
        return process

    def start_engine(self):
        return self.start(self.programs.sweepctl, "serve", "--workspace", self.folder)

    def start_window(self):
        return self.start(self.programs.window, "--workspace", self.folder)

    def sweepctl(self, *words, timeout=60):
        """Returns (exit code, output) of a command that runs to its end."""
        process = subprocess.Popen(
            [self.programs.sweepctl, *words, "--workspace", self.folder],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self.home,
        )
        self._known[process.pid] = process
        try:
            said = process.communicate(timeout=timeout)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            said = process.communicate()[0] + b"\n(it did not end)"
        del self._known[process.pid]
        return process.returncode, said.decode(errors="replace")

    def launch(self, definition):
        """Retries, because the engine may be killed at any time; only what was acknowledged must be there."""
        self.definitions[definition.name] = definition
        file = os.path.join(self.home, definition.name + ".toml")
        with open(file, "w") as out:
            out.write(definition.toml)
        said = ""
        for _ in range(LAUNCH_TRIES):
            code, said = self.sweepctl("run", file)
            match = re.match(r"Sweep (\d+) ", said)
            if match:
                self.launched.append((int(match.group(1)), definition))
            if code == 0:
                return None
            time.sleep(0.1)
        return "the sweep {} could not be launched: {}".format(definition.name, said.strip())

    def query(self, sql, *values):
        """Returns rows of the database, read like any other program would; none while there is no database."""
        if not os.path.exists(self.database):
            return []
        connection = sqlite3.connect("file:{}?mode=ro".format(self.database), uri=True, timeout=30)
        try:
            return connection.execute(sql, values).fetchall()
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):
                return []
            raise
        finally:
            connection.close()

    def ended(self):
        return [process for process in list(self._known.values()) if process.returncode is not None]

    def reap(self):
        known = list(self._known.items())
        for _, process in known:
            process.poll()
        processes.reap({pid for pid, process in known if process.returncode is None})

    def people(self):
        """Returns the processes by part: engines, clients, windows, agents, ranks and what the ranks have forked."""
        parts = {"engine": [], "client": [], "window": [], "agent": [], "rank": [], "grandchild": []}
        agents, ranks = set(), set()
        for process in processes.descendants():
            if process.name == "sweepctl":
                parts["engine" if " serve " in processes.command_line(process) else "client"].append(process)
            elif process.name == "sweepscope":
                parts["window"].append(process)
            elif process.name == "sweepscope-agent"[:15]:
                agents.add(process.pid)
                parts["agent"].append(process)
            elif process.parent in agents:
                ranks.add(process.pid)
                parts["rank"].append(process)
            else:
                parts["grandchild"].append(process)
        return parts

    def all_ended(self):
        return not self.query("SELECT 1 FROM sweep WHERE ended IS NULL LIMIT 1") and bool(
            self.query("SELECT 1 FROM sweep LIMIT 1")
        )

    def kill_everybody(self):
        while True:
            left = processes.descendants()
            for process in left:
                processes.kill(process)
            self.reap()
            if not left:
                return
            time.sleep(0.02)

    def remove(self):
        shutil.rmtree(self.home, ignore_errors=True)
