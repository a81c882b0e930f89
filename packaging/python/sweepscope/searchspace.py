# SPDX-License-Identifier: MIT
"""Prints the search space of a script as JSON, without running it:

    python3 -m sweepscope.searchspace train.py

Reads calls of Optuna (trial.suggest_float) and Ray Tune (tune.loguniform), and configurations of wandb.sweep(), as far as they are
literal: constants, arithmetic of constants, and variables with such values. `sweepctl import` makes a sweep file of the result.
"""
import ast
import json
import math
import sys

_SUGGESTIONS = {"float": ("low", "high", "step", "log"), "int": ("low", "high", "step", "log"), "categorical": ("choices",),
                "uniform": ("low", "high"), "loguniform": ("low", "high"), "discrete_uniform": ("low", "high", "q")}

#: Names of arguments in their order.
_TUNE = {"uniform": ("lower", "upper"), "quniform": ("lower", "upper", "q"), "loguniform": ("lower", "upper", "base"),
         "qloguniform": ("lower", "upper", "q", "base"), "randn": ("mean", "sd"), "qrandn": ("mean", "sd", "q"),
         "randint": ("lower", "upper"), "qrandint": ("lower", "upper", "q"), "lograndint": ("lower", "upper", "base"),
         "qlograndint": ("lower", "upper", "q", "base"), "choice": ("categories",), "grid_search": ("values",),
         "sample_from": ("func",)}

_LARGEST = 2 ** 53


class NotLiteral(Exception):
    """A value that only a running script knows."""


class Missing:
    """A value of a dictionary that is not literal."""


class Drawn:
    """A call of Ray Tune within a configuration."""

    def __init__(self, function, arguments, line):
        self.function = function
        self.arguments = arguments
        self.line = line


def number(value):
    try:
        if not isinstance(value, bool) and isinstance(value, (int, float)) and math.isfinite(value):
            return value
    except OverflowError:  # an integer that no float can hold
        pass
    raise NotLiteral


