"""Writes feeds as core/feed/sweepscope_feed.h specifies them, plain and compressed, for tests and benchmarks of their reader."""
import ctypes
import struct

CREATED = 1700000000000000000


def record(kind, series, payload):
    padding = bytes(-len(payload) % 8)
    return struct.pack("<BBHI", kind, 0, series, 8 + len(payload) + len(padding)) + payload + padding


def preamble(attempt=b"attempt", rank=0, world_size=1):
    return record(1, 0, b"SWSCFEED" + struct.pack("<IiiIq", 1, rank, world_size, 0, CREATED) + attempt)


def series(number, name, unit=""):
    name, unit = name.encode(), unit.encode()
    return record(2, number, struct.pack("<HHI", len(name), len(unit), 0) + name + unit)


def point(number, step, value, time=CREATED):
    return struct.pack("<BBHIqd", 3, 0, number, step & 0xFFFFFFFF, time, value)


def step_base(base):
    return record(6, 0, struct.pack("<q", base))


def event(text, step=0, kind=1):
    return record(4, 0, struct.pack("<qqHHI", CREATED, step, kind, len(text.encode()), 0) + text.encode())


def gap(dropped):
    return record(5, 0, struct.pack("<qQ", CREATED, dropped))


def table(base, names):
    entries = b"".join(struct.pack("<HHHH", number, len(name.encode()), 0, 0) + name.encode() for number, name in names.items())
    return record(7, 0, struct.pack("<qII", base, len(names), 0) + entries)


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def ring(stream, drained, capacity=64 * 1024, committed=None):
    """The file of a ring that has the bytes of `stream` from `drained` on."""
    committed = len(stream) if committed is None else committed
    data = bytearray(capacity)
    for at in range(drained, min(len(stream), drained + capacity)):
        data[at % capacity] = stream[at]
    (preamble_bytes,) = struct.unpack_from("<I", stream, 4)
    header = bytearray(4096)
    struct.pack_into("<8sIIQQ", header, 0, b"SWSCFEED", 1, 4096, capacity, fnv1a(stream[:preamble_bytes]))
    struct.pack_into("<Q", header, 64, committed)
    struct.pack_into("<Q", header, 128, drained)
    return bytes(header + data)


def compressed(stream, xored=False, block_bytes=256 * 1024):
    """The same stream as a compressed log."""
    out, headers = [b"SWSCPACK" + struct.pack("<II", 1, 0)], b""
    for begin in range(0, len(stream), block_bytes):
        raw = stream[begin : begin + block_bytes]
        content = _compress(_columns(raw, xored))
        header = struct.pack("<IIII", 2 if xored else 1, len(content), len(raw), 0)
        out += [header, content]
        headers += header
    footer = struct.pack("<II", 1, len(headers) // 16)
    end = headers + footer + struct.pack("<Q", fnv1a(headers + footer)) + b"SWSCPEND"
    return b"".join(out) + struct.pack("<IIII", 0, len(end), 0, 0) + end


def _columns(raw, xored):
    runs, others, points = [], [], []
    at = 0
    while at < len(raw):
        first = len(points)
        while len(raw) - at >= 24 and raw[at] == 3:
            points.append(struct.unpack_from("<IIQQ", raw, at))
            at += 24
        begin = at
        while len(raw) - at >= 8 and raw[at] != 3:
            length = struct.unpack_from("<I", raw, at + 4)[0]
            if length < 8 or length % 8 or length > len(raw) - at:
                break
            at += length
        if len(raw) - at < 24 or raw[at] != 3:
            at = len(raw)
        others.append(raw[begin:at])
        runs.append((len(points) - first, at - begin))
    columns = [[], [], [], []]
    last, time_before = {}, 0
    for head, step, time, value in points:
        step_before, value_before = last.get(head >> 16, (0, 0))
        last[head >> 16] = step, value
        for column, word in zip(columns, (head, (step - step_before) & 0xFFFFFFFF, (time - time_before) & (1 << 64) - 1,
                                          value ^ value_before if xored else value)):
            column.append(word)
        time_before = time
    planes = []
    for column, (code, width) in zip(columns, (("I", 4), ("I", 4), ("Q", 8), ("Q", 8))):
        packed = struct.pack("<%d%s" % (len(column), code), *column)
        planes += [packed[plane::width] for plane in range(width)]
    head = struct.pack("<II", len(runs), len(points)) + b"".join(struct.pack("<II", *run) for run in runs)
    return head + b"".join(others) + b"".join(planes)


def _compress(data):
    library = ctypes.CDLL("libzstd.so.1")
    library.ZSTD_compressBound.restype = library.ZSTD_compress2.restype = ctypes.c_size_t
    library.ZSTD_createCCtx.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.ZSTD_createCCtx())
    library.ZSTD_CCtx_setParameter(context, 201, 1)  # checksum
    size = library.ZSTD_compressBound(ctypes.c_size_t(len(data)))
    out = ctypes.create_string_buffer(size)
    size = library.ZSTD_compress2(context, out, ctypes.c_size_t(size), data, ctypes.c_size_t(len(data)))
    library.ZSTD_freeCCtx(context)
    return out.raw[:size]
