# SPDX-License-Identifier: MIT
"""Reads the records of a feed, as core/feed/sweepscope_feed.h specifies them: skips damaged bytes, reads on at the next
records, and counts what was lost. All input is untrusted.

With NumPy, points that follow each other become columns at once. What the reader needs only after damage (the last steps of each
series, the last time) costs as much as reading itself. So a feed is first read without it, and from its start again if it turns
out to be damaged."""

import collections
import re
import struct

from .arrays import numpy
from .feedstream import Problem, Stream
from .packedlog import NoDecompressor
from .ring import MAGIC, NO_SERIES, POINT_BYTES, VERSION

PREAMBLE, SERIES, POINT, EVENT, GAP, STEP_BASE, TABLE, PADDING = range(1, 9)

_MOST_RECORD_BYTES = 64 * 1024
_MOST_PREAMBLE_BYTES = 4096
_UNDECIDED_BYTES = 3 * _MOST_RECORD_BYTES
_CHUNK_BYTES = 4 * 1024 * 1024
_FEW_POINTS = 16  # are not worth an array

_YEAR_NS = 366 * 24 * 3600 * 1000000000
_YEAR_2001_NS = 978307200000000000
_YEAR_2100_NS = 4102444800000000000

_HEADER = struct.Struct("<BBHI")
_POINT = struct.Struct("<IIqd")
_INT64 = struct.Struct("<q")
_MAYBE_RECORD = re.compile(b"[\\x02-\\x08]\\x00", re.DOTALL)


#: damage: why the first bytes were left out, or why the stream ends early; None if nothing is wrong. lost_bytes: how many were
#: left out. records: that were read. end: offset behind the last one.
Report = collections.namedtuple("Report", "damage lost_bytes records end")


class _Corrupt(Exception):
    pass


class _ReadAgain(Exception):
    """The feed is damaged: read it from the start, with what finding the next records takes."""


def read(log_path, ring_path, new_sink):
    """Returns the sink that got everything, and a report. `new_sink()` makes a sink: it has the methods of Records."""
    stream = Stream(log_path, ring_path)
    try:
        try:
            sink = new_sink()
            return sink, _Reader(stream, sink, False).read()
        except _ReadAgain:
            sink = new_sink()
            return sink, _Reader(stream, sink, True).read()
    finally:
        stream.close()


class Records:
    """What a sink may be told; this one takes nothing."""

    def preamble(self, rank, world_size, created, attempt):
        pass

    def series(self, number, name, unit):
        """Names and units are bytes. Points of `number` belong to `name` from now on."""

    def point(self, number, step, time, value):
        raise NotImplementedError

    def points(self, points, base):
        """An array of points of _point_type(); `base` is to be added to their steps."""
        raise NotImplementedError

    def event(self, kind, step, time, text):
        pass

    def gap(self, time, dropped):
        pass


