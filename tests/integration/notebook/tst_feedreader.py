#!/usr/bin/env python3
"""The reader of feeds in Python: rings, compressed logs, damage. Usage: tst_feedreader.py [unittest arguments]"""
import math
import os
import pathlib
import random
import struct
import sys
import tempfile
import tracemalloc
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "packaging" / "python"), str(HERE)]

import feeds
from sweepscope import arrays, feedreader, feedstream, packedlog
from sweepscope.curve import Collector, Curve, join_curves

HAS_NUMPY = arrays.numpy() is not None
WAYS = [False, True] if HAS_NUMPY else [False]


def use_numpy(use):
    arrays._numpy = None if use else False


class Trace(feedreader.Records):
    """Everything in its order, as text."""

    def __init__(self):
        self.lines = []

    def preamble(self, rank, world_size, created, attempt):
        self.lines.append(("preamble", rank, world_size, created, attempt))

    def series(self, number, name, unit):
        self.lines.append(("series", number, name, unit))

    def point(self, number, step, time, value):
        self.lines.append(("point", number, step, time, struct.pack("<d", value)))

    def points(self, points, base):
        for one in points.tolist():
            self.point(one[2], base + one[3], one[4], one[5])

    def event(self, kind, step, time, text):
        self.lines.append(("event", kind, step, time, text))

    def gap(self, time, dropped):
        self.lines.append(("gap", time, dropped))


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.log, self.ring = self.folder / "rank-0.feed", self.folder / "rank-0.ring"
        self.addCleanup(use_numpy, True)

    def read(self, ring=False):
        """The same with and without NumPy."""
        results = []
        for use in WAYS:
            use_numpy(use)
            trace, report = feedreader.read(str(self.log), str(self.ring) if ring else None, Trace)
            results.append((trace.lines, report))
        self.assertEqual(results[0], results[-1])
        return results[0]

    def curve(self, name):
        collector, report = feedreader.read(str(self.log), None, lambda: Collector(lambda one: one == name))
        return collector.curve(name), report


def many_points(count, names=("loss", "lr"), base=0):
    stream = [feeds.preamble()] + [feeds.series(number, name) for number, name in enumerate(names)]
    if base:
        stream.append(feeds.step_base(base))
    for step in range(count):
        stream += [feeds.point(number, step, step / 8 + number, feeds.CREATED + step * 1000) for number in range(len(names))]
        if step % 100 == 50:
            stream.append(feeds.event("epoch %d" % step, step, 2))
    return b"".join(stream)


class Records(Case):
    def test_records_of_every_kind(self):
        stream = feeds.preamble(b"attempt-7", 2, 4) + feeds.series(0, "größe", "µm") + feeds.point(0, 7, 0.5)
        stream += feeds.step_base(-(1 << 32)) + feeds.point(0, -1, -math.inf) + feeds.event("gespeichert ✓", 3, 3) + feeds.gap(17)
        stream += feeds.record(99, 5, b"of a later version") + feeds.record(8, 0, bytes(48)) + feeds.table(0, {0: "größe"})
        stream += feeds.point(0, -2, math.nan)
        self.log.write_bytes(stream)
        lines, report = self.read()
        self.assertEqual(lines[0], ("preamble", 2, 4, feeds.CREATED, b"attempt-7"))
        self.assertEqual(lines[1], ("series", 0, "größe".encode(), "µm".encode()))
        self.assertEqual([line[2] for line in lines if line[0] == "point"], [7, -1, -2])
        self.assertIn(("gap", feeds.CREATED, 17), lines)
        self.assertEqual(report, feedreader.Report(None, 0, 11, len(stream)))

    def test_two_ids_of_one_name_are_one_curve_and_an_id_declared_again_is_another(self):
        self.log.write_bytes(feeds.preamble() + feeds.series(0, "a") + feeds.point(0, 0, 0) + feeds.series(1, "a", "s")
                             + feeds.point(1, 1, 1) + feeds.series(0, "b") + feeds.point(0, 2, 2))
        for use in WAYS:
            use_numpy(use)
            curve, _ = self.curve("a")
            self.assertEqual((list(curve.steps), list(curve.values), curve.unit), ([0, 1], [0, 1], "s"))
            self.assertEqual(list(self.curve("b")[0].steps), [2])

    def test_columns_of_many_series(self):
        names = ["s%d" % number for number in range(40)]
        self.log.write_bytes(many_points(300, names, 5 << 32))
        for use in WAYS:
            use_numpy(use)
            collector, report = feedreader.read(str(self.log), None, lambda: Collector(lambda name: name != "s3"))
            self.assertEqual(list(collector.units), names)
            curve = collector.curve("s17")
            self.assertEqual(list(curve.steps), [(5 << 32) + step for step in range(300)])
            self.assertEqual(list(curve.values), [step / 8 + 17 for step in range(300)])
            self.assertEqual(len(collector.curve("s3")), 0)

    def test_a_tail_that_is_cut_off_is_reported(self):
        stream = many_points(10)
        self.log.write_bytes(stream[:-10])
        lines, report = self.read()
        self.assertEqual(report.lost_bytes, 14)
        self.assertIn("truncated", report.damage)

    def test_nothing_is_a_feed_without_series(self):
        self.assertEqual(self.read(), ([], feedreader.Report(None, 0, 0, 0)))
        self.log.write_bytes(b"")
        self.assertEqual(self.read(), ([], feedreader.Report(None, 0, 0, 0)))

    def test_a_newer_format_is_refused_with_both_versions(self):
        stream = bytearray(many_points(3))
        struct.pack_into("<I", stream, 16, 2)
        self.log.write_bytes(stream)
        self.assertIn("has format version 2, but this package reads version 1", self.read()[1].damage)


