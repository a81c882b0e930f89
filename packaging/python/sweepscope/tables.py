# SPDX-License-Identifier: MIT
"""Tables of sweeps and trials: for notebooks, as HTML; for pandas; and for Parquet."""

from __future__ import annotations

import os
from html import escape
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Sequence, Tuple

if TYPE_CHECKING:
    from .workspace import Sweep, Sweeps, Trial

_MOST_ROWS = 50
_MOST_METRIC_NAMES = 256


def trials_frame(sweep: Sweep) -> Any:
    pandas = _need("pandas", "data frames")
    trials = sweep.trials
    columns: List[Tuple[str, Any]] = []

    def add(name: str, kind: str, values: Iterable[Any]) -> None:
        columns.append((name, _column(pandas, kind, list(values))))

    add("sweep", "string", (sweep.name for _ in trials))
    add("trial", "Int64", (t.number for t in trials))
    add("attempts", "Int64", (t.attempts for t in trials))
    add("first_attempt", "Int64", (t.first_attempt for t in trials))
    add("state", "string", (t.state for t in trials))
    params = [t.params for t in trials]
    add_params = [(name, [one.get(name) for one in params]) for name in sweep.parameters]
    measured = sweep._energy()
    energies = [t._energy_of(measured) for t in trials]
    after: List[Tuple[str, str, List[Any]]] = [
        ("seed", "UInt64", [t.seed for t in trials]),
        ("objective", "string", [sweep.objective for _ in trials]),
        ("objective_last", "Float64", [t.last for t in trials]),
        ("objective_last_step", "Int64", [t.last_step for t in trials]),
        ("objective_best", "Float64", [t.best for t in trials]),
        ("objective_best_step", "Int64", [t.best_step for t in trials]),
        ("objective_mean", "Float64", [t.mean for t in trials]),
        ("objective_error", "Float64", [t.mean_error for t in trials]),
        ("objective_runs", "Int64", [t.mean_runs for t in trials]),
        ("start", "time", [t.started_ns for t in trials]),
        ("end", "time", [t.ended_ns for t in trials]),
        ("seconds", "Float64", [None if t.ended_ns is None else t._seconds_until(t.ended_ns) for t in trials]),
        ("seconds_with_pauses", "Float64",
         [None if t.ended_ns is None or t.started_ns is None else max(0, t.ended_ns - t.started_ns) / 1e9 for t in trials]),
        ("ranks", "Int64", [t.ranks for t in trials]),
        ("devices", "string", [" ".join(t.devices) for t in trials]),
        ("simulated", "boolean", [t.simulated if t.devices else None for t in trials]),
        ("device_hours", "Float64",
         [None if t.ended_ns is None or not t.devices else _hours(t._seconds_until(t.ended_ns), len(t.devices)) for t in trials]),
        ("reason", "string", [t.reason["code"] if t.reason else "" for t in trials]),
        ("chosen", "string", [t.chosen["code"] if t.chosen else "" for t in trials]),
        ("starred", "boolean", [t.starred for t in trials]),
        ("tags", "string", [", ".join(t.tags) for t in trials]),
        ("note", "string", [t.note for t in trials]),
        ("energy_kwh", "Float64", [energy for energy, _ in energies]),
        ("energy_method", "string", [method for _, method in energies]),
    ]
    fixed = {name for name, _ in columns} | {name for name, _, _ in after} | _SENTENCES
    for name, values in add_params:
        columns.append((_parameter_column(name, fixed), _column(pandas, _kind_of(values), values)))
    for name, kind, values in after:
        add(name, kind, values)
    if any(t.violation for t in trials):
        add("violation", "Float64", (t.violation for t in trials))
    metrics = [t.metrics for t in trials]
    names: Dict[str, None] = {}
    for one in metrics:
        for name in one:
            if len(names) < _MOST_METRIC_NAMES:
                names[name] = None
    for name in names:
        found = [one.get(name) for one in metrics]
        add("metric." + name, "Float64", (one.last if one else None for one in found))
        add("metric_min." + name, "Float64", (one.lowest if one else None for one in found))
        add("metric_max." + name, "Float64", (one.highest if one else None for one in found))
    frame = pandas.concat([pandas.Series(values, copy=False) for _, values in columns], axis=1)
    frame.columns = [name for name, _ in columns]
    return frame


def _hours(seconds: Optional[float], devices: int) -> Optional[float]:
    return None if seconds is None else seconds * devices / 3600


#: Columns of the export that are not here. A parameter of this name gets the column that it has there.
_SENTENCES = {"exit_cause", "why"}


def _parameter_column(name: str, fixed: Any) -> str:
    return "parameter." + name if name in fixed else name


_CURVE_COLUMNS = ["trial", "attempt", "rank", "series", "step", "time", "value"]


def curves_frame(sweep: Sweep, name: str, rank: int, points: Optional[int]) -> Any:
    from .workspace import NotFound

    pandas = _need("pandas", "data frames")
    parts = []
    for trial in sweep.trials:
        for attempt in range(trial.first_attempt or 1, trial.attempts + 1):
            try:
                curve = trial.curve(name, rank, attempt, points)
            except NotFound:
                continue
            part = {"step": curve.steps, "time": pandas.DatetimeIndex(curve.times, tz="UTC"), "value": curve.values}
            place = {"trial": trial.number, "attempt": attempt, "rank": rank, "series": name}
            parts.append(pandas.DataFrame(part).assign(**place)[_CURVE_COLUMNS])
    if parts:
        return pandas.concat(parts, ignore_index=True)
    kinds = ("int64", "int64", "int64", "object", "int64", "datetime64[ns, UTC]", "float64")
    return pandas.DataFrame({column: pandas.Series([], dtype=kind) for column, kind in zip(_CURVE_COLUMNS, kinds)})


