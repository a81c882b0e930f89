# SPDX-License-Identifier: MIT
"""Reads sweepscope.db while its engine writes. Contents are untrusted."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import time
from typing import Any, List, Optional, Sequence, Tuple
from urllib.parse import quote

#: core/engine/schema.h
SCHEMA_VERSION = 19

_APPLICATION_ID = 0x53775363  # "SwSc"
_MOST_BYTES = 256 * 1024 * 1024  # of a value
_TICK_NS = 100000000  # times of files are at least as fine


class WorkspaceError(Exception):
    """A workspace, or something in it, cannot be read. The message says why."""


class Database:
    """Opens the file for each query: a connection that stayed open would lose its locks when anything else in this process opens
    and closes the file, such as a copy of the workspace, and would then show old rows."""

    def __init__(self, path: str):
        self.path = path

    def select(self, sql: str, values: Sequence[Any] = ()) -> List[sqlite3.Row]:
        try:
            with contextlib.closing(self._open()) as connection:
                return connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise self._failure(error) from None

    def version(self) -> Optional[Tuple[int, ...]]:
        """Differs if anything was committed since. None: it may be just being committed."""
        status = self._status()
        parts = [status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns]
        try:
            log = os.stat(self.path + "-wal")
            parts += [log.st_ino, log.st_size, log.st_mtime_ns]
        except OSError:
            pass
        return tuple(parts) if time.time_ns() - parts[-1] > _TICK_NS else None

    def _status(self) -> os.stat_result:
        try:
            status = os.stat(self.path)
        except OSError as error:
            raise WorkspaceError("cannot read the database {}: {}".format(self.path, error.strerror)) from None
        if not stat.S_ISREG(status.st_mode):
            raise WorkspaceError("{} is not a file".format(self.path))
        return status

    def _open(self) -> sqlite3.Connection:
        self._status()
        connection = sqlite3.connect(self._address(), uri=True, timeout=5, isolation_level=None)
        try:
            connection.row_factory = sqlite3.Row
            connection.text_factory = lambda data: data.decode("utf-8", "replace")
            if hasattr(connection, "setlimit"):  # Python 3.11
                connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_BYTES)
            connection.execute("PRAGMA trusted_schema = OFF")
            self._check(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _address(self) -> str:
        """Readers, too, write next to a database with a write-ahead log: its index. Where they cannot, the file must be at rest."""
        address = "file:" + quote(os.path.abspath(self.path)) + "?mode=ro"
        log = self.path + "-wal"
        has_log = os.path.exists(log) and os.path.getsize(log) > 0
        is_on_read_only_disk = bool(os.statvfs(self.path).f_flag & os.ST_RDONLY)
        is_archive = (not os.access(self.path, os.W_OK) and not os.access(os.path.dirname(os.path.abspath(self.path)), os.W_OK)
                      and not has_log and not os.path.exists(self.path + "-shm"))
        if not is_on_read_only_disk and not is_archive:
            return address
        if has_log:
            raise WorkspaceError("the workspace is on a read-only disk, and its last changes are still in {}; copy the "
                                 "workspace to another disk to read it".format(log))
        return address + "&immutable=1"

    def _check(self, connection: sqlite3.Connection) -> None:
        owner = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if owner != _APPLICATION_ID:
            raise WorkspaceError("{} is the database of another program".format(self.path))
        if version == SCHEMA_VERSION:
            return
        remedy = ("use a newer sweepscope package" if version > SCHEMA_VERSION
                  else "use the package that came with the Sweepscope that created it")
        raise WorkspaceError("the database {} has version {}, but this package reads version {}; {}".format(
            self.path, version, SCHEMA_VERSION, remedy))

    def _failure(self, error: sqlite3.Error) -> WorkspaceError:
        if isinstance(error, sqlite3.OperationalError):
            return WorkspaceError("the database {} cannot be read: {}".format(self.path, error))
        return WorkspaceError("the database {} is damaged: {}; rebuild it: sweepctl rescue".format(self.path, error))
