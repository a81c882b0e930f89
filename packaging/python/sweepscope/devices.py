# SPDX-License-Identifier: MIT
"""Compares the GPUs that a rank uses with those it was assigned, if the script has loaded torch."""

import os
import sys


def opened():
    """Return the UUIDs of the GPUs on which torch has allocated memory in this process; empty if unknown."""
    torch = sys.modules.get("torch")
    try:
        if torch is None or not torch.cuda.is_initialized():
            return []
        return [
            _name(torch.cuda.get_device_properties(index).uuid)
            for index in range(torch.cuda.device_count())
            if torch.cuda.memory_allocated(index) > 0
        ]
    except Exception:  # an unknown version of torch must not end the script
        return []


def mismatch(rank, found):
    """Return an error message if none of the GPUs `found` was assigned to this rank, else an empty string."""
    given = [name for name in os.environ.get("SWEEPSCOPE_DEVICES", "").split(",") if name.startswith("GPU-")]
    if not given or not found or set(map(str.lower, found)) & set(map(str.lower, given)):
        return ""
    return "device mismatch: rank {} computes on {}, but was given {}: pick the GPU by LOCAL_RANK".format(
        rank, ", ".join(found), ", ".join(given)
    )


def _name(uuid):
    text = str(uuid)
    return text if text.startswith("GPU-") else "GPU-" + text