def write_parquet(frame: Any, path: str) -> None:
    pyarrow = _need("pyarrow", "Parquet files")
    parquet = __import__("pyarrow.parquet").parquet
    for column in frame.columns:
        if frame[column].dtype == object:  # a parameter that is a number in some trials and a text in others
            frame[column] = frame[column].map(lambda value: None if value is None else str(value)).astype("string")
    draft = "{}.tmp.{}".format(path, os.getpid())
    try:
        parquet.write_table(pyarrow.Table.from_pandas(frame, preserve_index=False), draft)
        os.replace(draft, path)
    except BaseException:
        if os.path.exists(draft):
            os.unlink(draft)
        raise


def _need(module: str, what: str) -> Any:
    try:
        return __import__(module)
    except ImportError:
        raise ImportError("{} need {}: pip install {}".format(what, module, module)) from None


def _kind_of(values: Sequence[Any]) -> str:
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return "boolean"
    if kinds == {int}:
        return "Int64"
    if kinds and kinds <= {int, float} and all(abs(value) <= 1 << 53 for value in values if type(value) is int):
        return "Float64"
    if kinds <= {str}:
        return "string"
    return "object"


def _column(pandas: Any, kind: str, values: List[Any]) -> Any:
    """An array in which what is missing is not mistaken for NaN, and integers stay what they are."""
    import numpy

    missing = numpy.array([value is None for value in values], bool)
    plain = {"Int64": ("int64", pandas.arrays.IntegerArray), "UInt64": ("uint64", pandas.arrays.IntegerArray),
             "Float64": ("float64", pandas.arrays.FloatingArray), "boolean": ("bool", pandas.arrays.BooleanArray)}
    if kind in plain:
        numbers, new = plain[kind]
        return new(numpy.array([0 if value is None else value for value in values], numbers), missing)
    if kind == "time":
        times = numpy.array([0 if value is None else value for value in values], "int64").view("datetime64[ns]")
        times[missing] = numpy.datetime64("NaT")
        return pandas.DatetimeIndex(times, tz="UTC")
    if kind == "string":
        return pandas.array(values, dtype="string")
    whole = numpy.empty(len(values), object)
    whole[:] = values
    return whole


def html_of_sweeps(sweeps: Sweeps) -> str:
    shown = sweeps.values()[-_MOST_ROWS:]
    rows: List[List[Any]] = []
    for sweep in reversed(shown):
        best = sweep.best
        rows.append([sweep.id, sweep.name, sweep.state, sweep._trial_count(), _value(best.best if best else None),
                     sweep.objective, _time(sweep.created), ", ".join(sweep.tags)])
    return _table(["id", "name", "state", "trials", "best", "objective", "created", "tags"], rows, len(sweeps) - len(shown))


def html_of_sweep(sweep: Sweep) -> str:
    trials = sweep.trials
    best = sweep.best
    words = escape("{}, {} {}".format(sweep.state, sweep.goal, sweep.objective))
    head = "<b>{}</b> {} {}".format(escape(sweep.name), sweep.id, words)
    rows = []
    for trial in trials[:_MOST_ROWS]:
        params = trial.params
        mark = " (best)" if best and trial.number == best.number else ""
        values = [_value(params.get(name)) for name in sweep.parameters]
        rows.append(["{}{}".format(trial.number, mark), trial.state, _value(trial.best)] + values)
    return "<p>" + head + "</p>" + _table(["trial", "state", sweep.objective] + sweep.parameters, rows, len(trials) - len(rows))


def html_of_trial(trial: Trial) -> str:
    rows: List[List[Any]] = [["state", trial.state], [trial.sweep.objective + " (best)", _value(trial.best)]]
    if trial.reason:
        rows.append(["reason", trial.reason["code"]])
    rows += [[name, _value(value)] for name, value in trial.params.items()]
    rows += [[name, _value(metric.last)] for name, metric in trial.metrics.items()]
    if trial.started:
        rows.append(["started", _time(trial.started)])
    seconds = trial.seconds
    if seconds is not None:
        rows.append(["seconds", "{:.1f}".format(seconds)])
    return _table(["trial", str(trial.number)], rows, 0)


def _value(value: Any) -> str:
    return "" if value is None else "{:g}".format(value) if isinstance(value, float) else str(value)


def _time(time: Any) -> str:
    return time.strftime("%Y-%m-%d %H:%M") if time else ""


def _table(head: List[str], rows: List[List[Any]], left_out: int) -> str:
    def row(cells: List[Any], tag: str) -> str:
        return "<tr>" + "".join("<{0}>{1}</{0}>".format(tag, escape(str(cell))) for cell in cells) + "</tr>"

    more = "<p>and {} more</p>".format(left_out) if left_out > 0 else ""
    body = "".join(row(cells, "td") for cells in rows)
    return "<table><thead>{}</thead><tbody>{}</tbody></table>{}".format(row(head, "th"), body, more)
