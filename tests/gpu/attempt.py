"""One attempt of a trial: an agent with ranks, started by hand instead of by the engine."""

import json
import subprocess
import time
from pathlib import Path

from runner import NotProved

LIMIT = 60  # seconds, for what takes a second


def wait_until(condition, what, seconds=LIMIT):
    """Returns the seconds that passed."""
    begin = time.monotonic()
    while not condition():
        if time.monotonic() - begin > seconds:
            raise NotProved(f"{what}: not within {seconds:.0f} s")
        time.sleep(0.01)
    return time.monotonic() - begin


def has_ended(pid):
    """Also if it has not been reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].startswith("Z")
    except OSError:
        return True


class Attempt:
    """`devices`: for each rank the list of UUIDs of its GPUs; empty for the CPU."""

    def __init__(self, context, name, arguments, ranks=1, devices=()):
        self.folder = context.folder / name
        self.folder.mkdir()
        self._metrics = self.folder / "metrics-0"
        launch = {"version": 1, "attempt_id": f"{context.folder.name}-{name}", "working_folder": str(self.folder),
                  "argv": [context.worker, *arguments, "--metrics", str(self.folder / "metrics-{rank}")],
                  "ranks": ranks, "devices": list(devices)}
        (self.folder / "launch.json").write_text(json.dumps(launch))
        with open(self.folder / "agent.log", "wb") as log:
            agent = Path(context.worker).with_name("sweepscope-agent")
            self.agent = subprocess.Popen([agent, self.folder], stdout=log, stderr=log)

    def events(self, kind):
        file = self.folder / "events.jsonl"
        lines = file.read_text().splitlines() if file.exists() else []
        return [event for event in map(json.loads, lines) if event["kind"] == kind]

    def rank_pids(self):
        return [event["pid"] for event in sorted(self.events("rank_started"), key=lambda event: event["rank"])]

    def steps(self):
        """Returns the figures of all steps of rank 0 so far."""
        lines = self._metrics.read_text().split("\n")[:-1] if self._metrics.exists() else []
        return [entry for entry in map(json.loads, lines) if "loss" in entry]

    def wait_for_steps(self, count, seconds=LIMIT):
        """Raises if the attempt ends before."""
        wait_until(lambda: len(self.steps()) >= count or self.events("ended"), f"{count} steps", seconds)
        if len(self.steps()) < count:
            raise NotProved(f"the attempt ended after {len(self.steps())} steps: {self.last_words()}")

    def wait_for_end(self, seconds=LIMIT):
        """Returns the outcome: completed, failed or stopped."""
        wait_until(lambda: self.events("ended"), "the end of the attempt", seconds)
        self.agent.wait()
        return self.events("ended")[0]["outcome"]

    def last_words(self, rank=0):
        log = self.folder / f"rank-{rank}.log"
        lines = log.read_text(errors="replace").strip().splitlines() if log.exists() else []
        return lines[-1] if lines else "no output"
