#!/usr/bin/env python3
"""Records which trials the pruners of Optuna 5.0.0 end, for tst_pruningpeers.cpp. Usage: record_optuna.py > optuna.json,
with Optuna 5.0.0 and SciPy 1.17 installed. The output is kept in the tree, so that the tests need neither.

Each sweep runs TRIALS trials of STEPS steps, WORKERS at a time, on a simulated clock. Its values and the order of reports
come from SplitMix64, which the test runs too: the output has only the sweep's settings and the step at which each trial
was pruned (0: it completed)."""
import json
import sys

import optuna
import scipy
from optuna.pruners import PatientPruner, PercentilePruner, SuccessiveHalvingPruner, ThresholdPruner, WilcoxonPruner
from optuna.trial import TrialState
from scipy import stats

assert optuna.__version__ == "5.0.0" and scipy.__version__.startswith("1.17")
optuna.logging.set_verbosity(optuna.logging.ERROR)
SWEEPS, TRIALS, STEPS, WORKERS = 500, 14, 16, 4
MASK = 2**64 - 1


class SplitMix64:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, count):
        return self.next() % count


def values_of(random, trial, digits):
    """Value at step s: a curve that falls to the trial's own level, with noise; rounded, so that some are equal."""
    level, noise = random.below(1000), 1 + random.below(300)
    scale = 10**digits
    return [((level + 4000 // (step + 1) + random.below(noise)) // scale) * scale / 1000 for step in range(STEPS)]


def sweep(rule, seed):
    random = SplitMix64(seed)
    maximize = random.below(2) == 1
    digits = random.below(3)
    settings = {"seed": seed, "maximize": maximize}
    first, every = 1 + random.below(4), 1 + random.below(3)
    if rule == "percentile":
        settings |= {"percentile": 5 + random.below(90), "min_trials": 1 + random.below(4), "first": first, "every": every}
        pruner = PercentilePruner(settings["percentile"], n_startup_trials=0, n_warmup_steps=first, interval_steps=every,
                                  n_min_trials=settings["min_trials"])
    elif rule == "halving":
        settings |= {"factor": 2 + random.below(3), "first": first}
        pruner = SuccessiveHalvingPruner(min_resource=first, reduction_factor=settings["factor"])
    elif rule == "patience":
        settings |= {"patience": 1 + random.below(5)}
        pruner = PatientPruner(None, patience=settings["patience"])
    elif rule == "threshold":
        settings |= {"above": 1 + random.below(2000) / 1000, "below": random.below(300) / 1000, "first": first, "every": every}
        pruner = ThresholdPruner(lower=settings["below"], upper=settings["above"], n_warmup_steps=first, interval_steps=every)
    else:
        settings |= {"p_value": (1 + random.below(40)) / 100}
        pruner = WilcoxonPruner(p_threshold=settings["p_value"], n_startup_steps=0)
    study = optuna.create_study(direction="maximize" if maximize else "minimize", pruner=pruner)
    running, ended, started = [], [0] * TRIALS, 0
    while started < TRIALS or running:
        if started < TRIALS and len(running) < WORKERS:
            running.append([started, study.ask(), values_of(random, started, digits), 0])
            started += 1
            continue
        place = random.below(len(running))
        number, trial, values, step = running[place]
        trial.report(values[step], step + 1)
        running[place][3] = step + 1
        if trial.should_prune():
            ended[number] = step + 1
            study.tell(trial, state=TrialState.PRUNED)
            running.pop(place)
        elif step + 1 == STEPS:
            # Summed in the order of the steps, as the test does.
            study.tell(trial, (sum(values) / STEPS) if rule == "wilcoxon" else values[-1])
            running.pop(place)
    return settings | {"pruned": ended}


def signed_rank(seed):
    random = SplitMix64(seed)
    count = [2, 5, 13, 14, 30, 49, 50, 51, 80][random.below(9)]
    spread = [3, 20, 10**6][random.below(3)]
    differences = [random.below(2 * spread + 1) - spread + spread // 5 for _ in range(count)]
    p = stats.wilcoxon(differences, alternative="greater", zero_method="zsplit").pvalue if any(differences) else None
    return {"seed": seed, "p": None if p is None or p != p else float(p)}


# SciPy needs seconds for the ties of one sweep.
recorded = {rule: [sweep(rule, 1000 * place + seed) for seed in range(60 if rule == "wilcoxon" else SWEEPS)]
            for place, rule in enumerate(["percentile", "halving", "patience", "threshold", "wilcoxon"], 1)}
recorded["signed_rank"] = [signed_rank(9000 + seed) for seed in range(300)]
json.dump({"optuna": optuna.__version__, "scipy": scipy.__version__, "trials": TRIALS, "steps": STEPS, "workers": WORKERS,
           **recorded}, sys.stdout, separators=(",", ":"))
print()