class _Reader:
    def __init__(self, stream, sink, is_careful):
        self._stream = stream
        self._parser = (_ArrayParser if numpy() else _Parser)(sink, is_careful)
        self._is_careful = is_careful
        self._lost_bytes = 0
        self._damage = None
        self._skip = None  # (why, where to look for records)

    def read(self):
        stream, parser = self._stream, self._parser
        problem = None
        try:
            problem = self._read_all()
        except (Problem, NoDecompressor) as why:
            problem = str(why)
        left = stream.end - parser.offset
        if self._skip and left > 0:
            self._lost_bytes += left
        elif left > 0 and not problem and not stream.has_ring:
            cut = "it ends within a record, after {} whole bytes: it was truncated".format(parser.offset)
            problem = stream.final_problem() or cut
            self._lost_bytes += left
        return Report(self._damage or problem or stream.final_problem(), self._lost_bytes, parser.records, parser.offset)

    def _read_all(self):
        stream, parser = self._stream, self._parser
        while True:
            if self._skip and not self._find_records():
                return self._skip[0]
            data = stream.fetch(parser.offset, _CHUNK_BYTES)
            before = parser.offset
            try:
                parser.parse(data)
            except _Corrupt as why:
                if not self._is_careful:
                    raise _ReadAgain() from None
                self._begin_skip(str(why), parser.offset + 8)
                continue
            if parser.offset > before:
                continue
            hole = stream.hole_at(parser.offset + len(data))
            if not hole:
                return None
            if not self._is_careful:
                raise _ReadAgain()
            self._begin_skip(hole[2], hole[1])

    def _begin_skip(self, why, offset):
        self._skip = (why, (offset + 7) // 8 * 8)

    def _find_records(self):
        """Looks for records after damaged bytes, and continues at the first one."""
        stream, parser = self._stream, self._parser
        while True:
            why, offset = self._skip
            data = stream.fetch(offset, _CHUNK_BYTES)
            hole = stream.hole_at(offset + len(data))
            if not len(data) and hole:
                self._begin_skip(why, hole[1])
                continue
            is_end = len(data) < _CHUNK_BYTES
            found = parser.find_records(data, is_end)
            if found is not None:
                found += offset
                self._lost_bytes += found - parser.offset
                self._damage = self._damage or "{}; reading continued at offset {}".format(why, found)
                parser.skip_to(found)
                self._skip = None
                return True
            if not is_end:
                self._skip = (why, offset + _CHUNK_BYTES - _UNDECIDED_BYTES)
            elif hole:
                self._begin_skip(why, hole[1])
            else:
                return False


class _Parser:
    """Turns bytes of the stream into records, and keeps what one record says about the next."""

    def __init__(self, sink, is_careful):
        self.offset = 0  # of the next record
        self.records = 0
        self._sink = sink
        self._is_careful = is_careful
        self._base = 0  # of steps
        self._declared = bytearray(NO_SERIES + 1)
        # Only kept by the careful:
        self._time = 0  # of the last record that had a plausible one; 0: none yet
        self._has_skipped = False  # declarations may have been lost
        self._base_unsure = False  # nothing has said the step base since bytes were lost
        self._last_steps = {}  # by series: the last two
        self._points = 0
        self._bases = 0

    def parse(self, data):
        """Passes on every whole record of `data`, which starts at `offset`."""
        at, size = 0, len(data)
        while size - at >= 8:
            if data[at] == POINT and self.offset:
                taken = self._take_points(data, at)
                if not taken:
                    return
                at += taken
                continue
            kind, _, series, length = _HEADER.unpack_from(data, at)
            if kind == POINT:
                length = POINT_BYTES
            if kind == 0:
                raise self._corrupt("record kind 0 is invalid")
            if length < 8 or length % 8 or length > _MOST_RECORD_BYTES:
                raise self._corrupt("a record cannot be {} bytes long".format(length))
            if not self.offset and (kind != PREAMBLE or length > _MOST_PREAMBLE_BYTES):
                raise self._corrupt("the feed does not start with a preamble")
            if length > size - at:
                return
            self._take(kind, series, bytes(data[at : at + length]))
            self.offset += length
            self.records += 1
            at += length

    def _take(self, kind, series, record):
        if kind == SERIES:
            self._take_series(series, record)
        elif kind == EVENT:
            self._need(record, 32, "an event")
            time, step, event, text_bytes = struct.unpack_from("<qqHH", record, 8)
            if 32 + text_bytes > len(record):
                raise self._corrupt("the text of an event does not fit in its record")
            self._see_time(time)
            self._sink.event(event, step, time, record[32 : 32 + text_bytes])
        elif kind == GAP:
            self._need(record, 24, "a gap")
            self._sink.gap(*struct.unpack_from("<qQ", record, 8))
        elif kind == STEP_BASE:
            self._need(record, 16, "a step base")
            (base,) = _INT64.unpack_from(record, 8)
            if base & 0xFFFFFFFF:
                raise self._corrupt("the low half of a step base is not zero")
            self._base, self._base_unsure = base, False
            self._bases += 1
        elif kind == TABLE and self._has_skipped:
            self._take_table(record)
        elif kind == PREAMBLE:
            self._take_preamble(record)

    def _take_preamble(self, record):
        if self.offset:
            raise self._corrupt("a second preamble")
        self._need(record, 40, "the preamble")
        magic, version, rank, world_size, _, created = struct.unpack_from("<8sIiiIq", record, 8)
        if magic != MAGIC:
            raise self._corrupt("this is not a feed: its preamble lacks SWSCFEED")
        if version > VERSION:
            raise Problem("the feed has format version {}, but this package reads version {}; use a newer sweepscope".format(
                version, VERSION))
        if version == 0:
            raise self._corrupt("format version 0 is invalid")
        self._time = created
        self._sink.preamble(rank, world_size, created, record[40:].split(b"\0")[0])

    def _take_series(self, number, record):
        self._need(record, 16, "a series declaration")
        name_bytes, unit_bytes = struct.unpack_from("<HH", record, 8)
        if 16 + name_bytes + unit_bytes > len(record):
            raise self._corrupt("the name of a series does not fit in its record")
        if number == NO_SERIES:
            raise self._corrupt("invalid series id {}".format(number))
        self._declare(number, record[16 : 16 + name_bytes], record[16 + name_bytes : 16 + name_bytes + unit_bytes])

    def _take_table(self, record):
        """It says nothing new to who has read everything before it."""
        table = _decode_table(record)
        if table is None:
            return
        self._base, self._base_unsure = table[0], False
        for number, name, unit in table[1]:
            if not self._declared[number]:
                self._declare(number, name, unit)

    def _declare(self, number, name, unit):
        self._declared[number] = 1
        self._sink.series(number, name, unit)

    def _take_points(self, data, at):
        """Takes points from `at` on, and returns their bytes: 0 if the first one is not whole."""
        return POINT_BYTES * self._take_each(data, at, (len(data) - at) // POINT_BYTES)

    def _take_each(self, data, at, most):
        if not self._is_careful:
            return self._take_all(data, at, most)
        for taken in range(most):
            head, low, time, value = _POINT.unpack_from(data, at + taken * POINT_BYTES)
            if head & 0xFF != POINT:
                return taken
            self._check_declared(head >> 16)
            self._points += 1
            step = self._step_of(head >> 16, low)
            self._see_time(time)
            self._sink.point(head >> 16, step, time, value)
            self._count(1)
        return most

    def _take_all(self, data, at, most):
        point, base, declared = self._sink.point, self._base, self._declared
        taken = 0
        for head, low, time, value in _POINT.iter_unpack(memoryview(data)[at : at + most * POINT_BYTES]):
            series = head >> 16
            if head & 0xFF != POINT or not declared[series]:
                break
            point(series, base + low, time, value)
            taken += 1
        self._count(taken)
        if taken < most and head & 0xFF == POINT:
            self._check_declared(series)
        return taken

    def _count(self, points):
        self.offset += points * POINT_BYTES
        self.records += points

    def _check_declared(self, series):
        if self._declared[series]:
            return
        if not self._has_skipped or series == NO_SERIES:
            raise self._corrupt("a point of series {}, which was never declared".format(series))
        self._declare(series, b"series %d" % series, b"")

    def _step_of(self, series, low):
        """If the step base may have been lost, assumes that the series continues near its last steps, provided that these are
        distinguishable from damaged ones."""
        last, before = self._last_steps.get(series, ((1 << 63) - 1, -(1 << 63)))
        if self._base_unsure and _are_near(last, before):
            ahead = (low - last) & 0xFFFFFFFF
            step = _signed64(last + ahead - (ahead >> 31 << 32))
            if _are_near(step, last):
                self._base = step & ~0xFFFFFFFF
            self._base_unsure = False
        step = self._base + low
        self._last_steps[series] = step, last
        return step

    def _see_time(self, time):
        """What a damaged record says must not be what others are held against."""
        if self._time == 0 or _is_plausible(time, self._time):
            self._time = time

    def skip_to(self, offset):
        self.offset = offset
        self._has_skipped = self._base_unsure = True

    def find_records(self, data, is_end):
        """Where in `data`, which starts at a multiple of 8, records follow each other again. Without the end of the stream the
        last bytes are not decided."""
        last = len(data) if is_end else max(0, len(data) - _UNDECIDED_BYTES)
        # Where the base changes all the time (a series with negative steps) only what says it anew is a good start.
        needs_base = self._bases > 3 and self._points // self._bases < 1000
        data = memoryview(data)
        for found in _MAYBE_RECORD.finditer(data, 0, last):
            at = found.start()
            if at % 8 or at + 8 > last or (needs_base and data[at] not in (STEP_BASE, TABLE)):
                continue
            if self._starts_records(data, at, is_end):
                return at
        return None

    def _starts_records(self, data, at, is_end):
        """Three of them in a row are no accident. At the end of all bytes fewer must do."""
        for records in range(3):
            length = _plausible_length(data, at, self._time) if len(data) - at >= 8 else 8
            if not length:
                return False
            if length > len(data) - at:
                return is_end and records > 0
            at += length
        return True

    def _need(self, record, length, what):
        if len(record) < length:
            raise self._corrupt(what + " is too short")

    def _corrupt(self, what):
        return _Corrupt("damaged at offset {}: {}".format(self.offset, what))


class _ArrayParser(_Parser):
    """Takes points as arrays, unless few follow each other."""

    def __init__(self, sink, is_careful):
        super().__init__(sink, is_careful)
        np = numpy()
        self._type = _point_type()
        self._is_declared = np.frombuffer(self._declared, np.bool_)
        self._expected = 1024  # points in a row

    def _take_points(self, data, at):
        most = (len(data) - at) // POINT_BYTES
        if most == 0:
            return 0
        if self._base_unsure:  # the next point may decide it
            return POINT_BYTES * self._take_each(data, at, 1)
        window = min(most, self._expected)
        if window <= _FEW_POINTS:
            taken = self._take_each(data, at, window)
            self._expected = 2 * taken + 2 if taken < window else 4 * window
            return POINT_BYTES * taken
        np = numpy()
        points = np.frombuffer(data, self._type, window, at)
        others = points["kind"] != POINT
        count = int(others.argmax()) or (0 if others[0] else window)
        self._expected = min(4 * window, 1 << 20) if count == window else 2 * count + 2
        points = points[:count]
        unknown = ~self._is_declared[points["series"]]
        if unknown.any():
            count = int(unknown.argmax())
            if count == 0:
                self._check_declared(int(points["series"][0]))
                return POINT_BYTES * self._take_each(data, at, 1)
            points = points[:count]
        if self._is_careful:
            self._remember(points)
        self._sink.points(points, self._base)
        self._count(count)
        return POINT_BYTES * count

    def _remember(self, points):
        np = numpy()
        times = points["time"]
        ends = (int(times.min()), int(times.max()))
        if self._time and ends[1] - ends[0] < _YEAR_NS and all(_is_plausible(end, self._time) for end in ends):
            self._time = int(times[-1])
        else:
            for time in times.tolist():
                self._see_time(time)
        self._points += len(points)
        series = points["series"]
        for number in np.unique(series).tolist():
            for place in np.flatnonzero(series == number)[-2:].tolist():
                last = self._last_steps.get(number, ((1 << 63) - 1, 0))[0]
                self._last_steps[number] = self._base + int(points["step"][place]), last


def _point_type():
    return numpy().dtype([("kind", "u1"), ("zero", "u1"), ("series", "<u2"), ("step", "<u4"), ("time", "<i8"), ("value", "<f8")])


def _are_near(a, b):
    return abs(a - b) < 1 << 24


def _signed64(number):
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


def _is_plausible(time, known):
    """Whether a record may have this time after one that had `known`; hardly any other word of a record looks like it."""
    if known == 0:
        return _YEAR_2001_NS < time < _YEAR_2100_NS
    return abs(time - known) < _YEAR_NS


def _plausible_length(data, at, known):
    """The length of the record at `at`; 0: not a record; more than there is: not known yet."""
    kind, reserved, series, length = _HEADER.unpack_from(data, at)
    left = len(data) - at
    if kind == POINT:
        length = POINT_BYTES
    if reserved or length < 8 or length % 8 or length > _MOST_RECORD_BYTES:
        return 0

    def has_time():
        return _is_plausible(_INT64.unpack_from(data, at + 8)[0], known)

    is_good = False
    if kind == POINT:
        is_good = series != NO_SERIES and (length > left or has_time())
    elif kind == SERIES and length >= 16:
        is_good = length > left or 16 + _padded(sum(struct.unpack_from("<HH", data, at + 8))) == length
    elif kind == EVENT and length >= 32:
        is_good = length > left or (32 + _padded(struct.unpack_from("<H", data, at + 26)[0]) == length and has_time())
    elif kind == GAP:
        is_good = length == 24 and (length > left or has_time())
    elif kind == STEP_BASE:
        is_good = length == 16 and (length > left or not _INT64.unpack_from(data, at + 8)[0] & 0xFFFFFFFF)
    elif kind == TABLE and length >= 24:
        is_good = length > left or _decode_table(bytes(data[at : at + length])) is not None
    elif kind == PADDING:
        is_good = True
    return length if is_good else 0


def _padded(count):
    return (count + 7) // 8 * 8


def _decode_table(record):
    """(step base, [(series, name, unit)]); None if it is damaged."""
    if len(record) < 24:
        return None
    base, count = struct.unpack_from("<qI", record, 8)
    if base & 0xFFFFFFFF:
        return None
    at, series = 24, []
    for _ in range(count):
        if len(record) - at < 8:
            return None
        number, name_bytes, unit_bytes = struct.unpack_from("<HHH", record, at)
        at += 8
        end = at + name_bytes + unit_bytes
        if end > len(record) or number == NO_SERIES:
            return None
        series.append((number, record[at : at + name_bytes], record[at + name_bytes : end]))
        at = end
    return base, series
