#!/usr/bin/env python3
"""Compares the CPU time of one suggestion of our TPE and GP with Optuna's, in one run over the same ten floats.

Usage: search_vs_optuna.py BENCH_SEARCH

BENCH_SEARCH is build/release/bin/bench_search. Needs Optuna: pip install optuna==5.0.0 numpy scipy; and torch for GP,
which is left out without it. All run on one thread. Prints for each number of finished trials: our time, Optuna's time
with TPESampler(multivariate=True) or GPSampler(), and their ratio. Where gp fits its kernel again, its time is gp_fit's.
"""
import importlib.util
import json
import os
import random
import statistics
import subprocess
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")

import optuna  # noqa: E402

SUGGESTIONS = {"tpe": {100: 40, 1_000: 20, 10_000: 7}, "gp": {100: 9, 500: 5}}


def sampler(method: str) -> optuna.samplers.BaseSampler:
    return optuna.samplers.GPSampler(seed=7) if method == "gp" else optuna.samplers.TPESampler(multivariate=True, seed=7)


def optuna_seconds(method: str, trials: int, suggestions: int) -> float:
    """Median CPU time of a suggestion, in seconds."""
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    distributions = {f"x{i}": optuna.distributions.FloatDistribution(-5, 5) for i in range(10)}
    study = optuna.create_study(sampler=sampler(method))
    generator = random.Random(7)
    known = []
    for _ in range(trials):
        params = {name: generator.uniform(-5, 5) for name in distributions}
        value = sum(x * x for x in params.values())
        known.append(optuna.trial.create_trial(params=params, distributions=distributions, value=value))
    study.add_trials(known)
    seconds = []
    for _ in range(suggestions):
        begin = time.process_time()
        study.ask(distributions)
        seconds.append(time.process_time() - begin)
    return statistics.median(seconds)


def our_seconds(bench: str) -> dict[str, float]:
    printed = subprocess.run(
        [bench, "--benchmark_filter=tpe|gp", "--benchmark_format=json"], check=True, capture_output=True, text=True
    ).stdout
    return {row["name"]: row["cpu_time"] / 1e3 for row in json.loads(printed)["benchmarks"]}


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    ours = our_seconds(sys.argv[1])
    for method, counts in SUGGESTIONS.items():
        if method == "gp" and importlib.util.find_spec("torch") is None:
            print("gp: left out, because torch is not installed")
            continue
        for trials, suggestions in counts.items():
            theirs = optuna_seconds(method, trials, suggestions)
            for name in [f"{method}/{trials}"] + [f"gp_fit/{trials}"] * (method == "gp"):
                print(
                    f"{name}: {1e3 * ours[name]:.3f} ms, Optuna {optuna.__version__} {1e3 * theirs:.1f} ms, "
                    f"1/{theirs / ours[name]:.0f}"
                )


if __name__ == "__main__":
    main()