class Compressed(Case):
    def test_the_same_records_with_both_methods_and_any_blocks(self):
        stream = many_points(3000) + b"".join(
            feeds.step_base(-(1 << 32) * (step % 2)) + feeds.point(0, step, step) for step in range(100))
        self.log.write_bytes(stream)
        plain = self.read()
        for xored in (False, True):
            for block_bytes in (256 * 1024, 4096, 1000):
                self.log.write_bytes(feeds.compressed(stream, xored, block_bytes))
                self.assertEqual(self.read(), plain)

    def test_a_damaged_block_is_a_hole(self):
        stream = many_points(5000)
        packed = bytearray(feeds.compressed(stream, False, 24 * 1024))
        packed[len(packed) // 2] ^= 0xFF
        self.log.write_bytes(packed)
        lines, report = self.read()
        self.assertIn("a compressed part is damaged", report.damage)
        self.assertIn("reading continued at offset", report.damage)
        self.assertTrue(24 * 1024 <= report.lost_bytes < 30 * 1024, report)
        self.assertEqual(lines[-1][2], 4999)

    def test_the_table_at_the_end_finds_blocks_if_the_start_is_damaged(self):
        stream = many_points(5000)
        packed = bytearray(feeds.compressed(stream, False, 24 * 1024))
        packed[:16] = bytes(16)
        self.log.write_bytes(packed)
        self.assertEqual(self.read()[1].damage, None)
        packed[-5] ^= 1  # and now nothing says what it is
        self.log.write_bytes(packed)
        self.assertNotEqual(self.read()[1].damage, None)

    def test_a_file_without_its_end_is_read_as_far_as_it_goes(self):
        stream = many_points(5000)
        packed = feeds.compressed(stream, True, 24 * 1024)
        self.log.write_bytes(packed[: len(packed) // 2])
        lines, report = self.read()
        self.assertIn("is truncated or damaged at byte", report.damage)
        self.assertGreater(len(lines), 1000)

    def test_no_block_takes_more_memory_than_a_block_may(self):
        bomb = feeds._compress(bytes(1 << 28))
        packed = b"SWSCPACK" + struct.pack("<II", 1, 0) + struct.pack("<IIII", 1, len(bomb), 512 * 1024, 0) + bomb
        self.log.write_bytes(packed)
        tracemalloc.start()
        report = self.read()[1]
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        self.assertLess(peak, 64 << 20)
        self.assertNotEqual(report.damage, None)


class Ring(Case):
    def test_a_reader_crosses_from_log_to_ring_without_a_seam(self):
        stream = many_points(3000)
        self.log.write_bytes(stream)
        whole = self.read()
        for drained in (len(stream) - 40000, len(stream) - 40001, len(stream) - 24, len(stream)):
            self.log.write_bytes(stream[:drained])
            self.ring.write_bytes(feeds.ring(stream, drained))
            self.assertEqual(self.read(ring=True), whole)

    def test_a_ring_without_a_log(self):
        stream = many_points(100)
        self.ring.write_bytes(feeds.ring(stream, 0))
        lines, report = self.read(ring=True)
        self.assertEqual((report.end, report.damage), (len(stream), None))

    def test_a_log_that_is_longer_than_drained_says_is_read_up_to_there(self):
        stream = many_points(1000)
        self.log.write_bytes(stream[:-48])
        self.ring.write_bytes(feeds.ring(stream, len(stream) - 4800))
        self.assertEqual(self.read(ring=True)[1].end, len(stream))

    def test_a_ring_of_another_stream_does_not_join(self):
        stream, other = many_points(1000), feeds.preamble(b"another") + many_points(1000)[len(feeds.preamble()):]
        self.log.write_bytes(stream[:-4800])
        self.ring.write_bytes(feeds.ring(other, len(stream) - 4800))
        self.assertEqual(self.read(ring=True)[1].end, len(stream) - 4800)

    def test_a_truncated_log_is_a_hole_before_the_ring(self):
        stream = many_points(2000)
        self.log.write_bytes(stream[:20000])
        self.ring.write_bytes(feeds.ring(stream, len(stream) - 30000))
        lines, report = self.read(ring=True)
        self.assertIn("it was truncated: it has 20000 bytes, but its ring says", report.damage)
        self.assertEqual(lines[-1][2], 1999)
        self.assertTrue(len(stream) - 50000 <= report.lost_bytes <= len(stream) - 49900, report)

    def test_impossible_rings_leave_the_log(self):
        stream = many_points(1000)
        self.log.write_bytes(stream)
        good = feeds.ring(stream, len(stream))
        bad = {"short": good[:100], "cut": good[:8192], "magic": b"X" + good[1:], "counters": good[:64] + b"\xff" * 8 + good[72:],
               "capacity": good[:16] + b"\x01" + good[17:], "not ready": good[:8] + bytes(4) + good[12:], "empty": b""}
        for why, ring in bad.items():
            with self.subTest(why):
                self.ring.write_bytes(ring)
                lines, report = self.read(ring=True)
                self.assertEqual(report.end, len(stream))
                self.assertEqual(report.damage is None, why in ("not ready", "empty"), report)

    def test_pipes_and_folders_are_not_waited_for(self):
        stream = many_points(10)
        self.log.write_bytes(stream)
        os.mkfifo(self.ring)
        lines, report = self.read(ring=True)
        self.assertEqual(report.end, len(stream))
        self.assertIn("is not a regular file", report.damage)
        self.log.unlink()
        os.mkfifo(self.log)
        self.assertIn("is not a regular file", self.read()[1].damage)

    def test_a_drain_that_overtakes_the_reader(self):
        stream = many_points(2000)
        drained = len(stream) - 40000
        self.log.write_bytes(stream[:drained])
        self.ring.write_bytes(feeds.ring(stream, drained))
        moved = feedstream.RingView.copy

        def overtaken(ring, offset, most):
            if self.log.stat().st_size < len(stream):  # the agent drains everything, and a later point takes the first place
                self.log.write_bytes(stream)
                data = bytearray(feeds.ring(stream, len(stream)))
                data[4096 + drained % 65536] = 0xAA
                self.ring.write_bytes(data)
            return moved(ring, offset, most)

        for use in WAYS:
            use_numpy(use)
            self.log.write_bytes(stream[:drained])
            self.ring.write_bytes(feeds.ring(stream, drained))
            feedstream.RingView.copy = overtaken
            try:
                trace, report = feedreader.read(str(self.log), str(self.ring), Trace)
            finally:
                feedstream.RingView.copy = moved
            self.assertEqual((report.damage, report.end), (None, len(stream)))
            self.assertEqual(trace.lines[-1][2], 1999)


class Damage(Case):
    def test_reading_continues_after_damaged_bytes_and_says_how_many_were_lost(self):
        stream = bytearray(many_points(1000))
        stream[10000:10100] = b"\xaa" * 100
        self.log.write_bytes(stream)
        lines, report = self.read()
        self.assertTrue(100 <= report.lost_bytes <= 200, report)
        self.assertIn("reading continued at offset", report.damage)
        self.assertEqual(lines[-1][2], 999)

    def test_the_steps_of_a_series_continue_when_its_base_was_lost(self):
        stream = bytearray(many_points(20, ["loss"], 3 << 32))
        base = stream.find(feeds.step_base(3 << 32))
        rest = b"".join(feeds.point(0, (4 << 32) + step, 1) for step in range(3))
        before = b"".join(feeds.point(0, (4 << 32) - 3 + step, 1) for step in range(3))
        stream += before + bytes(16) + rest  # the step base of `rest` became zeros
        self.log.write_bytes(stream)
        lines, report = self.read()
        self.assertEqual([line[2] for line in lines[-6:]], [(4 << 32) - 3 + step for step in range(6)])
        self.assertGreater(base, 0)

    def test_a_table_names_what_was_lost(self):
        start = feeds.preamble() + bytes(40)
        points = b"".join(feeds.point(3, step, step) for step in range(10))
        self.log.write_bytes(start + points + feeds.table(7 << 32, {3: "named", 4: "other"}) + feeds.point(4, 1, 1) + points)
        lines, report = self.read()
        self.assertIn(("series", 3, b"series 3", b""), lines)
        self.assertIn(("series", 4, b"other", b""), lines)
        self.assertEqual(lines[-1][2], (7 << 32) + 9)

    def test_any_damage_reads_the_same_with_and_without_numpy(self):
        chance = random.Random(5)
        stream = many_points(1500, ["a", "b", "c"]) + b"".join(
            feeds.step_base(-(1 << 32) * (step % 2)) + feeds.point(1, step, step) for step in range(60)) + many_points(50)[56:]
        for round_ in range(60):
            damaged = bytearray(stream)
            for _ in range(chance.randrange(1, 5)):
                at, count = chance.randrange(len(damaged)), chance.choice([1, 8, 100, 5000])
                how = chance.randrange(4)
                if how == 0:
                    damaged[at : at + count] = bytes(min(count, len(damaged) - at))
                elif how == 1:
                    damaged[at : at + count] = bytes(chance.randrange(256) for _ in range(min(count, len(damaged) - at)))
                elif how == 2:
                    del damaged[at : at + count]
                else:
                    del damaged[at:]
            self.log.write_bytes(damaged)
            lines, report = self.read()
            self.assertLessEqual(report.lost_bytes, len(damaged))

    def test_garbage_takes_bounded_memory(self):
        chance = random.Random(1)
        for what in (b"\x03" + bytes(7), bytes(chance.randrange(256) for _ in range(4096)), bytes(4096), b"\x02\x00" * 2048):
            self.log.write_bytes(feeds.preamble() + what * ((1 << 20) // len(what)))
            tracemalloc.start()
            feedreader.read(str(self.log), None, lambda: Collector(lambda name: True))
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            self.assertLess(peak, 64 << 20)


class Curves(unittest.TestCase):
    def setUp(self):
        self.addCleanup(use_numpy, True)

    def curve(self, values):
        collector = Collector(lambda name: True)
        collector.series(0, b"loss", b"s")
        for step, value in enumerate(values):
            collector.point(0, step, step, value)
        return join_curves("loss", [collector])

    def test_a_reduced_curve_keeps_ends_and_extremes(self):
        values = [math.sin(step / 50) for step in range(5000)]
        values[1234], values[3000] = 99.0, -99.0
        kept = []
        for use in WAYS:
            use_numpy(use)
            for points in (4, 7, 100, 999, 4999):
                reduced = self.curve(values).reduced(points)
                self.assertLessEqual(len(reduced), points)
                self.assertEqual((reduced.steps[0], reduced.steps[-1]), (0, 4999))
                self.assertTrue({1234, 3000} <= set(map(int, reduced.steps)))
                self.assertEqual(reduced.unit, "s")
                kept.append([int(step) for step in reduced.steps])
        self.assertEqual(kept[:5], kept[-5:])

    def test_numbers_win_over_nan_and_nothing_is_invented(self):
        values = [math.nan] * 100 + [1.0, math.nan, -math.inf] * 100
        for use in WAYS:
            use_numpy(use)
            reduced = self.curve(values).reduced(20)
            self.assertTrue(math.isnan(reduced.values[0]))
            self.assertIn(-math.inf, list(reduced.values))
            self.assertRaises(ValueError, reduced.reduced, 3)
            self.assertEqual(len(self.curve([1.0]).reduced(10)), 1)

    def test_an_empty_curve(self):
        self.assertEqual(repr(Curve("loss")), "Curve('loss': 0 points)")


if not HAS_NUMPY:
    print("without NumPy: only the reading of one point after the other is tested", file=sys.stderr)
if __name__ == "__main__":
    unittest.main()
