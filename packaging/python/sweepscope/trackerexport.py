# SPDX-License-Identifier: MIT
"""What the exports to trackers (to_mlflow.py, to_wandb.py) have in common."""

from __future__ import annotations

import argparse
from typing import Any, Callable, Dict, Iterator, List, Tuple

from .curve import Curve
from .database import WorkspaceError
from .workspace import NotFound, Sweep, Trial, read

#: States that no trial leaves by itself.
FINAL = ("completed", "pruned", "failed", "stopped", "lost")


def run_name(trial: Trial) -> str:
    return "trial-{:04d}".format(trial.number)


def curves_of(trial: Trial) -> Iterator[Curve]:
    """The curves of rank 0. Steps that a resumed attempt has reported again have only their last value."""
    for name in trial.curves():
        curve = trial.curve(name)
        places = sorted({int(step): place for place, step in enumerate(curve.steps)}.items())
        yield Curve(name, curve.unit, [step for step, _ in places], [_nanoseconds(curve.times[place]) for _, place in places],
                    [float(curve.values[place]) for _, place in places])


def _nanoseconds(time: Any) -> int:
    return int(time.astype("int64")) if hasattr(time, "astype") else int(time)


def labels(trial: Trial) -> Dict[str, str]:
    """What trackers have no field for."""
    texts = {"sweep": trial.sweep.folder, "trial": trial.number, "state": trial.state, "seed": trial.seed, "ranks": trial.ranks,
             "attempts": trial.attempts, "objective": trial.sweep.objective, "goal": trial.sweep.goal}
    return {"sweepscope." + name: str(value) for name, value in texts.items()}


def main(program: str, package: str, description: str, add_options: Callable[[argparse.ArgumentParser], None],
         export: Callable[[Sweep, List[Trial], argparse.Namespace], str], arguments: Any = None) -> int:
    """Parse the arguments and export the chosen sweeps. `export` returns where it has written them."""
    parser = argparse.ArgumentParser(prog="python -m sweepscope." + program, description=description)
    parser.add_argument("workspace", metavar="WORKSPACE", help="folder with the sweeps")
    parser.add_argument("--sweep", metavar="NAME", action="append", help="name, folder or number of a sweep; may be repeated (default: all)")
    add_options(parser)
    options = parser.parse_args(arguments)
    try:
        for sweep, trials, left_out in _chosen(options):
            where = export(sweep, trials, options)
            print("{}: {} to {}".format(sweep.folder, _counted(len(trials)), where))
            if left_out:
                print("{} that had not ended left out".format(_counted(left_out)))
    except ImportError as error:
        if error.name is None or error.name.split(".")[0] != package:
            raise
        parser.exit(2, "{0} is not installed here: pip install {0}\n".format(package))
    except (WorkspaceError, NotFound, ExportError) as error:
        parser.exit(2, "{}\n".format(error))
    return 0


class ExportError(Exception):
    """The results cannot be written there."""


def _chosen(options: argparse.Namespace) -> Iterator[Tuple[Sweep, List[Trial], int]]:
    sweeps = read(options.workspace).sweeps
    wanted = [int(name) if name.isdigit() else name for name in options.sweep or []]
    for sweep in [sweeps[name] for name in wanted] if wanted else [each for each in sweeps if not each.archived]:
        started = [trial for trial in sweep.trials if trial.attempts > 0]
        ended = [trial for trial in started if trial.state in FINAL]
        yield sweep, ended, len(started) - len(ended)


def _counted(trials: int) -> str:
    return "1 trial" if trials == 1 else "{} trials".format(trials)
