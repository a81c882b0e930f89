"""Runs checks one after the other, each within its time, until the deadline."""

import shutil
import signal
import sys
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "faults"))
import processes  # noqa: E402

PROVED, NOT_PROVED, SKIPPED = "proved", "not proved", "skipped"
LOG_LINES = 15
LEAST_SECONDS = 3  # a check does not begin with less


class NotProved(Exception):
    """A check found something wrong. Its sentence is the reason in the report."""


class Skipped(Exception):
    """A check does not apply to this machine. Its sentence is the reason in the report."""


class OutOfTime(BaseException):
    """Not an Exception, so that no check takes it for a failure of what it tries."""


@dataclass
class Check:
    """`run` is called with a context; its docstring says what it proves. It returns figures by name, or raises."""

    run: callable
    seconds: float
    on_cpu: bool = True  # part of a rehearsal

    @property
    def name(self):
        return self.run.__name__

    @property
    def title(self):
        return self.run.__doc__.strip().split("\n")[0].rstrip(".")


@dataclass
class Result:
    name: str
    title: str
    state: str
    reason: str = ""
    seconds: float = 0
    figures: dict = field(default_factory=dict)
    log: list = field(default_factory=list)  # last lines


@dataclass
class Context:
    """What a check works with."""

    root: Path  # of the bundle
    out: Path  # of the report
    device: str  # cuda or cpu
    machine: dict = field(default_factory=dict)  # facts for the head of the report
    folder: Path = None  # of the present check, for files and logs
    figures: dict = field(default_factory=dict)  # of the present check: kept if it fails later
    environment: dict = None  # of the caller, in which all GPUs are visible

    @property
    def worker(self):
        path = self.root / "build" / "release" / "bin" / "sweepscope-worker"
        if not path.exists():
            raise Skipped("there is no worker: it was not compiled")
        return str(path)


def last_lines(folder):
    """Returns the end of the newest log below `folder`."""
    logs = [path for path in folder.rglob("*") if path.is_file() and (path.suffix == ".log" or path.name.startswith("log-"))]
    logs = [path for path in logs if path.stat().st_size > 0]
    if not logs:
        return []
    newest = max(logs, key=lambda path: path.stat().st_mtime_ns)
    return newest.read_text(errors="replace").splitlines()[-LOG_LINES:]


def end_processes():
    """Kills all that a check has started. This process is their subreaper, so none escapes."""
    while True:
        left = processes.descendants()
        for process in left:
            processes.kill(process)
        processes.reap(set())
        if not left:
            return
        time.sleep(0.02)


def run_check(check, context, seconds):
    """Returns the result of one check, which may take this long."""

    def interrupt(*_):
        raise OutOfTime()

    result = Result(check.name, check.title, PROVED)
    context.folder = context.out / "logs" / check.name
    shutil.rmtree(context.folder, ignore_errors=True)  # of an earlier run
    context.folder.mkdir(parents=True)
    context.figures = {}
    begin = time.monotonic()
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            context.figures.update(check.run(context) or {})
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except Skipped as skipped:
        result.state, result.reason = SKIPPED, str(skipped)
    except OutOfTime:
        result.state, result.reason = NOT_PROVED, f"it was not finished after {seconds:.0f} s"
    except KeyboardInterrupt:
        raise
    except NotProved as failure:
        result.state, result.reason = NOT_PROVED, str(failure)
    except BaseException as error:  # SystemExit, too: tests of others exit when they are skipped
        (context.folder / "traceback.txt").write_text(traceback.format_exc())
        lines = str(error).strip().splitlines() or [""]
        result.state, result.reason = NOT_PROVED, f"{type(error).__name__}: {lines[0]}"
        result.log = lines[1:][-LOG_LINES:]
    finally:
        signal.signal(signal.SIGALRM, before)
        end_processes()
    result.seconds = round(time.monotonic() - begin, 1)
    result.figures = dict(context.figures)
    if result.state == NOT_PROVED and not result.log:
        result.log = last_lines(context.folder)
    return result


def run_checks(checks, context, deadline, report):
    """Runs all checks; after each, calls `report` with the results so far. `deadline`: of time.monotonic()."""
    processes.become_subreaper()
    results = []
    for check in checks:
        left = deadline - time.monotonic()
        if context.device == "cpu" and not check.on_cpu:
            results.append(Result(check.name, check.title, SKIPPED, "it needs a GPU"))
        elif left < LEAST_SECONDS:
            results.append(Result(check.name, check.title, SKIPPED, "the time was up"))
        else:
            results.append(run_check(check, context, min(check.seconds, left)))
        last = results[-1]
        print(f"{last.state:>10}  {last.seconds:6.1f} s  {last.name}" + (f": {last.reason}" if last.reason else ""), flush=True)
        report(results)
    return results
