# SPDX-License-Identifier: MIT
"""Report metrics of a training script to Sweepscope. Outside a sweep, the script is recorded as a single run.

    run = sweepscope.init()
    run.log(step, loss=0.3, lr=1e-3)
    run.event("epoch 1 of 5", kind="epoch", step=step)
    if run.should_stop(): ...

And read what was reported, in a notebook:

    sweep = sweepscope.read().sweeps["digits-mlp"]
    sweep.best.curve("loss").values
"""

from typing import TYPE_CHECKING, Optional

from .fingerprint import fingerprint
from .run import Run, init

if TYPE_CHECKING:
    import os
    from typing import Union

    from .workspace import Workspace

__all__ = ["Run", "fingerprint", "init", "read"]
__version__ = "0.1.0"


def read(workspace: "Optional[Union[str, os.PathLike[str]]]" = None) -> "Workspace":
    """Open a workspace for reading: its folder, or none for the one that sweepctl uses by default."""
    from . import workspace as reading  # scripts that only report need none of it

    return reading.read(workspace)
