"""Search methods behind one interface: `ask` for a point, `tell` its loss. Sweepscope's answer through sweepctl suggest --ask-tell."""
from __future__ import annotations

import json
import math
import os
import random
import subprocess
import tempfile
import typing
import warnings

from problems import Parameter, Point, Problem


class Random:
    version = "1"

    def __init__(self, problem: Problem, seed: int, trials: int):
        self._problem = problem
        self._generator = random.Random(f"random {seed}")

    def add(self, number: int, point: Point, loss: float) -> None:
        pass

    def ask(self, number: int) -> Point:
        return self._problem.draw(self._generator)

    def tell(self, number: int, point: Point, loss: float) -> None:
        pass

    def close(self) -> None:
        pass


def optuna_distribution(parameter: Parameter):
    import optuna

    low, high = parameter.values[0], parameter.values[-1]
    if parameter.kind in ("float", "log"):
        return optuna.distributions.FloatDistribution(low, high, log=parameter.kind == "log")
    if parameter.kind == "int":
        return optuna.distributions.IntDistribution(low, high)
    if parameter.kind == "list":  # the index, so that the order is known
        return optuna.distributions.IntDistribution(0, len(parameter.values) - 1)
    return optuna.distributions.CategoricalDistribution(parameter.values)


class Optuna:
    """`name`: tpe, gp, cmaes or auto. Settings are Optuna's defaults, except for a margin for integers in CMA-ES.

    `auto` chooses as OptunaHub's AutoSampler does for one objective: TPE with categories or conditions; else GP below 250 trials, then
    CMA-ES, started from them.
    """

    def __init__(self, name: str, problem: Problem, seed: int, trials: int):
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        warnings.simplefilter("ignore")
        self._problem = problem
        self._seed = seed
        self._name = name
        if name == "auto":
            simple = all(p.kind != "choice" and p.condition is None for p in problem.parameters)
            self._name = "gp" if simple else "tpe"
            self._switches = simple
        else:
            self._switches = False
        self._distributions = {p.name: optuna_distribution(p) for p in problem.parameters}
        self._study = optuna.create_study(sampler=self._sampler(self._name))
        self._asked: dict[int, optuna.Trial] = {}

    def _sampler(self, name: str):
        import optuna

        if name == "gp":
            return optuna.samplers.GPSampler(seed=self._seed)
        if name == "cmaes":
            return optuna.samplers.CmaEsSampler(seed=self._seed, with_margin=True, warn_independent_sampling=False)
        return optuna.samplers.TPESampler(seed=self._seed)

    @property
    def version(self) -> str:
        import optuna

        return optuna.__version__

    def add(self, number: int, point: Point, loss: float) -> None:
        import optuna

        internal = {}
        for parameter in self._problem.parameters:
            if parameter.name in point:
                value = point[parameter.name]
                internal[parameter.name] = parameter.values.index(value) if parameter.kind == "list" else value
        distributions = {name: self._distributions[name] for name in internal}
        self._study.add_trial(optuna.trial.create_trial(params=internal, distributions=distributions, value=loss))

    def ask(self, number: int) -> Point:
        if self._switches and number > 250:
            import optuna

            self._switches = False
            done = [t for t in self._study.trials if t.state == optuna.trial.TrialState.COMPLETE]
            self._study.sampler = optuna.samplers.CmaEsSampler(seed=self._seed, with_margin=True, source_trials=done)
        trial = self._study.ask()
        self._asked[number] = trial
        point: Point = {}
        for p in self._problem.parameters:
            if not p.applies(point):
                continue
            if p.kind == "choice":
                point[p.name] = trial.suggest_categorical(p.name, p.values)
            elif p.kind in ("float", "log"):
                point[p.name] = trial.suggest_float(p.name, *p.values, log=p.kind == "log")
            elif p.kind == "int":
                point[p.name] = trial.suggest_int(p.name, *p.values)
            else:
                point[p.name] = p.values[trial.suggest_int(p.name, 0, len(p.values) - 1)]
        return point

    def tell(self, number: int, point: Point, loss: float) -> None:
        self._study.tell(self._asked.pop(number), loss)

    def close(self) -> None:
        pass


