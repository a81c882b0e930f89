# SPDX-License-Identifier: MIT
"""A ring that threads and signal handlers of a process share without waiting for each other."""

import collections
import sys
import threading
import time

from .ring import COMMITTED, FENCED, POINT_BYTES, Ring, checked_step, pack_point
from .trace import NEVER

_now = time.time_ns
_this_thread = threading.get_ident
_NOBODY = 0


class Writer(Ring):
    """Most ranks report from one thread, and a lock costs a sixth of a point. So the first thread that writes becomes the
    *sole* writer: it sets `_busy` while it writes, and takes no lock until another thread writes as well. From then on
    all threads take the lock.

    A thread that finds the ring in use queues its work for the thread that uses it, which checks the queue when it has
    finished. This requires that threads see each other's stores in order, which the interpreter lock ensures. Without
    that lock there is no sole writer.
    """

    __slots__ = ("_turn", "_left", "_sole", "_busy", "_closed", "_tracer", "_trace_due")

    def __init__(self, path):
        super().__init__(path)
        self._left = collections.deque()
        self._closed = False
        self._busy = False
        self._turn = threading.Lock()
        self._tracer = None
        self._trace_due = NEVER
        # The thread that needs no lock. None: no thread has written yet.
        self._sole = None if getattr(sys, "_is_gil_enabled", lambda: True)() else _NOBODY

    def log(self, step, values=None, **more):
        now = _now()
        if now >= self._trace_due:
            self._step_ended(step, now)
        if self._busy or self._sole != _this_thread():
            self._log_in_turn(step, dict(values or {}, **more), now)
            return
        self._busy = True
        if not self._sole:  # another thread has written since the check
            self._busy = False
            self._log_in_turn(step, dict(values or {}, **more), now)
            return
        try:
            at = self._committed
            end = at + POINT_BYTES
            # Most scripts log a single metric at a time: write_points() without the call and the loop.
            if len(more) == 1 and not values and end <= self._room_until and not self._halves[FENCED]:
                try:
                    (name,) = more
                    step_low = step - self._step_base
                    pack_point(self._data, at & self._mask, self._heads[name], step_low, now, more[name])
                except Exception:
                    self.write_points(step, more, now)
                else:
                    if self._barrier:
                        self._order()
                    self._committed = end
                    self._words[COMMITTED] = end
            else:
                self.write_points(step, dict(values, **more) if values else more, now)
        finally:
            self._busy = False
        if self._left:
            self._finish()

    def trace_steps(self, tracer):
        """Tell `tracer` of steps that are logged; None: of none."""
        self._tracer = tracer
        self._trace_due = tracer.due if tracer else NEVER

    def _step_ended(self, step, now):
        tracer = self._tracer
        if tracer:
            tracer.step_ended(step, now)
            self._trace_due = tracer.due

    def event(self, kind, step, text):
        self._do(self.write_event, kind, checked_step(step), str(text), _now())

    def declare(self, name, unit):
        self._do(super().declare, name, unit)

    def close(self):
        """Report dropped records and close the ring. Returns False if it must be called again later."""
        # Other threads hold it for microseconds. If it takes longer, this is a signal handler that interrupted the holder.
        if not self._turn.acquire(timeout=1):
            return False
        try:
            self._sole = _NOBODY
            deadline = time.monotonic() + 1
            while self._busy:
                if time.monotonic() > deadline:
                    return False
                time.sleep(0.0001)
            self._write_left()
            if not self._closed:
                self._closed = True
                super().close()
            return True
        finally:
            self._turn.release()

    def forget_in_child(self):
        """Detach a forked child, which is not the writer. The thread that holds its copy of the lock may not exist there."""
        self._turn = threading.Lock()
        self._left = collections.deque()
        self._sole = _NOBODY
        self._busy = False
        self.trace_steps(None)
        if not self._closed:
            self._closed = True
            self.forget()

    def _log_in_turn(self, step, named, now):
        if self._closed:
            return
        # Invalid values raise in the caller, not in the thread that writes them.
        step = checked_step(step)
        self._do(self.write_points, step, {name: float(value) for name, value in named.items()}, now)

    def _do(self, write, *arguments):
        self._left.append((write, arguments))
        self._finish()

    def _finish(self):
        """Do the queued work, or leave it to the thread that uses the ring, which checks the queue when it has finished."""
        while self._left and not self._busy and self._turn.acquire(False):
            try:
                if self._sole is None:
                    self._sole = _this_thread()
                elif self._sole != _this_thread():
                    self._sole = _NOBODY
                if not self._busy:  # else the sole writer began before it could notice
                    self._write_left()
            finally:
                self._turn.release()

    def _write_left(self):
        """Requires the lock, and no other thread inside."""
        self._busy = True  # for signal handlers of the sole writer
        try:
            while self._left:
                write, arguments = self._left.popleft()
                if not self._closed:
                    write(*arguments)
        finally:
            self._busy = False
