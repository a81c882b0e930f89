# SPDX-License-Identifier: MIT
"""Writes images, histograms, texts, tables and artifacts of a rank to the attempt's folder:

    rank-N.media         their bytes, one after the other
    rank-N.media.jsonl   a line of JSON for each: time_ns, step, kind, name, offset, size, hash, ...
    artifacts/HASH-NAME  copies of files

Bytes first, then their line with one write(): a rank that is killed in between leaves bytes that no line names. Every item opens
its files anew, so threads and signal handlers share nothing, and the folder may move (core/engine/inbox.h)."""

import hashlib
import json
import os
import re
import shutil
import sys
import time

from . import png
from .complaint import complain
from .ring import MAX_NAME_BYTES, checked_step

MOST_ITEM_BYTES = 16 << 20
MOST_BYTES = 1 << 30  # of a rank in an attempt
MOST_INDEX_BYTES = 32 << 20
MOST_ARTIFACT_BYTES = 16 << 30
MOST_TEXT_BYTES = 1 << 20
MOST_CAPTION_BYTES = 1024
MOST_ROWS = 10000
MOST_COLUMNS = 1024
BINS = 64

_FORMATS = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif"}


class _OverLimit(Exception):
    """The item is left out; the message says why."""


class MediaWriter:
    """`warn` is called once for each kind of problem: training matters more than its images."""

    def __init__(self, folder, rank, warn):
        self._folder = folder
        self._rank = rank
        self._warn = warn
        self._warned = set()
        self._offsets = {}  # of stored bytes, by hash
        self._artifacts = {}  # names in the folder and sizes, by hash
        self._bytes = 0
        self._index_bytes = 0
        self._read_index()

    def image(self, name, image, step, caption=""):
        data = _image_bytes(image)
        kind = next((kind for start, kind in _FORMATS.items() if data.startswith(start)), None)
        if kind is None:
            raise ValueError("the image {!r} is neither PNG nor JPEG nor GIF".format(name))
        more = {"caption": _cut(str(caption), MOST_CAPTION_BYTES)} if caption else {}
        self._store("image", name, step, data, format=kind, **more)

    def histogram(self, name, values, step):
        self._store_histogram(name, binned(values), step)

    def histogram_of_bins(self, name, counts, edges, step):
        self._store_histogram(name, _checked_bins(counts, edges), step)

    def _store_histogram(self, name, bins, step):
        counts, edges, left_out = bins
        content = {"counts": counts, "edges": edges}
        if left_out:
            content["not_finite"] = left_out
        self._store("histogram", name, step, _json(content))

    def text(self, name, text, step):
        data = str(text)
        if len(data.encode("utf-8", "replace")) > MOST_TEXT_BYTES:
            self._warn_once("text", "the text {!r} is longer than {}, and its end is cut off".format(name, _size(MOST_TEXT_BYTES)))
        self._store("text", name, step, _cut(data, MOST_TEXT_BYTES).encode("utf-8", "replace"))

    def table(self, name, columns, rows, step, kind="table"):
        columns = [str(column) for column in columns]
        if len(columns) > MOST_COLUMNS:
            raise ValueError("the table {!r} has {:,} columns; the limit is {:,}".format(name, len(columns), MOST_COLUMNS))
        kept = []
        for row in rows:
            row = [_cell(value) for value in row]
            if len(row) != len(columns):
                raise ValueError("a row of the table {!r} has {} values for {} columns".format(name, len(row), len(columns)))
            if len(kept) == MOST_ROWS:
                self._warn_once("table", "the table {!r} has more than {:,} rows, and only the first are recorded".format(
                    name, MOST_ROWS))
                break
            kept.append(row)
        self._store(kind, name, step, _json({"columns": columns, "rows": kept}))

    def confusion_matrix(self, name, actual, predicted, labels, step):
        labels, counts = confusion(actual, predicted, labels)
        if len(labels) >= MOST_COLUMNS:
            raise ValueError("the confusion matrix {!r} has {:,} classes; the limit is {:,}".format(
                name, len(labels), MOST_COLUMNS - 1))
        rows = [[label] + row for label, row in zip(labels, counts)]
        self.table(name, ["actual"] + labels, rows, step, "confusion_matrix")

    def artifact(self, path, name, step):
        """A copy: a link would change with a file that is written in place."""
        path = os.fspath(path)
        name = os.path.basename(path) if name is None else name
        _check_name(name)
        size = os.stat(path).st_size
        if not os.path.isfile(path):
            raise ValueError("{} is not a file".format(path))
        try:
            if sum(known for _, known in self._artifacts.values()) + size > MOST_ARTIFACT_BYTES:
                raise _OverLimit("the artifact {!r} is left out: this rank would have more than {} of artifacts".format(
                    name, _size(MOST_ARTIFACT_BYTES)))
            digest = _hash_of_file(path)
            if digest not in self._artifacts:
                folder = os.path.join(self._folder, "artifacts")
                os.makedirs(folder, exist_ok=True)
                stored = "{}-{}".format(digest[:12], _file_name(name))
                temporary = os.path.join(folder, ".{}-{}.tmp".format(self._rank, stored))
                shutil.copyfile(path, temporary)
                os.replace(temporary, os.path.join(folder, stored))
                self._artifacts[digest] = (stored, size)
            stored, size = self._artifacts[digest]
            self._append_line("artifact", name, step, size, digest, file=stored)
        except (_OverLimit, OSError) as problem:
            self._warn_once("artifact", _reason("the artifact {!r} is not recorded".format(name), problem))

    def _store(self, kind, name, step, data, **more):
        _check_name(name)
        step = checked_step(step)
        try:
            if len(data) > MOST_ITEM_BYTES:
                raise _OverLimit("the {} {!r} is left out: it has {}, and the limit is {}".format(
                    kind.replace("_", " "), name, _size(len(data)), _size(MOST_ITEM_BYTES)))
            digest = hashlib.sha256(data).hexdigest()[:32]
            offset = self._offsets.get(digest)
            if offset is None:
                if self._bytes + len(data) > MOST_BYTES:
                    raise _OverLimit("{} {!r} and what follows is left out: this rank has reported {}, which is the limit".format(
                        kind.replace("_", " "), name, _size(MOST_BYTES)))
                self._bytes += len(data)
                offset = self._offsets[digest] = _append(self._path("media"), data)
            self._append_line(kind, name, step, len(data), digest, offset=offset, **more)
        except (_OverLimit, OSError) as problem:
            self._warn_once(kind, _reason("the {} {!r} is not recorded".format(kind.replace("_", " "), name), problem))

    def _append_line(self, kind, name, step, size, digest, **more):
        line = _json({"time_ns": time.time_ns(), "step": checked_step(step), "kind": kind, "name": name, "size": size,
                      "hash": digest, **more}) + b"\n"
        if self._index_bytes + len(line) > MOST_INDEX_BYTES:
            raise _OverLimit("{!r} and what follows is left out: this rank has reported too many images, histograms and others"
                             .format(name))
        self._index_bytes += len(line)
        _append(self._path("media.jsonl"), line)

    def _path(self, ending):
        return os.path.join(self._folder, "rank-{}.{}".format(self._rank, ending))

    def _read_index(self):
        """What an earlier process of this rank has written in the same attempt."""
        try:
            with open(self._path("media.jsonl"), "rb") as file:
                lines = file.read(MOST_INDEX_BYTES)
        except OSError:
            return
        self._index_bytes = len(lines)
        self._bytes = os.path.getsize(self._path("media")) if os.path.exists(self._path("media")) else 0
        for line in lines.splitlines():
            try:
                entry = json.loads(line)
                if "file" in entry:
                    self._artifacts[entry["hash"]] = (entry["file"], entry["size"])
                else:
                    self._offsets[entry["hash"]] = entry["offset"]
            except (ValueError, KeyError, TypeError):
                continue
        if lines and not lines.endswith(b"\n"):  # it was killed while it wrote this line
            _append(self._path("media.jsonl"), b"\n")

    def _warn_once(self, kind, text):
        if kind not in self._warned:
            self._warned.add(kind)
            self._warn(text)


