#!/usr/bin/env python3
"""Compares how large a part of the objectives' space search methods dominate, with two and three objectives.

    search_objectives.py [--trials 100] [--seeds 5] [--workers 1] --sweepctl FILE METHOD...

A METHOD is sweepscope.tpe, sweepscope.nsga2, optuna.tpe, optuna.nsga2 or random. Needs Optuna 5.0.0. Prints for each problem the mean
hypervolume of each method, and below the mean rank over problems and seeds (1: the largest).
"""
from __future__ import annotations

import argparse
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import warnings

HERE = pathlib.Path(__file__).resolve().parent


def zdt(shape, size):
    def values(x):
        g = 1 + 9 * sum(x[1:]) / (size - 1)
        return [x[0], g * shape(x[0] / g, x[0])]

    return values


def dtlz2(objectives):
    def values(x):
        g = sum((v - 0.5) ** 2 for v in x[objectives - 1 :])
        results = []
        for i in range(objectives):
            f = 1 + g
            for v in x[: objectives - 1 - i]:
                f *= math.cos(v * math.pi / 2)
            if i > 0:
                f *= math.sin(x[objectives - 1 - i] * math.pi / 2)
            results.append(f)
        return results

    return values


def cost_and_error(x):
    """Wider and deeper models are better and dearer; x[3] is a learning rate that must fit the depth."""
    width, depth, dropout, rate = x[0], x[1], x[2], x[3]
    error = 0.05 + 0.5 * math.exp(-3 * width) + 0.2 * (depth - 0.6) ** 2 + 0.1 * (dropout - 0.3 * width) ** 2
    error += (rate - 0.7 + 0.4 * depth) ** 2
    return [error, width * (0.2 + depth)]


# name: number of parameters, objectives, reference point, function of a point in the unit cube
PROBLEMS = {
    "zdt1-5": (5, 2, [1.1, 8.0], zdt(lambda r, f: 1 - math.sqrt(r), 5)),
    "zdt2-5": (5, 2, [1.1, 8.0], zdt(lambda r, f: 1 - r * r, 5)),
    "zdt3-10": (10, 2, [1.1, 8.0], zdt(lambda r, f: 1 - math.sqrt(r) - r * math.sin(10 * math.pi * f), 10)),
    "dtlz2-6-2": (6, 2, [2.0, 2.0], dtlz2(2)),
    "dtlz2-7-3": (7, 3, [2.0, 2.0, 2.0], dtlz2(3)),
    "cost-4": (4, 2, [1.5, 1.3], cost_and_error),
}


class Random:
    def __init__(self, size: int, objectives: int, seed: int, trials: int):
        self._random = random.Random(f"random {seed}")
        self._size = size

    def ask(self, number):
        return [self._random.random() for _ in range(self._size)]

    def tell(self, number, point, values):
        pass

    def close(self):
        pass


class Optuna:
    def __init__(self, sampler: str, size: int, objectives: int, seed: int, trials: int):
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        warnings.simplefilter("ignore")
        make = {"tpe": lambda: optuna.samplers.TPESampler(seed=seed), "nsga2": lambda: optuna.samplers.NSGAIISampler(seed=seed)}
        self._study = optuna.create_study(directions=["minimize"] * objectives, sampler=make[sampler]())
        self._size = size
        self._asked = {}

    def ask(self, number):
        self._asked[number] = self._study.ask()
        return [self._asked[number].suggest_float(f"x{i}", 0, 1) for i in range(self._size)]

    def tell(self, number, point, values):
        self._study.tell(self._asked.pop(number), values)

    def close(self):
        pass


class Sweepscope:
    def __init__(self, method: str, size: int, objectives: int, seed: int, trials: int):
        space = "".join(f"x{i} = {{ float = [0.0, 1.0] }}\n" for i in range(size))
        text = f'[sweep]\nname = "b"\nobjective = "y"\n[search]\nmethod = "{method}"\nseed = {seed}\ntrials = {trials}\n[space]\n{space}'
        with tempfile.NamedTemporaryFile("w", suffix=".toml", delete=False) as file:
            file.write(text + '[run]\ncommand = ["true"]\n')
        self._file = file.name
        self._process = subprocess.Popen(
            [os.environ["SWEEPCTL"], "suggest", file.name, "--ask-tell"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def _write(self, message):
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def ask(self, number):
        self._write({"ask": 1})
        answer = json.loads(self._process.stdout.readline())
        return list(answer["params"].values())

    def tell(self, number, point, values):
        params = {f"x{i}": value for i, value in enumerate(point)}
        self._write({"number": number, "state": "complete", "params": params, "values": values})

    def close(self):
        self._process.stdin.close()
        self._process.wait()
        os.unlink(self._file)


def make(method: str, *arguments):
    if method == "random":
        return Random(*arguments)
    library, name = method.split(".")
    return {"optuna": Optuna, "sweepscope": Sweepscope}[library](name, *arguments)


def hypervolume(points, reference):
    import numpy
    from optuna._hypervolume import compute_hypervolume

    inside = [p for p in points if all(v < r for v, r in zip(p, reference))]
    return compute_hypervolume(numpy.array(inside), numpy.array(reference)) if inside else 0.0


def search(method, problem, seed, trials, workers):
    size, objectives, reference, function = PROBLEMS[problem]
    shift = random.Random(f"{problem} {seed}")
    # Axes are turned round, so that no method gains from an end of the space.
    turned = [shift.random() < 0.5 for _ in range(size)]
    sampler = make(method, size, objectives, seed, trials)
    results = []
    pending = []
    for number in range(1, trials + 1):
        point = sampler.ask(number)
        pending.append((number, point, function([1 - v if t else v for v, t in zip(point, turned)])))
        if len(pending) == workers:
            results.append(pending[0][2])
            sampler.tell(*pending.pop(0))
    results += [values for _, _, values in pending]
    sampler.close()
    return hypervolume(results, reference)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("methods", nargs="+")
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--sweepctl", default=str(HERE.parents[1] / "build/release/bin/sweepctl"))
    options = parser.parse_args()
    os.environ["SWEEPCTL"] = options.sweepctl
    ranks = {method: [] for method in options.methods}
    print("hypervolume".ljust(14) + "".join(method.rjust(18) for method in options.methods))
    for problem in PROBLEMS:
        volumes = {method: [] for method in options.methods}
        for seed in range(options.seeds):
            for method in options.methods:
                volumes[method].append(search(method, problem, seed, options.trials, options.workers))
            for method in options.methods:
                better = sum(bool(volumes[other][-1] > volumes[method][-1]) for other in options.methods)
                ranks[method].append(1 + better)
        print(problem.ljust(14) + "".join(f"{statistics.mean(volumes[m]):18.4f}" for m in options.methods), flush=True)
    print("mean rank".ljust(14) + "".join(f"{statistics.mean(ranks[m]):18.2f}" for m in options.methods))


if __name__ == "__main__":
    sys.exit(main())
