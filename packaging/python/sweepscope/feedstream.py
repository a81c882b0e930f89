# SPDX-License-Identifier: MIT
"""The bytes of a feed, by their offset in the stream: from the log file, compressed or not, and from the ring of a rank that
runs. Readers take no locks and never block writers."""

import os
import stat
import struct

from . import packedlog
from .packedlog import fnv1a
from .ring import COMMITTED, DRAINED, HEADER_BYTES, MAGIC, MIN_CAPACITY, VERSION

_MOST_PREAMBLE_BYTES = 4096
_MOST_STREAM_BYTES = 1 << 62
_MOST_CAPACITY = 1 << 40
_OVERTAKINGS = 16  # how often one read meets the drain overtaking it


class Problem(Exception):
    """Why a feed, or its rest, cannot be read."""


def open_regular(path):
    """open() for reading where another program may have put anything. None if there is nothing. Never waits."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Problem("cannot open {}: {}".format(path, error.strerror)) from None
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise Problem("{} is not a regular file".format(path))
    return file


def _read_whole(file, offset, count):
    """Fewer bytes only at the end of the file: one read() returns 2 GiB at most."""
    data = os.pread(file, count, offset)
    while len(data) < count:
        more = os.pread(file, count - len(data), offset + len(data))
        if not more:
            break
        data += more
    return data


class LogFile:
    """A log by stream offset. Holes of a compressed one are parts that cannot be unpacked."""

    def __init__(self, path, file):
        self.path = path
        self.holes = []  # (begin, end, why), of those that read() has met
        self.damage = None  # why the stream ends before its end
        self._file = file
        self._blocks = None  # (stream offset, file offset of the content, header) if it is compressed
        self._stream_bytes = 0
        self._unpacked = (None, b"")
        self._find_blocks()

    def close(self):
        os.close(self._file)

    def size(self):
        return os.fstat(self._file).st_size if self._blocks is None else self._stream_bytes

    def identity(self):
        """What the header of its ring has as the id of the stream; None if there is no preamble."""
        data = self.read(0, _MOST_PREAMBLE_BYTES)
        length = struct.unpack_from("<I", data, 4)[0] if len(data) >= 8 else 0
        return fnv1a(data[:length]) if data[:1] == b"\1" and 8 <= length <= len(data) else None

    def hole_after(self, offset):
        ending = [hole for hole in self.holes if hole[1] > offset]
        return min(ending) if ending else None

    def read(self, offset, count):
        """Less than asked for at the end, or at a hole."""
        if self._blocks is None:
            return _read_whole(self._file, offset, count)
        parts = []
        at, end = offset, min(offset + count, self._stream_bytes)
        number = self._block_of(at)
        while at < end:
            begin, place, header = self._blocks[number]
            if self._unpacked[0] != number:
                try:
                    content = _read_whole(self._file, place, header[1]) if header[1] <= 2 * packedlog.MOST_STREAM_BYTES else b""
                    if len(content) != header[1]:
                        raise packedlog.Damaged("it is truncated")
                    self._unpacked = (number, packedlog.unpack(header[0], content, header[2]))
                except packedlog.Damaged as why:
                    words = "a compressed part is damaged: {} (offset {} of the stream)".format(why, begin)
                    hole = (begin, begin + header[2], words)
                    if hole not in self.holes:
                        self.holes.append(hole)
                    break
            part = self._unpacked[1][at - begin : end - begin]
            parts.append(part)
            at += len(part)
            number += 1
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _block_of(self, offset):
        low, high = 0, len(self._blocks)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._blocks[middle][0] <= offset else (low, middle)
        return low

    def _find_blocks(self):
        start = self._read_file(0, 16)
        if start[:1] == b"\1" and start[8:16] == MAGIC:
            return  # not compressed
        file_bytes = os.fstat(self._file).st_size
        table = packedlog.block_table(self._read_file, file_bytes)
        if table is not None:
            self._add_blocks(table)
            return
        if start[:8] != packedlog.MAGIC:
            return
        version = struct.unpack_from("<I", start, 8)[0] if len(start) >= 12 else 0
        if version == 0:
            raise Problem("{} is truncated or damaged at its start".format(self.path))
        if version > packedlog.VERSION:
            raise Problem("{} is compressed in format version {}, but this package reads version {}; use a newer sweepscope".format(
                self.path, version, packedlog.VERSION))
        self._add_blocks(self._walk(file_bytes))

    def _walk(self, file_bytes):
        """From block to block: there is no table at the end, or it is damaged."""
        at, stream = packedlog.HEADER_BYTES, 0
        while True:
            header = packedlog.block_header(self._read_file(at, 16))
            if header and header[0] == packedlog.END:
                return
            if not header or not 0 < header[2] <= packedlog.MOST_STREAM_BYTES or header[1] > file_bytes - at - 16:
                self.damage = ("{} is truncated or damaged at byte {}, which is offset {} of the stream; everything before it was "
                               "read".format(self.path, at, stream))
                return
            yield header
            at += 16 + header[1]
            stream += header[2]

    def _add_blocks(self, headers):
        self._blocks = []
        at = packedlog.HEADER_BYTES
        for header in headers:
            self._blocks.append((self._stream_bytes, at + 16, header))
            self._stream_bytes += header[2]
            at += 16 + header[1]

    def _read_file(self, offset, count):
        return _read_whole(self._file, offset, count)


class RingView:
    """A ring for reading. It reads the file instead of mapping it: a rank may truncate it at any time."""

    def __init__(self, path, file):
        self.path = path
        self._file = file
        header = os.pread(file, HEADER_BYTES, 0)
        self.is_ready = len(header) > 0 and header[8:12] != bytes(4)
        if not self.is_ready:
            return
        size = os.fstat(file).st_size
        if len(header) < HEADER_BYTES or header[:8] != MAGIC:
            raise Problem("{} is not a telemetry ring".format(path))
        version, header_bytes, self.capacity, self.stream_id = struct.unpack_from("<IIQQ", header, 8)
        if version > VERSION:
            raise Problem("the telemetry ring {} has format version {}, but this package reads version {}; use a newer "
                          "sweepscope".format(path, version, VERSION))
        self._bytes = HEADER_BYTES + self.capacity
        if (header_bytes != HEADER_BYTES or not MIN_CAPACITY <= self.capacity <= _MOST_CAPACITY
                or self.capacity & (self.capacity - 1) or size < self._bytes):
            raise Problem("{} is not a telemetry ring: its sizes are impossible".format(path))

    def close(self):
        os.close(self._file)

    def is_finished(self):
        """Its agent has removed it, and the log has everything."""
        return os.fstat(self._file).st_nlink == 0 and self.word(DRAINED) == self.word(COMMITTED)

    def word(self, index):
        """A counter of the header. Read twice: reading a file need not load the word at once."""
        word = None
        for _ in range(100):
            data = os.pread(self._file, 8, 8 * index)
            if len(data) < 8:
                raise Problem("the telemetry ring {} was truncated".format(self.path))
            if data == word:
                break
            word = data
        return int.from_bytes(data, "little")

    def is_possible(self, drained_before):
        """Whether the counters can be those of a ring that had drained so much a moment ago."""
        committed = self.word(COMMITTED)
        drained = self.word(DRAINED)
        return (committed % 8 == 0 and drained_before <= committed <= _MOST_STREAM_BYTES
                and (drained >= committed or committed - drained <= self.capacity))

    def copy(self, offset, most):
        """The bytes from `offset` on, which is not below a value of `drained` just read. None: the log has them now."""
        committed = self.word(COMMITTED)
        if committed % 8 or not offset <= committed <= _MOST_STREAM_BYTES:
            raise self._impossible(offset, committed)
        count = min(committed - offset, most, self.capacity)
        place = offset % self.capacity
        until_end = min(count, self.capacity - place)
        data = _read_whole(self._file, HEADER_BYTES + place, until_end) + _read_whole(self._file, HEADER_BYTES, count - until_end)
        drained = self.word(DRAINED)
        if len(data) < count or os.fstat(self._file).st_size < self._bytes:
            raise Problem("the telemetry ring {} was truncated".format(self.path))
        if drained > offset:
            return None
        if committed - drained > self.capacity:
            raise self._impossible(offset, committed)
        return data

    def _impossible(self, offset, committed):
        return Problem("the ring {} is damaged at offset {}: its counters say that {} bytes were written and {} saved".format(
            self.path, offset, committed, self.word(DRAINED)))


class Stream:
    """Log and ring as one. What was there when it was opened can be read; what comes later cannot."""

    def __init__(self, log_path, ring_path=None):
        self.problem = None  # of the ring, or of what follows the last byte
        self.has_ring = False
        self._log = self._ring = self._cut = None
        # The ring first: if it is gone by now, all that it had is in the log that is opened after it.
        ring = self._open_ring(ring_path) if ring_path else None
        file = None
        try:
            file = open_regular(log_path)
            self._log = LogFile(log_path, file) if file is not None else None
        except Problem as why:
            self.problem = str(why)
            if file is not None:
                os.close(file)
        self._log_path = log_path
        if ring and self._is_foreign(ring):
            ring.close()
        elif ring:
            self._ring, self.has_ring = ring, True
        self.end = self._end()

    def close(self):
        for part in (self._log, self._ring):
            if part:
                part.close()
        self._log = self._ring = None

    def fetch(self, offset, most):
        """Bytes of the stream from `offset` on: less than asked for at the end, or at a hole."""
        most = min(most, self.end - offset)
        for _ in range(_OVERTAKINGS):
            try:
                data = self._try_to_fetch(offset, most)
            except Problem as why:
                self._lose_ring(why)
                self.end = self._log.size() if self._log else 0
                continue
            if data is not None:
                return data
        return b""

    def hole_at(self, offset):
        """(begin, end, why) of bytes that never come, if there are any at `offset`."""
        if self._cut and self._cut[0] <= offset < self._cut[1]:
            return self._cut
        hole = self._log.hole_after(offset) if self._log else None
        return hole if hole and hole[0] <= offset else None

    def final_problem(self):
        """Why the stream ends here, if that is not its end."""
        return self.problem or (self._log.damage if self._log else None)

    def _try_to_fetch(self, offset, most):
        self._cut = None
        drained = self._ring.word(DRAINED) if self._ring else 0
        size = self._log.size() if self._log else 0
        if self._ring and size < drained:
            if not self._ring.is_possible(drained):
                raise Problem("the ring {} is damaged: it says that {} bytes were saved in {}, which has {}".format(
                    self._ring.path, drained, self._log_path, size))
            self._cut = (size, drained, "it was truncated: it has {} bytes, but its ring says that {} were saved there".format(
                size, drained))
        in_log = drained if self._ring else size
        data = b""
        if offset < min(in_log, size):
            data = self._log.read(offset, min(in_log, size, offset + most) - offset)
        reached = offset + len(data)
        if not self._ring or reached < in_log or len(data) >= most:
            return data
        tail = self._ring.copy(reached, most - len(data))
        if tail is None:
            return data or None
        return bytes(data) + tail

    def _end(self):
        if self._ring:
            try:
                return self._ring.word(COMMITTED)
            except Problem as why:
                self._lose_ring(why)
        return self._log.size() if self._log else 0

    def _open_ring(self, path):
        try:
            file = open_regular(path)
            ring = None
            if file is not None:
                try:
                    ring = RingView(path, file)
                    if ring.is_ready and not ring.is_finished():
                        return ring
                except Problem:
                    os.close(file)
                    raise
                os.close(file)
        except Problem as why:
            self.problem = str(why)
        return None

    def _is_foreign(self, ring):
        """A link may point to the ring of another attempt that took the name. Its bytes must not join this log."""
        try:
            identity = self._log.identity() if self._log else None
            return identity != ring.stream_id if identity is not None else ring.word(DRAINED) != 0
        except Problem:
            return True

    def _lose_ring(self, why):
        self.problem = self.problem or str(why)
        if self._ring:
            self._ring.close()
            self._ring = None
