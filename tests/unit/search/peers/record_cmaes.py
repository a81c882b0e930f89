#!/usr/bin/env python3
"""Records how CMA-ES with margin of the package cmaes moves its distribution, for tst_searchpeers.

Usage: record_cmaes.py > cmaes.json. Needs: pip install cmaes==0.13.1 numpy.

The optimizer is updated with points that it did not draw: recorder and test generate the same ones with SplitMix64 (`told`), closer
together in each generation, best first.
"""
import json

import cmaes
import numpy as np

MASK = 2**64 - 1


class SplitMix64:
    def __init__(self, state: int):
        self.state = state & MASK

    def next_unit(self) -> float:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        z ^= z >> 31
        return (z >> 11) * 2.0**-53


def told(random: SplitMix64, dimensions: int, generation: int) -> list[float]:
    return [0.4 + (random.next_unit() - 0.5) * 0.9**generation for _ in range(dimensions)]


def record(dimensions: int, cells: list[int], generations: int) -> dict:
    bounds = np.array([[0.5 / k, 1 - 0.5 / k] if k else [0.0, 1.0] for k in cells])
    steps = np.array([1 / k if k else 0.0 for k in cells])
    optimizer = cmaes.CMAwM(mean=np.full(dimensions, 0.5), sigma=1 / 6, bounds=bounds, steps=steps, seed=1)
    random = SplitMix64(dimensions)
    for generation in range(generations):
        points = [told(random, dimensions, generation) for _ in range(optimizer.population_size)]
        optimizer.tell([(np.array(point), float(place)) for place, point in enumerate(points)])
    inner = optimizer._cma
    normals = np.array([2 * random.next_unit() - 1 for _ in range(dimensions)])
    raw = inner._mean + normals
    encoded = raw.copy()
    if any(cells):
        encoded[optimizer._discrete_idx] = optimizer._encode_discrete_params(raw[optimizer._discrete_idx])
    return {
        "cells": cells,
        "generations": generations,
        "population": optimizer.population_size,
        "mean": inner._mean.tolist(),
        "deviation": float(inner._sigma),
        "covariance": inner._C.tolist(),
        "stretch": optimizer._A.tolist() if any(cells) else [1.0] * dimensions,
        "rounded": encoded.tolist(),
    }


def main() -> None:
    cases = []
    for generations in (1, 10, 50):
        cases.append(record(2, [0, 0], generations))
        cases.append(record(3, [0, 2, 12], generations))
        cases.append(record(10, [0] * 5 + [3, 5, 10, 100, 2], generations))
    cases.append(record(40, [0] * 40, 10))
    print(json.dumps({"cmaes": cmaes.__version__, "cases": cases}))


if __name__ == "__main__":
    main()
