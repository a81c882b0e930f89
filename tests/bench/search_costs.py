#!/usr/bin/env python3
"""Compares how good a point GP finds in a budget of device time, with and without looking at what points cost.

    search_costs.py [--seeds 10] [--sweepctl FILE]

Costs differ by a factor of 50 within each space. Prints the median of the best loss (the least is 0) after a quarter, a half and the
whole of the budget, which is that of 40 average points.
"""
from __future__ import annotations

import argparse
import json
import math
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SPREAD = math.log(50)
MEAN_COST = (math.exp(SPREAD) - 1) / SPREAD


def bowl(x, best):
    return sum((a - b) ** 2 for a, b in zip(x, best)) + 0.5 * (x[0] - best[0]) * (x[1] - best[1])


def ripples(x, best):
    return bowl(x, best) + 0.1 * sum(1 - math.cos(10 * (a - b)) for a, b in zip(x, best))


# name: loss of a point, given the best one; place of the best one on the first axis, along which the costs rise
PROBLEMS = {
    "cheap optimum": (bowl, 0.2),
    "average optimum": (bowl, 0.5),
    "dear optimum": (bowl, 0.85),
    "dear, with ripples": (ripples, 0.85),
    "average, with ripples": (ripples, 0.5),
}


def search(sweepctl, problem, seed, looks):
    loss, place = PROBLEMS[problem]
    shift = random.Random(f"{problem} {seed}")
    best = [place + shift.uniform(-0.1, 0.1)] + [shift.uniform(0.1, 0.9) for _ in range(3)]
    budget = 40 * MEAN_COST
    section = f'[budget]\ndevice_time = "{round(budget)}s"\n' if looks else ""
    space = "".join(f"x{i} = {{ float = [0.0, 1.0] }}\n" for i in range(len(best)))
    text = f'[sweep]\nname = "b"\nobjective = "y"\n[search]\nmethod = "gp"\nseed = {seed}\n' + ("" if looks else "trials = 400\n") + section
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "s.toml")
        file.write_text(text + f'[space]\n{space}[run]\ncommand = ["true"]\n')
        process = subprocess.Popen([sweepctl, "suggest", file, "--ask-tell"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        used, least, results, number = 0.0, math.inf, {}, 0
        while used < budget:
            number += 1
            process.stdin.write('{"ask": 1}\n')
            process.stdin.flush()
            params = json.loads(process.stdout.readline())["params"]
            point = list(params.values())
            cost = math.exp(SPREAD * point[0])
            used += cost
            if used <= budget:
                least = min(least, loss(point, best))
            for share in (0.25, 0.5, 1):
                if used <= share * budget or share == 1:
                    results[share] = least
            trial = {"number": number, "state": "complete", "params": params, "value": loss(point, best), "device_seconds": cost}
            process.stdin.write(json.dumps(trial) + "\n")
        process.stdin.close()
        process.wait()
    return [results.get(share, math.inf) for share in (0.25, 0.5, 1)] + [number]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--sweepctl", default=str(HERE.parents[1] / "build/release/bin/sweepctl"))
    options = parser.parse_args()
    for problem in PROBLEMS:
        for looks in (False, True):
            runs = [search(options.sweepctl, problem, seed, looks) for seed in range(options.seeds)]
            quarter, half, whole, trials = (statistics.median(column) for column in zip(*runs))
            print(f"{problem:22} {'by cost' if looks else 'blind':8} {quarter:8.4f} {half:8.4f} {whole:8.5f}   {trials:4.0f} trials", flush=True)


if __name__ == "__main__":
    sys.exit(main())
