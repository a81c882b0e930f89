#!/usr/bin/env python3
"""`sweepctl export --optuna` read by Optuna. Usage: tst_optunaexport.py SWEEPCTL [unittest arguments]"""
import math
import sys
import unittest

from optunastudy import load, optuna
from exportedsweep import ExportedSweep
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.trial import TrialState

SWEEPCTL = sys.argv.pop(1)


class OptunaExport(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sweep = ExportedSweep(SWEEPCTL)
        cls.file = cls.sweep.folder / "study.journal"
        cls.sweep.export("--optuna", cls.file)
        cls.study = load(cls.file)
        cls.rows = cls.sweep.table("1")

    @classmethod
    def tearDownClass(cls):
        cls.sweep.close()

    def test_trials_are_those_of_the_table(self):
        self.assertEqual(self.study.study_name, "kinds <script>")
        self.assertEqual(self.study.metric_names, ["loss"])
        self.assertEqual(len(self.study.trials), len(self.rows))
        states = {"completed": TrialState.COMPLETE, "failed": TrialState.FAIL}
        for trial, row in zip(self.study.trials, self.rows):
            self.assertEqual(trial.user_attrs["trial"], int(row["trial"]))
            self.assertEqual(trial.number, int(row["trial"]) - 1)
            has_value = row["objective_best"] not in ("", "nan")
            self.assertEqual(trial.state, states[row["state"]] if has_value else TrialState.FAIL)
            self.assertEqual(trial.user_attrs["state"], row["state"])
            if trial.state == TrialState.COMPLETE:
                self.assertEqual(trial.value, float(row["objective_best"]))
            for name in ("lr", "momentum", "dropout", "layers", "width", "batch"):
                self.assertEqual(trial.params[name], float(row[name]))
            self.assertEqual(trial.params["optimizer"], row["optimizer"])
            self.assertEqual("nesterov" in trial.params, row["nesterov"] != "")
            name = "metric.train/loss, ä"
            self.assertEqual(trial.user_attrs.get(name), float(row[name]) if row[name] else None)
            trial._validate()  # what copy_study() requires

    def test_distributions_are_those_of_the_space(self):
        best = next(trial for trial in self.study.trials if "nesterov" in trial.params)
        self.assertEqual(best.distributions["lr"], FloatDistribution(1e-4, 1e-1, log=True))
        self.assertEqual(best.distributions["momentum"], FloatDistribution(0, 0.99))
        self.assertEqual(best.distributions["dropout"], FloatDistribution(0, 0.5, step=0.1))
        self.assertEqual(best.distributions["layers"], IntDistribution(1, 9, step=2))
        self.assertEqual(best.distributions["width"], IntDistribution(16, 4096, log=True))
        self.assertEqual(best.distributions["batch"], CategoricalDistribution((32, 64, 128)))
        self.assertEqual(best.distributions["optimizer"], CategoricalDistribution(("sgd", "adam </script>")))
        self.assertEqual(best.distributions["nesterov"], CategoricalDistribution((True, False)))

    def test_best_trial_is_the_same(self):
        ranked = [row for row in self.rows if row["state"] == "completed" and row["objective_best"] not in ("", "nan")]
        best = min(ranked, key=lambda row: float(row["objective_best"]))
        self.assertEqual(self.study.best_trial.user_attrs["trial"], int(best["trial"]))

    def test_intermediate_values_are_the_curve_of_rank_0(self):
        curves = {}
        for row in self.sweep.table("1", option="--curves"):
            if row["rank"] == "0" and row["series"] == "loss":
                curves.setdefault(int(row["trial"]), {})[int(row["step"])] = float(row["value"])
        for trial in self.study.trials:
            expected = curves.get(trial.user_attrs["trial"], {})
            self.assertEqual(list(trial.intermediate_values), list(expected))
            for step, value in trial.intermediate_values.items():
                self.assertTrue(value == expected[step] or math.isnan(value) and math.isnan(expected[step]))

    def test_long_curves_are_reduced_and_keep_the_best_value(self):
        file = self.sweep.folder / "short.journal"
        self.sweep.export("--optuna", file, "--points", 20)
        for trial, whole in zip(load(file).trials, self.study.trials):
            self.assertLessEqual(len(trial.intermediate_values), 20)
            if trial.state == TrialState.COMPLETE:
                self.assertEqual(min(trial.intermediate_values.values()), min(whole.intermediate_values.values()))

    def test_the_study_goes_on(self):
        file = self.sweep.folder / "more.journal"
        self.sweep.export("--optuna", file)
        study = load(file)
        study.sampler = optuna.samplers.TPESampler(n_startup_trials=1)
        trial = study.ask(next(trial for trial in study.trials if "nesterov" not in trial.params).distributions)
        study.tell(trial, 0.0)
        self.assertEqual(study.best_trial.number, len(self.rows))
        self.assertEqual(optuna.copy_study(from_study_name=study.study_name, from_storage=study._storage,
                                           to_storage=f"sqlite:///{self.sweep.folder}/copy.db"), None)

    def test_importances_run(self):
        try:
            import sklearn  # noqa: F401
        except ImportError as error:
            self.skipTest(f"no scikit-learn here ({error})")
        importances = optuna.importance.get_param_importances(self.study)
        self.assertIn("lr", importances)


if __name__ == "__main__":
    unittest.main()
