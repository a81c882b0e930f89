# SPDX-License-Identifier: MIT
"""Records steps with torch.profiler when the engine asks for it: by the file trace-request in the attempt's folder
(core/sweep/tracerequest.h). A failure is a warning, and the script continues."""

import json
import os
import sys
import threading

from .complaint import complain

NEVER = 1 << 63
_INTERVAL = 500_000_000  # ns between two looks for a request
_DELAY = 1_000_000_000  # ns from a request to the first step: by then each rank has seen it, so all begin at once
_MOST_STEPS = 1000
_NO_STEP = "training ended before the end of the first step"


class Tracer:
    """Traces of one rank. The caller says when a step has ended; what it calls a step is a step of the trace."""

    def __init__(self, rank, event):
        self._rank = rank
        self._event = event
        self._folder = os.environ.get("SWEEPSCOPE_ATTEMPT_FOLDER", "")
        self._turn = threading.Lock()
        self._seen = None  # identity of the last request's file
        self._request = None  # (steps, time to begin)
        self._recording = None
        #: When, in ns, step_ended() is to be called next.
        self.due = 0 if self._folder else NEVER

    def step_ended(self, step, now):
        """Call between two steps. Never raises, and never waits for another thread."""
        if not self._turn.acquire(False):
            return
        try:
            self.due = self._next(step, now)
        except Exception as error:
            self._recording = self._request = None
            self.due = now + _INTERVAL
            self._warn(error, step)
        finally:
            self._turn.release()

    def finish(self, step=None):
        """Write what was recorded, because no further steps follow; `step`: the last one, if it has just ended."""
        if not self._turn.acquire(False):
            return
        try:
            recording, self._recording = self._recording, None
            request, self._request = self._request, None
            self.due = NEVER
            if recording:
                self._event(*recording.save(step))
            elif request:
                raise RuntimeError(_NO_STEP)
        except Exception as error:
            self._warn(error, 0)
        finally:
            self._turn.release()

    def _next(self, step, now):
        recording = self._recording
        if recording:
            if recording.goes_on(step):
                return 0
            self._recording = None
            self._event(*recording.save())
        if self._request is None:
            self._request = self._look(now)
        if self._request is None:
            return now + _INTERVAL
        steps, begin = self._request
        if now < begin:
            return begin
        self._request = None
        self._recording = _Recording(self._folder, self._rank, step, steps)
        return 0

    def _look(self, now):
        path = os.path.join(self._folder, "trace-request")
        try:
            status = os.stat(path)
        except OSError:
            return None
        identity = (status.st_ino, status.st_mtime_ns)
        if identity == self._seen:
            return None
        self._seen = identity
        with open(path, "rb") as file:
            request = json.loads(file.read(4096).decode())
        steps = request["steps"]
        if type(steps) is not int or not 1 <= steps <= _MOST_STEPS:
            raise ValueError("trace-request asks for {!r} steps".format(steps))
        return steps, min(int(request["time"]), now) + _DELAY  # the clock may have been set back

    def _warn(self, error, step):
        text = "no trace: {}".format(error if isinstance(error, (RuntimeError, OSError)) else repr(error))
        try:
            self._event(text, "warning", step)
        except Exception:
            complain("sweepscope: " + text)


def _is_complete(path):
    """Kineto does not say that it could not write all of a file."""
    with open(path, "rb") as file:
        file.seek(max(0, os.path.getsize(path) - 16))
        return file.read().rstrip().endswith(b"}")


class _Recording:
    """Steps that are being recorded. torch's profiler belongs to the thread that starts it."""

    def __init__(self, folder, rank, step, steps):
        torch = sys.modules.get("torch")
        if torch is None:
            raise RuntimeError("this script has not imported torch")
        if not torch.profiler.kineto_available():
            raise RuntimeError("this build of torch lacks Kineto")
        self._folder, self._rank = folder, rank
        self._first, self._last, self._end = step + 1, step, step + steps
        self._thread = threading.get_ident()
        self._mark_of = torch.profiler.record_function
        activities = [torch.profiler.ProfilerActivity.CPU]
        if torch.cuda.is_initialized():
            activities.append(torch.profiler.ProfilerActivity.CUDA)
        self._profiler = torch.profiler.profile(activities=activities)
        self._profiler.start()
        self._mark = None
        self._begin_step()

    def goes_on(self, step):
        """Note the end of a step. Returns False after the last one."""
        if threading.get_ident() != self._thread or step <= self._last:
            return True
        self._last = step
        self._end_step()
        if step >= self._end:
            return False
        self._begin_step()
        return True

    def save(self, step=None):
        """Return the arguments of an event: what was recorded, and where it is. `step`: as of Tracer.finish()."""
        if threading.get_ident() != self._thread:
            raise RuntimeError("the thread that was recorded has not come to the end of step {}".format(self._end))
        self._end_step()
        self._last = max(self._last, step or 0)
        self._profiler.stop()
        if self._last < self._first:
            raise RuntimeError(_NO_STEP)
        name = self._free_name()
        temporary = os.path.join(self._folder, name + ".tmp")
        try:
            self._profiler.export_chrome_trace(temporary)
            if not _is_complete(temporary):
                raise RuntimeError("cannot write " + os.path.join(self._folder, name))
            os.rename(temporary, os.path.join(self._folder, name))
        except BaseException:
            if os.path.exists(temporary):
                os.unlink(temporary)
            raise
        steps = "step {}" if self._first == self._last else "steps {} to {}"
        return "trace of {}: {}".format(steps.format(self._first, self._last), name), "message", self._last

    def _begin_step(self):
        # The name by which tools find steps in a trace.
        self._mark = self._mark_of("ProfilerStep#{}".format(self._last + 1))
        self._mark.__enter__()

    def _end_step(self):
        mark, self._mark = self._mark, None
        if mark:
            mark.__exit__(None, None, None)

    def _free_name(self):
        name, number = "trace-rank-{}.json".format(self._rank), 1
        while os.path.exists(os.path.join(self._folder, name)):
            number += 1
            name = "trace-rank-{}-{}.json".format(self._rank, number)
        return name
