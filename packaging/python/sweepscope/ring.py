# SPDX-License-Identifier: MIT
"""The writing end of a telemetry ring in the format of core/feed/sweepscope_feed.h, version 1, with mmap and struct.

A group of records is written to the ring's data first; then one store to `committed` makes all of it visible. No call
waits: records that do not fit are dropped and counted, and a gap record precedes the next group.

Order of these stores: CPython stores through a memoryview of 8-byte items with one aligned
machine store, and does not move stores across bytecodes. x86 keeps stores in order. On other processors (ARM) a barrier
is needed between the data and `committed`, and between reading `drained` and overwriting what it freed: there, a
private lock is released and acquired again, which is an atomic release followed by an atomic acquire in every CPython.
"""

import fcntl
import mmap
import os
import platform
import struct
import sys
import threading
import time

MAGIC = b"SWSCFEED"
VERSION = 1
HEADER_BYTES = 4096
MIN_CAPACITY = 64 * 1024
MAX_NAME_BYTES = 1024
MAX_UNIT_BYTES = 64
MAX_EVENT_TEXT_BYTES = 16 * 1024
NO_SERIES = 0xFFFF
POINT_BYTES = 24

# Kinds of records.
SERIES, POINT, EVENT, GAP, STEP_BASE = 2, 3, 4, 5, 6
EVENT_KINDS = {"message": 1, "epoch": 2, "checkpoint": 3, "warning": 4, "error": 5}

# Indices of the header's fields, in words of their own size.
COMMITTED, DROPPED, REPORTED, GAP_AT, GAP_TOTAL, DRAINED = 64 // 8, 72 // 8, 80 // 8, 96 // 8, 104 // 8, 128 // 8
SERIES_COUNT, STOP_SEEN, FENCED, STOP_REQUESTED = 88 // 4, 92 // 4, 136 // 4, 140 // 4

_FULL_RECORD = struct.Struct("<BBHI")
_POINT = struct.Struct("<IIqd")  # kind and series together, low half of the step, time, value
_GAP = struct.Struct("<BBHIqQ")
_STEP_BASE = struct.Struct("<BBHIq")
pack_point = _POINT.pack_into

_STORES_STAY_IN_ORDER = platform.machine().lower() in ("x86_64", "amd64", "i386", "i686")


class RingUnusable(Exception):
    """This process cannot write to the ring; the message says why."""


class RingTaken(RingUnusable):
    """Another process holds the lock of the ring."""


