# SPDX-License-Identifier: MIT
"""What a training script sees: a run that reports, or one that does nothing."""

import atexit
import collections
import json
import os
import sys
import threading
import time

from . import devices
from .ring import EVENT_KINDS, Ring, RingUnusable, check_step

#: Calls of log() after which a script that has opened no GPU will open none.
_LOOKS = 100

_init_lock = threading.Lock()
_run = None
_now = time.time_ns


class Run:
    """One rank's report. Threads and signal handlers may share it; nothing here waits for another. Made by init()."""

    def __init__(self, ring, rank, world_size, params):
        self._ring = ring
        # Whoever has it writes. Who does not get it leaves the work to the one who has: see _finish().
        self._turn = threading.Lock()
        self._left = collections.deque()
        self._looks = _LOOKS if "GPU-" in os.environ.get("SWEEPSCOPE_DEVICES", "") else 0
        self.rank = rank
        self.world_size = world_size
        #: The trial's parameters, by name: what the search space of the sweep holds. Empty outside Sweepscope.
        self.params = params

    @property
    def active(self):
        """Whether anything is reported: this process was started by Sweepscope and the run is not closed."""
        return self._ring is not None

    @property
    def dropped(self):
        """Records lost because nobody emptied the ring."""
        ring = self._ring
        try:
            return ring.dropped if ring else 0
        except ValueError:  # closed meanwhile
            return 0

    def declare(self, name, unit=""):
        """Give a series a unit ("s", "%", "samples/s"). Before its first point."""
        if self._ring is not None:
            self._do(lambda ring: ring.declare(name, unit))

    def log(self, step, values=None, **more):
        """One point per name at `step`, all with the same time. `values` is for names that are no identifiers."""
        if self._ring is None:
            return
        if self._looks:
            self._look_at_devices()
        now = _now()
        if values:
            more = dict(values, **more)
        if step.__class__ is not int:
            step = int(step)
        if self._turn.acquire(False):
            try:
                ring = self._ring
                if ring is not None:  # not closed meanwhile
                    ring.write_points(step, more, now)
            finally:
                self._turn.release()
            if self._left:
                self._finish()
        else:
            # What is wrong is told to the caller, not to whoever writes it.
            check_step(step)
            more = {name: float(value) for name, value in more.items()}
            self._do(lambda ring: ring.write_points(step, more, now))

    def event(self, text, kind="message", step=0):
        """A mark on the time axis. Kinds: message, epoch, checkpoint, warning, error."""
        if self._ring is None:
            return
        if kind not in EVENT_KINDS:
            raise ValueError("no event is of kind {!r}; kinds are {}".format(kind, ", ".join(EVENT_KINDS)))
        text, step, now = str(text), int(step), _now()
        check_step(step)
        self._do(lambda ring: ring.write_event(kind, step, text, now))

    def _look_at_devices(self):
        """Tell once which GPUs torch has opened. Training on those of another trial is an error: RuntimeError."""
        self._looks -= 1
        found = devices.opened()
        if not found:
            return
        self._looks = 0
        self.event("opened " + ", ".join(found))
        problem = devices.mismatch(self.rank, found)
        if problem:
            self.event(problem, kind="error")
            raise RuntimeError(problem)

    def should_stop(self):
        """True when Sweepscope asks this rank to save a checkpoint and end."""
        ring = self._ring
        try:
            return ring.stop_requested if ring else False
        except ValueError:  # closed meanwhile
            return False

    def close(self):
        """Say what was dropped, and let go. Also at the end of `with`, and at exit."""
        # Others hold it for microseconds. Longer means that this is a signal handler that interrupted the holder.
        if not self._turn.acquire(timeout=1):
            return
        try:
            ring, self._ring = self._ring, None
            if ring:
                self._write_left(ring)
                ring.close()
        finally:
            self._turn.release()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _do(self, work):
        self._left.append(work)
        self._finish()

    def _finish(self):
        """Do what is left to do, or leave it to whoever is at it: that one looks again after letting go."""
        while self._left and self._turn.acquire(False):
            try:
                if self._ring is None:
                    self._left.clear()
                else:
                    self._write_left(self._ring)
            finally:
                self._turn.release()

    def _write_left(self, ring):
        while self._left:
            self._left.popleft()(ring)

    def _forget_in_child(self):
        """A forked child is not the writer. Its copy of the lock may be held by a thread that it does not have."""
        self._turn = threading.Lock()
        self._left = collections.deque()
        ring, self._ring = self._ring, None
        if ring:
            ring.forget()


def init():
    """The run of this process: the same one until it is closed."""
    global _run
    with _init_lock:
        if _run is None or not _run.active:
            ring = _open_ring()
            if ring or _run is None:
                _run = Run(ring, _number("RANK", 0), _number("WORLD_SIZE", 1), _params())
        return _run


def _open_ring():
    path = os.environ.get("SWEEPSCOPE_RING")
    if not path:
        return None
    try:
        return Ring(path)
    except (RingUnusable, OSError) as error:
        # Training is worth more than its curves: say it once, and go on.
        print("sweepscope: nothing is reported: {}".format(error), file=sys.stderr)
        return None


def _params():
    try:
        params = json.loads(os.environ.get("SWEEPSCOPE_PARAMS", "{}"))
    except ValueError:
        params = None
    return params if isinstance(params, dict) else {}


def _number(variable, default):
    try:
        return int(os.environ[variable])
    except (KeyError, ValueError):
        return default


def _close_at_exit():
    if _run is not None:
        _run.close()


def _after_fork_in_child():
    global _init_lock, _run
    _init_lock = threading.Lock()
    if _run is not None:
        _run._forget_in_child()


atexit.register(_close_at_exit)
os.register_at_fork(after_in_child=_after_fork_in_child)
