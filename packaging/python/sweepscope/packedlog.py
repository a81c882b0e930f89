# SPDX-License-Identifier: MIT
"""Blocks of a compressed feed, made to the bytes of the stream again. All input is untrusted, and memory is bounded."""

import struct
from itertools import accumulate

from .arrays import numpy

MAGIC = b"SWSCPACK"
VERSION = 1
HEADER_BYTES = 16
MOST_STREAM_BYTES = 512 * 1024

END, COLUMNS, XORED_COLUMNS = 0, 1, 2

_BLOCK = struct.Struct("<IIII")  # method, content bytes, stream bytes, 0
_FOOTER = struct.Struct("<IIQ8s")  # version, blocks, checksum of what comes before it, "SWSCPEND"
_POINT_BYTES = 24


class Damaged(Exception):
    """A block is not what its header says."""


class NoDecompressor(Exception):
    """This machine has no zstd for Python."""


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def block_header(data):
    """Returns method, content bytes and stream bytes; None if `data` is too short."""
    return _BLOCK.unpack(data)[:3] if len(data) == _BLOCK.size else None


def block_table(read, file_bytes):
    """The block headers from the end of the file; None if there is no valid table. `read(offset, count)` reads the file."""
    least = HEADER_BYTES + _BLOCK.size + _FOOTER.size
    if file_bytes < least:
        return None
    footer = read(file_bytes - _FOOTER.size, _FOOTER.size)
    if len(footer) != _FOOTER.size:
        return None
    version, blocks, checksum, magic = _FOOTER.unpack(footer)
    if magic != b"SWSCPEND" or version != VERSION or blocks > (file_bytes - least) // _BLOCK.size:
        return None
    table = read(file_bytes - _FOOTER.size - blocks * _BLOCK.size, blocks * _BLOCK.size)
    left = file_bytes - least - len(table)
    if len(table) != blocks * _BLOCK.size:
        return None
    headers = [header[:3] for header in _BLOCK.iter_unpack(table)]
    for _, content, stream in headers:
        left -= _BLOCK.size + content
        if not 0 < stream <= MOST_STREAM_BYTES or left < 0:
            return None
    return headers if left == 0 and fnv1a(table + footer[:8]) == checksum else None


def unpack(method, content, stream_bytes):
    """The bytes of the stream in a block."""
    if stream_bytes > MOST_STREAM_BYTES:
        raise Damaged("it claims to have {} bytes".format(stream_bytes))
    if method not in (COLUMNS, XORED_COLUMNS):
        raise Damaged("its compression method is unknown")
    # Columns add two counts and the runs, of which there is one for 8 bytes at most.
    data = _decompress(content, 2 * stream_bytes + 64)
    if len(data) < 8:
        raise Damaged("its columns are inconsistent")
    run_count, points = struct.unpack_from("<II", data)
    at = 8 + 8 * run_count
    if at > len(data) or points * _POINT_BYTES > stream_bytes:
        raise Damaged("its columns are inconsistent")
    runs = list(struct.iter_unpack("<II", data[8:at]))
    others = sum(run[1] for run in runs)
    if sum(run[0] for run in runs) != points or others + points * _POINT_BYTES != stream_bytes or len(data) - at != stream_bytes:
        raise Damaged("its columns are inconsistent")
    columns_at = at + others
    join = _points_with_numpy if numpy() else _points
    records = memoryview(join(data, columns_at, points, method == XORED_COLUMNS))
    if run_count == 1 and not others:
        return records
    stream = bytearray()
    next_point = 0
    for count, other_bytes in runs:
        end = next_point + count * _POINT_BYTES
        stream += records[next_point:end]
        stream += data[at : at + other_bytes]
        next_point = end
        at += other_bytes
    return stream


