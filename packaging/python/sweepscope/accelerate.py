# SPDX-License-Identifier: MIT
"""For Accelerate:

    from sweepscope.accelerate import SweepscopeTracker

    accelerator = Accelerator(log_with=SweepscopeTracker())

accelerator.log() calls trackers on the main process only. The other ranks report what the watcher of the script sees, and what
they log with the tracker itself.
"""

from accelerate.tracking import GeneralTracker

from . import frameworks
from .agreement import Agreement


class SweepscopeTracker(GeneralTracker):
    name = "sweepscope"
    requires_logging_directory = False
    main_process_only = False

    def __init__(self):
        super().__init__()
        self._agreement = Agreement()
        self._step = -1

    @property
    def tracker(self):
        """The run of this process."""
        return frameworks.run()

    def store_init_configuration(self, values):
        frameworks.hyperparameters(values)

    def log(self, values, step=None, **_):
        self._step = self._step + 1 if step is None else step
        frameworks.report(self._step, frameworks.numbers(values))

    def should_stop(self):
        """Return whether Sweepscope asks for a checkpoint and the end of the training, to all ranks after the same step. All
        must ask after each step."""
        return self._agreement.should_stop()
