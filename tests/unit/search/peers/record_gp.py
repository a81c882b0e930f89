#!/usr/bin/env python3
"""Records what Optuna 5.0.0's Gaussian process calculates, for tst_gppeers.cpp. Usage: record_gp.py > gp.json, with Optuna
5.0.0, PyTorch, SciPy and mpmath installed. The output is kept in the tree, so that the tests need none of them."""
import json
import math
import sys

import mpmath
import numpy as np
import optuna
import torch
from optuna._gp.acqf import logei
from optuna._gp.gp import GPRegressor
from optuna._gp.prior import default_log_prior

assert optuna.__version__ == "5.0.0"


def case(seed):
    random = np.random.default_rng(seed)
    n, d = int(random.integers(3, 30)), int(random.integers(1, 6))
    categories = [bool(random.integers(4) == 0) for _ in range(d)]
    draw = lambda rows: np.column_stack([random.integers(0, 3, rows) if c else random.uniform(size=rows) for c in categories])
    inputs, values, points = draw(n), random.normal(size=n), draw(4)
    logs = np.concatenate([random.uniform(-2, 3, d), [random.uniform(-1, 1)], [random.uniform(-9, -1)]])
    raw = torch.tensor(logs, dtype=torch.float64, requires_grad=True)
    gp = GPRegressor(torch.tensor(categories), torch.tensor(inputs, dtype=torch.float64), torch.tensor(values),
                     raw[:d].exp(), raw[d].exp(), raw[d + 1].exp() + 1e-6)
    posterior = gp.marginal_log_likelihood() + default_log_prior(gp) - n / 2 * math.log(2 * math.pi)
    posterior.backward()
    gp._cache_matrix()
    mean, variance = gp.posterior(torch.tensor(points, dtype=torch.float64))
    best = float(values.max())
    improvement = logei(mean, variance.clone(), best)
    return {"categories": categories, "inputs": inputs.tolist(), "values": values.tolist(), "logs": logs.tolist(),
            "posterior": posterior.item(), "gradient": raw.grad.tolist(), "points": points.tolist(), "means": mean.tolist(),
            "deviations": variance.sqrt().tolist(), "best": best, "log_improvements": improvement.tolist()}


def improvement(z):
    """log(p + z P) of the standard normal, from 60 digits."""
    mpmath.mp.dps = 60
    x = mpmath.mpf(z)
    return float(mpmath.log(mpmath.npdf(x) + x * mpmath.erfc(-x / mpmath.sqrt(2)) / 2))


zs = [40, 31, 29, 10, 3, 1, 0.1, 0, -0.1, -0.5, -1, -2, -5, -10, -16, -17, -20, -30, -37, -60, -99, -101, -150]
json.dump({"optuna": optuna.__version__, "cases": [case(seed) for seed in range(40)],
           "improvements": [[z, improvement(z)] for z in zs]}, sys.stdout, separators=(",", ":"))
print()
