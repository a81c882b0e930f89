# SPDX-License-Identifier: MIT
"""For PyTorch Lightning, as `lightning` or `pytorch_lightning`:

    from sweepscope.lightning import SweepscopeCallback, SweepscopeLogger, last_checkpoint

    trainer = Trainer(logger=SweepscopeLogger(), callbacks=[SweepscopeCallback()])
    trainer.fit(model, loader, ckpt_path=last_checkpoint())
"""

import importlib
import importlib.util
import os
import sys

from . import frameworks
from .agreement import Agreement


def _framework():
    """The one that the script has imported, else the one that is installed: they have classes of their own."""
    names = ("lightning.pytorch", "pytorch_lightning")
    for name in names:
        if name in sys.modules:
            return name
    return names[importlib.util.find_spec("lightning") is None]


Callback = importlib.import_module(_framework() + ".callbacks").Callback
Logger = importlib.import_module(_framework() + ".loggers").Logger


class SweepscopeLogger(Logger):
    """Reports what LightningModule.log() logs, on every rank: Lightning calls loggers on all of them.

    If it is the first logger, checkpoints of the trainer go to the folder of the attempt, where last_checkpoint() finds them."""

    def __init__(self):
        super().__init__()
        self._logged = frameworks.OncePerStep()

    @property
    def name(self):
        return "" if frameworks.run().checkpoint_folder else "sweepscope"

    @property
    def version(self):
        return ""

    @property
    def save_dir(self):
        return frameworks.run().checkpoint_folder

    @property
    def experiment(self):
        """The run of this process."""
        return frameworks.run()

    def log_metrics(self, metrics, step=None):
        self._logged.report(step or 0, frameworks.numbers(metrics))

    def log_hyperparams(self, params, *_, **__):
        frameworks.hyperparameters(params)


class SweepscopeCallback(Callback):
    """Saves a checkpoint and ends the training when Sweepscope asks for it. Reports progress and saved checkpoints, and what
    the watcher of the script cannot know or does not see."""

    def __init__(self):
        self._agreement = Agreement()
        self._clock = frameworks.StepClock()
        self._last_step = 0
        self._has_begun = False
        self._has_warned = False
        self._epochs_of_samplers = {}  # by place in the list of samplers

    def on_train_start(self, trainer, pl_module):
        self._last_step = trainer.global_step
        self._has_begun = False

    def _begin(self, trainer):
        """At the first batch: only then Lightning has corrected the count of a checkpoint that was saved after a batch."""
        self._has_begun = True
        step = _steps(trainer)
        frameworks.continue_from(step, trainer.current_epoch)
        total = trainer.estimated_stepping_batches
        if 0 < total < float("inf"):
            frameworks.report(step, {"total_steps": float(total)})

    def on_train_batch_start(self, trainer, pl_module, batch, batch_idx):
        if not self._has_begun:
            self._begin(trainer)
        self._clock.batch_begins()

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        is_step = trainer.global_step != self._last_step
        self._last_step = trainer.global_step
        # Lightning counts the step after this.
        frameworks.report(_steps(trainer) + 1, self._clock.batch_ended(is_step))
        # Ranks may differ in trainer.should_stop, and must not in what they ask.
        if self._agreement.should_stop() and not trainer.should_stop:
            self._stop(trainer)

    def on_validation_start(self, trainer, pl_module):
        self._clock.interrupt()

    def on_validation_end(self, trainer, pl_module):
        self._clock.interrupt()

    def on_save_checkpoint(self, trainer, pl_module, checkpoint):
        if trainer.is_global_zero:
            frameworks.run().event("checkpoint saved", kind="checkpoint", step=_steps(trainer))
        self._clock.interrupt()

    def on_train_epoch_end(self, trainer, pl_module):
        if trainer.world_size > 1:
            self._check_samplers(trainer)

    def _check_samplers(self, trainer):
        """Those of other types than DistributedSampler, and batch samplers: Lightning does not call the latter's set_epoch()."""
        for place, sampler in enumerate(_samplers(trainer)):
            epoch, before = getattr(sampler, "epoch", None), self._epochs_of_samplers.get(place)
            self._epochs_of_samplers[place] = epoch
            if epoch is not None and epoch == before and not self._has_warned and not _is_watched(sampler):
                self._has_warned = True
                frameworks.run().event(
                    "mistake set-epoch: set_epoch() of the {} is not called, so every epoch has the same order; call it in "
                    "on_train_epoch_start()".format(type(sampler).__name__), kind="warning", step=_steps(trainer))

    def _stop(self, trainer):
        folder = frameworks.run().checkpoint_folder
        path = os.path.join(folder, "stopped-{}.ckpt".format(trainer.global_step))
        if trainer.is_global_zero:
            os.makedirs(folder, exist_ok=True)
        trainer.save_checkpoint(path + ".tmp")  # on all ranks
        if trainer.is_global_zero:
            os.replace(path + ".tmp", path)
        trainer.fit_loop.min_epochs = 0
        trainer.fit_loop.epoch_loop.min_steps = None
        trainer.should_stop = True


def last_checkpoint():
    """Return the checkpoint that fit(ckpt_path=…) resumes from: the newest one of this trial. None: there is none."""
    return frameworks.newest_checkpoint(lambda path: path.endswith(".ckpt"))


def _steps(trainer):
    """As Lightning counts them for loggers: once per batch, also with several optimizers."""
    return getattr(trainer.fit_loop.epoch_loop, "_batches_that_stepped", trainer.global_step)


def _samplers(trainer):
    loaders = trainer.train_dataloader
    if isinstance(loaders, dict):
        loaders = list(loaders.values())
    for loader in loaders if isinstance(loaders, (list, tuple)) else [loaders]:
        for sampler in (getattr(loader, "sampler", None), getattr(loader, "batch_sampler", None)):
            if hasattr(sampler, "set_epoch"):
                yield sampler


def _is_watched(sampler):
    from torch.utils.data.distributed import DistributedSampler

    return isinstance(sampler, DistributedSampler) and (frameworks.is_watched("step_time") or not sampler.shuffle)
