# SPDX-License-Identifier: MIT
"""Where the workspace is."""

from __future__ import annotations

import os
from typing import Union


def folder_of(workspace: Union[str, "os.PathLike[str]", None]) -> str:
    """Return the folder, or the one that sweepctl uses by default."""
    if workspace is not None:
        return os.path.expanduser(os.fspath(workspace))
    chosen = os.environ.get("SWEEPSCOPE_WORKSPACE")
    if chosen:
        return chosen

    def folder(variable: str) -> str:
        value = os.environ.get(variable, "")
        return value if value.startswith("/") else ""

    data = folder("XDG_DATA_HOME") or os.path.join(folder("HOME") or "/tmp", ".local", "share")
    return os.path.join(data, "sweepscope", "workspace")
