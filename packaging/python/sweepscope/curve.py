# SPDX-License-Identifier: MIT
"""A series of points, and the sink that collects some series of a feed."""

from __future__ import annotations

from array import array
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import feedreader
from .arrays import numpy

__all__ = ["Curve"]


class Curve:
    """Points in the order in which they were reported.

    With NumPy, `steps` are int64, `times` are datetime64[ns] in UTC and `values` are float64. Without it they are arrays of the
    standard library, and times are nanoseconds since 1970."""

    def __init__(self, name: str, unit: str = "", steps: Any = (), times: Any = (), values: Any = ()):
        self.name = name
        self.unit = unit
        self.steps = steps
        self.times = times
        self.values = values
        #: Why parts of the feed could not be read; None: nothing is wrong with it.
        self.damage: Optional[str] = None
        #: How many bytes of the feed could not be read.
        self.lost_bytes = 0
        #: (time in ns, number of records): points of any series that were lost because the rank reported too fast.
        self.gaps: List[Tuple[int, int]] = []
        #: Whether a fake driver made up the values.
        self.simulated = False

    def __len__(self) -> int:
        return len(self.steps)

    def __repr__(self) -> str:
        words = "{} points".format(len(self)) if len(self) != 1 else "1 point"
        if len(self):
            words += ", steps {} to {}, last {:g}".format(self.steps[0], self.steps[-1], float(self.values[-1]))
        if self.unit:
            words += " " + self.unit
        if self.lost_bytes:
            words += ", {} bytes of the feed damaged".format(self.lost_bytes)
        return "Curve({!r}: {})".format(self.name, words)

    def reduced(self, points: int) -> Curve:
        """At most `points` of them: the first and the last, and the lowest and highest of each stretch between."""
        if points < 4:
            raise ValueError("a curve cannot be reduced to {} points; 4 are the fewest".format(points))
        if len(self) <= points:
            return self
        keep = _extremes(self.values, (points - 2) // 2)
        reduced = Curve(self.name, self.unit, _take(self.steps, keep), _take(self.times, keep), _take(self.values, keep))
        reduced.damage, reduced.lost_bytes, reduced.gaps = self.damage, self.lost_bytes, self.gaps
        reduced.simulated = self.simulated
        return reduced


def _take(values: Any, places: Any) -> Any:
    return array(values.typecode, [values[place] for place in places]) if isinstance(values, array) else values[places]


def _extremes(values: Any, stretches: int) -> Any:
    """Places of the first and the last value, and of the lowest and highest of each stretch between. NaN only where a stretch has
    nothing else."""
    last = len(values) - 1
    size = -(-(last - 1) // stretches)
    np = numpy()
    if np is None or isinstance(values, array):
        places_kept = {0, last}
        for begin in range(1, last, size):
            places = range(begin, min(begin + size, last))
            numbers = [place for place in places if values[place] == values[place]] or places[:1]
            places_kept.add(min(numbers, key=values.__getitem__))
            places_kept.add(max(numbers, key=values.__getitem__))
        return sorted(places_kept)
    whole = (last - 1) // size * size
    keep = [np.array([0, last])]
    for begin, inner in ((1, values[1 : 1 + whole].reshape(-1, size)), (1 + whole, values[1 + whole : last].reshape(1, -1))):
        if inner.size:
            starts = begin + np.arange(len(inner)) * size
            none = np.isnan(inner)
            keep.append(starts + np.where(none, np.inf, inner).argmin(axis=1))
            keep.append(starts + np.where(none, -np.inf, inner).argmax(axis=1))
    return np.unique(np.concatenate(keep))


class Collector(feedreader.Records):
    """Collects the series that `wants(name)` chooses, of points within `times`. Two ids of one name are one series, and an id that
    is declared again under another name is that series from there on."""

    def __init__(self, wants: Callable[[str], bool], times: Optional[Tuple[int, int]] = None):
        self.units: Dict[str, str] = {}  # of all series, in the order in which they were declared
        self.gaps: List[Tuple[int, int]] = []
        self._wants = wants
        self._times = times
        self._columns: Dict[str, _Columns] = {}
        self._by_number: Dict[int, Optional[_Columns]] = {}

    def series(self, number: int, name: bytes, unit: bytes) -> None:
        text = name.decode("utf-8", "replace")
        self.units[text] = self.units.get(text) or unit.decode("utf-8", "replace")
        columns = self._columns.get(text)
        if columns is None and self._wants(text):
            columns = self._columns[text] = _Columns()
        self._by_number[number] = columns

    def gap(self, time: int, dropped: int) -> None:
        self.gaps.append((time, dropped))

    def point(self, number: int, step: int, time: int, value: float) -> None:
        columns = self._by_number[number]
        if columns is not None and (self._times is None or self._times[0] <= time <= self._times[1]):
            columns.add(step, time, value)

    def points(self, points: Any, base: int) -> None:
        wanted = [(number, columns) for number, columns in self._by_number.items() if columns is not None]
        if not wanted:
            return
        np = numpy()
        if self._times is not None:
            times = points["time"]
            points = points[(times >= self._times[0]) & (times <= self._times[1])]
        if len(self._by_number) == 1:
            wanted[0][1].extend(points, base)
        elif len(wanted) <= 4:
            for number, columns in wanted:
                chosen = points["series"] == number
                if chosen.any():
                    columns.extend(points[chosen], base)
        elif len(points):
            order = np.argsort(points["series"], kind="stable")
            points = points[order]
            series = points["series"]
            starts = np.flatnonzero(np.diff(series, prepend=~series[0])).tolist()
            for begin, end in zip(starts, starts[1:] + [len(points)]):
                found = self._by_number[int(series[begin])]
                if found is not None:
                    found.extend(points[begin:end], base)

    def curve(self, name: str) -> Curve:
        return join_curves(name, [self])


class _Columns:
    """The points of one series: arrays, one after the other, and the latest points."""

    def __init__(self) -> None:
        self.parts: List[Tuple[Any, Any, Any]] = []
        self._steps, self._times, self._values = array("q"), array("q"), array("d")

    def add(self, step: int, time: int, value: float) -> None:
        self._steps.append(step)
        self._times.append(time)
        self._values.append(value)

    def extend(self, points: Any, base: int) -> None:
        if not len(points):
            return
        self.flush()
        np = numpy()
        steps = points["step"].astype(np.int64)
        if base:
            steps += base
        self.parts.append((steps, points["time"].copy(), points["value"].copy()))

    def flush(self) -> None:
        if self._steps:
            self.parts.append((self._steps, self._times, self._values))
            self._steps, self._times, self._values = array("q"), array("q"), array("d")


def join_curves(name: str, collectors: List[Collector]) -> Curve:
    """One curve of the points of all collectors, which it empties."""
    parts: List[Tuple[Any, Any, Any]] = []
    unit = ""
    for collector in collectors:
        columns = collector._columns.pop(name, None)
        unit = unit or collector.units.get(name, "")
        if columns:
            columns.flush()
            parts += columns.parts
    np = numpy()
    joined = []
    for kind, code in enumerate("qqd"):
        if np is not None:
            arrays = [np.asarray(part[kind]) for part in parts]
            whole = arrays[0] if len(arrays) == 1 else np.concatenate(arrays) if arrays else np.array([], code)
            joined.append(whole.view("datetime64[ns]") if kind == 1 else whole)
        else:
            whole = array(code)
            for part in parts:
                whole.extend(part[kind])
            joined.append(whole)
    curve = Curve(name, unit, *joined)
    for collector in collectors:
        curve.gaps += collector.gaps
    return curve
