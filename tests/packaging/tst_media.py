"""Images, histograms, texts, tables and artifacts of the Python package: what is written, and what a reader makes of it. NumPy and PIL
are used if they are installed."""

import contextlib
import json
import math
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib
from pathlib import Path
from unittest import mock

PYTHON = Path(__file__).resolve().parents[2] / "packaging" / "python"
sys.path.insert(0, str(PYTHON))

from sweepscope import frameworks, media, mediareader, png, tensorboard, wandb  # noqa: E402
from sweepscope import run as reporting  # noqa: E402
from tst_integrations import Recorder  # noqa: E402

try:
    import numpy
except ImportError:
    numpy = None
try:
    import PIL.Image as pil
except ImportError:
    pil = None


def pixels_of(data):
    """Decodes what png.encode() writes: rows of bytes."""
    at, rows, header = 8, b"", None
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        content = data[at + 8 : at + 8 + size]
        assert struct.unpack_from(">I", data, at + 8 + size)[0] == zlib.crc32(kind + content)
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", content)
        rows += content if kind == b"IDAT" else b""
        at += 12 + size
    width, height, channels = header[0], header[1], {0: 1, 4: 2, 2: 3, 6: 4}[header[3]]
    rows = zlib.decompress(rows)
    stride = width * channels + 1
    assert len(rows) == height * stride and all(rows[y * stride] == 0 for y in range(height))
    return [list(rows[y * stride + 1 : (y + 1) * stride]) for y in range(height)]


