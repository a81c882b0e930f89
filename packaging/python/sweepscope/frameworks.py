# SPDX-License-Identifier: MIT
"""What the integrations share. They report next to the watcher of the script: what both know is reported once."""

import json
import math
import os
import sys
import time

from . import run as reporting

_run = None


def run():
    """Return the run of this process. Unlike init(), the watcher continues."""
    global _run
    if _run is None:
        _run = reporting.current()
    return _run


def watcher():
    """Return the watcher of this process, or None."""
    watch = sys.modules.get("sweepscope.watch")
    return watch._watcher if watch else None


def is_watched(name):
    """Return whether the watcher reports this series."""
    watching = watcher()
    return watching is not None and watching.reports(name)


def report(step, values):
    """Log numbers under names that belong to the script from now on."""
    reporter = run()
    if not values or not reporter.active:
        return
    watching = watcher()
    if watching is not None:
        watching.leave(values)
    reporter.log(step, values)


class OncePerStep:
    """Reports the first value of a name at a step: frameworks log the epoch with each of several reports."""

    def __init__(self):
        self._steps = {}  # by name

    def report(self, step, values):
        values = {name: value for name, value in values.items() if self._steps.get(name) != step}
        self._steps.update(dict.fromkeys(values, step))
        report(step, values)


def continue_from(step, epochs=0):
    """The training was resumed after `step` steps and `epochs` epochs."""
    watching = watcher()
    if watching is not None and step > 0:
        watching.continue_from(step, epochs)


def numbers(values, separator="/", ignored=None):
    """Return what can be drawn of a dictionary, with the names of nested ones joined. `ignored` is called with other values."""
    found = {}
    for name, value in values.items():
        if isinstance(value, dict):
            for inner, number in numbers(value, separator, ignored).items():
                found["{}{}{}".format(name, separator, inner)] = number
        elif value is not None and not isinstance(value, (str, bytes)):
            try:
                # item(): PyTorch warns of float() if there are gradients.
                found[str(name)] = float(value.item() if hasattr(value, "item") else value)
            except Exception:  # an array, an image, …
                if ignored is not None:
                    ignored(value)
    return found


def hyperparameters(values, step=0):
    """Report what the script uses as an event, and warn where that is not the trial's."""
    reporter = run()
    values = as_dict(values)
    if not values or not reporter.active or reporter.rank != 0:
        return
    reporter.event("hyperparameters: " + json.dumps(values, default=str), step=step)
    check_parameters(values, step)


def check_parameters(values, step=0):
    """Warn of parameters of the trial that the script sets to other values: its trials may all be the same."""
    reporter = run()
    for name, expected in reporter.params.items():
        if name in values and not _is_same(values[name], expected):
            reporter.event("{} is {!r} in the script, but {!r} in the trial; use the value of the trial, or another name"
                           .format(name, values[name], expected), kind="warning", step=step)


def as_dict(values):
    """Return the contents of a dictionary, an argparse.Namespace or another object with attributes."""
    if values is None:
        return {}
    return dict(values) if hasattr(values, "keys") else dict(vars(values))


def _is_same(one, other):
    try:
        return math.isclose(float(one), float(other), rel_tol=1e-6)
    except (TypeError, ValueError):
        return str(one) == str(other)


def newest_checkpoint(is_complete):
    """Return the path of the newest file or folder that attempts of this trial have saved and `is_complete` accepts, or
    None."""
    for folder in run()._checkpoints():
        complete = [path for path in _paths_below(folder) if is_complete(path)]
        if complete:
            # After a request to stop, Lightning saves another one, as if the epoch had been complete.
            return max(complete, key=lambda path: (os.path.basename(path).startswith("stopped-"), os.path.getmtime(path)))
    return None


def _paths_below(folder):
    for inner, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if ".tmp" not in name]
        for name in folders + files:
            if ".tmp" not in name:
                yield os.path.join(inner, name)


class StepClock:
    """Measures what the watcher would, in scripts that are not watched."""

    def __init__(self):
        self._last_end = None  # of a batch
        self._step_began = None
        self._waited = 0.0

    def batch_begins(self):
        if self._last_end is not None:
            self._waited += time.perf_counter() - self._last_end

    def batch_ended(self, is_step=True):
        """Return seconds by name; nothing if no step ended, or its beginning is unknown."""
        self._last_end = time.perf_counter()
        if not is_step:
            return {}
        began, self._step_began = self._step_began, self._last_end
        waited, self._waited = self._waited, 0.0
        if began is None or is_watched("step_time"):
            return {}
        reporter = run()
        reporter.declare("step_time", "s")
        reporter.declare("data_wait", "s")
        return {"step_time": self._last_end - began, "data_wait": waited}

    def interrupt(self):
        """The time since the last step is not that of a step: an evaluation, or a checkpoint."""
        self._last_end = self._step_began = None
        self._waited = 0.0
