# SPDX-License-Identifier: MIT
"""Ranks that stop after the same step: a rank that stopped earlier would leave the others waiting for it."""

import os
import sys
import time

from .frameworks import run

_PAUSE = 1.0  # seconds between two exchanges
_LONGEST_PAUSE = 1000  # steps


class Agreement:
    """Whether Sweepscope asks the ranks to stop. With several ranks they exchange that about once a second, because it costs
    a collective operation. All ranks must ask after the same steps."""

    def __init__(self):
        self._left = 0  # steps until the next exchange
        self._pause = 1
        self._exchanged = None  # when

    def should_stop(self):
        # Which ranks have a ring may differ; this does not.
        if "SWEEPSCOPE_ATTEMPT_ID" not in os.environ:
            return False
        distributed = _distributed()
        if distributed is None:
            return run().should_stop()
        self._left -= 1
        if self._left > 0:
            return False
        now = time.monotonic()
        if self._exchanged is not None:
            seconds = max(1e-6, now - self._exchanged)
            self._pause = int(min(max(1, self._pause * _PAUSE / seconds), 2 * self._pause, _LONGEST_PAUSE))
        self._exchanged = now
        stops, self._pause = _maxima(distributed, [int(run().should_stop()), self._pause])
        self._left = self._pause
        return bool(stops)


def _distributed():
    """Return torch.distributed if this process has joined a group of several ranks."""
    torch = sys.modules.get("torch")
    distributed = torch.distributed if torch is not None else None
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return None
    return distributed if distributed.get_world_size() > 1 else None


def _maxima(distributed, values):
    torch = sys.modules["torch"]
    backend = str(distributed.get_backend())
    device = torch.device("cpu") if "gloo" in backend or "mpi" in backend else torch.device("cuda", torch.cuda.current_device())
    exchanged = torch.tensor(values, dtype=torch.int64, device=device)
    distributed.all_reduce(exchanged, op=distributed.ReduceOp.MAX)
    return exchanged.tolist()
