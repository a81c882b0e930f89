#!/usr/bin/env python3
"""How long sweepscope.read() takes for one curve: of a plain feed, of a compressed one with a tenth of the points, and of a
damaged one; with and without NumPy. Compared with reading the bytes of the feed into one array.

    tests/bench/bench_notebook.py [--points N] [--runs N]

Prints medians in JSON. Needs NumPy, no Sweepscope. The goal for 10 million points with NumPy is 2 s."""
import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS.parent / "packaging" / "python"), str(TESTS / "integration" / "notebook")]

try:
    import numpy
except ImportError:
    print("NumPy is not installed")
    sys.exit(77)

import feeds
from sweepscope import arrays, feedreader
from sweepscope.curve import Collector


def stream(points):
    head = feeds.preamble() + feeds.series(0, "loss")
    chance = numpy.random.default_rng(1)
    table = numpy.zeros(points, [("head", "<u4"), ("step", "<u4"), ("time", "<i8"), ("value", "<f8")])
    table["head"] = 3
    table["step"] = numpy.arange(points)
    table["time"] = feeds.CREATED + numpy.arange(points) * 1000000 + chance.integers(0, 1000, points)
    table["value"] = numpy.float32(1 / (1 + numpy.arange(points)) + chance.random(points))
    return head + table.tobytes()


def read(path, points):
    collector, report = feedreader.read(path, None, lambda: Collector(lambda name: name == "loss"))
    assert len(collector.curve("loss")) >= points, report


def read_bytes(path):
    with open(path, "rb") as file:
        data = file.read()
    return numpy.frombuffer(data[: len(data) // 8 * 8], numpy.uint64)


def seconds(what, runs):
    taken = []
    for _ in range(runs):
        begin = time.perf_counter()
        what()
        taken.append(time.perf_counter() - begin)
    return round(statistics.median(taken), 3)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=10000000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        plain, packed, damaged = (os.path.join(folder, name) for name in ("plain", "packed", "damaged"))
        data = bytearray(stream(options.points))
        pathlib.Path(plain).write_bytes(data)
        middle = len(data) // 48 * 24
        data[middle : middle + 48] = bytes(48)
        pathlib.Path(damaged).write_bytes(data)
        tenth = max(1, options.points // 10)
        pathlib.Path(packed).write_bytes(feeds.compressed(stream(tenth)))
        figures = {"points": options.points}
        figures["bytes_seconds"] = seconds(lambda: read_bytes(plain), options.runs)
        figures["plain_seconds"] = seconds(lambda: read(plain, options.points), options.runs)
        figures["ratio"] = round(figures["plain_seconds"] / max(figures["bytes_seconds"], 1e-9), 2)
        figures["compressed_tenth_seconds"] = seconds(lambda: read(packed, tenth), options.runs)
        figures["damaged_seconds"] = seconds(lambda: read(damaged, options.points - 4), options.runs)
        arrays._numpy = False
        figures["without_numpy_seconds"] = seconds(lambda: read(plain, options.points), 1)
        print(json.dumps(figures, indent=2))


main()