def _points_with_numpy(data, at, count, xored):
    if not count:
        return b""
    np = numpy()

    def column(width):
        nonlocal at
        planes = np.frombuffer(data, np.uint8, width * count, at).reshape(width, count)
        at += width * count
        return np.array(planes.T, order="C").view("<u{}".format(width)).reshape(count)

    points = np.empty(count, [("head", "<u4"), ("step", "<u4"), ("time", "<u8"), ("value", "<u8")])
    points["head"] = heads = column(4)
    steps, times, values = column(4), column(8), column(8)
    np.cumsum(times, out=times)
    series = (heads >> 16).astype(np.uint16)
    if (series == series[0]).all():
        np.cumsum(steps, dtype=np.uint32, out=steps)
        if xored:
            np.bitwise_xor.accumulate(values, out=values)
    else:
        # Series by series: sums over all of them, less what those before had come to.
        order = np.argsort(series, kind="stable")
        starts = np.flatnonzero(np.diff(series[order], prepend=~series[order[0]]))
        lengths = np.diff(np.append(starts, count))
        sums = np.cumsum(steps[order], dtype=np.uint32)
        steps[order] = sums - np.repeat(np.where(starts > 0, sums[starts - 1], 0).astype(np.uint32), lengths)
        if xored:
            sums = np.bitwise_xor.accumulate(values[order])
            values[order] = sums ^ np.repeat(np.where(starts > 0, sums[starts - 1], 0).astype(np.uint64), lengths)
    points["step"], points["time"], points["value"] = steps, times, values
    return points.view(np.uint8)


def _points(data, at, count, xored):
    def column(code, width):
        nonlocal at
        words = bytearray(width * count)
        for plane in range(width):
            words[plane::width] = data[at : at + count]
            at += count
        return memoryview(words).cast(code) if count else ()

    heads, steps, times, values = column("I", 4), column("I", 4), column("Q", 8), column("Q", 8)
    times = accumulate(times, lambda a, b: (a + b) & 0xFFFFFFFFFFFFFFFF)
    last_steps, last_values = {}, {}
    stream = bytearray(count * _POINT_BYTES)
    pack, place = struct.Struct("<IIQQ").pack_into, 0
    for head, step, time, value in zip(heads, steps, times, values):
        series = head >> 16
        step = last_steps[series] = (step + last_steps.get(series, 0)) & 0xFFFFFFFF
        if xored:
            value = last_values[series] = value ^ last_values.get(series, 0)
        pack(stream, place, head, step, time, value)
        place += _POINT_BYTES
    return stream


_decompressor = None


def _decompress(content, most):
    """A zstd frame of at most `most` bytes."""
    global _decompressor
    if _decompressor is None:
        _decompressor = _find_decompressor()
    return _decompressor(bytes(content), most)


def _find_decompressor():
    for find in (_with_libzstd, _with_python, _with_zstandard):
        try:
            return find()
        except (ImportError, OSError, AttributeError):
            continue
    raise NoDecompressor("this feed is compressed, and there is no zstd here: install libzstd, or pip install zstandard")


def _with_libzstd():
    import ctypes

    library = ctypes.CDLL("libzstd.so.1")
    library.ZSTD_decompress.restype = ctypes.c_size_t
    library.ZSTD_decompress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    library.ZSTD_isError.argtypes = [ctypes.c_size_t]
    library.ZSTD_getErrorName.argtypes = [ctypes.c_size_t]
    library.ZSTD_getErrorName.restype = ctypes.c_char_p

    def decompress(content, most):
        out = bytearray(most)
        size = library.ZSTD_decompress((ctypes.c_char * most).from_buffer(out), most, content, len(content))
        if library.ZSTD_isError(size):
            raise Damaged(library.ZSTD_getErrorName(size).decode("ascii", "replace"))
        return memoryview(out)[:size]

    return decompress


def _with_python():
    from compression import zstd  # Python 3.14

    def decompress(content, most):
        one = zstd.ZstdDecompressor()
        try:
            data = one.decompress(content, max_length=most)
        except zstd.ZstdError as error:
            raise Damaged(str(error)) from None
        if not one.eof or one.unused_data:
            raise Damaged("it is not one whole frame")
        return memoryview(data)

    return decompress


def _with_zstandard():
    import zstandard

    def decompress(content, most):
        try:
            if not 0 <= zstandard.frame_content_size(content) <= most:
                raise Damaged("it is too long")
            return memoryview(zstandard.ZstdDecompressor().decompress(content))
        except zstandard.ZstdError as error:
            raise Damaged(str(error)) from None

    return decompress
