# SPDX-License-Identifier: MIT
"""The writing end of a telemetry ring: the bytes of core/feed/format.h, version 1, through mmap and struct.

A group of records goes into the ring's data first; then one aligned 8-byte store to `committed` makes it visible as a
whole. Nothing here waits: what does not fit is dropped and counted, and a gap record says so before the next group.
"""

import fcntl
import mmap
import os
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

# Kinds of records.
SERIES, POINT, EVENT, GAP, STEP_BASE = 2, 3, 4, 5, 6
EVENT_KINDS = {"message": 1, "epoch": 2, "checkpoint": 3, "warning": 4, "error": 5}

# Indices of the header's fields, in words of their own size.
COMMITTED, DROPPED, REPORTED, DRAINED = 64 // 8, 72 // 8, 80 // 8, 128 // 8
SERIES_COUNT, FENCED, STOP_REQUESTED = 88 // 4, 136 // 4, 140 // 4

_FULL_RECORD = struct.Struct("<BBHI")
_POINT = struct.Struct("<BBHIqd")
_GAP = struct.Struct("<BBHIqQ")
_STEP_BASE = struct.Struct("<BBHIq")


class RingUnusable(Exception):
    """The ring cannot be written by this process; the text says why."""


class Ring:
    """Not for several threads at once. One process writes a ring at a time; the file lock sees to it."""

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
        self._first_id = min(self._halves[SERIES_COUNT], NO_SERIES)
        self._series = {}  # name -> [id, unit, whether its declaration is in the ring]
        self._step_base = None  # not what an earlier writer of this ring left
        self._order = threading.Lock()
        self._order.acquire()

    def _map(self, path):
        size = os.fstat(self._file).st_size
        if size < HEADER_BYTES:
            raise RingUnusable("{} is not a telemetry ring: it has only {} bytes".format(path, size))
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1)
        except OSError:
            raise RingUnusable("another process reports for this rank already") from None
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
        self._data = self._bytes[HEADER_BYTES : HEADER_BYTES + capacity]

    @property
    def dropped(self):
        return self._words[DROPPED]

    @property
    def stop_requested(self):
        return self._halves[STOP_REQUESTED] != 0

    @property
    def _fenced(self):
        return self._halves[FENCED] != 0

    def declare(self, name, unit):
        known = self._series.get(name)
        if known is None:
            series_id = self._first_id + len(self._series)
            if series_id >= NO_SERIES:
                return [NO_SERIES, "", False]
            known = self._series[name] = [series_id, unit, False]
            self._halves[SERIES_COUNT] = series_id + 1
        return known

    def write_points(self, step, named):
        if not -(1 << 63) <= step < 1 << 63:
            raise OverflowError("a step has 64 bits, and {} needs more".format(step))
        if self._fenced:
            return
        records = []
        series = []
        for name, value in named:
            known = self.declare(name, "")
            if known[0] == NO_SERIES:
                self._count_dropped(1)
                continue
            if not known[2]:
                records.append(_series_record(known[0], name, known[1]))
            series.append((known, value))
        base = step & ~0xFFFFFFFF
        if base != self._step_base:
            records.append(_STEP_BASE.pack(STEP_BASE, 0, 0, 16, base))
        now = time.time_ns()
        low = step & 0xFFFFFFFF
        records.extend(_POINT.pack(POINT, 0, known[0], low, now, value) for known, value in series)
        if not self._append(b"".join(records), now):
            self._count_dropped(len(series))
            return
        self._step_base = base
        for known, _ in series:
            known[2] = True

    def write_event(self, kind, step, text):
        if kind not in EVENT_KINDS:
            raise ValueError("no event is of kind {!r}; kinds are {}".format(kind, ", ".join(EVENT_KINDS)))
        if self._fenced:
            return
        now = time.time_ns()
        text = _cut(text, MAX_EVENT_TEXT_BYTES)
        payload = struct.pack("<qqHHI", now, step, EVENT_KINDS[kind], len(text), 0) + text
        if not self._append(_record(EVENT, 0, payload), now):
            self._count_dropped(1)

    def close(self):
        if not self._fenced:
            self._append(b"", time.time_ns())  # only the gap, if drops are still untold
        self.forget()

    def forget(self):
        """Let go without writing. The ring itself stays for whoever reads it."""
        for view in (self._data, self._words, self._halves, self._bytes):
            view.release()
        self._map_object.close()
        os.close(self._file)

    def _append(self, group, now):
        untold = self._words[DROPPED] - self._words[REPORTED]
        if untold:
            group = _GAP.pack(GAP, 0, 0, 24, now, untold) + group
        if self._committed + len(group) - self._words[DRAINED] > self._capacity:
            return False
        if not group:
            return True
        start = self._committed & (self._capacity - 1)
        until_wrap = min(len(group), self._capacity - start)
        self._data[start : start + until_wrap] = group[:until_wrap]
        self._data[: len(group) - until_wrap] = group[until_wrap:]
        if untold:
            self._words[REPORTED] += untold
        # Release, then acquire, of a lock: stores before stay before stores after it, on weakly ordered machines too.
        self._order.release()
        self._order.acquire()
        self._committed += len(group)
        self._words[COMMITTED] = self._committed  # one aligned 8-byte store
        return True

    def _count_dropped(self, count):
        self._words[DROPPED] += count


def _record(kind, series, payload):
    padding = -len(payload) % 8
    return _FULL_RECORD.pack(kind, 0, series, 8 + len(payload) + padding) + payload + bytes(padding)


def _series_record(series_id, name, unit):
    name, unit = _cut(name, MAX_NAME_BYTES), _cut(unit, MAX_UNIT_BYTES)
    return _record(SERIES, series_id, struct.pack("<HHI", len(name), len(unit), 0) + name + unit)


def _cut(text, most):
    """At most `most` bytes of UTF-8, not cut inside a character."""
    return str(text).encode("utf-8", "replace")[:most].decode("utf-8", "ignore").encode("utf-8")
