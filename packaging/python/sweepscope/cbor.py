# SPDX-License-Identifier: MIT
"""Reads CBOR (RFC 8949), as the database has it for parameters and metrics. Input is untrusted."""

import struct
from typing import Any, Tuple

_DEEPEST = 8
_FLOATS = {25: ">e", 26: ">f", 27: ">d"}
_PLAIN = {20: False, 21: True, 22: None, 23: None}


class Damaged(ValueError):
    """This is not CBOR of the kind that Sweepscope writes."""


def decode(data: bytes) -> Any:
    value, end = _item(data, 0, 0)
    if end != len(data):
        raise Damaged("{} bytes follow the value".format(len(data) - end))
    return value


def _item(data: bytes, at: int, depth: int) -> Tuple[Any, int]:
    if depth > _DEEPEST or at >= len(data):
        raise Damaged("the value is cut off or nested too deep")
    major, info = data[at] >> 5, data[at] & 31
    at += 1
    if major == 7:
        if info in _PLAIN:
            return _PLAIN[info], at
        if info not in _FLOATS:
            raise Damaged("unknown value")
        size = 1 << (info - 24)
        if len(data) - at < size:
            raise Damaged("the value is cut off")
        return struct.unpack_from(_FLOATS[info], data, at)[0], at + size
    if info < 24:
        number = info
    elif info < 28:
        size = 1 << (info - 24)
        if len(data) - at < size:
            raise Damaged("the value is cut off")
        number = int.from_bytes(data[at : at + size], "big")
        at += size
    else:
        raise Damaged("values of unknown length are not read")
    if major == 0:
        return number, at
    if major == 1:
        return -1 - number, at
    if number > len(data) - at:  # each element has a byte at least
        raise Damaged("the value is cut off")
    if major in (2, 3):
        part = data[at : at + number]
        return part if major == 2 else part.decode("utf-8", "replace"), at + number
    if major == 4:
        items = []
        for _ in range(number):
            item, at = _item(data, at, depth + 1)
            items.append(item)
        return items, at
    raise Damaged("maps and tags are not read")