def warn_with(event):
    """Return a function that prints a warning and reports it as an event."""

    def warn(text):
        complain("sweepscope: " + text)
        event(text, kind="warning")

    return warn


def binned(values):
    """Return counts of BINS equal bins, their edges, and how many values are not finite. `values`: numbers, nested in any way, or an
    array of NumPy, a tensor of PyTorch, …"""
    array = _as_numpy(values)
    if array is not None:
        numpy = sys.modules["numpy"]
        if array.dtype.kind not in "biuf":
            raise TypeError("a histogram needs numbers, not values of type {}".format(array.dtype))
        array = array.reshape(-1).astype(float)
        finite = array[numpy.isfinite(array)]
        if not finite.size:
            return [], [], int(array.size)
        low, high = _range_of(float(finite.min()), float(finite.max()))
        places = ((finite / 2 - low / 2) / (high / 2 - low / 2) * BINS).astype(int).clip(0, BINS - 1)
        return numpy.bincount(places, minlength=BINS).tolist(), _edges(low, high), int(array.size - finite.size)
    numbers = list(map(float, _flat(values)))
    finite = [value for value in numbers if value - value == 0]
    if not finite:
        return [], [], len(numbers)
    low, high = _range_of(min(finite), max(finite))
    counts = [0] * BINS
    for value in finite:
        counts[max(0, min(BINS - 1, int((value / 2 - low / 2) / (high / 2 - low / 2) * BINS)))] += 1
    return counts, _edges(low, high), len(numbers) - len(finite)


