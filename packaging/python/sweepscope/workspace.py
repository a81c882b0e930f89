# SPDX-License-Identifier: MIT
"""The sweeps of a workspace, for notebooks: read from the database and the feeds, while trials run or long after."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import subprocess
import time
import warnings
from collections import namedtuple
from datetime import datetime, timedelta, timezone
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union, overload

from . import cbor, feedreader, mediareader, tables
from .curve import Collector, Curve, join_curves
from .database import Database, WorkspaceError
from .feedstream import Problem, open_regular
from .workspacefolder import folder_of

__all__ = ["DamagedFeed", "Metric", "NotFound", "Sweep", "Sweeps", "Trial", "Workspace", "WorkspaceError", "read"]


class NotFound(KeyError):
    """There is no such sweep, trial or curve."""

    def __str__(self) -> str:
        return str(self.args[0])


class DamagedFeed(UserWarning):
    """Parts of a feed or of a list of media cannot be read; what is in them is missing."""


class Metric(NamedTuple):
    """What rank 0 of a trial has reported of one metric. Lowest and highest are NaN if no report was a number."""

    last: float
    step: int
    lowest: float
    highest: float


def read(workspace: Union[str, "os.PathLike[str]", None] = None) -> Workspace:
    """Open a workspace for reading: the folder, or none for the one that sweepctl uses by default."""
    return Workspace(folder_of(workspace))


class Workspace:
    """A workspace folder. Its sweeps are read anew whenever the database has changed."""

    def __init__(self, path: str):
        self.path = os.path.abspath(path)
        if os.path.exists(os.path.join(self.path, "mirror.toml")):
            raise WorkspaceError("the workspace {} is on another machine: read it there".format(self.path))
        file = os.path.join(self.path, "sweepscope.db")
        if not os.path.exists(file):
            raise WorkspaceError("there is no workspace in {} (no sweepscope.db)".format(self.path))
        self._database = Database(file)
        self._database.select("SELECT 1")  # what is wrong with it is reported now
        self._trials: Dict[int, Tuple[Any, List[Trial]]] = {}

    @property
    def sweeps(self) -> Sweeps:
        """All sweeps, in the order in which they were created."""
        rows = self._database.select("SELECT " + ", ".join(_SWEEP_COLUMNS) + " FROM sweep WHERE folder <> '' ORDER BY id")
        return Sweeps([Sweep(self, row) for row in rows])

    def __repr__(self) -> str:
        return "Workspace({!r}, {})".format(self.path, _count(len(self.sweeps), "sweep"))

    def _repr_html_(self) -> str:
        return tables.html_of_sweeps(self.sweeps)

    def _trials_of(self, sweep: Sweep) -> List[Trial]:
        version = self._database.version()
        kept = self._trials.get(sweep.id)
        if not kept or version is None or kept[0] != version:
            rows = self._database.select(_TRIALS + " ORDER BY number", (sweep.id,))
            kept = self._trials[sweep.id] = (version, [Trial(sweep, row) for row in rows])
        return kept[1]


class Sweeps:
    """Sweeps by their id (3), their folder ("0003-digits-mlp") or their name ("digits-mlp": the newest one), in the order in which
    they were created. -1 is the last one."""

    def __init__(self, sweeps: List[Sweep]):
        self._sweeps = sweeps

    def __len__(self) -> int:
        return len(self._sweeps)

    def __iter__(self) -> Iterator[Sweep]:
        return iter(self._sweeps)

    def __reversed__(self) -> Iterator[Sweep]:
        return reversed(self._sweeps)

    @overload
    def __getitem__(self, key: Union[int, str]) -> Sweep: ...
    @overload
    def __getitem__(self, key: slice) -> List[Sweep]: ...

    def __getitem__(self, key: Union[int, str, slice]) -> Union[Sweep, List[Sweep]]:
        if isinstance(key, slice):
            return self._sweeps[key]
        found = self.get(key)
        if found is None:
            there = ", ".join(sweep.folder for sweep in self._sweeps[-10:]) or "no sweeps"
            raise NotFound("there is no sweep {!r}; there {} {}".format(key, "is" if len(self) < 2 else "are", there))
        return found

    def __contains__(self, key: object) -> bool:
        return key in self._sweeps if isinstance(key, Sweep) else self.get(key) is not None

    def get(self, key: Any, default: Optional[Sweep] = None) -> Optional[Sweep]:
        if isinstance(key, int) and key < 0:
            return self._sweeps[key] if -key <= len(self) else default
        for is_it in (lambda s: s.id == key, lambda s: s.folder == key, lambda s: s.name == key):
            for sweep in reversed(self._sweeps):
                if is_it(sweep):
                    return sweep
        return default

    def keys(self) -> List[str]:
        """Their folders, which no two share."""
        return [sweep.folder for sweep in self._sweeps]

    def values(self) -> List[Sweep]:
        return list(self._sweeps)

    def items(self) -> List[Tuple[str, Sweep]]:
        return [(sweep.folder, sweep) for sweep in self._sweeps]

    def __repr__(self) -> str:
        return "[{}]".format(",\n ".join(map(repr, self._sweeps)))

    def _repr_html_(self) -> str:
        return tables.html_of_sweeps(self)


_MOST_ENERGY = 64 << 20
_SWEEP_COLUMNS = ("id", "name", "folder", "state", "objective", "maximize", "parameter_names", "toml", "created", "ended",
                  "archived", "starred", "tags", "note")


class Sweep:
    """A sweep, as it was when it was read; ask the workspace again for news. Its trials are always the present ones."""

    def __init__(self, workspace: Workspace, row: Any):
        self.workspace = workspace
        self.id: int = row["id"]
        self.name: str = row["name"]
        self.folder: str = row["folder"]
        self.state: str = row["state"]
        self.objective: str = row["objective"]
        self.goal: str = "maximize" if row["maximize"] else "minimize"
        #: Names of parameters, in the order of the sweep file.
        self.parameters: List[str] = _texts(row["parameter_names"])
        self.toml: str = row["toml"]
        self.created_ns: int = row["created"]
        self.ended_ns: Optional[int] = row["ended"]
        self.archived: bool = bool(row["archived"])
        self.starred: bool = bool(row["starred"])
        self.tags: List[str] = _texts(row["tags"])
        self.note: str = row["note"]

    @property
    def created(self) -> Optional[datetime]:
        return _datetime(self.created_ns)

    @property
    def ended(self) -> Optional[datetime]:
        return _datetime(self.ended_ns)

    @property
    def path(self) -> str:
        """The sweep's folder in the workspace."""
        if not self.folder or "/" in self.folder or self.folder in (".", ".."):
            raise WorkspaceError("the database has a damaged row: sweep {} has the folder {!r}".format(self.id, self.folder))
        return os.path.join(self.workspace.path, "sweeps", self.folder)

    @property
    def trials(self) -> List[Trial]:
        """In the order of their numbers, which begin with 1."""
        return list(self.workspace._trials_of(self))

    def trial(self, number: int) -> Trial:
        """The trial of this number."""
        for trial in self.workspace._trials_of(self):
            if trial.number == number:
                return trial
        raise NotFound("the sweep {} has no trial {}".format(self.folder, number))

    @property
    def best(self) -> Optional[Trial]:
        """The trial that the window and sweepctl call the best; None if none has a result. Trials that failed or violate a
        constraint do not count. With repeated points, those with two runs come first, ranked by their mean."""
        direction = "" if self.goal == "minimize" else " DESC"
        # As core/engine/storereader.cpp; 9e999 is infinite.
        may_be_best = ("objective_best > -9e999 AND objective_best < 9e999 AND violation = 0 AND "
                       "state NOT IN ('failed', 'lost') ")
        repeated = "point_runs > 0 AND " + may_be_best + "ORDER BY point_runs > 1 DESC, point_mean" + direction
        for condition in (repeated, may_be_best + "ORDER BY objective_best" + direction):
            rows = self.workspace._database.select(_TRIALS + " AND " + condition + ", number LIMIT 1", (self.id,))
            if rows:
                return Trial(self, rows[0])
        return None

    def _energy(self) -> Dict[int, Dict[int, Tuple[float, str]]]:
        """Joules and method of each attempt, by trial and attempt; the format is that of core/launch/energyfile.h."""
        found: Dict[int, Dict[int, Tuple[float, str]]] = {}
        try:
            file = open_regular(os.path.join(self.path, "energy.jsonl"))
        except Problem:
            return found
        if file is None:
            return found
        with open(file, encoding="utf-8", errors="replace") as lines:
            text = lines.read(_MOST_ENERGY)
        for line in text.splitlines():
            entry = _json(line)
            if not isinstance(entry, dict):
                continue
            trial, attempt, joules, method = (entry.get(key) for key in ("trial", "attempt", "joules", "method"))
            is_number = isinstance(joules, (int, float)) and not isinstance(joules, bool) and 0 <= joules < math.inf
            if isinstance(trial, int) and isinstance(attempt, int) and is_number and method in ("counter", "power"):
                found.setdefault(trial, {})[attempt] = (float(joules), method)
        return found

    def readings(self) -> Dict[str, Curve]:
        """Readings of the devices of the machines on which its trials ran, from its start to its end: "GPU-1c2d….power",
        "cpu:0.utilization"; with "@MACHINE" after the device if it is on another machine."""
        machines = {""} | {_machine_of(device) for trial in self.workspace._trials_of(self) for device in trial.devices}
        times = (self.created_ns, (1 << 63) - 1 if self.ended_ns is None else self.ended_ns)
        curves: Dict[str, Curve] = {}
        for machine in sorted(machines):
            curves.update(_device_readings(self.workspace, machine, times, lambda device: True))
        return curves

    def df(self) -> Any:
        """A pandas DataFrame with a row for each trial. Its columns are those of `sweepctl export --trials`, without sentences."""
        return tables.trials_frame(self)

    def curves_df(self, name: str, rank: int = 0, points: Optional[int] = None) -> Any:
        """A pandas DataFrame with a row for each point of a curve of all trials that have it: trial, attempt, rank, series, step,
        time, value. `points` reduces each trial's curve to about that many points."""
        return tables.curves_frame(self, name, rank, points)

    def to_parquet(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write df() to a Parquet file, with pyarrow. An existing file is replaced as a whole."""
        tables.write_parquet(self.df(), os.fspath(path))

    def __repr__(self) -> str:
        return "Sweep({} {!r}, {}, {}, {} {})".format(
            self.id, self.name, self.state, _count(self._trial_count(), "trial"), self.goal, self.objective)

    def _repr_html_(self) -> str:
        return tables.html_of_sweep(self)

    def _trial_count(self) -> int:
        return int(self.workspace._database.select("SELECT count(*) FROM trial WHERE sweep = ?", (self.id,))[0][0])


_TRIALS = """SELECT *,
    (SELECT created FROM attempt WHERE attempt.sweep = trial.sweep AND attempt.trial = trial.number
        AND attempt.number = trial.attempts) AS attempt_started,
    (SELECT ended FROM attempt WHERE attempt.sweep = trial.sweep AND attempt.trial = trial.number
        AND attempt.number = trial.attempts) AS attempt_ended
    FROM trial WHERE sweep = ?"""

_Attempt = namedtuple("_Attempt", "number folder")


class Trial:
    """A trial, as it was when it was read. Its curves, readings and output are read from files when asked for."""

    def __init__(self, sweep: Sweep, row: Any):
        self.sweep = sweep
        self.number: int = row["number"]
        self.state: str = row["state"]
        #: How many attempts have started. A trial that was retried, or paused and resumed, has several.
        self.attempts: int = row["attempts"]
        #: The first of the attempts that continue one another up to the last one; None before the first attempt.
        self.first_attempt: Optional[int] = min(max(row["first_attempt"], 1), self.attempts) if self.attempts > 0 else None
        self.ranks: int = row["ranks"]
        self.seed: int = row["seed"] & 0xFFFFFFFFFFFFFFFF
        #: Ids of GPUs and cores of the last attempt.
        self.devices: List[str] = _texts(row["devices"])
        #: Whether these are of a fake driver.
        self.simulated: bool = bool(row["simulated"])
        #: The last and the best value of the objective, and their steps; None if it was not reported.
        self.last, self.last_step = _objective(row, "objective_last")
        self.best, self.best_step = _objective(row, "objective_best")
        #: With repeated points: mean of the best values of the runs of its point, its standard error, and how many there are.
        self.mean: Optional[float] = row["point_mean"]
        self.mean_error: Optional[float] = row["point_error"] if self.mean is not None and row["point_runs"] > 1 else None
        self.mean_runs: Optional[int] = row["point_runs"] if self.mean is not None else None
        #: By how much it violates constraints on what trials report; 0: not at all.
        self.violation: float = row["violation"]
        #: Why it waits, failed or was stopped: as in `sweepctl status --json`. None: nothing to say.
        self.reason: Optional[Dict[str, Any]] = _fact(row["reason"])
        #: How a search chose its point.
        self.chosen: Optional[Dict[str, Any]] = _fact(row["chosen"])
        self.step: int = row["step"]
        self.progress: float = row["progress"]
        self.started_ns: Optional[int] = row["started"]
        self.ended_ns: Optional[int] = row["ended"]
        self.starred: bool = bool(row["starred"])
        self.tags: List[str] = _texts(row["tags"])
        self.note: str = row["note"]
        self._parameters, self._metrics = row["parameters"], row["metrics"]
        self._attempt_started: Optional[int] = row["attempt_started"]
        self._attempt_ended: Optional[int] = row["attempt_ended"]
        if self.state == "starting" and self.devices and self.devices[0].startswith("job:"):
            self._attempt_started = None  # waits in the queue of a cluster
        self._ran, self._paused, self._paused_since = row["ran"], row["paused"], row["paused_since"]

    @property
    def params(self) -> Dict[str, Any]:
        """Parameters by name, in the order of the sweep file. Conditional ones that do not apply are missing."""
        items = _cbor_list(self._parameters, 2, self)
        return dict(zip(items[::2], items[1::2]))

    @property
    def metrics(self) -> Dict[str, Metric]:
        """Metrics other than the objective by name, in the order in which they were first reported."""
        items = _cbor_list(self._metrics, 5, self) if self._metrics is not None else []
        try:
            return {items[i]: Metric(float(items[i + 1]), int(items[i + 2]), float(items[i + 3]), float(items[i + 4]))
                    for i in range(0, len(items), 5)}
        except (TypeError, ValueError, OverflowError):
            raise self._damaged_row() from None

    @property
    def started(self) -> Optional[datetime]:
        return _datetime(self.started_ns)

    @property
    def ended(self) -> Optional[datetime]:
        return _datetime(self.ended_ns)

    @property
    def seconds(self) -> Optional[float]:
        """How long the attempts that continue one another have run so far, without pauses; None before the first attempt."""
        return self._seconds_until(time.time_ns())

    def _seconds_until(self, now: int) -> Optional[float]:
        began = self._attempt_started
        if began is None and self.attempts <= 1:
            began = self.started_ns
        if began is None:
            return self._ran / 1e9 if self._ran else None
        ends = (self._attempt_ended, self.ended_ns, self._paused_since, now)
        until = next(end for end in ends if end is not None)
        return (self._ran + max(0, until - began - self._paused)) / 1e9

    @property
    def energy_kwh(self) -> Optional[float]:
        """What its GPUs have consumed in all of its attempts; None if that of any attempt is unknown."""
        return self._energy_of(self.sweep._energy())[0]

    def _energy_of(self, energy: Dict[int, Dict[int, Tuple[float, str]]]) -> Tuple[Optional[float], str]:
        attempts = energy.get(self.number, {})
        parts = [attempts.get(attempt) for attempt in range(1, self.attempts + 1)]
        if not parts or None in parts:
            return None, ""
        joules = 0.0
        for part in parts:
            joules += part[0] if part else 0.0
        return joules / 3.6e6, "counter" if all(part and part[1] == "counter" for part in parts) else "power"

    @property
    def path(self) -> str:
        """The trial's folder."""
        return os.path.join(self.sweep.path, "trials", "{:04d}".format(self.number))

    def curves(self, rank: int = 0, attempt: Optional[int] = None) -> List[str]:
        """Names of the series that a rank has reported."""
        collectors, _ = self._collect(rank, attempt, lambda name: False)
        return list(_units_of(collectors))

    def curve(self, name: str, rank: int = 0, attempt: Optional[int] = None, points: Optional[int] = None) -> Curve:
        """A series of a rank: of all attempts that continue one another, as the window shows it, or of one. Attempts that resume
        from a checkpoint may report steps again; these points are there twice. `points`: reduced to at most that many points,
        among them the lowest and highest of each stretch."""
        collectors, reports = self._collect(rank, attempt, lambda one: one == name)
        units = _units_of(collectors)
        if name not in units:
            there = "it has " + ", ".join(units) if units else "it has reported nothing"
            which = "" if attempt is None else " in attempt {}".format(attempt)
            raise NotFound("rank {} of trial {} has no curve {!r}{}; {}".format(rank, self.number, name, which, there))
        curve = join_curves(name, collectors)
        _note_damage([curve], reports)
        return curve if points is None else curve.reduced(points)

    def readings(self) -> Dict[str, Curve]:
        """Readings over the time of the trial: CPU, memory and disk traffic of each rank ("rank0.cpu"), and those of its devices
        ("GPU-1c2d….power", "cpu:0.utilization"; with "@MACHINE" after the device if it is on another machine)."""
        curves: Dict[str, Curve] = {}
        collectors: List[Collector] = []
        reports: List[feedreader.Report] = []
        for _, folder in self._attempts(None):
            for agent in [folder] + _agent_folders(folder):
                _add_feed(os.path.join(agent, "host.feed"), None, lambda name: True, collectors, reports)
        for name in _units_of(collectors):
            curves[name] = join_curves(name, collectors)
        _note_damage(list(curves.values()), reports)
        if self.started_ns is not None:
            end = self._attempt_ended if self._attempt_ended is not None else self.ended_ns
            times = (self.started_ns, (1 << 63) - 1 if end is None else end)
            for machine in sorted({_machine_of(device) for device in self.devices}):
                own = {_without_machine(device) for device in self.devices if _machine_of(device) == machine}
                curves.update(_device_readings(self.sweep.workspace, machine, times, own.__contains__))
        return curves

    def media(self, name: Optional[str] = None, kind: Optional[str] = None, attempt: Optional[int] = None) -> List[mediareader.Media]:
        """Images, histograms, texts, tables and artifacts that its ranks have reported, by step: of all attempts that continue one
        another, or of one. `name`, `kind` ("image", …): only these."""
        found: List[mediareader.Media] = []
        damaged = 0
        for number, folder in self._attempts(attempt):
            for rank in range(self.ranks):
                items, lines = mediareader.read(folder, number, rank)
                found += items
                damaged += lines
        if damaged:
            warnings.warn("{} of the list of media cannot be read".format(_count(damaged, "line")), DamagedFeed, stacklevel=2)
        found = [item for item in found if name in (None, item.name) and kind in (None, item.kind)]
        return sorted(found, key=lambda item: (item.step, item.time_ns))

    def findings(self) -> List[Dict[str, Any]]:
        """What `sweepctl diagnose` finds in its attempts: rule, severity, sentence, hint and more. Needs sweepctl."""
        command = [_sweepctl(), "diagnose", str(self.sweep.id), str(self.number), "--json",
                   "--workspace", self.sweep.workspace.path]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            attempts = json.loads(done.stdout.decode("utf-8", "replace"))["attempts"]
            findings = [finding for attempt in attempts for finding in attempt["findings"]]
        except (ValueError, KeyError, TypeError):
            said = done.stderr.decode("utf-8", "replace").strip()
            raise WorkspaceError("sweepctl diagnose failed: " + (said or "exit code {}".format(done.returncode))) from None
        for problem in done.stderr.decode("utf-8", "replace").splitlines():
            warnings.warn(problem, DamagedFeed, stacklevel=2)
        return findings

    def log(self, rank: int = 0, attempt: Optional[int] = None, most_bytes: int = 1 << 20) -> str:
        """The end of what a rank of an attempt (the last one) has printed: at most `most_bytes`, from the beginning of a line."""
        if self.attempts < 1:
            return ""
        folder = self._attempts(self.attempts if attempt is None else attempt)[0].folder
        try:
            file = open_regular(os.path.join(folder, "rank-{}.log".format(int(rank))))
        except Problem as why:
            raise WorkspaceError(str(why)) from None
        if file is None:
            return ""
        with open(file, "rb") as log:
            begin = max(0, os.fstat(file).st_size - most_bytes)
            log.seek(max(0, begin - 1))
            data = log.read(most_bytes + 1)
        if begin > 0:
            data = data[data.find(b"\n") + 1 :] if b"\n" in data else data[1:]
        return data.decode("utf-8", "replace")

    def __repr__(self) -> str:
        words = [str(self.number), self.state]
        if self.best is not None:
            words.append("{} {:g}".format(self.sweep.objective, self.best))
        words += ["{}={}".format(name, value) for name, value in self.params.items()]
        return "Trial({})".format(", ".join(words))

    def _repr_html_(self) -> str:
        return tables.html_of_trial(self)

    def _attempts(self, attempt: Optional[int]) -> List[_Attempt]:
        """One attempt, or those that continue one another."""
        if attempt is None:
            numbers = range(self.first_attempt or 1, self.attempts + 1)
        elif 1 <= attempt <= self.attempts:
            numbers = range(attempt, attempt + 1)
        else:
            raise NotFound("trial {} has no attempt {}; it has {}".format(self.number, attempt, self.attempts))
        return [_Attempt(number, os.path.join(self.path, str(number))) for number in numbers]

    def _collect(self, rank: int, attempt: Optional[int],
                 wants: Callable[[str], bool]) -> Tuple[List[Collector], List[feedreader.Report]]:
        if not 0 <= rank < self.ranks:
            raise NotFound("trial {} has no rank {}; it has {}".format(self.number, rank, self.ranks))
        collectors: List[Collector] = []
        reports: List[feedreader.Report] = []
        for _, folder in self._attempts(attempt):
            feed = os.path.join(folder, "rank-{}".format(rank))
            _add_feed(feed + ".feed", feed + ".ring", wants, collectors, reports)
        return collectors, reports

    def _damaged_row(self) -> WorkspaceError:
        return WorkspaceError("the database has a damaged row: trial {} of sweep {}".format(self.number, self.sweep.id))


def _device_readings(workspace: Workspace, machine: str, times: Tuple[int, int], wants: Callable[[str], bool]) -> Dict[str, Curve]:
    if machine and not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}", machine):
        return {}
    path = os.path.join(workspace.path, "hosts", machine or "localhost", "devices.feed")
    collectors: List[Collector] = []
    reports: List[feedreader.Report] = []
    _add_feed(path, None, lambda name: wants(name.rpartition(".")[0]), collectors, reports, times)
    names = [name for name in _units_of(collectors) if wants(name.rpartition(".")[0])]
    simulated = {name.rpartition(".")[0] for name in names if name.endswith(".simulated")}
    curves = {}
    for name in names:
        device, _, quantity = name.rpartition(".")
        curve = join_curves(name, collectors)
        curve.simulated = device in simulated
        if len(curve) and quantity != "simulated":
            curve.name = (device + "@" + machine if machine else device) + "." + quantity
            curves[curve.name] = curve
    _note_damage(list(curves.values()), reports)
    return curves