class Script:
    def __init__(self, text):
        self._text = text
        self._modules = {}  # names that were imported, with their full names
        self._nodes = {}  # the last value of each variable
        self._suggested = {}  # variables that hold a parameter
        self._spaces = []  # configurations of Ray Tune
        self._chosen = None  # the one that is passed to it
        self._asks_to_prune = False
        self.parameters = {}
        self.problems = []
        self.notes = []
        self.wandb = None
        self.source = None
        self.settings = {}
        self._read(ast.parse(text))
        if self._chosen or self._spaces:
            self._read_tune()
        if self.source == "optuna" and self._asks_to_prune:
            self.settings.setdefault("pruner", "MedianPruner")
        if not self._asks_to_prune or self.settings.get("pruner", "").startswith("NopPruner"):
            self.settings.pop("pruner", None)

    def _refuse(self, node, field, message):
        line = node if isinstance(node, int) else node.lineno
        column = 0 if isinstance(node, int) else node.col_offset + 1
        self.problems.append({"field": field, "message": message, "line": line, "column": column})

    def _source_of(self, node):
        return ast.get_source_segment(self._text, node) or "?"

    # Statements, in their order

    def _read(self, module):
        for node in ast.walk(module):
            if isinstance(node, ast.Import):
                for name in node.names:
                    if name.asname:
                        self._modules[name.asname] = name.name
                    else:
                        self._modules[name.name.split(".")[0]] = name.name.split(".")[0]
            elif isinstance(node, ast.ImportFrom) and node.module:
                for name in node.names:
                    self._modules[name.asname or name.name] = node.module + "." + name.name
        self._block(module.body, {}, [])

    def _block(self, statements, values, conditions):
        later = []
        for statement in statements:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                later.append(statement)
                continue
            inner = [(name, getattr(statement, name)) for name in ("body", "orelse", "finalbody") if getattr(statement, name, None)]
            for child in ast.iter_child_nodes(statement):
                if not isinstance(child, ast.stmt):
                    self._expressions(child, values, conditions)
            if isinstance(statement, (ast.Assign, ast.AnnAssign)):
                self._assign(statement, values)
            elif isinstance(statement, ast.AugAssign):
                self._forget(statement.target, values)
            elif isinstance(statement, (ast.For, ast.AsyncFor)):
                self._forget(statement.target, values)
            elif isinstance(statement, ast.Expr):
                self._update(statement.value, values)
            for name, block in inner:
                further = conditions
                if isinstance(statement, ast.If):
                    further = conditions + [(statement.test, name == "body")]
                self._block(block, values, further)
            for handler in getattr(statement, "handlers", []):
                self._block(handler.body, values, conditions)
        for definition in later:
            self._block(definition.body, dict(values), conditions)

    def _forget(self, target, values):
        for node in ast.walk(target):
            if isinstance(node, ast.Name):
                values.pop(node.id, None)
                self._suggested.pop(node.id, None)

    def _assign(self, statement, values):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if statement.value is None:
            return
        for target in targets:
            if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
                holder = values.get(target.value.id)
                try:
                    key = self._value(_index(target), values)
                except NotLiteral:
                    continue
                if isinstance(holder, dict) and isinstance(key, str):
                    holder[key] = self._member(statement.value, values)
                    self._keep(holder)
                continue
            self._forget(target, values)
            if not isinstance(target, ast.Name):
                continue
            self._nodes[target.id] = statement.value
            name = self._suggested_name(statement.value, values)
            if name is not None:
                self._suggested[target.id] = name
            try:
                values[target.id] = self._value(statement.value, values)
            except NotLiteral:
                continue
            self._keep(values[target.id])

    def _update(self, node, values):
        """config.update({...})"""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "update" and node.args:
            holder = values.get(node.func.value.id) if isinstance(node.func.value, ast.Name) else None
            try:
                added = self._value(node.args[0], values)
            except NotLiteral:
                return
            if isinstance(holder, dict) and isinstance(added, dict):
                holder.update(added)
                self._keep(holder)

    def _keep(self, value):
        if not isinstance(value, dict):
            return
        if isinstance(value.get("parameters"), dict) and ("method" in value or "metric" in value):
            self.wandb = value
        if _draws(value) and not any(value is space for space in self._spaces):
            self._spaces = [space for space in self._spaces if not _contains(value, space)]
            if not any(_contains(space, value) for space in self._spaces):
                self._spaces.append(value)

    # Values

    def _path(self, node):
        """The full name of a function: "ray.tune.uniform"; empty for others."""
        if isinstance(node, ast.Name):
            return self._modules.get(node.id, "")
        if isinstance(node, ast.Attribute):
            before = self._path(node.value)
            return before + "." + node.attr if before else ""
        return ""

    def _member(self, node, values):
        try:
            return self._value(node, values)
        except NotLiteral:
            return Missing()

    def _value(self, node, values):
        if isinstance(node, ast.Constant) and not isinstance(node.value, (bytes, complex)) and node.value is not ...:
            return node.value
        if isinstance(node, ast.Name) and node.id in values:
            return values[node.id]
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            return [self._value(item, values) for item in node.elts]
        if isinstance(node, ast.Dict):
            return self._dictionary(zip(node.keys, node.values), values)
        if isinstance(node, ast.UnaryOp):
            operand = self._value(node.operand, values)
            if isinstance(node.op, ast.Not):
                return not operand
            return -number(operand) if isinstance(node.op, ast.USub) else number(operand)
        if isinstance(node, ast.BinOp):
            return self._arithmetic(node, values)
        if isinstance(node, ast.Subscript):
            try:
                return self._value(node.value, values)[self._value(_index(node), values)]
            except (TypeError, LookupError):
                raise NotLiteral from None
        if isinstance(node, ast.Call):
            return self._called(node, values)
        raise NotLiteral

    def _dictionary(self, members, values):
        result = {}
        for key, value in members:
            if key is None:  # **other
                other = self._member(value, values)
                result.update(other if isinstance(other, dict) else {})
                continue
            name = self._value(key, values) if isinstance(key, ast.AST) else key
            if not isinstance(name, str):
                raise NotLiteral
            result[name] = self._member(value, values)
        return result

    def _arithmetic(self, node, values):
        left, right = number(self._value(node.left, values)), number(self._value(node.right, values))
        try:
            if isinstance(node.op, ast.Add):
                return left + right
            if isinstance(node.op, ast.Sub):
                return left - right
            if isinstance(node.op, ast.Mult):
                return left * right
            if isinstance(node.op, ast.Div):
                return left / right
            if isinstance(node.op, ast.FloorDiv):
                return left // right
            if isinstance(node.op, ast.Pow) and abs(left) <= 1e6 and abs(right) <= 64:
                return number(left ** right)
        except (ArithmeticError, TypeError):
            pass
        raise NotLiteral

    def _called(self, node, values):
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "dict" and not node.args:
            return self._dictionary(((keyword.arg, keyword.value) for keyword in node.keywords), values)
        if name in ("list", "tuple", "sorted") and len(node.args) == 1 and not node.keywords:
            listed = self._value(node.args[0], values)
            if isinstance(listed, list):
                return listed
        if name == "range" and not node.keywords:
            numbers = [self._value(argument, values) for argument in node.args]
            if 1 <= len(numbers) <= 3 and all(type(item) is int and abs(item) < _LARGEST for item in numbers):
                try:
                    numbers = range(*numbers)
                except ValueError:
                    raise NotLiteral from None
                if len(numbers) <= 10000:
                    return list(numbers)
        path = self._path(node.func)
        function = path.split(".")[-1]
        if path.startswith("ray.") and function in _TUNE:
            return self._drawn(node, function, values)
        raise NotLiteral

    def _arguments(self, node, names, values, first=0):
        """The literal arguments by name."""
        result = {}
        pairs = list(zip(names, node.args[first:])) + [(keyword.arg, keyword.value) for keyword in node.keywords]
        for name, value in pairs:
            if name in names:
                result[name] = self._value(value, values)
        return result

    def _drawn(self, node, function, values):
        try:
            return Drawn(function, self._arguments(node, _TUNE[function], values), node.lineno)
        except NotLiteral:
            self._refuse(node, "", "{} has an argument that is not literal: write its value".format(self._source_of(node)))
            return Drawn("", {}, node.lineno)

    # Calls

    def _expressions(self, node, values, conditions):
        for call in ast.walk(node):
            if isinstance(call, ast.Call):
                self._call(call, values, conditions)

    def _call(self, node, values, conditions):
        path = self._path(node.func)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else path.split(".")[-1]
        if name.startswith("suggest_") and name[len("suggest_"):] in _SUGGESTIONS:
            self._suggest(node, name[len("suggest_"):], values, conditions)
        elif name == "should_prune":
            self._asks_to_prune = True
        elif name == "create_study":
            self._study(node, values)
        elif name == "optimize" and self._imports("optuna"):
            self._optimize(node, values)
        elif path == "wandb.sweep" and (node.args or node.keywords):
            config = self._member(node.args[0] if node.args else node.keywords[0].value, values)
            if isinstance(config, dict):
                self.wandb = config
            elif self.wandb is None:
                self._refuse(node, "", "the configuration of wandb.sweep() is not literal")
        elif path.startswith("ray.") and name in ("TuneConfig", "run", "Tuner"):
            self._tuner(node, values)

    def _imports(self, package):
        return any(name.split(".")[0] == package for name in self._modules.values())

    def _suggested_name(self, node, values):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.startswith("suggest_"):
            try:
                name = self._arguments(node, ("name",), values).get("name")
            except NotLiteral:
                return None
            return name if isinstance(name, str) else None
        return None

    def _suggest(self, node, kind, values, conditions):
        self.source = "optuna"
        name = self._suggested_name(node, values)
        if name is None:
            return self._refuse(node, "", "{} has a name that is not literal: write one call for each parameter".format(
                self._source_of(node)))
        try:
            given = self._arguments(node, ("name",) + _SUGGESTIONS[kind], values)
            parameter = _suggestion(kind, given)
        except (NotLiteral, KeyError):
            return self._refuse(node, name, "{} has arguments that are not literal: write their values".format(
                self._source_of(node)))
        parameter["line"] = node.lineno
        when, note = self._when(conditions)
        earlier = self.parameters.get(name)
        if earlier is None:
            self.parameters[name] = dict(parameter, when=when, notes=parameter["notes"] + note)
        elif any(earlier.get(key) != parameter.get(key) for key in parameter if key not in ("line", "notes")):
            self._refuse(node, name, "has another range or other values in line {}".format(earlier["line"]))
        elif earlier["when"] != when:
            earlier["when"] = "({}) or ({})".format(earlier["when"], when) if earlier["when"] and when else ""
        return None

    def _when(self, conditions):
        """The conditions as an expression of a sweep file, and notes on those that are none."""
        parts, notes = [], []
        for test, holds in conditions:
            text = self._condition(test)
            if text is not None:
                parts.append(text if holds else "not ({})".format(text))
            elif not (isinstance(test, ast.Compare) and "__name__" in self._source_of(test)):
                source = " ".join(self._source_of(test).split())
                notes.append("In the original, only if {}{}.".format("" if holds else "not ", source))
        return " and ".join("({})".format(part) if len(parts) > 1 else part for part in parts), notes

    def _condition(self, node):
        if isinstance(node, ast.BoolOp):
            parts = [self._condition(part) for part in node.values]
            word = " and " if isinstance(node.op, ast.And) else " or "
            return word.join("({})".format(part) for part in parts) if all(parts) else None
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            part = self._condition(node.operand)
            return "not ({})".format(part) if part else None
        if isinstance(node, ast.Name):
            name = self._suggested.get(node.id)
            kinds = self.parameters.get(name, {}).get("values") or [None]
            return name if all(isinstance(value, bool) for value in kinds) and str(name).isidentifier() else None
        if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.left, ast.Name):
            return None
        name = self._suggested.get(node.left.id)
        words = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in",
                 ast.NotIn: "not in"}
        word = words.get(type(node.ops[0]))
        right = self._member(node.comparators[0], {})
        if word is None or name not in self.parameters or not name.isidentifier():
            return None
        try:
            if word.endswith("in"):
                return "{} {} [{}]".format(name, word, ", ".join(_literal(item) for item in right))
            return "{} {} {}".format(name, word, _literal(right))
        except (NotLiteral, TypeError):
            return None

    def _resolved(self, node):
        for _ in range(8):
            if not isinstance(node, ast.Name) or node.id not in self._nodes:
                break
            node = self._nodes[node.id]
        return node

    def _constructed(self, node):
        """(class, seed, other arguments as text) of a sampler or pruner."""
        node = self._resolved(node)
        function = node.func if isinstance(node, ast.Call) else node
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        seed, others = None, []
        for argument in getattr(node, "args", []):
            others.append(self._source_of(argument))
        for keyword in getattr(node, "keywords", []):
            if keyword.arg == "seed" and isinstance(keyword.value, ast.Constant):
                seed = keyword.value.value
            else:
                others.append("{}={}".format(keyword.arg, self._source_of(keyword.value)))
        return name, seed, ", ".join(others)

    def _study(self, node, values):
        self.source = self.source or "optuna"
        for keyword in node.keywords:
            if keyword.arg == "sampler":
                name, seed, others = self._constructed(keyword.value)
                self.settings.update(sampler=name, arguments=others)
                if isinstance(seed, int) and seed >= 0:
                    self.settings["seed"] = seed
            elif keyword.arg == "pruner":
                name, _, others = self._constructed(keyword.value)
                self.settings["pruner"] = "{}({})".format(name, others) if others else name
            elif keyword.arg in ("direction", "directions", "study_name"):
                value = self._member(keyword.value, values)
                if keyword.arg == "study_name" and isinstance(value, str):
                    self.settings["name"] = value
                elif keyword.arg != "study_name":
                    goals = value if isinstance(value, list) else [value]
                    if all(goal in ("minimize", "maximize") for goal in goals):
                        self.settings["goals"] = goals
                    else:
                        self.notes.append(["sweep.goal", "The direction of the original is not literal: correct it."])

    def _optimize(self, node, values):
        for keyword in node.keywords:
            value = self._member(keyword.value, values)
            if keyword.arg == "n_trials" and isinstance(value, int):
                self.settings["trials"] = value
            elif keyword.arg == "n_jobs" and isinstance(value, int) and value > 1:
                self.settings["concurrent"] = value
            elif keyword.arg == "timeout" and isinstance(value, (int, float)):
                self.settings["seconds"] = int(value)

    # Ray Tune

    def _tuner(self, node, values):
        for keyword in node.keywords:
            value = self._member(keyword.value, values)
            if keyword.arg in ("param_space", "config") and isinstance(value, dict) and _draws(value):
                self._chosen = value
            elif keyword.arg in ("metric", "mode"):
                if isinstance(value, str):
                    self.settings[keyword.arg] = value
            elif keyword.arg == "num_samples" and isinstance(value, int):
                self.settings["trials"] = value
            elif keyword.arg == "max_concurrent_trials" and isinstance(value, int):
                self.settings["concurrent"] = value
            elif keyword.arg == "scheduler":
                self._scheduler(keyword.value, values)
            elif keyword.arg == "search_alg":
                name, _, _ = self._constructed(keyword.value)
                self.settings["algorithm"] = name

    def _scheduler(self, node, values):
        node = self._resolved(node)
        name, _, _ = self._constructed(node)
        given = {keyword.arg: self._member(keyword.value, values) for keyword in getattr(node, "keywords", [])}
        for key in ("metric", "mode"):
            if isinstance(given.get(key), str):
                self.settings.setdefault(key, given[key])

        def of(key, otherwise):
            value = given.get(key, otherwise)
            return value if isinstance(value, (int, float)) else otherwise

        if name in ("ASHAScheduler", "AsyncHyperBandScheduler"):
            self.settings["prune"] = {"method": "halving", "first_step": int(of("grace_period", 1)),
                                      "factor": of("reduction_factor", 4)}
        elif name == "MedianStoppingRule":
            self.settings["prune"] = {"method": "median", "first_step": int(of("grace_period", 60)),
                                      "min_trials": int(of("min_samples_required", 3))}
        elif name not in ("FIFOScheduler", "None", ""):
            self.notes.append(["", "The scheduler {} was left out.".format(name)])

    def _read_tune(self):
        self.source = "ray"
        if self._chosen is None and len(self._spaces) > 1:
            self.problems.append({"field": "", "line": 0, "column": 0,
                                  "message": "has several search spaces: leave the one to import"})
        space = self._chosen if self._chosen is not None else self._spaces[0]
        grid, drawn = self._members(space, "", 0)
        self.settings.update(grid=grid, drawn=drawn)

    def _members(self, space, prefix, depth):
        grid, drawn = 1, 0
        for key, value in space.items():
            name = prefix + key
            if isinstance(value, dict) and depth < 16:
                inner_grid, inner_drawn = self._members(value, name + ".", depth + 1)
                grid, drawn = grid * inner_grid, drawn + inner_drawn
            elif isinstance(value, Drawn):
                parameter = None
                if value.function:
                    try:
                        parameter = _draw(value)
                    except (NotLiteral, KeyError):
                        self._refuse(value.line, name, "tune.{}() has no equivalent with these arguments".format(value.function))
                if parameter:
                    parameter.setdefault("notes", [])
                    self.parameters[name] = dict(parameter, line=value.line, when="")
                    if value.function == "grid_search":
                        grid *= max(1, len(parameter["values"]))
                    else:
                        drawn += 1
            elif isinstance(value, (bool, int, float, str)):
                self.parameters[name] = {"kind": "values", "values": [value], "line": 0, "when": "", "notes": []}
            else:
                self.notes.append(["", "The setting {} is not one number or string and was left out.".format(name)])
        return grid, drawn