def _range_of(low, high):
    """A range in which bins have a width. Halves, because the whole may be infinite."""
    largest = max(abs(low), abs(high))
    if high / 2 - low / 2 > largest * 1e-13:
        return low, high
    return (min(low, 0.0), max(high, 0.0)) if largest > 1e300 else (low - max(0.5, largest / 2), high + max(0.5, largest / 2))


def _edges(low, high):
    return [low] + [low * (1 - i / BINS) + high * (i / BINS) for i in range(1, BINS)] + [high]


def _checked_bins(counts, edges):
    counts, edges = [float(count) for count in _flat(counts)], [float(edge) for edge in _flat(edges)]
    if len(edges) != len(counts) + 1 or any(not a < b for a, b in zip(edges, edges[1:])):
        raise ValueError("a histogram needs one more edge than counts, in ascending order")
    if any(not 0 <= count < float("inf") for count in counts) or any(edge - edge != 0 for edge in edges):
        raise ValueError("counts and edges of a histogram must be finite, and counts not negative")
    return [int(count) if count == int(count) else count for count in counts], edges, 0


def confusion(actual, predicted, labels):
    """Return labels as strings, and how many samples of each actual class (rows) were predicted as each class (columns). Classes are
    labels or, as integers, their places."""
    actual, predicted = list(_flat(actual)), list(_flat(predicted))
    if len(actual) != len(predicted):
        raise ValueError("there are {} actual and {} predicted classes".format(len(actual), len(predicted)))
    if labels is None:
        try:
            labels = sorted(set(actual) | set(predicted))
        except TypeError:  # integers and strings
            labels = sorted(set(actual) | set(predicted), key=str)
    else:
        labels = list(_flat(labels))
    places = {label: place for place, label in enumerate(labels)}
    if len(places) < len(labels):
        raise ValueError("labels of a confusion matrix must differ")

    def place_of(value):
        if value in places:
            return places[value]
        if isinstance(value, int) and 0 <= value < len(labels):
            return value
        raise ValueError("{!r} is not among the labels".format(value))

    counts = [[0] * len(labels) for _ in labels]
    for truth, guess in zip(actual, predicted):
        counts[place_of(truth)][place_of(guess)] += 1
    return [str(label) for label in labels], counts


def _image_bytes(image):
    if isinstance(image, (bytes, bytearray, memoryview)) and (not isinstance(image, memoryview) or image.ndim == 1):
        return bytes(image)
    if isinstance(image, (str, os.PathLike)):
        if os.path.getsize(image) > MOST_ITEM_BYTES:
            raise ValueError("{} has {}; the limit is {}".format(image, _size(os.path.getsize(image)), _size(MOST_ITEM_BYTES)))
        with open(image, "rb") as file:
            return file.read()
    return png.encode(image)


def _as_numpy(values):
    """An array of NumPy if `values` is one or a tensor, and NumPy is loaded."""
    if hasattr(values, "detach"):
        values = values.detach().cpu()
        if values.dtype.is_floating_point:
            values = values.double()
        return values.numpy() if "numpy" in sys.modules else None
    if "numpy" in sys.modules and isinstance(values, (sys.modules["numpy"].ndarray, sys.modules["numpy"].generic)):
        return values if hasattr(values, "reshape") else None
    return None


def _flat(values):
    if hasattr(values, "detach"):
        values = values.detach().cpu()
    if hasattr(values, "tolist"):
        values = values.tolist()
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        yield values
        return
    for value in values:
        if isinstance(value, (int, float, str)):
            yield value
        else:
            yield from _flat(value)


def _cell(value):
    if hasattr(value, "item") and getattr(value, "size", 1) == 1 and not hasattr(value, "__len__"):
        value = value.item()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return value if isinstance(value, float) and value - value == 0 else str(value)


def _check_name(name):
    if not isinstance(name, str) or not name:
        raise ValueError("{!r} is not a name: it must be a string, and not empty".format(name))
    if len(name.encode("utf-8", "replace")) > MAX_NAME_BYTES:
        raise ValueError("the name {!r}… has more than {:,} bytes".format(name[:40], MAX_NAME_BYTES))


def _file_name(name):
    return re.sub("[^A-Za-z0-9._-]", "_", name)[-100:]


def _hash_of_file(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for part in iter(lambda: file.read(1 << 20), b""):
            digest.update(part)
    return digest.hexdigest()[:32]


def _append(path, data):
    """Append with one write(), and return where the data begins."""
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        written = os.write(file, data)
        if written < len(data):
            raise OSError("the disk is full")
        return os.lseek(file, 0, os.SEEK_CUR) - written
    finally:
        os.close(file)


def _json(value):
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def _cut(text, most_bytes):
    return text.encode("utf-8", "replace")[:most_bytes].decode("utf-8", "ignore")


def _reason(what, problem):
    return str(problem) if isinstance(problem, _OverLimit) else "{}: {}".format(what, problem)


def _size(count):
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= size:
            return "{:.3g} {}".format(count / size, unit)
    return "{} bytes".format(count)