def _add_feed(path: str, ring: Optional[str], wants: Callable[[str], bool], collectors: List[Collector],
              reports: List[feedreader.Report], times: Optional[Tuple[int, int]] = None) -> None:
    collector, report = feedreader.read(path, ring, lambda: Collector(wants, times))
    collectors.append(collector)
    reports.append(report._replace(damage=report.damage and "{}: {}".format(path, report.damage)))


def _note_damage(curves: List[Curve], reports: List[feedreader.Report]) -> None:
    damage = "; ".join(report.damage for report in reports if report.damage) or None
    lost = sum(report.lost_bytes for report in reports)
    for curve in curves:
        curve.damage, curve.lost_bytes = damage, lost
    if damage:
        warnings.warn("{} ({} lost)".format(damage, _count(lost, "byte")), DamagedFeed, stacklevel=3)


def _units_of(collectors: List[Collector]) -> Dict[str, str]:
    units: Dict[str, str] = {}
    for collector in collectors:
        units.update(collector.units)
    return units


def _agent_folders(attempt: str) -> List[str]:
    """Of the other agents of an attempt on several machines."""
    try:
        names = os.listdir(attempt)
    except OSError:
        return []
    found = [(int(match.group(1)), name) for name in names for match in [re.fullmatch(r"ranks-(\d{1,9})-(\d{1,9})", name)] if match]
    return [os.path.join(attempt, name) for _, name in sorted(found)]


