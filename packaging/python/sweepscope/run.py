# SPDX-License-Identifier: MIT
"""The public interface for training scripts: a run that reports, or one that does nothing."""

import atexit
import json
import os
import threading
import time

from . import devices
from .complaint import complain
from .ring import EVENT_KINDS, RingTaken, RingUnusable
from .trace import Tracer
from .writer import Writer

#: A script that has opened no GPU after this many calls of log() is assumed to open none.
_LOOKS = 100

_init_lock = threading.Lock()
_run = None
_own = None  # of a script that Sweepscope did not start
_problem = None  # why nothing is reported
_RING_PATIENCE = 5.0  # seconds
_script_reports = False  # the script has called init()


class Run:
    """The run of one rank, created by init(). Threads and signal handlers can share it, and no call waits for another."""

    def __init__(self, writer, rank, world_size, params):
        self._writer = writer
        self._looks = _LOOKS if "GPU-" in os.environ.get("SWEEPSCOPE_DEVICES", "") else 0
        self.rank = rank
        self.world_size = world_size
        #: Parameters of the trial by name, from the search space of the sweep, and those that init() was given.
        self.params = params
        self._tracer = Tracer(rank, self.event) if writer else None
        self._media = None
        self._is_read = writer is None and os.environ.get("SWEEPSCOPE_RING") == ""  # by the agent, which has the ring
        if writer:
            writer.trace_steps(self._tracer)
        if writer and not self._looks:
            self.log = writer.log  # saves a call

    @property
    def active(self):
        """Whether this run reports."""
        return self._writer is not None

    @property
    def dropped(self):
        """Number of records lost because the ring was full."""
        writer = self._writer
        try:
            return writer.dropped if writer else 0
        except ValueError:  # closed meanwhile
            return 0

    def declare(self, name, unit=""):
        """Set the unit of a series ("s", "%", "samples/s") before its first point."""
        writer = self._writer
        if writer:
            writer.declare(name, unit)

    def log(self, step, values=None, **more):
        """Report one point per name at `step`, all with the same time. Use `values` for names that are not identifiers."""
        writer = self._writer
        if writer:
            self._look_at_devices(writer)
            writer.log(step, values, **more)
        elif self._is_read:
            _explain("sweepscope: log() records nothing, because [run.metrics] reads the metrics of this sweep elsewhere: remove "
                     "[run.metrics] to record metrics with log()")

    def event(self, text, kind="message", step=0):
        """Add a mark to the time axis. Kinds: message, epoch, checkpoint, warning, error."""
        writer = self._writer
        if not writer:
            return
        if kind not in EVENT_KINDS:
            raise ValueError("unknown kind of event {!r}; use one of {}".format(kind, ", ".join(EVENT_KINDS)))
        writer.event(kind, step, text)

    def image(self, name, image, step=0, caption=""):
        """Record an image: the bytes or path of a PNG, JPEG or GIF file, an image of PIL, a figure of Matplotlib, or an array of
        NumPy or PyTorch (height x width, or with 1 to 4 channels as third dimension; integers from 0 to 255, or floats from 0
        to 1)."""
        media = self._media_writer()
        if media:
            media.image(name, image, step, caption)

    def histogram(self, name, values, step=0):
        """Record the distribution of numbers in 64 bins: a list, or an array of NumPy or PyTorch."""
        media = self._media_writer()
        if media:
            media.histogram(name, values, step)

    def _histogram_of_bins(self, name, counts, edges, step):
        media = self._media_writer()
        if media:
            media.histogram_of_bins(name, counts, edges, step)

    def text(self, name, text, step=0):
        """Record a text, such as a sample of a language model."""
        media = self._media_writer()
        if media:
            media.text(name, text, step)

    def table(self, name, columns, rows, step=0):
        """Record a table: names of columns, and rows of numbers and strings."""
        media = self._media_writer()
        if media:
            media.table(name, columns, rows, step)

    def confusion_matrix(self, name, actual, predicted, labels=None, step=0):
        """Record how often each class was predicted as which. Classes are those of `labels`, or their places in it."""
        media = self._media_writer()
        if media:
            media.confusion_matrix(name, actual, predicted, labels, step)

    def artifact(self, path, name=None, step=0):
        """Record a copy of a file. `name`: that of the file unless given."""
        media = self._media_writer()
        if media:
            media.artifact(path, name, step)

    @property
    def _records_media(self):
        return self._writer is not None or self._is_read

    def _media_writer(self):
        if not self._records_media:
            return None
        if self._media is None:
            from . import media  # most scripts report numbers only

            folder = _own.folder if _own else os.environ.get("SWEEPSCOPE_ATTEMPT_FOLDER")
            self._media = media.MediaWriter(folder, self.rank, media.warn_with(self.event)) if folder else None
        return self._media

    def _look_at_devices(self, writer):
        """Report once which GPUs torch has opened. Raises RuntimeError if they belong to another trial."""
        self._looks -= 1
        found = devices.opened()
        if found or self._looks <= 0:
            self.log = writer.log
        if not found:
            return
        self.event("opened " + ", ".join(found))
        problem = devices.mismatch(self.rank, found)
        if problem:
            self.event(problem, kind="error")
            raise RuntimeError(problem)

    def should_stop(self):
        """Return whether Sweepscope asks this rank to save a checkpoint and exit."""
        writer = self._writer
        try:
            return writer.stop_requested if writer else False
        except ValueError:  # closed meanwhile
            return False

    @property
    def checkpoint_folder(self):
        """Folder in which this attempt saves its checkpoints; the script creates it. None outside Sweepscope."""
        attempt = os.environ.get("SWEEPSCOPE_ATTEMPT_FOLDER")
        return os.path.join(attempt, "checkpoint") if attempt else None

    def last_checkpoint(self):
        """Return the folder with the checkpoints of the latest attempt that has saved some, not a file in it. None: there is none,
        as in the first attempt. In a trial that continues another one: a copy of the other trial's folder, until this trial
        has saved something. Names with .tmp in them do not count."""
        return next(self._checkpoints(), None)

    def _checkpoints(self):
        """All such folders, the newest first."""
        folders = [os.environ.get("SWEEPSCOPE_PARENT_CHECKPOINT")]
        trial, attempt = os.path.split(os.environ.get("SWEEPSCOPE_ATTEMPT_FOLDER", ""))
        if attempt.isdigit():
            folders += [os.path.join(trial, str(number), "checkpoint") for number in range(1, int(attempt) + 1)]
        for folder in reversed(folders):
            if folder and os.path.isdir(folder) and any(".tmp" not in name for name in os.listdir(folder)):
                yield folder

    def _step_ended(self, step, is_last):
        """A step of an optimizer has ended. From now on these are the steps of a trace, instead of those that are logged."""
        writer, tracer = self._writer, self._tracer
        if not writer:
            return
        writer.trace_steps(None)
        now = time.time_ns()
        if is_last:
            tracer.finish(step)
        elif now >= tracer.due:
            tracer.step_ended(step, now)

    def close(self):
        """Report dropped records and close the ring. Called at the end of `with` and at exit."""
        self._close()

    def _close(self, **end):
        global _own
        writer = self._writer
        if writer:
            self._tracer.finish()
        if writer and writer.close():
            self._writer = None
            own, _own = _own, None
            if own:
                own.finish(**end)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _):
        if kind is None or issubclass(kind, SystemExit):
            self.close()
        else:
            self._close(exit_code=1, error=kind.__name__ + (": {}".format(error) if str(error) else ""))

    def _forget_in_child(self):
        writer, self._writer = self._writer, None
        self._is_read = False
        if writer:
            writer.forget_in_child()


