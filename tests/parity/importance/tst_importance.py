"""The importance of parameters against Optuna's PED-ANOVA, on the same trials. The shares differ: we
subtract the shares expected by chance, use one kernel for both densities, and hardly smooth choices (Optuna spreads each over
all the others, which reduces the share of a single good one). The conclusions must be equal: which parameter is first, and
the order of those that matter."""

import json
import math
import os
import pathlib
import random
import subprocess
import sys
import unittest

try:
    import optuna
    from optuna.importance import PedAnovaImportanceEvaluator
except ImportError as error:
    print(f"skipped: no optuna here ({error})")
    sys.exit(77)

PROGRAM = pathlib.Path(os.environ["SWEEPSCOPE_TEST_BIN_DIR"]) / "parity_importance"
optuna.logging.set_verbosity(optuna.logging.ERROR)

SPACE = {
    "lr": ("log", 1e-5, 1e-1),
    "dropout": ("linear", 0.0, 0.5),
    "optimizer": ("categories", 0, 2),
    "layers": ("linear", 1, 8),
    "idle": ("linear", 0.0, 1.0),
}


def draw(generator):
    point = {}
    for name, (scale, low, high) in SPACE.items():
        if scale == "log":
            point[name] = 10 ** generator.uniform(math.log10(low), math.log10(high))
        elif scale == "categories" or name == "layers":
            point[name] = generator.randint(int(low), int(high))
        else:
            point[name] = generator.uniform(low, high)
    return point


OBJECTIVES = {
    "only lr": lambda p: abs(math.log10(p["lr"]) + 3),
    "lr before dropout": lambda p: abs(math.log10(p["lr"]) + 3) + 2 * abs(p["dropout"] - 0.2),
    "only optimizer": lambda p: 3.0 * (p["optimizer"] != 1) + 0.02 * p["dropout"],
    "lr before optimizer": lambda p: abs(math.log10(p["lr"]) + 4) + 0.5 * (p["optimizer"] != 1),
    "layers": lambda p: abs(p["layers"] - 6) + 0.5 * p["dropout"],
    "edge": lambda p: p["dropout"] * 4 + 0.1 * abs(math.log10(p["lr"]) + 2),
}


class Asked(dict):
    """A point that records which parameters were requested."""

    def __init__(self, point):
        super().__init__(point)
        self.names = set()

    def __getitem__(self, name):
        self.names.add(name)
        return super().__getitem__(name)


def used(objective):
    point = Asked(draw(random.Random(0)))
    objective(point)
    return point.names


def optunas(points, values, maximize):
    distributions = {
        name: optuna.distributions.CategoricalDistribution(tuple(range(high + 1))) if scale == "categories"
        else optuna.distributions.IntDistribution(int(low), int(high)) if name == "layers"
        else optuna.distributions.FloatDistribution(low, high, log=scale == "log")
        for name, (scale, low, high) in SPACE.items()
    }
    study = optuna.create_study(direction="maximize" if maximize else "minimize")
    study.add_trials([optuna.trial.create_trial(params=point, distributions=distributions, value=value)
                      for point, value in zip(points, values)])
    shares = optuna.importance.get_param_importances(study, evaluator=PedAnovaImportanceEvaluator())
    return [shares[name] for name in SPACE]


def ours(points, values, maximize):
    question = {
        "maximize": maximize,
        "values": values,
        "parameters": [{"name": name, "scale": scale, "low": low, "high": high,
                        "values": [point[name] for point in points]} for name, (scale, low, high) in SPACE.items()],
    }
    answer = subprocess.run([str(PROGRAM)], input=json.dumps(question).encode(), check=True, stdout=subprocess.PIPE)
    return json.loads(answer.stdout)


class Importance(unittest.TestCase):
    def test_ranking_is_that_of_optuna(self):
        for title, objective in OBJECTIVES.items():
            for count in (200, 1000, 4000):
                for seed in range(3):
                    for maximize in (False, True):
                        with self.subTest(objective=title, trials=count, seed=seed, maximize=maximize):
                            self.compare(objective, count, seed, maximize)

    def compare(self, objective, count, seed, maximize):
        generator = random.Random(seed)
        points = [draw(generator) for _ in range(count)]
        values = [(-1 if maximize else 1) * (objective(point) + 0.02 * generator.gauss(0, 1)) for point in points]
        peers, mine = optunas(points, values, maximize), ours(points, values, maximize)
        if os.environ.get("VERBOSE"):
            print([round(x, 3) for x in peers], [round(x, 3) for x in mine])
        self.assertAlmostEqual(sum(mine), 1, places=9)
        self.assertEqual(max(range(5), key=mine.__getitem__), max(range(5), key=peers.__getitem__), (mine, peers))
        # Parameters that differ clearly are in the same order. A parameter without influence has noise in Optuna (over
        # 0.2 of 200 trials), and nothing in ours.
        names = used(objective)
        for a in range(5):
            for b in range(5):
                if list(SPACE)[a] in names and peers[a] > 0.2 and peers[a] > 2 * peers[b]:
                    self.assertGreater(mine[a], mine[b], (list(SPACE), mine, peers))


if __name__ == "__main__":
    unittest.main()
