"""Chooses the points of a sweep with a sampler of Optuna: python3 -m sweepscope.optuna SAMPLER

Sweepscope starts it for `method = "optuna"` and speaks to it in lines of JSON (docs/sweep-file.md, [search]). SAMPLER is a class of
optuna.samplers, or the full name of one in any other module.
"""
import importlib
import inspect
import json
import math
import sys
import warnings
from statistics import NormalDist

import optuna
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.trial import TrialState


# They are abstract, or need arguments.
UNUSABLE = ("BaseSampler", "BaseGASampler", "GridSampler", "PartialFixedSampler")


def sampler_of(name, seed, has_constraints):
    module, _, name = name.rpartition(".")
    try:
        made = getattr(importlib.import_module(module or "optuna.samplers"), name)
    except ImportError as error:
        sys.exit(str(error))
    except AttributeError:
        if module:
            sys.exit("{} has no sampler {}".format(module, name))
        known = [word for word in dir(optuna.samplers) if word.endswith("Sampler") and word not in UNUSABLE]
        sys.exit("Optuna {} has no sampler {}: it has {}".format(optuna.__version__, name, ", ".join(known)))
    takes = inspect.signature(made).parameters
    arguments = {"seed": seed} if "seed" in takes else {}
    if has_constraints and "constraints_func" in takes:
        arguments["constraints_func"] = constraints_of
    try:
        return made(**arguments)
    except TypeError as error:
        sys.exit("{} cannot be made without arguments: {}".format(name, error))


def constraints_of(trial):
    return trial.user_attrs.get("constraints", [0.0])


def distribution_of(parameter):
    kind = parameter["kind"]
    if kind in ("float", "log"):
        return FloatDistribution(parameter["low"], parameter["high"], log=kind == "log", step=parameter.get("step"))
    if kind in ("normal", "log_normal"):  # the share of the distribution below it
        return FloatDistribution(0.0, 1.0)
    if kind == "int" and parameter.get("log"):
        return IntDistribution(parameter["low"], parameter["high"], log=True)
    if kind == "int":
        last = parameter["high"] - (parameter["high"] - parameter["low"]) % parameter["step"]
        return IntDistribution(parameter["low"], last, step=parameter["step"])
    if kind == "list":  # its place in ascending order, so that the sampler knows the order
        return IntDistribution(0, len(parameter["values"]) - 1)
    return CategoricalDistribution(parameter["values"])


# The range of a normal distribution reaches four deviations to both sides, here as in Sweepscope.
BEYOND = NormalDist().cdf(-4)


def share_of(parameter, value):
    """How much of a normal distribution is below the value."""
    line = math.log(value) if parameter["kind"] == "log_normal" else value
    below = NormalDist(parameter["mean"], parameter["deviation"]).cdf(line)
    return min(max((below - BEYOND) / (1 - 2 * BEYOND), 0.0), 1.0)


def value_of(parameter, share):
    line = NormalDist(parameter["mean"], parameter["deviation"]).inv_cdf(BEYOND + share * (1 - 2 * BEYOND))
    value = math.exp(line) if parameter["kind"] == "log_normal" else line
    return min(max(value, parameter["low"]), parameter["high"])


