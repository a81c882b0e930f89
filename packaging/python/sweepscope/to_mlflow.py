# SPDX-License-Identifier: MIT
"""Copies sweeps to MLflow with its installed client:

    python -m sweepscope.to_mlflow WORKSPACE --sweep digits-mlp

Each sweep becomes an experiment and each trial that has ended a run, with parameters, the curves of rank 0, tags and status."""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any, Dict, List

from . import trackerexport
from .workspace import Sweep, Trial

_STATUS = {"completed": "FINISHED", "pruned": "FINISHED", "stopped": "KILLED", "failed": "FAILED", "lost": "FAILED"}
# Limits of MLflow for a call, and for names and values.
_METRICS_AT_ONCE = 1000
_PARAMS_AT_ONCE = 100
_LONGEST_NAME = 250
_LONGEST_PARAM = 6000


def _export(sweep: Sweep, trials: List[Trial], options: argparse.Namespace) -> str:
    from mlflow.tracking import MlflowClient

    client = MlflowClient(tracking_uri=options.tracking_uri)
    name = options.experiment or sweep.folder
    if client.get_experiment_by_name(name) is not None:
        raise trackerexport.ExportError("MLflow has an experiment {!r}: name another with --experiment".format(name))
    experiment = client.create_experiment(name, tags={"mlflow.note.content": sweep.note} if sweep.note else {})
    for trial in trials:
        _export_trial(client, experiment, trial)
    return "the experiment " + name


def _export_trial(client: Any, experiment: str, trial: Trial) -> None:
    from mlflow.entities import Metric, Param

    tags = {"mlflow.runName": trackerexport.run_name(trial), **trackerexport.labels(trial)}
    if trial.note:
        tags["mlflow.note.content"] = trial.note
    if trial.tags:
        tags["sweepscope.tags"] = ", ".join(trial.tags)
    if trial.starred:
        tags["sweepscope.starred"] = "true"
    run = client.create_run(experiment, start_time=_milliseconds(trial.started_ns), tags=tags).info.run_id
    params = [Param(name, str(value)[:_LONGEST_PARAM]) for name, value in trial.params.items()]
    for begin in range(0, len(params), _PARAMS_AT_ONCE):
        client.log_batch(run, params=params[begin : begin + _PARAMS_AT_ONCE])
    names: Dict[str, str] = {}
    batch: List[Any] = []
    for curve in trackerexport.curves_of(trial):
        name = _metric_name(curve.name, names)
        for step, time, value in zip(curve.steps, curve.times, curve.values):
            batch.append(Metric(name, value, _milliseconds(time), step))
            if len(batch) == _METRICS_AT_ONCE:
                client.log_batch(run, metrics=batch)
                batch = []
    if batch:
        client.log_batch(run, metrics=batch)
    client.set_terminated(run, _STATUS[trial.state], _milliseconds(trial.ended_ns))


def _metric_name(series: str, names: Dict[str, str]) -> str:
    """The series as MLflow accepts it, different for each series. `names`: the series by name so far."""
    plain = re.sub(r"[^\w\-. :/]", "_", series)[: _LONGEST_NAME - 4] or "_"
    if plain.startswith("/") or ".." in plain:  # a path to MLflow
        plain = plain.replace("..", "__").lstrip("/") or "_"
    name, number = plain, 2
    while names.setdefault(name, series) != series:
        name, number = "{}_{}".format(plain, number), number + 1
    return name


def _milliseconds(time: Any) -> Any:
    return None if time is None else time // 1_000_000


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tracking-uri", metavar="URI", help="where MLflow stores runs (default: as MLflow is configured)")
    parser.add_argument("--experiment", metavar="NAME", help="name of a new experiment (default: the folder of the sweep)")


def main(arguments: Any = None) -> int:
    return trackerexport.main("to_mlflow", "mlflow", "Copies sweeps to MLflow, with its installed client.", _add_options, _export,
                              arguments)


if __name__ == "__main__":
    sys.exit(main())
