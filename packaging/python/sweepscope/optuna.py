# SPDX-License-Identifier: MIT
"""Chooses the points of a sweep with a sampler of Optuna, or prunes its trials with a pruner:

    python3 -m sweepscope.optuna SAMPLER
    python3 -m sweepscope.optuna --pruner PRUNER

Sweepscope starts it for `method = "optuna"` and speaks to it in lines of JSON (docs/sweep-file.md, [search] and [prune]). SAMPLER is a
class of optuna.samplers and PRUNER one of optuna.pruners, or the full name of a class in any other module. Arguments are those of
Python: "PatientPruner(MedianPruner(), patience=3)".
"""
import ast
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


# They are abstract, or need what cannot be written as an argument.
UNUSABLE = ("BaseSampler", "BaseGASampler", "GridSampler", "PartialFixedSampler", "BasePruner")


def class_of(name, kind):
    """The class with this name. kind: "sampler" or "pruner"."""
    home = optuna.samplers if kind == "sampler" else optuna.pruners
    module, _, name = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module or home.__name__), name)
    except ImportError as error:
        sys.exit(str(error))
    except AttributeError:
        if module:
            sys.exit("{} has no {} {}".format(module, kind, name))
        known = [word for word in dir(home) if word.endswith(kind.capitalize()) and word not in UNUSABLE]
        sys.exit("Optuna {} has no {} {}: it has {}".format(optuna.__version__, kind, name, ", ".join(known)))


def made(text, kind, usual=None):
    """The sampler or pruner that a class or a call of one describes. usual: arguments of the outermost one, where it takes them."""
    try:
        return made_of(ast.parse(text, mode="eval").body, kind, usual or {})
    except (SyntaxError, ValueError):
        sys.exit("{} is not a {}: write a class, with arguments if it needs any".format(text, kind))
    except TypeError as error:
        sys.exit("{} cannot be made: {}".format(text, error))


def made_of(node, kind, usual):
    if isinstance(node, ast.Call):
        positional = [value_of_argument(argument, kind) for argument in node.args]
        named = {argument.arg: value_of_argument(argument.value, kind) for argument in node.keywords}
        node = node.func
    else:
        positional, named = [], {}
    if not isinstance(node, (ast.Name, ast.Attribute)):
        raise ValueError
    described = class_of(ast.unparse(node), kind)
    takes = inspect.signature(described).parameters
    return described(*positional, **{**{name: value for name, value in usual.items() if name in takes}, **named})


def value_of_argument(node, kind):
    if isinstance(node, (ast.Call, ast.Name, ast.Attribute)):
        return made_of(node, kind, {})
    return ast.literal_eval(node)


def sampler_of(text, seed, has_constraints):
    usual = {"seed": seed}
    if has_constraints:
        usual["constraints_func"] = constraints_of
    return made(text, "sampler", usual)


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

    def __init__(self, header, sampler, pruner=None):
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
        self._pruner = pruner
        self._study = None
        self._asked = {}  # Optuna's trials by our number
        self._reported = {}  # steps that were reported of them
        self._results = {}  # what was told of finished trials, by our number

    def learn(self, lines):
        if self._study is None and self._pruner:
            # Some pruners choose by the name of the study and the number of the trial.
            self._study = optuna.create_study(
                study_name="sweepscope",
                sampler=optuna.samplers.RandomSampler(),
                pruner=made(self._pruner, "pruner"),
                direction=self._directions[0],
            )
        elif self._study is None:
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
                self._begin(number, line["params"], intermediate_of(line))
            else:
                self._finish(number, state, line)
        except (KeyError, ValueError) as error:  # it does not fit the space any more
            print("trial {} is left out: {}".format(number, error), file=sys.stderr)

    def _begin(self, number, params, intermediate):
        # Optuna cannot reopen a finished trial: if one runs again, its second result becomes a new trial.
        if not self._pruner and number in self._results or not params:
            return
        reported = self._reported.get(number, set())
        if number in self._asked and not reported <= set(intermediate):  # it started from scratch
            self._study.tell(self._asked.pop(number), state=TrialState.FAIL)
        if number not in self._asked:
            self._study.enqueue_trial(self._to_optuna(params))
            self._asked[number] = self._study.ask(self._distributions_of(params))
            reported = set()
        self._report(number, {step: value for step, value in intermediate.items() if step not in reported})
        self._reported[number] = set(intermediate)

    def _report(self, number, intermediate):
        for step, value in intermediate.items():
            self._asked[number].report(value, step)

    def _finish(self, number, state, line):
        values = [float(value) for value in line.get("values", [line["value"]] if "value" in line else [])]
        values = values[:1] if self._pruner else values
        intermediate = intermediate_of(line)
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
            reported = self._reported.pop(number, set())
            self._report(number, {step: value for step, value in intermediate.items() if step not in reported})
            trial = self._asked.pop(number)
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


    def judge(self, number):
        return {
            "prune": bool(self._asked[number].should_prune()),
            "why": "{} of Optuna {}".format(self._pruner, optuna.__version__),
        }


def intermediate_of(line):
    return {int(step): float(value) for step, value in line.get("intermediate", {}).items()}


def main():
    prunes = sys.argv[1:2] == ["--pruner"]
    if len(sys.argv) != (3 if prunes else 2):
        sys.exit(__doc__)
    warnings.simplefilter("ignore")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    bridge = None
    known = []
    for text in sys.stdin:
        line = json.loads(text)
        if bridge is None:
            bridge = Bridge(line, *([None, sys.argv[2]] if prunes else [sys.argv[1]]))
        elif "ask" not in line and "prune" not in line:
            known.append(line)
        else:
            bridge.learn(known)
            known = []
            answer = bridge.judge(line["prune"]) if "prune" in line else bridge.ask(line["ask"])
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