class Bridge:
    """Trials of a sweep as those of an Optuna study."""

    def __init__(self, header, sampler):
        self._space = {parameter["name"]: parameter for parameter in header["space"]}
        for parameter in self._space.values():
            if parameter["kind"] == "list":
                parameter["values"] = sorted(parameter["values"])
        self._distributions = {name: distribution_of(parameter) for name, parameter in self._space.items()}
        self._directions = [header["goal"], *(objective["goal"] for objective in header.get("objectives", []))]
        self._seed = header["seed"]
        self._has_constraints = header.get("has_constraints", False)
        self._learns_constraints = False
        self._sampler = sampler
        self._study = None
        self._asked = {}  # Optuna's trials by our number
        self._results = {}  # what was told of finished trials, by our number

    def learn(self, lines):
        if self._study is None:
            # After a restart another seed, or the sampler would draw the points of its first life again.
            sampler = sampler_of(self._sampler, self._seed + len(lines), self._has_constraints)
            self._learns_constraints = "constraints_func" in inspect.signature(type(sampler)).parameters
            objectives = max([len(line.get("values", [0])) for line in lines], default=1)
            further = objectives - len(self._directions)  # of a history, which the sweep file does not name
            self._study = optuna.create_study(
                sampler=sampler, directions=self._directions + self._directions[:1] * further
            )
        for line in lines:
            self._tell(line)

    def _to_optuna(self, params):
        known = {name: value for name, value in params.items() if name in self._space}
        for name in known:
            parameter = self._space[name]
            if parameter["kind"] == "list":
                known[name] = parameter["values"].index(known[name])
            elif parameter["kind"] in ("normal", "log_normal"):
                known[name] = share_of(parameter, known[name])
        return known

    def _tell(self, line):
        number, state = line["number"], line["state"]
        if state == "rejected":  # the point is forbidden or was tried: another one is wanted
            self._study.tell(self._asked.pop(number), state=TrialState.FAIL)
            return
        try:
            if state in ("running", "queued"):
                self._begin(number, line["params"])
            else:
                self._finish(number, state, line)
        except (KeyError, ValueError) as error:  # it does not fit the space any more
            print("trial {} is left out: {}".format(number, error), file=sys.stderr)

    def _begin(self, number, params):
        # Optuna cannot reopen a finished trial: if one runs again, its second result becomes a new trial.
        if number not in self._asked and number not in self._results and params:
            self._study.enqueue_trial(self._to_optuna(params))
            self._asked[number] = self._study.ask(self._distributions_of(params))

    def _finish(self, number, state, line):
        values = [float(value) for value in line.get("values", [line["value"]] if "value" in line else [])]
        intermediate = {int(step): float(value) for step, value in line.get("intermediate", {}).items()}
        finished = {"complete": TrialState.COMPLETE, "pruned": TrialState.PRUNED}.get(state, TrialState.FAIL)
        constraints = [float(value) for value in line.get("constraints", [0.0])]
        violates = any(not value <= 0 for value in constraints)
        if finished == TrialState.COMPLETE and any(value != value for value in values):
            finished = TrialState.FAIL  # NaN
        if violates and not self._learns_constraints:
            finished = TrialState.FAIL
        if finished == TrialState.PRUNED and not intermediate:
            finished = TrialState.FAIL
        result = (finished, values, intermediate, constraints)
        if self._results.get(number) == result:
            return
        self._results[number] = result
        if number in self._asked:
            trial = self._asked.pop(number)
            for step, value in intermediate.items():
                trial.report(value, step)
            trial.set_user_attr("constraints", constraints)
            self._study.tell(trial, values if finished == TrialState.COMPLETE else None, state=finished)
            return
        self._study.add_trial(
            optuna.trial.create_trial(
                state=finished,
                params=self._to_optuna(line["params"]),
                distributions=self._distributions_of(line["params"]),
                values=values if finished == TrialState.COMPLETE else None,
                intermediate_values=intermediate,
                user_attrs={"constraints": constraints},
                # Where samplers look, who are not asked about trials that are added.
                system_attrs={"constraints": constraints} if self._has_constraints else None,
            )
        )

    def _distributions_of(self, params):
        return {name: distribution for name, distribution in self._distributions.items() if name in params}

    def ask(self, number):
        trial = self._study.ask(self._distributions)
        self._asked[number] = trial
        params = dict(trial.params)
        for name, parameter in self._space.items():
            if parameter["kind"] == "list":
                params[name] = parameter["values"][params[name]]
            elif parameter["kind"] in ("normal", "log_normal"):
                params[name] = value_of(parameter, params[name])
        return {"params": params, "why": "{} of Optuna {}".format(self._sampler, optuna.__version__)}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    warnings.simplefilter("ignore")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    bridge = None
    known = []
    for text in sys.stdin:
        line = json.loads(text)
        if bridge is None:
            bridge = Bridge(line, sys.argv[1])
        elif "ask" not in line:
            known.append(line)
        else:
            bridge.learn(known)
            known = []
            print(json.dumps(bridge.ask(line["ask"])), flush=True)


if __name__ == "__main__":
    main()
