# SPDX-License-Identifier: MIT
"""Which GPUs a rank really computes on, against those that it was given. By torch, where the script has loaded it."""

import os
import sys


def opened():
    """UUIDs of the GPUs on which torch holds memory in this process; empty while it cannot be said."""
    torch = sys.modules.get("torch")
    try:
        if torch is None or not torch.cuda.is_initialized():
            return []
        return [
            _name(torch.cuda.get_device_properties(index).uuid)
            for index in range(torch.cuda.device_count())
            if torch.cuda.memory_allocated(index) > 0
        ]
    except Exception:  # a torch that does not tell; a script is not to end because of that
        return []


def mismatch(rank, found):
    """A sentence when not one of the GPUs `found` was given to this rank; empty when all is well or nothing is known."""
    given = [name for name in os.environ.get("SWEEPSCOPE_DEVICES", "").split(",") if name.startswith("GPU-")]
    if not given or not found or set(map(str.lower, found)) & set(map(str.lower, given)):
        return ""
    return "device mismatch: rank {} computes on {}, but was given {}: pick the GPU by LOCAL_RANK".format(
        rank, ", ".join(found), ", ".join(given)
    )


def _name(uuid):
    text = str(uuid)
    return text if text.startswith("GPU-") else "GPU-" + text
