# SPDX-License-Identifier: MIT
"""For Keras 3, with any backend:

    from sweepscope.keras import SweepscopeCallback

    model.fit(inputs, targets, callbacks=[SweepscopeCallback()])
"""

import os

import keras

from . import frameworks
from .agreement import Agreement


class SweepscopeCallback(keras.callbacks.Callback):
    """Reports loss and metrics as Keras prints them: after `every` steps their means over the epoch so far, and at its end,
    with those of the validation. Saves the model and ends the training when Sweepscope asks for it."""

    def __init__(self, every=10):
        super().__init__()
        self._every = every
        self._agreement = Agreement()
        self._clock = frameworks.StepClock()
        self._logged = frameworks.OncePerStep()
        self._step = 0
        self._epoch_began = 0  # after this step
        self._last_logged = 0
        self._stopping = False

    def on_train_begin(self, logs=None):
        optimizer = self.model.optimizer
        self._step = int(optimizer.iterations) if optimizer is not None else 0  # more than 0 in a loaded model
        self._last_logged = self._step
        steps = (self.params or {}).get("steps")
        if steps:
            frameworks.report(self._step, {"total_steps": float(self._step + steps * self.params["epochs"])})

    def on_epoch_begin(self, epoch, logs=None):
        self._epoch_began = self._step
        if epoch:
            frameworks.run().event("epoch {} begins".format(epoch + 1), kind="epoch", step=self._step)

    def on_train_batch_begin(self, batch, logs=None):
        self._clock.batch_begins()

    def on_train_batch_end(self, batch, logs=None):
        before, self._step = self._step, self._epoch_began + batch + 1  # there may be several steps between two calls
        values = {name: seconds / (self._step - before) for name, seconds in self._clock.batch_ended().items()}
        if keras.backend.backend() != "torch":
            values.pop("data_wait", None)  # batches are fetched within the step
        if self._step - self._last_logged >= self._every:
            self._last_logged = self._step
            values.update(frameworks.numbers(logs or {}))
        self._logged.report(self._step, values)
        # self.model copies the state of JAX each time.
        if not self._stopping and self._agreement.should_stop():
            self._stopping = True
            self._stop()

    def on_test_begin(self, logs=None):
        self._clock.interrupt()

    def on_epoch_end(self, epoch, logs=None):
        values = frameworks.numbers(logs or {})
        rate = getattr(self.model.optimizer, "learning_rate", None)
        values.update(frameworks.numbers({"lr": rate}))
        self._logged.report(self._step, values)
        self._clock.interrupt()

    def _stop(self):
        reporter = frameworks.run()
        if reporter.rank == 0:
            os.makedirs(reporter.checkpoint_folder, exist_ok=True)
            path = os.path.join(reporter.checkpoint_folder, "stopped-{}".format(self._step))
            self.model.save(path + ".tmp.keras")
            os.replace(path + ".tmp.keras", path + ".keras")
            reporter.event("checkpoint saved", kind="checkpoint", step=self._step)
        self.model.stop_training = True


def last_checkpoint():
    """Return the file of the newest model that this trial has saved, for keras.saving.load_model(), or None."""
    return frameworks.newest_checkpoint(lambda path: path.endswith(".keras"))
