# SPDX-License-Identifier: MIT
"""Reads what media.py writes. Ranks can replace these files, so all of it is untrusted."""

from __future__ import annotations

import json
import os
import re
from typing import Any, Dict, List, Optional, Tuple

from .feedstream import Problem, open_regular
from .media import MOST_INDEX_BYTES, MOST_ITEM_BYTES

_KINDS = ("image", "histogram", "text", "table", "confusion_matrix", "artifact")
_MOST_INT = 1 << 63


class Media:
    """An image, histogram, text, table, confusion matrix or artifact that a rank has reported."""

    def __init__(self, folder: str, attempt: int, rank: int, entry: Dict[str, Any]):
        self.kind: str = entry["kind"]
        self.name: str = entry["name"]
        self.step: int = entry["step"]
        self.time_ns: int = entry["time_ns"]
        #: Number of bytes.
        self.size: int = entry["size"]
        self.caption: str = entry.get("caption", "")
        #: Of an image: png, jpeg or gif.
        self.format: str = entry.get("format", "")
        self.attempt = attempt
        self.rank = rank
        if self.kind == "artifact":
            self.path: str = os.path.join(folder, "artifacts", entry["file"])
            self._offset = 0
        else:
            self.path = os.path.join(folder, "rank-{}.media".format(rank))
            self._offset = entry["offset"]

    def read(self) -> bytes:
        """The bytes of an image, an artifact or another item. Raises OSError if they are missing."""
        try:
            file = open_regular(self.path)
        except Problem as why:
            raise OSError(str(why)) from None
        if file is None:
            raise FileNotFoundError("{} is missing".format(self.path))
        with open(file, "rb") as opened:
            if os.fstat(file).st_size - self._offset >= self.size:
                opened.seek(self._offset)
                data = opened.read(self.size)
                if len(data) == self.size:
                    return data
        raise OSError("{} is incomplete".format(self.path))

    @property
    def value(self) -> Any:
        """A text as a string, a histogram as {"counts", "edges"}, a table or confusion matrix as {"columns", "rows"}; of others the
        bytes."""
        data = self.read()
        if self.kind == "text":
            return data.decode("utf-8", "replace")
        return data if self.kind in ("image", "artifact") else json.loads(data)

    def __repr__(self) -> str:
        return "Media({}, {!r}, step {})".format(self.kind, self.name, self.step)

    def _repr_png_(self) -> Optional[bytes]:
        return self.read() if self.kind == "image" and self.format == "png" else None

    def _repr_jpeg_(self) -> Optional[bytes]:
        return self.read() if self.kind == "image" and self.format == "jpeg" else None


def read(folder: str, attempt: int, rank: int) -> Tuple[List[Media], int]:
    """What a rank has reported in an attempt, and how many lines of its index are damaged."""
    try:
        file = open_regular(os.path.join(folder, "rank-{}.media.jsonl".format(rank)))
    except Problem:
        return [], 1
    if file is None:
        return [], 0
    with open(file, "rb") as index:
        data = index.read(MOST_INDEX_BYTES)
    found, damaged = [], 0
    for line in data.split(b"\n"):
        if not line:
            continue
        try:
            entry = json.loads(line)
            _check(entry)
        except (ValueError, KeyError, TypeError, RecursionError):
            damaged += 1
        else:
            found.append(Media(folder, attempt, rank, entry))
    return found, damaged


def _check(entry: Dict[str, Any]) -> None:
    for key, lowest in (("step", -_MOST_INT), ("time_ns", 0), ("size", 0)):
        if type(entry[key]) is not int or not lowest <= entry[key] < _MOST_INT:
            raise ValueError(key)
    if entry["kind"] not in _KINDS or not isinstance(entry["name"], str):
        raise ValueError("kind")
    if not isinstance(entry.get("caption", ""), str) or not isinstance(entry.get("format", ""), str):
        raise ValueError("caption")
    if entry["kind"] == "artifact":
        if not re.fullmatch("[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}", entry["file"]):
            raise ValueError("file")
    elif type(entry["offset"]) is not int or not 0 <= entry["offset"] < _MOST_INT or entry["size"] > MOST_ITEM_BYTES:
        raise ValueError("offset")
