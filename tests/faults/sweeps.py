"""The sweeps that the fault harness runs, and the expected results of each."""

import os
import sys
from collections import namedtuple

# value(n, rank, step): what a rank reports at a step; None if only the program knows. steps: how many.
Sweep = namedtuple("Sweep", "name toml trials ranks concurrent slots steps value")

HERE = os.path.dirname(os.path.abspath(__file__))

_TOML = """[sweep]
name = "{name}"
objective = "{objective}"
goal = "minimize"
[search]
method = "grid"
[space]
{space}
[run]
{run}
ranks = {ranks}
retries = 3
[devices]
{devices}
concurrent = {concurrent}
"""


def _numbers(trials):
    return "n = {{ int = [1, {}] }}".format(trials)


def _toml_list(words):
    return "[" + ", ".join("'''{}'''".format(word) for word in words) + "]"


def _reporting(random, folder, name, behaviour, value, gpus=False):
    ranks = random.choice([1, 1, 2, 3]) if not gpus else 1
    trials, concurrent = random.randint(4, 9), random.randint(1, 3)
    steps, pause = random.choice([(5, 2), (40, 10), (60, 25)])
    slots = 4 if gpus else ranks * concurrent
    words = [sys.executable, os.path.join(HERE, "rank.py"), folder, behaviour, "{n}", str(steps), str(pause)]
    toml = _TOML.format(
        name=name,
        objective="loss",
        space=_numbers(trials),
        run="command = " + _toml_list(words),
        ranks=ranks,
        devices='kind = "gpu"' if gpus else 'kind = "cpu"\ncpu_slots = {}'.format(slots),
        concurrent=concurrent,
    )
    return Sweep(name, toml, trials, ranks, concurrent, slots, steps, value)


def _native(random, program):
    """Ranks that write through the C++ feed, and end within milliseconds."""
    trials, concurrent, steps = random.randint(10, 30), random.randint(1, 3), random.choice([1, 50, 5000])
    toml = _TOML.format(
        name="native",
        objective="loss",
        space=_numbers(trials),
        run="command = " + _toml_list([program, str(steps), "{n}"]),
        ranks=1,
        devices='kind = "cpu"\ncpu_slots = 3',
        concurrent=concurrent,
    )
    return Sweep("native", toml, trials, 1, concurrent, 3, steps, lambda n, rank, step: float(step))


def _builtin(random):
    trials, ranks = random.randint(2, 3), random.choice([1, 2])
    toml = _TOML.format(
        name="builtin",
        objective="val_loss",
        space="lr = {{ log = [1e-3, 1e-1], points = {} }}".format(trials),
        run='worker = "builtin"\ndataset = "digits"\nmodel = "mlp"\nepochs = 2',
        ranks=ranks,
        devices='kind = "cpu"\ncpu_slots = 2',
        concurrent=1,
    )
    return Sweep("builtin", toml, trials, ranks, 1, 2, None, None)


def choose(random, programs, folder, value):
    """Returns the sweeps of one round. `programs`: paths of the built programs; None for one that was not built."""
    behaviours = ["plain", "children", "daemons", "stubborn", "flaky"]
    random.shuffle(behaviours)
    chosen = [_reporting(random, folder, name, name, value) for name in behaviours[: random.randint(2, 3)]]
    if programs.fake_nvml:
        chosen.append(_reporting(random, folder, "gpus", "children", value, gpus=True))
    if programs.native:
        chosen.append(_native(random, programs.native))
    if programs.worker and random.random() < 0.4:
        chosen.append(_builtin(random))
    return chosen