class Smac:
    """SMAC's facade for hyperparameters: a random forest, and log expected improvement."""

    def __init__(self, problem: Problem, seed: int, trials: int):
        import logging

        import ConfigSpace
        import smac

        logging.disable(logging.WARNING)
        self.version = smac.version
        self._problem = problem
        self._folder = tempfile.TemporaryDirectory()
        space = ConfigSpace.ConfigurationSpace(seed=seed)
        for p in problem.parameters:
            low, high = p.values[0], p.values[-1]
            if p.kind in ("float", "log"):
                made = ConfigSpace.UniformFloatHyperparameter(p.name, low, high, log=p.kind == "log")
            elif p.kind == "int":
                made = ConfigSpace.UniformIntegerHyperparameter(p.name, low, high)
            elif p.kind == "list":
                made = ConfigSpace.OrdinalHyperparameter(p.name, p.values)
            else:
                made = ConfigSpace.CategoricalHyperparameter(p.name, p.values)
            space.add(made)
        for p in problem.parameters:
            if p.condition:
                space.add(ConfigSpace.EqualsCondition(space[p.name], space[p.condition[0]], p.condition[1]))
        self._space = space
        facade = smac.HyperparameterOptimizationFacade
        scenario = smac.Scenario(space, output_directory=self._folder.name, deterministic=True, n_trials=trials, seed=seed)
        self._smac = facade(
            scenario,
            lambda config, seed: 0.0,
            initial_design=facade.get_initial_design(scenario, n_configs=8),
            overwrite=True,
            logging_level=False,
        )
        self._asked: dict[int, typing.Any] = {}

    def add(self, number: int, point: Point, loss: float) -> None:
        import ConfigSpace
        import smac.runhistory

        info = smac.runhistory.TrialInfo(ConfigSpace.Configuration(self._space, values=point), seed=0)
        self._smac.tell(info, smac.runhistory.TrialValue(cost=loss))

    def ask(self, number: int) -> Point:
        self._asked[number] = self._smac.ask()
        config = dict(self._asked[number].config)
        return {p.name: p.values[p.values.index(config[p.name])] if p.kind in ("choice", "list") else config[p.name]
                for p in self._problem.parameters if p.name in config}

    def tell(self, number: int, point: Point, loss: float) -> None:
        import smac.runhistory

        self._smac.tell(self._asked.pop(number), smac.runhistory.TrialValue(cost=loss))

    def close(self) -> None:
        self._folder.cleanup()


def toml_value(value) -> str:
    return json.dumps(value)


def toml_parameter(parameter: Parameter) -> str:
    when = ""
    if parameter.condition:
        name, value = parameter.condition
        when = f', when = "{name} == \'{value}\'"'
    if parameter.kind in ("float", "log", "int"):
        low, high = map(toml_value, parameter.values)
        return f"{parameter.name} = {{ {parameter.kind} = [{low}, {high}]{when} }}"
    values = list(parameter.values)
    if any(isinstance(value, float) for value in values):  # a list has one type
        values = [float(value) for value in values]
    return f"{parameter.name} = {{ values = {json.dumps(values)}{when} }}"


class Sweepscope:
    """`name`: a value of search.method."""

    def __init__(self, name: str, problem: Problem, seed: int, trials: int):
        lines = ["[sweep]", 'name = "bench"', 'objective = "loss"', "", "[search]"]
        lines += [f'method = "{name}"', f"seed = {seed}", f"trials = {trials}", "", "[space]"]
        lines += [toml_parameter(parameter) for parameter in problem.parameters]
        lines += ["", "[run]", 'command = ["true"]', ""]
        with tempfile.NamedTemporaryFile("w", suffix=".toml", delete=False) as file:
            file.write("\n".join(lines))
        self._file = file.name
        self._process = subprocess.Popen(
            [os.environ["SWEEPCTL"], "suggest", file.name, "--ask-tell"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.version = ""

    def _write(self, message: dict) -> None:
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def add(self, number: int, point: Point, loss: float) -> None:
        self.tell(number, point, loss)

    def ask(self, number: int) -> Point:
        self._write({"ask": 1})
        answer = json.loads(self._process.stdout.readline())
        if answer["number"] != number:
            raise RuntimeError(f"asked for trial {number}, got {answer['number']}")
        self.version = str(answer["version"])
        return answer["params"]

    def tell(self, number: int, point: Point, loss: float) -> None:
        value = loss if math.isfinite(loss) else str(loss)
        self._write({"number": number, "state": "complete", "params": point, "value": value})

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait()
        os.unlink(self._file)


def make(name: str, problem: Problem, seed: int, trials: int):
    if name in ("random", "smac"):
        return {"random": Random, "smac": Smac}[name](problem, seed, trials)
    library, method = name.split(".", 1)
    return {"optuna": Optuna, "sweepscope": Sweepscope}[library](method, problem, seed, trials)
