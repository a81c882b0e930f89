#!/usr/bin/env python3
"""Records what Optuna 5.0.0 calculates, for tst_searchpeers.cpp. Usage: record_optuna.py > optuna.json, with Optuna 5.0.0,
NumPy and mpmath installed. The output is kept in the tree, so that the tests need neither."""
import json
import math
import sys
import warnings

import mpmath
import numpy as np
import optuna
from optuna.samplers._tpe.parzen_estimator import _ParzenEstimator, _ParzenEstimatorParameters
from optuna.samplers._tpe.sampler import _split_trials, default_gamma, default_gamma_multiobjective, default_weights
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.trial import TrialState, create_trial

assert optuna.__version__ == "5.0.0"
warnings.filterwarnings("ignore")
optuna.logging.set_verbosity(optuna.logging.ERROR)
HISTORIES = 200
PARZEN = 80
POINTS = 8


def random_dimension(random):
    kind = random.integers(4)
    if kind == 0:
        low = float(random.normal()) * 10
        return {"kind": "float", "low": low, "high": low + float(random.uniform(0.1, 50))}
    if kind == 1:
        low = float(10 ** random.uniform(-6, 0))
        return {"kind": "log", "low": low, "high": low * float(10 ** random.uniform(0.5, 5))}
    if kind == 2:
        low, step = int(random.integers(-5, 6)), int(random.integers(1, 4))
        return {"kind": "int", "low": low, "high": low + step * int(random.integers(150, 400)), "step": step}
    return {"kind": "choice", "count": int(random.integers(2, 6))}


def distribution(dimension):
    if dimension["kind"] in ("float", "log"):
        return FloatDistribution(dimension["low"], dimension["high"], log=dimension["kind"] == "log")
    if dimension["kind"] == "int":
        return IntDistribution(dimension["low"], dimension["high"], step=dimension["step"])
    return CategoricalDistribution(list(range(dimension["count"])))


def random_value(dimension, random):
    if dimension["kind"] == "float":
        return float(random.uniform(dimension["low"], dimension["high"]))
    if dimension["kind"] == "log":
        return float(math.exp(random.uniform(math.log(dimension["low"]), math.log(dimension["high"]))))
    if dimension["kind"] == "int":
        steps = (dimension["high"] - dimension["low"]) // dimension["step"]
        return dimension["low"] + dimension["step"] * int(random.integers(0, steps + 1))
    return int(random.integers(dimension["count"]))


def distinct_values(dimension, count, random):
    """Returns values without equal integers: Optuna's sort is not stable, so equal ones may swap their widths."""
    values = []
    while len(values) < count:
        value = random_value(dimension, random)
        if dimension["kind"] == "choice" or value not in values:
            values.append(value)
    return values


def parzen_case(random):
    dimensions = [random_dimension(random) for _ in range(random.integers(1, 5))]
    count = int(random.choice([1, 2, 3, 8, 24, 25, 26, 60, 130]))
    columns = [distinct_values(d, count, random) for d in dimensions]
    observations = [[column[i] for column in columns] for i in range(count)]
    points = [[random_value(d, random) for d in dimensions] for _ in range(POINTS)]
    names = [f"p{i}" for i in range(len(dimensions))]
    estimator = _ParzenEstimator(
        {name: np.array([o[i] for o in observations]) for i, name in enumerate(names)},
        {name: distribution(d) for name, d in zip(names, dimensions)},
        _ParzenEstimatorParameters(prior_weight=1.0, consider_magic_clip=True, consider_endpoints=False,
                                   weights=default_weights, multivariate=True))
    densities = estimator.log_pdf({name: np.array([p[i] for p in points]) for i, name in enumerate(names)})
    mixture = estimator._mixture_distribution
    widths = [[] if d["kind"] == "choice" else [float(x) for x in mixture.distributions[i].sigma]
              for i, d in enumerate(dimensions)]
    return {"dimensions": dimensions, "observations": observations, "points": points,
            "weights": [float(x) for x in mixture.weights], "widths": widths,
            "densities": [float(x) for x in densities]}


def mass_case(random):
    """The logarithm of the mass of a standard normal distribution in an interval, computed with 50 digits."""
    mpmath.mp.dps = 50
    low = float(random.uniform(-35, 35))
    high = low + float(10 ** random.uniform(-7, 1.5))
    a, b = mpmath.mpf(low) / mpmath.sqrt(2), mpmath.mpf(high) / mpmath.sqrt(2)
    # Computed from the nearer tail: erfc of a large negative number is 2 to all digits.
    mass = (mpmath.erfc(a) - mpmath.erfc(b)) / 2 if low + high > 0 else (mpmath.erfc(-b) - mpmath.erfc(-a)) / 2
    return [low, high, float(mpmath.log(mass))]


def split_case(random):
    objectives = int(random.choice([1, 1, 2, 3]))
    count = int(random.integers(5, 60))
    trials, recorded = [], []
    for number in range(count):
        state = ([TrialState.COMPLETE] * 4 + [TrialState.PRUNED, TrialState.RUNNING])[random.integers(6)]
        if objectives > 1 and state == TrialState.PRUNED:
            state = TrialState.COMPLETE
        # Few distinct values, so that some are equal.
        values = [float(random.integers(0, 12)) / 4 for _ in range(objectives)]
        steps = {}
        if state == TrialState.PRUNED and random.random() < 0.8:
            steps = {int(random.choice([1, 3, 9])): float(random.integers(0, 6))}
        constraints = {"c": float(random.choice([-1.0, -1.0, -1.0, 0.5, 2.0]))} if state != TrialState.RUNNING else {}
        trial = create_trial(state=state, values=values if state == TrialState.COMPLETE else None,
                             intermediate_values=steps, constraints=constraints)
        trial.number = number
        trials.append(trial)
        recorded.append({"state": state.name.lower(), "values": values if state == TrialState.COMPLETE else [],
                         "steps": [[k, v] for k, v in steps.items()], "constraint": constraints.get("c", 0.0)})
    study = optuna.create_study(directions=["minimize"] * objectives)
    finished = sum(t.state != TrialState.RUNNING for t in trials)
    below = (default_gamma if objectives == 1 else default_gamma_multiobjective)(finished)
    good, bad = _split_trials(study, trials, below)
    return {"objectives": objectives, "trials": recorded, "count": below, "good": [t.number for t in good],
            "bad": [t.number for t in bad]}


def main():
    random = np.random.default_rng(7)
    json.dump({"optuna": optuna.__version__, "parzen": [parzen_case(random) for _ in range(PARZEN)],
               "masses": [mass_case(random) for _ in range(HISTORIES)],
               "splits": [split_case(random) for _ in range(HISTORIES)]}, sys.stdout, separators=(",", ":"))
    print()


if __name__ == "__main__":
    main()