class Ring:
    """Not thread-safe; see Writer. A file lock ensures that one process writes to a ring at a time."""

    __slots__ = (
        "_file", "_map_object", "_bytes", "_words", "_halves", "_data", "_capacity", "_mask", "_committed",
        "_room_until", "_next_id", "_units", "_heads", "_step_base", "_barrier",
    )  # fmt: skip

    def __init__(self, path):
        if sys.byteorder != "little":
            raise RingUnusable("telemetry is little-endian, and this machine is not")
        self._file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        try:
            self._map(path)
        except BaseException:
            os.close(self._file)
            raise
        self._committed = self._words[COMMITTED]
        # Points up to this offset fit without a check of the header, and do not wrap around. 0: drops must be reported
        # first.
        self._room_until = 0
        self._next_id = min(self._halves[SERIES_COUNT], NO_SERIES)
        self._units = {}  # of names that are not in the ring yet
        self._heads = {}  # of names that are: the first half of a point's first word
        self._step_base = None  # an earlier writer's base does not count; written before the first point
        self._barrier = None if _STORES_STAY_IN_ORDER else threading.Lock()
        if self._barrier:
            self._barrier.acquire()
        # A gap record that the previous writer did not commit does not count.
        self._words[GAP_TOTAL] = self._told()
        self._words[GAP_AT] = 0

    def _map(self, path):
        size = os.fstat(self._file).st_size
        if size < HEADER_BYTES:
            raise RingUnusable("{} is not a telemetry ring: it has only {} bytes".format(path, size))
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1)
        except OSError:
            raise RingTaken("another process reports for this rank already") from None
        self._map_object = mmap.mmap(self._file, size)
        self._bytes = memoryview(self._map_object)
        self._words = self._bytes[:HEADER_BYTES].cast("Q")
        self._halves = self._bytes[:HEADER_BYTES].cast("I")
        magic, version, header_bytes, capacity = struct.unpack_from("<8sIIQ", self._map_object)
        if magic != MAGIC or version == 0:
            raise RingUnusable("{} is not a telemetry ring".format(path))
        if version > VERSION:
            raise RingUnusable("{} has format version {}; use a newer sweepscope".format(path, version))
        if (
            header_bytes != HEADER_BYTES
            or capacity < MIN_CAPACITY
            or capacity & (capacity - 1)
            or size < HEADER_BYTES + capacity
        ):
            raise RingUnusable("{} is not a telemetry ring: its sizes are impossible".format(path))
        committed, drained = self._words[COMMITTED], self._words[DRAINED]
        if committed % 8 or not 0 <= committed - drained <= capacity:
            raise RingUnusable("{} is damaged: its counters are {} and {}".format(path, drained, committed))
        self._capacity = capacity
        self._mask = capacity - 1
        self._data = self._bytes[HEADER_BYTES : HEADER_BYTES + capacity]
        self._make_present()

    def _make_present(self):
        """Fault in all pages now instead of at the first point of each, without changing the data."""
        words = self._data.cast("Q")
        for at in range(0, len(words), 512):
            words[at] = words[at]
        words.release()

    @property
    def dropped(self):
        return self._words[DROPPED]

    @property
    def stop_requested(self):
        if self._halves[STOP_REQUESTED] == 0:
            return False
        self._halves[STOP_SEEN] = 1
        return True

    @property
    def _fenced(self):
        return self._halves[FENCED] != 0

    def declare(self, name, unit):
        if name not in self._heads:
            self._units[name] = unit

    def write_points(self, step, named, now):
        """Write one point per item of `named`: all of them, or none."""
        if self._halves[FENCED]:
            return
        end = self._committed + POINT_BYTES * len(named)
        if end <= self._room_until:
            place = self._committed & self._mask
            data, heads = self._data, self._heads
            try:
                step_low = step - self._step_base
                for name, value in named.items():
                    pack_point(data, place, heads[name], step_low, now, value)
                    place += POINT_BYTES
            except Exception:  # a new name, a step that is far or none, a value that is none: not seen yet by any reader
                self._write_points_slowly(step, named, now)
            else:
                if self._barrier:
                    self._order()
                self._committed = end
                self._words[COMMITTED] = end  # one aligned 8-byte store
        else:
            self._write_points_slowly(step, named, now)

    def _write_points_slowly(self, step, named, now):
        step = checked_step(step)
        values = [(name, float(value)) for name, value in named.items()]
        records = []
        points = []
        new_heads = {}
        next_id = self._next_id
        for name, value in values:
            head = self._heads.get(name)
            if head is None and next_id < NO_SERIES:
                head = new_heads[name] = POINT | next_id << 16
                records.append(_series_record(next_id, name, self._units.get(name, "")))
                next_id += 1
            if head is None:
                self._count_dropped(1)
            else:
                points.append(_POINT.pack(head, step & 0xFFFFFFFF, now, value))
        base = step & ~0xFFFFFFFF
        if base != self._step_base:
            records.append(_STEP_BASE.pack(STEP_BASE, 0, 0, 16, base))
        self._halves[SERIES_COUNT] = next_id
        if self._append(b"".join(records + points), now):
            self._step_base = base
            self._next_id = next_id
            self._heads.update(new_heads)
        else:
            self._count_dropped(len(points))

    def write_event(self, kind, step, text, now):
        if self._fenced:
            return
        text = _cut(text, MAX_EVENT_TEXT_BYTES)
        payload = struct.pack("<qqHHI", now, step, EVENT_KINDS[kind], len(text), 0) + text
        if not self._append(_record(EVENT, 0, payload), now):
            self._count_dropped(1)

    def close(self):
        if not self._fenced:
            self._append(b"", time.time_ns())  # only the gap, if drops are still untold
        self.forget()

    def forget(self):
        """Close without writing. The ring itself remains for its reader."""
        for view in (self._data, self._words, self._halves, self._bytes):
            view.release()
        self._map_object.close()
        os.close(self._file)

    def _told(self):
        words = self._words
        return words[GAP_TOTAL] if words[GAP_AT] < words[COMMITTED] else words[REPORTED]

    def _append(self, group, now):
        words = self._words
        at = self._committed
        told = self._told()
        untold = words[DROPPED] - told
        if untold:
            group = _GAP.pack(GAP, 0, 0, 24, now, untold) + group
        limit = words[DRAINED] + self._capacity
        if self._barrier:
            self._order()
        if at + len(group) > limit:
            return False
        if not group:
            return True
        if untold:  # in this order, so that the sum is right whenever we are killed
            words[REPORTED] = told
            words[GAP_AT] = at
            words[GAP_TOTAL] = told + untold
        start = at & self._mask
        until_end = min(len(group), self._capacity - start)
        self._data[start : start + until_end] = group[:until_end]
        self._data[: len(group) - until_end] = group[until_end:]
        if self._barrier:
            self._order()
        self._committed = at + len(group)
        words[COMMITTED] = self._committed  # one aligned 8-byte store
        self._room_until = min(limit, (self._committed | self._mask) + 1)
        return True

    def _order(self):
        self._barrier.release()
        self._barrier.acquire()

    def _count_dropped(self, count):
        self._words[DROPPED] += count
        self._room_until = 0


def checked_step(step):
    step = int(step)
    if not -(1 << 63) <= step < 1 << 63:
        raise OverflowError("a step has 64 bits, and {} needs more".format(step))
    return step


def _record(kind, series, payload):
    padding = -len(payload) % 8
    return _FULL_RECORD.pack(kind, 0, series, 8 + len(payload) + padding) + payload + bytes(padding)


def _series_record(series_id, name, unit):
    name, unit = _cut(name, MAX_NAME_BYTES), _cut(unit, MAX_UNIT_BYTES)
    return _record(SERIES, series_id, struct.pack("<HHI", len(name), len(unit), 0) + name + unit)


def _cut(text, most):
    """Return at most `most` bytes of UTF-8, without splitting a character."""
    return str(text).encode("utf-8", "replace")[:most].decode("utf-8", "ignore").encode("utf-8")
