#!/usr/bin/env python3
"""A reader and a writer of feeds written from core/feed/sweepscope_feed.h alone, sharing no code with ours.

    foreignfeed.py read LOG [RING]    one line per record, across the border of log and ring
    foreignfeed.py write RING         a few records of every kind that a rank may write
"""
import fcntl
import mmap
import os
import struct
import sys


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def stream_of(log_path, ring_path):
    with open(log_path, "rb") as log:
        log_bytes = log.read()
    if not ring_path or not os.path.exists(ring_path):
        return log_bytes
    with open(ring_path, "rb") as ring:
        ring_bytes = ring.read()
    magic, version, header_bytes, capacity, stream_id = struct.unpack_from("<8sIIQQ", ring_bytes)
    assert (magic, version, header_bytes) == (b"SWSCFEED", 1, 4096)
    (committed,) = struct.unpack_from("<Q", ring_bytes, 64)
    (drained,) = struct.unpack_from("<Q", ring_bytes, 128)
    assert drained == len(log_bytes) <= committed
    tail = bytes(ring_bytes[4096 + at % capacity] for at in range(drained, committed))
    stream = log_bytes + tail
    (preamble_bytes,) = struct.unpack_from("<I", stream, 4)
    assert fnv1a(stream[:preamble_bytes]) == stream_id
    return stream


def lines(stream):
    at = 0
    base = 0
    while at + 8 <= len(stream):
        kind, _, series, length = struct.unpack_from("<BBHI", stream, at)
        if kind == 3:
            if at + 24 > len(stream):
                return
            _, value = struct.unpack_from("<qd", stream, at + 8)
            yield "point %d %d %f" % (series, base + length, value)
            at += 24
            continue
        assert 8 <= length <= 65536 and length % 8 == 0
        if at + length > len(stream):
            return
        payload = stream[at + 8 : at + length]
        if kind == 1:
            magic, version, rank, world = struct.unpack_from("<8sIii", payload)
            assert (magic, version) == (b"SWSCFEED", 1) and rank < world
            yield "preamble " + payload[32:].rstrip(b"\0").decode()
        elif kind == 2:
            name, unit = struct.unpack_from("<HH", payload)
            yield "series %d %s [%s]" % (series, payload[8 : 8 + name].decode(), payload[8 + name : 8 + name + unit].decode())
        elif kind == 4:
            _, step, event, text = struct.unpack_from("<qqHH", payload)
            yield "event %d %d %s" % (event, step, payload[24 : 24 + text].decode())
        elif kind == 5:
            yield "gap %d" % struct.unpack_from("<qQ", payload)[1]
        elif kind == 6:
            (base,) = struct.unpack_from("<q", payload)
        at += length


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
    print("\n".join(lines(stream_of(sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None))))
else:
    write(sys.argv[2])