def init(workspace=None, name=None, config=None):
    """Return the run of this process: the same object until it is closed.

    If Sweepscope did not start this script, the run is recorded in `workspace` (by default, that of sweepctl) with this name
    and configuration, unless the variable SWEEPSCOPE_RECORD is 0. In a sweep, the parameters of the trial take precedence
    over `config`."""
    global _script_reports
    _script_reports = True
    with _init_lock:
        if (_run is None or not _run.active) and not _is_in_sweep() and os.environ.get("SWEEPSCOPE_RECORD") != "0":
            _begin_own(workspace, name, config)
    run = current()
    run.params.update({key: value for key, value in (config or {}).items() if key not in run.params})
    return run


def _explain(problem):
    """Say it once, however often a script asks for the run."""
    global _problem
    if _problem != problem:
        _problem = problem
        complain(problem)


def _is_in_sweep():
    return "SWEEPSCOPE_RING" in os.environ or "SWEEPSCOPE_ATTEMPT_ID" in os.environ


def _begin_own(workspace, name, config):
    global _own, _problem
    from . import ownrun, workspacefolder  # trials need neither

    try:
        _own = ownrun.begin(workspacefolder.folder_of(workspace), name, dict(config or {}))
    except (OSError, ValueError, KeyError, StopIteration) as error:
        _problem = str(error)
        complain("sweepscope: the run is not recorded: {}".format(error))


def current():
    """As init(), for the watcher and the integrations: a script that calls init() reports its loss itself."""
    global _run
    with _init_lock:
        if _run is None or not _run.active:
            writer = _open_writer()
            if writer or _run is None:
                _run = Run(writer, _number("RANK", 0), _number("WORLD_SIZE", 1), _params())
        return _run


def _open_writer():
    global _problem
    path = os.environ.get("SWEEPSCOPE_RING") or (_own.ring_path if _own else None)
    if not path:
        return None
    try:
        return _writer_of(path)
    except (RingUnusable, OSError) as error:
        # Training matters more than its curves: report the problem once, and continue.
        _problem = str(error)
        complain("sweepscope: nothing is reported: {}".format(error))
        return None


def _asks_for_ring():
    """Ask the agent for it, unless that was done before: then another process of this rank has it."""
    try:
        request = os.path.join(os.environ["SWEEPSCOPE_ATTEMPT_FOLDER"], "rank-{}.reports".format(_number("RANK", 0)))
        os.close(os.open(request, os.O_CREAT | os.O_EXCL | os.O_CLOEXEC))
        return True
    except (KeyError, OSError):
        return False


def _writer_of(path):
    """The agent reads the output of ranks that have been silent for a while, as when they load a large model. It stops within a second
    or two of being asked."""
    try:
        return Writer(path)
    except RingTaken:
        if not _asks_for_ring():
            raise
    deadline = time.monotonic() + _RING_PATIENCE
    while True:
        try:
            return Writer(path)
        except RingTaken:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


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
    global _init_lock, _run, _own
    _init_lock = threading.Lock()
    _own = None
    if _run is not None:
        _run._forget_in_child()


atexit.register(_close_at_exit)
os.register_at_fork(after_in_child=_after_fork_in_child)
