# SPDX-License-Identifier: MIT
"""Copies sweeps to offline runs of the installed wandb:

    python -m sweepscope.to_wandb WORKSPACE --sweep digits-mlp
    wandb sync wandb/offline-run-*

Each trial that has ended becomes a run, with its parameters as config, the curves of rank 0, tags and exit code. Nothing is sent
before `wandb sync`."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any, Dict, List

from . import trackerexport
from .workspace import Sweep, Trial


def _export(sweep: Sweep, trials: List[Trial], options: argparse.Namespace) -> str:
    import wandb

    os.makedirs(options.output, exist_ok=True)
    for trial in trials:
        steps: Dict[int, Dict[str, float]] = {}
        for curve in trackerexport.curves_of(trial):
            for step, value in zip(curve.steps, curve.values):
                steps.setdefault(step, {})[curve.name] = value
        run = wandb.init(project=options.project or sweep.name, group=sweep.folder, name=trackerexport.run_name(trial),
                         config={**trial.params, **trackerexport.labels(trial)}, notes=trial.note or None,
                         tags=[*trial.tags, *(["starred"] if trial.starred else [])], dir=options.output, mode="offline",
                         settings=wandb.Settings(console="off", silent=True, disable_git=True, save_code=False))
        for step in sorted(steps):
            if step >= 0:  # W&B has no others
                run.log(steps[step], step=step)
        if trial.best is not None:
            run.summary["best_" + sweep.objective] = trial.best
        run.finish(exit_code=1 if trial.state in ("failed", "lost") else 0)
    return os.path.join(options.output, "wandb")


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", metavar="FOLDER", default=".", help="where the folder wandb is made (default: here)")
    parser.add_argument("--project", metavar="NAME", help="project of the runs (default: the name of the sweep)")


def main(arguments: Any = None) -> int:
    return trackerexport.main("to_wandb", "wandb", "Copies sweeps to offline runs of the installed wandb.", _add_options, _export,
                              arguments)


if __name__ == "__main__":
    sys.exit(main())
