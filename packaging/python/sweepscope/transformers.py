# SPDX-License-Identifier: MIT
"""For the Trainer of Transformers:

    from sweepscope.transformers import SweepscopeCallback, last_checkpoint, output_folder

    arguments = TrainingArguments(output_dir=output_folder("output"), …)
    trainer = Trainer(…, args=arguments, callbacks=[SweepscopeCallback()])
    trainer.train(resume_from_checkpoint=last_checkpoint())
"""

import os

from transformers import TrainerCallback

from . import frameworks
from .agreement import Agreement

#: Means over several steps, and the watcher's series of each step.
_WATCHED_AS = {"loss": "loss", "learning_rate": "lr", "grad_norm": "grad_norm"}


class SweepscopeCallback(TrainerCallback):
    """Reports what the Trainer logs, on every rank, whatever `report_to` is. Saves a checkpoint and ends the training when
    Sweepscope asks for it."""

    def __init__(self):
        self._agreement = Agreement()
        self._clock = frameworks.StepClock()
        self._logged = frameworks.OncePerStep()

    def on_train_begin(self, args, state, control, **_):
        frameworks.continue_from(state.global_step, int(state.epoch or 0))
        if state.max_steps > 0:
            frameworks.report(state.global_step, {"total_steps": float(state.max_steps)})
        if state.is_world_process_zero:
            frameworks.check_parameters(vars(args), state.global_step)

    def on_step_begin(self, args, state, control, **_):
        self._clock.batch_begins()

    def on_step_end(self, args, state, control, **_):
        frameworks.report(state.global_step, self._clock.batch_ended())
        if self._agreement.should_stop() and not control.should_training_stop:
            control.should_save = True
            control.should_training_stop = True

    def on_evaluate(self, args, state, control, **_):
        self._clock.interrupt()

    def on_log(self, args, state, control, logs=None, **_):
        values = {name: value for name, value in frameworks.numbers(logs or {}).items()
                  if not frameworks.is_watched(_WATCHED_AS.get(name, ""))}
        self._logged.report(state.global_step, values)

    def on_save(self, args, state, control, **_):
        self._clock.interrupt()
        if state.is_world_process_zero:
            frameworks.run().event("checkpoint-{} saved".format(state.global_step), kind="checkpoint", step=state.global_step)


def output_folder(otherwise):
    """Return the folder for `output_dir`, where last_checkpoint() looks: this attempt's. Outside Sweepscope, `otherwise`."""
    return frameworks.run().checkpoint_folder or otherwise


def last_checkpoint():
    """Return the folder that train(resume_from_checkpoint=…) resumes from: the newest one of this trial. None: there is
    none."""
    return frameworks.newest_checkpoint(
        lambda path: os.path.basename(path).startswith("checkpoint-") and os.path.isfile(os.path.join(path, "trainer_state.json")))