class Written(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        self.complaints = []
        for module in (media, wandb, tensorboard):
            patched = mock.patch.object(module, "complain", self.complaints.append)
            patched.start()
            self.addCleanup(patched.stop)
        patched = mock.patch.dict(os.environ, SWEEPSCOPE_ATTEMPT_FOLDER=self.folder)
        patched.start()
        self.addCleanup(patched.stop)
        tensorboard._has_complained = False
        wandb._complained.clear()
        self.begin()

    def begin(self):
        self.recorder = Recorder()
        self.run_ = frameworks._run = reporting.Run(self.recorder, 0, 1, {})
        self.addCleanup(setattr, frameworks, "_run", None)

    def items(self, rank=0):
        items, damaged = mediareader.read(self.folder, 1, rank)
        self.assertEqual(damaged, 0)
        return items

    def file(self, name):
        return Path(self.folder, name)


class Items(Written):
    def test_everything_is_read_as_it_was_written(self):
        image = png.encode([[0, 255], [128, 64]])
        self.run_.image("val/samples", image, step=3, caption="größe")
        self.run_.text("sample", "once upon\na time", 4)
        self.run_.table("errors", ["id", "text", "p"], [[1, "a", 0.5], (2, None, math.nan), [True, b"x", math.inf]], step=5)
        self.run_.histogram("weights", [1, 2, [3, 4], math.nan], step=6)
        model = Path(self.folder, "mödel 1.pt")
        model.write_bytes(b"weights")
        self.run_.artifact(model, step=7)
        items = self.items()
        self.assertEqual([(item.kind, item.name, item.step) for item in items], [
            ("image", "val/samples", 3), ("text", "sample", 4), ("table", "errors", 5), ("histogram", "weights", 6),
            ("artifact", "mödel 1.pt", 7)])
        self.assertEqual((items[0].read(), items[0].format, items[0].caption), (image, "png", "größe"))
        self.assertEqual(items[1].value, "once upon\na time")
        self.assertEqual(items[2].value, {"columns": ["id", "text", "p"],
                                          "rows": [[1, "a", 0.5], [2, None, "nan"], [True, "b'x'", "inf"]]})
        histogram = items[3].value
        self.assertEqual((sum(histogram["counts"]), histogram["edges"][0], histogram["edges"][-1], histogram["not_finite"]), (4, 1, 4, 1))
        self.assertEqual(items[4].read(), b"weights")
        self.assertTrue(os.path.basename(items[4].path).endswith("-m_del_1.pt"), items[4].path)
        self.assertEqual(self.complaints, [])

    def test_equal_bytes_are_stored_once(self):
        self.run_.text("a", "same", 1)
        self.run_.text("b", "same", 2)
        file = Path(self.folder, "model.pt")
        for step, content in enumerate((b"one", b"one", b"two")):
            file.write_bytes(content)  # in place: what was recorded must not change
            self.run_.artifact(file, step=step)
        items = self.items()
        self.assertEqual([item.value for item in items], ["same", "same", b"one", b"one", b"two"])
        self.assertEqual(self.file("rank-0.media").stat().st_size, 4)
        self.assertEqual(len(os.listdir(self.file("artifacts"))), 2)

    def test_a_later_process_of_the_rank_continues(self):
        self.run_.text("a", "same", 1)
        self.file("rank-0.media.jsonl").write_bytes(self.file("rank-0.media.jsonl").read_bytes() + b'{"time_ns":1,"st')
        self.begin()
        self.run_.text("a", "same", 2)
        self.run_.text("a", "other", 3)
        items, damaged = mediareader.read(self.folder, 1, 0)
        self.assertEqual(([item.value for item in items], damaged), (["same", "same", "other"], 1))
        self.assertEqual(self.file("rank-0.media").read_bytes(), b"sameother")

    def test_a_killed_rank_leaves_no_torn_item(self):
        script = "\n".join((
            "from sweepscope import media", "import sys",
            "writer = media.MediaWriter(sys.argv[1], 0, print)",
            "for step in range(10 ** 9):", "    writer.text('t', '{:09}'.format(step) * 5000, step)"))
        for seconds in (0.05, 0.1, 0.15):
            process = subprocess.Popen([sys.executable, "-c", script, self.folder], env={**os.environ, "PYTHONPATH": str(PYTHON)})
            deadline = time.monotonic() + 30
            while not self.file("rank-0.media.jsonl").exists() and time.monotonic() < deadline:
                time.sleep(0.01)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
            process.send_signal(signal.SIGKILL)
            process.wait()
            items = self.items()
            self.assertTrue(items)
            for item in items:
                self.assertEqual(item.value, "{:09}".format(item.step) * 5000)

    def test_a_run_that_does_not_report_writes_nothing(self):
        run = reporting.Run(None, 0, 1, {})
        run.image("i", "no such file")
        run.artifact("no such file")
        self.assertEqual(os.listdir(self.folder), [])

    def test_only_a_wrong_argument_raises(self):
        for call in (lambda: self.run_.image("i", b"no image"), lambda: self.run_.image("i", [[1, 2], [3]]),
                     lambda: self.run_.image("", png.encode([[1]])), lambda: self.run_.text(None, "t"),
                     lambda: self.run_.table("t", ["a"], [[1, 2]]), lambda: self.run_.image("i", [[[1] * 5]]),
                     lambda: self.run_.confusion_matrix("c", [0], [0, 1]), lambda: self.run_.confusion_matrix("c", [0], [7], ["a"]),
                     lambda: self.run_._histogram_of_bins("h", [1], [0], 0)):
            with self.assertRaises(ValueError):
                call()
        with self.assertRaises(OSError):
            self.run_.artifact(os.path.join(self.folder, "missing"))
        self.assertEqual(self.items(), [])
        with mock.patch.object(os, "write", side_effect=OSError(28, "No space left on device")):
            self.run_.text("t", "x")
            self.run_.text("t", "y")
        self.assertEqual(len(self.complaints), 1)
        self.assertIn("No space left", self.complaints[0])
        self.assertEqual(self.recorder.events[0][0], "warning")
        self.run_.text("t", "x", 9)
        self.assertEqual([item.value for item in self.items()], ["x"])

    def test_limits_are_warnings(self):
        file = Path(self.folder, "file")
        file.write_bytes(b"12345")
        with mock.patch.multiple(media, MOST_ITEM_BYTES=20, MOST_TEXT_BYTES=10, MOST_ROWS=2, MOST_ARTIFACT_BYTES=4):
            self.run_.text("long", "0123456789ä")
            self.run_.image("large", png.encode([[0] * 9]))
            self.run_.artifact(file)
        with mock.patch.multiple(media, MOST_ROWS=2):
            self.run_.table("t", ["a"], [[1], [2], [3]])
        with mock.patch.multiple(media, MOST_BYTES=60):
            self.run_.confusion_matrix("c", [1, 2, 3], [1, 2, 3])
        self.assertEqual([item.value for item in self.items()], ["0123456789", {"columns": ["a"], "rows": [[1], [2]]}])
        self.assertEqual(len(self.complaints), 5, self.complaints)

    def test_the_index_has_a_limit(self):
        with mock.patch.multiple(media, MOST_INDEX_BYTES=300):
            for step in range(100):
                self.run_.text("t", "x", step)
        self.assertLessEqual(self.file("rank-0.media.jsonl").stat().st_size, 300)
        self.assertEqual(len(self.complaints), 1)


class Reading(Written):
    def test_hostile_lines_are_skipped_and_counted(self):
        good = {"time_ns": 1, "step": 2, "kind": "text", "name": "t", "size": 3, "hash": "h", "offset": 0}
        bad = [{**good, "offset": -1}, {**good, "size": 1 << 40}, {**good, "kind": "program"}, {**good, "name": 5}, {**good, "step": 1 << 64},
               {**good, "kind": "artifact", "file": "../secret"}, {**good, "kind": "artifact", "file": ".hidden"},
               {**good, "kind": "artifact"}, {**good, "step": True}, [], 5, {}]
        lines = [json.dumps(good)] + [json.dumps(each) for each in bad] + ["[" * 100000, "\0\xff", '{"time_ns":']
        self.file("rank-0.media.jsonl").write_text("\n".join(lines), encoding="latin-1")
        items, damaged = mediareader.read(self.folder, 1, 0)
        self.assertEqual((len(items), damaged), (1, len(lines) - 1))
        with self.assertRaises(FileNotFoundError):
            items[0].read()
        self.file("rank-0.media").write_bytes(b"ab")
        with self.assertRaisesRegex(OSError, "incomplete"):
            items[0].read()

    def test_a_size_that_no_memory_holds_is_incomplete(self):
        line = {"time_ns": 1, "step": 2, "kind": "artifact", "name": "t", "size": 1 << 62, "hash": "h", "file": "a.bin"}
        self.file("rank-0.media.jsonl").write_text(json.dumps(line) + "\n")
        (item,), damaged = mediareader.read(self.folder, 1, 0)
        self.assertEqual(damaged, 0)
        folder = Path(item.path).parent
        folder.mkdir(exist_ok=True)
        Path(item.path).write_bytes(b"ab")
        with self.assertRaisesRegex(OSError, "incomplete"):
            item.read()

    def test_a_pipe_does_not_block(self):
        os.mkfifo(self.file("rank-0.media.jsonl"))
        self.assertEqual(mediareader.read(self.folder, 1, 0), ([], 1))


class Images(unittest.TestCase):
    def test_pixels_of_lists(self):
        self.assertEqual(pixels_of(png.encode([[0, 255, 300], [1, -5, 2]])), [[0, 255, 255], [1, 0, 2]])
        self.assertEqual(pixels_of(png.encode([[[1, 2, 3], [4, 5, 6]]])), [[1, 2, 3, 4, 5, 6]])
        self.assertEqual(pixels_of(png.encode([[0.0, 0.5, 1.0, math.nan]])), [[0, 128, 255, 0]])
        self.assertEqual(pixels_of(png.encode([[True, False]])), [[255, 0]])

    @unittest.skipUnless(numpy, "NumPy is not installed")
    def test_pixels_of_arrays(self):
        image = numpy.arange(24, dtype="uint8").reshape(2, 4, 3)
        self.assertEqual(pixels_of(png.encode(image)), image.reshape(2, 12).tolist())
        self.assertEqual(pixels_of(png.encode(image.transpose(1, 0, 2)[::-1])),
                         image.transpose(1, 0, 2)[::-1].reshape(4, 6).tolist())
        self.assertEqual(pixels_of(png.encode(numpy.array([[0.0, 0.5], [1.0, numpy.nan]], dtype="float16"))), [[0, 128], [255, 0]])
        self.assertEqual(pixels_of(png.encode(numpy.array([[True, False]]))), [[255, 0]])
        self.assertEqual(pixels_of(png.encode(numpy.array([[500, -3]]))), [[255, 0]])
        for shape in ((2, 2, 5), (3,), (0, 4)):
            with self.assertRaises(ValueError):
                png.encode(numpy.zeros(shape))

    @unittest.skipUnless(numpy and pil, "NumPy and PIL are not installed")
    def test_pil_reads_and_is_read(self):
        import io

        image = numpy.random.default_rng(1).integers(0, 256, (7, 5, 4), dtype="uint8")
        self.assertTrue((numpy.asarray(pil.open(io.BytesIO(png.encode(image)))) == image).all())
        self.assertTrue((numpy.asarray(pil.open(io.BytesIO(png.encode(pil.fromarray(image))))) == image).all())


class Histograms(unittest.TestCase):
    RANGES = ([0], [5, 5], [1e308, -1e308], [1e308], [1e16, 1e16 + 2], [1e-310, 0], [5e-324], list(range(65)), [-3, -1], [math.inf], [])

    def assert_sane(self, values):
        counts, edges, left_out = media.binned(values)
        finite = [value for value in values if math.isfinite(value)]
        self.assertEqual((sum(counts), left_out), (len(finite), len(values) - len(finite)))
        if finite:
            self.assertEqual((len(counts), len(edges)), (media.BINS, media.BINS + 1))
            self.assertTrue(all(map(math.isfinite, edges)) and edges[0] <= min(finite) and edges[-1] >= max(finite), edges)
            self.assertTrue(all(a < b for a, b in zip(edges, edges[1:])), edges)
        return counts, edges, left_out

    def test_every_value_is_in_a_bin(self):
        for values in self.RANGES:
            self.assert_sane(values)

    @unittest.skipUnless(numpy, "NumPy is not installed")
    def test_arrays_and_lists_have_equal_bins(self):
        for values in self.RANGES:
            self.assertEqual(media.binned(numpy.array(values, dtype=float)), self.assert_sane(values))
        self.assertEqual(media.binned(numpy.array([[1, 2], [3, 4]], dtype="uint8"))[0], media.binned([1, 2, 3, 4])[0])


class Confusion(Written):
    def test_rows_are_actual_classes(self):
        self.run_.confusion_matrix("c", [0, 0, 1, "dog"], [0, 1, 1, "cat"], labels=["cat", "dog"], step=2)
        self.run_.confusion_matrix("d", [3, 1], [1, 1])
        items = self.items()
        self.assertEqual([item.kind for item in items], ["confusion_matrix"] * 2)
        self.assertEqual(items[0].value, {"columns": ["actual", "cat", "dog"], "rows": [["cat", 1, 1], ["dog", 1, 1]]})
        self.assertEqual(items[1].value, {"columns": ["actual", "1", "3"], "rows": [["1", 1, 0], ["3", 1, 0]]})


class Trackers(Written):
    def test_wandb(self):
        wandb.init()
        self.addCleanup(wandb.finish)
        table = wandb.Table(columns=["a", "b"], data=[[1, 2]])
        table.add_data(3, wandb.Image([[1]]))
        table.add_column("c", ["x", "y"])
        file = Path(self.folder, "model.pt")
        file.write_bytes(b"m")
        wandb.log({"loss": 1, "val": {"image": wandb.Image([[5]], caption="five"), "acc": 2}, "table": table,
                   "many": [wandb.Image([[1]]), wandb.Image([[2]])], "h": wandb.Histogram(np_histogram=([1, 2], [0, 1, 2]))})
        artifact = wandb.Artifact("model", type="model")
        artifact.add_file(str(file))
        wandb.log_artifact(artifact)
        self.assertEqual([(item.kind, item.name, item.step) for item in self.items()], [
            ("image", "val.image", 0), ("table", "table", 0), ("image", "many/0", 0), ("image", "many/1", 0), ("histogram", "h", 0),
            ("artifact", "model.pt", 1)])
        self.assertEqual(self.items()[0].caption, "five")
        self.assertEqual(self.items()[1].value, {"columns": ["a", "b", "c"], "rows": [[1, 2, "x"], [3, "image", "y"]]})
        self.assertEqual(self.items()[4].value, {"counts": [1, 2], "edges": [0.0, 1.0, 2.0]})
        self.assertEqual(self.recorder.points, [(0, "loss", 1), (0, "val.acc", 2)])
        self.assertEqual(self.complaints, [])

    def test_summary_writer(self):
        writer = tensorboard.SummaryWriter()
        image = [[[1, 2, 3], [4, 5, 6]]] * 3  # three channels of equal values
        writer.add_image("chw", image, 1)
        writer.add_image("hw", [[1, 2, 3], [4, 5, 6]], 2, dataformats="HW")
        writer.add_images("batch", [image, image], 3)
        writer.add_histogram("weights", [1, 2, 3], 4, bins="auto")
        writer.add_text("words", "hello", 5)
        with self.assertRaises(ValueError):
            writer.add_image("x", image, dataformats="XYZ")
        items = self.items()
        self.assertEqual([(item.name, item.step) for item in items],
                         [("chw", 1), ("hw", 2), ("batch/0", 3), ("batch/1", 3), ("weights", 4), ("words", 5)])
        self.assertEqual(pixels_of(items[0].read()), [[1, 1, 1, 2, 2, 2, 3, 3, 3], [4, 4, 4, 5, 5, 5, 6, 6, 6]])
        self.assertEqual(pixels_of(items[1].read()), [[1, 2, 3], [4, 5, 6]])

    @unittest.skipUnless(numpy, "NumPy is not installed")
    def test_summary_writer_with_arrays(self):
        image = numpy.arange(30, dtype="uint8").reshape(3, 2, 5)
        tensorboard.SummaryWriter().add_image("chw", image, 1)
        self.assertEqual(pixels_of(self.items()[0].read()), image.transpose(1, 2, 0).reshape(2, 15).tolist())


if __name__ == "__main__":
    unittest.main()
