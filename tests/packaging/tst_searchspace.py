"""What sweepscope.searchspace reads in scripts that it does not run."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packaging" / "python"))

from sweepscope import searchspace  # noqa: E402


def parameters_in(text):
    result = searchspace.described(text)
    assert not result["problems"], result["problems"]
    return {parameter["name"]: parameter for parameter in result["parameters"]}


def problem_in(text):
    problems = searchspace.described(text)["problems"]
    assert problems
    return problems[0]


def suggested(call, before=""):
    return parameters_in("import optuna\n{}\ndef objective(trial):\n    x = trial.{}\n".format(before, call))["x"]


class SearchSpace(unittest.TestCase):
    def test_suggestions_of_optuna(self):
        for call, kind in (("suggest_float('x', 0, 1)", "float"), ("suggest_float('x', 1e-3, 1, log=True)", "log"),
                           ("suggest_float('x', 0, 1, step=.1)", "stepped"), ("suggest_int('x', 1, 9)", "int"),
                           ("suggest_int('x', 1, 9, log=True)", "log_int"), ("suggest_categorical('x', ['a'])", "values"),
                           ("suggest_uniform('x', 0, 1)", "float"), ("suggest_loguniform(name='x', low=1, high=2)", "log"),
                           ("suggest_discrete_uniform('x', 0, 1, 0.1)", "stepped")):
            self.assertEqual(suggested(call)["kind"], kind, call)

    def test_constants_are_evaluated(self):
        self.assertEqual(suggested("suggest_float('x', -10 ** -2, LOW * 4 / 2)", "LOW = 3e-1")["low"], -0.01)
        self.assertEqual(suggested("suggest_float('x', 0, LOW * 4 / 2)", "LOW = 3e-1")["high"], 0.6)
        self.assertEqual(suggested("suggest_categorical('x', SIZES)", "SIZES = list(range(2, 9, 3))")["values"], [2, 5, 8])
        self.assertEqual(suggested("suggest_categorical('x', C['sizes'])", "C = dict(sizes=(1, 2))")["values"], [1, 2])

    def test_what_is_not_literal_is_refused_with_its_line(self):
        problem = problem_in("import optuna, os\ndef f(trial):\n    trial.suggest_float('x', 0, float(os.environ['X']))\n")
        self.assertEqual((problem["field"], problem["line"], problem["column"]), ("x", 3, 5))
        self.assertIn("not literal", problem["message"])
        problem = problem_in("def f(trial):\n    for i in range(3):\n        trial.suggest_int(f'units_{i}', 1, 9)\n")
        self.assertIn("name that is not literal", problem["message"])
        # A loop changes the variable.
        self.assertTrue(problem_in("n = 3\nfor n in values:\n    pass\ndef f(trial):\n    trial.suggest_int('x', 1, n)\n"))
        self.assertTrue(problem_in("n = 3\nn += more()\ndef f(trial):\n    trial.suggest_int('x', 1, n)\n"))

    def test_huge_powers_are_not_computed(self):
        self.assertTrue(problem_in("def f(trial):\n    trial.suggest_int('x', 1, 9 ** 9 ** 9)\n"))

    def test_integers_beyond_floats_are_refused(self):
        self.assertTrue(problem_in("def f(trial):\n    trial.suggest_int('x', 1, 1" + "0" * 400 + ")\n"))

    def test_conditions_become_when(self):
        parameters = parameters_in(
            "def f(trial):\n"
            "    kind = trial.suggest_categorical('kind', ['a', 'b', 'c'])\n"
            "    use = trial.suggest_categorical('use', [True, False])\n"
            "    if kind in ('a', 'b') and not use:\n"
            "        trial.suggest_int('x', 1, 9)\n"
            "    elif kind == 'c':\n"
            "        trial.suggest_int('y', 1, 9)\n"
            "    if something():\n"
            "        trial.suggest_int('z', 1, 9)\n")
        self.assertEqual(parameters["x"]["when"], "(kind in ['a', 'b']) and (not (use))")
        self.assertEqual(parameters["y"]["when"], "(not ((kind in ['a', 'b']) and (not (use)))) and (kind == 'c')")
        self.assertEqual(parameters["z"]["when"], "")
        self.assertEqual(parameters["z"]["notes"], ["In the original, only if something()."])

    def test_a_parameter_has_one_definition(self):
        self.assertEqual(len(parameters_in("def f(t):\n    t.suggest_int('x', 1, 9)\n    t.suggest_int('x', 1, 9)\n")), 1)
        self.assertIn("line 2", problem_in("def f(t):\n    t.suggest_int('x', 1, 9)\n    t.suggest_int('x', 1, 8)\n")["message"])

    def test_functions_of_ray_tune(self):
        for call, kind, low, high in (("uniform(0, 1)", "float", 0, 1), ("loguniform(0.1, 1)", "log", 0.1, 1),
                                      ("quniform(0, 1, 0.5)", "stepped", 0, 1), ("randint(1, 9)", "int", 1, 8),
                                      ("qrandint(1, 9)", "int", 1, 9), ("lograndint(1, 9)", "log_int", 1, 8)):
            parameter = parameters_in("from ray import tune\nspace = {'x': tune." + call + "}\n")["x"]
            self.assertEqual((parameter["kind"], parameter["low"], parameter["high"]), (kind, low, high), call)
        self.assertTrue(problem_in("from ray import tune\nspace = {'x': tune.sample_from(lambda spec: 3)}\n"))
        self.assertTrue(problem_in("from ray.tune import uniform\nspace = {'x': uniform(0, n)}\n"))

    def test_other_functions_named_like_those_of_ray_are_not_read(self):
        self.assertEqual(parameters_in("import random\nspace = {'x': random.uniform(0, 1), 'y': random.choice([1])}\n"), {})

    def test_scripts_are_not_run(self):
        searchspace.described("raise SystemExit(3)\n")


if __name__ == "__main__":
    unittest.main()
