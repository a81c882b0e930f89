# SPDX-License-Identifier: MIT
"""What a training script sees: a run that reports, or one that does nothing."""

import atexit
import os
import sys
import threading

from .ring import Ring, RingUnusable

_init_lock = threading.Lock()
_run = None


class Run:
    """One rank's report. Threads may share it. Made by init()."""

    def __init__(self, ring, rank, world_size):
        self._ring = ring
        self._lock = threading.Lock()
        self.rank = rank
        self.world_size = world_size

    @property
    def active(self):
        """Whether anything is reported: this process was started by Sweepscope and the run is not closed."""
        return self._ring is not None

    @property
    def dropped(self):
        """Records lost because nobody emptied the ring."""
        with self._lock:
            return self._ring.dropped if self._ring else 0

    def declare(self, name, unit=""):
        """Give a series a unit ("s", "%", "samples/s"). Before its first point."""
        with self._lock:
            if self._ring:
                self._ring.declare(name, unit)

    def log(self, step, values=None, **more):
        """One point per name at `step`, all with the same time. `values` is for names that are no identifiers."""
        if self._ring is None:
            return
        named = [(name, float(value)) for name, value in dict(values or {}, **more).items()]
        step = int(step)
        with self._lock:
            if self._ring and named:
                self._ring.write_points(step, named)

    def event(self, text, kind="message", step=0):
        """A mark on the time axis. Kinds: message, epoch, checkpoint, warning, error."""
        with self._lock:
            if self._ring:
                self._ring.write_event(kind, int(step), str(text))

    def should_stop(self):
        """True when Sweepscope asks this rank to save a checkpoint and end."""
        with self._lock:
            return self._ring.stop_requested if self._ring else False

    def close(self):
        with self._lock:
            ring, self._ring = self._ring, None
            if ring:
                ring.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _forget_in_child(self):
        """A forked child is not the writer. Its copy of the lock may be held by a thread that it does not have."""
        self._lock = threading.Lock()
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
                _run = Run(ring, _number("RANK", 0), _number("WORLD_SIZE", 1))
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