def _index(node):
    """Python 3.8 has ast.Index around it."""
    return getattr(node.slice, "value", node.slice) if type(node.slice).__name__ == "Index" else node.slice


def _draws(value):
    return isinstance(value, Drawn) or isinstance(value, dict) and any(_draws(item) for item in value.values())


def _contains(outer, inner):
    return isinstance(outer, dict) and any(item is inner or _contains(item, inner) for item in outer.values())


def _literal(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and "'" not in value and "\\" not in value:
        return "'{}'".format(value)
    return repr(number(value))


def _listed(values):
    notes = []
    if not isinstance(values, list) or not values:
        raise NotLiteral
    result = []
    for value in values:
        if isinstance(value, (bool, int, float, str)) and value == value and value not in (math.inf, -math.inf):
            result.append(value)
        elif value is None or isinstance(value, list):
            result.append(str(value))
            notes = ["None and lists are strings here."]
        else:
            raise NotLiteral
    return {"kind": "values", "values": result, "notes": notes}


def _suggestion(kind, given):
    if kind == "categorical":
        return _listed(given["choices"])
    low, high = number(given["low"]), number(given["high"])
    step = given.get("step", given.get("q"))
    is_log = bool(given.get("log", False)) or kind == "loguniform"
    result = {"low": low, "high": high, "notes": []}
    if kind == "int":
        return dict(result, kind="log_int" if is_log else "int", step=number(1 if step is None else step))
    if step is not None:
        return dict(result, kind="stepped", step=number(step))
    return dict(result, kind="log" if is_log else "float")


def _draw(drawn):
    function, given = drawn.function, drawn.arguments
    if function in ("choice", "grid_search"):
        return _listed(given.get("categories", given.get("values")))
    if function == "sample_from" or function in ("qrandn", "qlograndint"):
        raise NotLiteral
    if function == "randn":
        return {"kind": "normal", "mean": number(given.get("mean", 0.0)), "deviation": number(given.get("sd", 1.0)),
                "notes": ["Cut off four standard deviations from the mean."]}
    result = {"low": number(given["lower"]), "high": number(given["upper"]), "notes": []}
    if function == "uniform":
        return dict(result, kind="float")
    if function == "loguniform":
        return dict(result, kind="log")
    if function == "quniform":
        return dict(result, kind="stepped", step=number(given["q"]),
                    notes=["All values are equally likely. Ray Tune draws the first and the last half as often."])
    if function == "qloguniform":
        if given["q"] != 1:
            raise NotLiteral
        return dict(result, kind="log_int", step=1, notes=["Integers. Ray Tune draws floats without a fraction."])
    if function == "qrandint":
        return dict(result, kind="int", step=number(given.get("q", 1)))
    # The end of these is no value.
    return dict(result, kind="log_int" if function == "lograndint" else "int", step=1, high=result["high"] - 1)


def _without_missing(value):
    if isinstance(value, (Missing, Drawn)):
        raise NotLiteral
    if isinstance(value, dict):
        return {key: _without_missing(item) for key, item in value.items()}
    return [_without_missing(item) for item in value] if isinstance(value, list) else value


def described(text, path="train.py"):
    """What a script defines, as a dictionary."""
    script = Script(text)
    result = {"source": script.source, "problems": script.problems, "notes": script.notes, "settings": script.settings,
              "parameters": [dict(parameter, name=name) for name, parameter in script.parameters.items()]}
    if script.source is None and script.wandb is not None:
        try:
            config = _without_missing(script.wandb)
            if "program" not in config and "command" not in config:
                config["program"] = path
                result["notes"].append(["run.command", "The script runs once for each trial: remove wandb.sweep() and wandb.agent()."])
            result.update(source="wandb", wandb=json.dumps(config))
        except NotLiteral:
            result["problems"].append({"field": "", "line": 0, "column": 0,
                                       "message": "the configuration of wandb.sweep() is not literal: write its values"})
    return result


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: python3 -m sweepscope.searchspace SCRIPT")
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            text = file.read()
        result = described(text, sys.argv[1])
    except SyntaxError as error:
        result = {"source": None, "problems": [{"field": "", "message": "invalid Python: {}".format(error.msg),
                                                "line": error.lineno or 0, "column": error.offset or 0}]}
    except (OSError, ValueError, RecursionError) as error:
        result = {"source": None, "problems": [{"field": "", "message": str(error), "line": 0, "column": 0}]}
    print(json.dumps(result, allow_nan=False))


if __name__ == "__main__":
    main()
