# SPDX-License-Identifier: MIT
"""Report metrics of a training script to Sweepscope. Outside Sweepscope, all calls do nothing.

    run = sweepscope.init()
    run.log(step, loss=0.3, lr=1e-3)
    run.event("epoch 1 of 5", kind="epoch", step=step)
    if run.should_stop(): ...
"""

from .fingerprint import fingerprint
from .run import Run, init

__all__ = ["Run", "fingerprint", "init"]
__version__ = "0.1.0"