def _machine_of(device: str) -> str:
    return device.rpartition("@")[2] if "@" in device else ""


def _without_machine(device: str) -> str:
    return device.rpartition("@")[0] if "@" in device else device


def _sweepctl() -> str:
    # This package is in share/sweepscope/python of an installation.
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 4, "bin", "sweepctl")
    found = shutil.which("sweepctl") or (beside if os.access(beside, os.X_OK) else None)
    if not found:
        raise WorkspaceError("sweepctl was not found: findings need it; add the folder of Sweepscope's programs to PATH")
    return found


def _objective(row: Any, column: str) -> Tuple[Optional[float], Optional[int]]:
    """The database has no NaN: it is NULL with a step."""
    value, step = row[column], row[column + "_step"]
    if step is None:
        return None, None
    return (math.nan if value is None else float(value)), step


def _texts(stored: Any) -> List[str]:
    items = _json(stored)
    return [item if isinstance(item, str) else "" for item in items] if isinstance(items, list) else []


def _fact(stored: str) -> Optional[Dict[str, Any]]:
    if not stored:
        return None
    fact = _json(stored)
    return fact if isinstance(fact, dict) and "code" in fact else {"code": "unknown", "detail": stored}


def _json(stored: Any) -> Any:
    try:
        return json.loads(stored)
    except (ValueError, TypeError, RecursionError):
        return None


def _cbor_list(stored: Any, group: int, trial: Trial) -> List[Any]:
    """Names, each with values that follow it."""
    try:
        items = cbor.decode(stored)
    except (cbor.Damaged, TypeError):
        raise trial._damaged_row() from None
    if not isinstance(items, list) or len(items) % group or not all(isinstance(name, str) for name in items[::group]):
        raise trial._damaged_row()
    return items


def _datetime(ns: Optional[int]) -> Optional[datetime]:
    if ns is None:
        return None
    return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=ns // 1000)


def _count(number: int, what: str) -> str:
    return "{:,} {}{}".format(number, what, "" if number == 1 else "s")
