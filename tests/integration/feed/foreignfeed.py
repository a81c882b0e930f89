#!/usr/bin/env python3
"""A reader and a writer of feeds that share no code with those in C++. The reader is that of notebooks; both are written from
core/feed/sweepscope_feed.h.

    foreignfeed.py read LOG [RING]    one line per record, across the border of log and ring
    foreignfeed.py write RING         a few records of every kind that a rank may write
"""
import fcntl
import mmap
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "packaging" / "python"))

from sweepscope import arrays, feedreader


class Lines(feedreader.Records):
    """A line per record."""

    def preamble(self, rank, world_size, created, attempt):
        assert rank < world_size
        print("preamble " + attempt.decode())

    def series(self, number, name, unit):
        print("series %d %s [%s]" % (number, name.decode(), unit.decode()))

    def point(self, number, step, time, value):
        print("point %d %d %f" % (number, step, value))

    def event(self, kind, step, time, text):
        print("event %d %d %s" % (kind, step, text.decode()))

    def gap(self, time, dropped):
        print("gap %d" % dropped)


def read(log_path, ring_path):
    arrays._numpy = False  # records in their order
    _, report = feedreader.read(log_path, ring_path, Lines)
    assert report.damage is None, report


def record(kind, series, payload):
    padding = bytes(-len(payload) % 8)
    return struct.pack("<BBHI", kind, 0, series, 8 + len(payload) + len(padding)) + payload + padding


def write(ring_path):
    with open(ring_path, "r+b") as file:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1)
        ring = mmap.mmap(file.fileno(), 0)
        version, _, capacity = struct.unpack_from("<IIQ", ring, 8)
        (committed,) = struct.unpack_from("<Q", ring, 64)
        assert version == 1
        (first,) = struct.unpack_from("<I", ring, 88)
        struct.pack_into("<I", ring, 88, first + 1)
        dropped, _ = struct.unpack_from("<QQ", ring, 72)
        struct.pack_into("<Q", ring, 72, dropped + 3)  # three were lost: the gap record below reports them
        group = record(2, first, struct.pack("<HHI", 8, 3, 0) + "größe".encode() + b"!nat")
        group += struct.pack("<BBHIqd", 3, 0, first, 7, 1700000000000000000, 0.5)
        group += record(6, 0, struct.pack("<q", -(1 << 32)))
        group += struct.pack("<BBHIqd", 3, 0, first, 0xFFFFFFFF, 1700000000000000001, float("-inf"))
        group += record(4, 0, struct.pack("<qqHHI", 1700000000000000002, -1, 3, 5, 0) + b"saved")
        (told,) = struct.unpack_from("<Q", ring, 104)
        struct.pack_into("<Q", ring, 80, told)
        struct.pack_into("<Q", ring, 96, committed + len(group))
        struct.pack_into("<Q", ring, 104, told + 3)
        group += record(5, 0, struct.pack("<qQ", 1700000000000000003, 3))
        for i, byte in enumerate(group):
            ring[4096 + (committed + i) % capacity] = byte
        struct.pack_into("<Q", ring, 64, committed + len(group))


if sys.argv[1] == "read":
    read(sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None)
else:
    write(sys.argv[2])
