"""Kills a workspace's processes at random times, and keeps an engine running nevertheless."""

import threading
import time

import processes
from curve import value
from sweeps import choose

SETTLE_S = 300
LEAVE_S = 60
RESUME_TRIES = 50
KILLING_S = (4.0, 8.0)
TARGETS = ["engine"] * 4 + ["agent"] * 4 + ["rank"] * 2 + ["grandchild"] + ["client"] + ["window"]


class Torment:
    """One round: launches sweeps while their processes are killed; then lets them end undisturbed."""

    def __init__(self, workspace, random):
        self._workspace = workspace
        self._random = random
        self._problems = []
        self.kills = dict.fromkeys(TARGETS, 0)
        self.asked = dict.fromkeys(["stop", "pause", "resume"], 0)

    def run(self, in_peace=False):
        """Returns the problems so far, a sentence each."""
        sweeps = choose(self._random, self._workspace.programs, self._workspace.home, value)
        self._workspace.start_engine()
        launcher = threading.Thread(target=self._launch, args=[sweeps])
        launcher.start()
        if not in_peace:
            self._kill_for(self._random.uniform(*KILLING_S))
        while launcher.is_alive():
            self._keep_engine()
            time.sleep(0.05)
        launcher.join()
        self._resume_all()
        self._settle()
        self._leave()
        return self._problems

    def _launch(self, sweeps):
        for sweep in sweeps:
            problem = self._workspace.launch(sweep)
            if problem:
                self._problems.append(problem)

    def _kill_for(self, seconds):
        random = self._random
        with_window = self._workspace.programs.window and random.random() < 0.4
        end = time.monotonic() + seconds
        first = random.sample(TARGETS, len(TARGETS))  # every part at least once, if it exists
        while time.monotonic() < end:
            time.sleep(random.choice([0.0, 0.01, 0.05, 0.2, 0.6]) * random.random() * 2)
            target = first.pop() if first else random.choice(TARGETS)
            self._kill_one(target)
            # During recovery too: the next engine while it starts, or the one that cleans up after an agent.
            if target in ("engine", "agent") and random.random() < 0.5:
                self._keep_engine()
                time.sleep(0.15 * random.random() ** 2)
                self._kill_one("engine")
            self._ask_now_and_then()
            self._keep_engine(with_rival=random.random() < 0.2)
            if with_window and not self._workspace.people()["window"]:
                self._workspace.start_window()
            self._workspace.reap()

    def _kill_one(self, part):
        there = self._workspace.people()[part]
        if there and processes.kill(self._random.choice(there)):
            self.kills[part] += 1

    def _ask_now_and_then(self):
        """Sends random requests for sweeps and trials, while the engine may be killed before, during and after them."""
        random = self._random
        if random.random() > 0.15 or not self._workspace.launched:
            return
        sweep, definition = random.choice(self._workspace.launched)
        trial = random.randint(1, definition.trials)
        of_trial = ["--trial", str(trial)]
        ask, *words = random.choice(
            [
                ["stop"],
                ["stop", *of_trial, "--kill"],
                ["stop", *of_trial, "--checkpoint"],
                ["stop", *of_trial],
                ["pause"],
                ["pause", *of_trial],
                ["pause", *of_trial],
                ["resume"],
                ["resume", *of_trial],
            ]
        )
        code, _ = self._workspace.sweepctl(ask, str(sweep), *words)
        self.asked[ask] += 1
        if ask == "stop" and code == 0:
            self._workspace.stopped.append((sweep, trial if words else 0, time.time_ns()))

    def _resume_all(self):
        """Resumes what was paused, which would never end otherwise."""
        for sweep, _ in self._workspace.launched:
            for _ in range(RESUME_TRIES):
                self._keep_engine()
                code, _ = self._workspace.sweepctl("resume", str(sweep))
                if code in (0, 2):  # resumed, or there was nothing to resume
                    break
                time.sleep(0.1)

    def _keep_engine(self, with_rival=False):
        """Starts two engines at once in the workspace; one of them must find it taken."""
        if self._workspace.people()["engine"]:
            return
        self._workspace.start_engine()
        if with_rival:
            self._workspace.start_engine()

    def _settle(self):
        def ended():
            self._workspace.reap()
            self._keep_engine()
            return self._workspace.all_ended()

        if not processes.wait_until(ended, SETTLE_S):
            left = self._workspace.query("SELECT sweep, number, state, reason FROM trial WHERE ended IS NULL")
            self._problems.append(
                "after {} s without a kill the sweeps have not ended; trials left: {}".format(SETTLE_S, left[:20])
            )

    def _leave(self):
        """Ends the engine as its user would."""
        people = self._workspace.people()
        for process in people["window"] + people["client"]:
            processes.kill(process)
        for process in people["engine"]:
            processes.kill(process, 15)

        def gone():
            self._workspace.reap()
            return not processes.descendants()

        processes.wait_until(gone, LEAVE_S)
