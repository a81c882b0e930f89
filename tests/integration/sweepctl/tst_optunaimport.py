"""Studies of the real Optuna, imported by sweepctl and read back; and exports of Sweepscope that come back equal."""
import json
import math
import sqlite3
import sys
import unittest

from optunastudy import journal, load, optuna
from exportedsweep import ExportedSweep
from workspacecase import WorkspaceCase

WorkspaceCase.SWEEPCTL = SWEEPCTL = sys.argv.pop(1)


def objective(trial):
    lr = trial.suggest_float("lr", 1e-5, 1e-1, log=True)
    kind = trial.suggest_categorical("kind", ["sgd", "adam", None])
    trial.suggest_categorical("batch", [32, 64])
    trial.suggest_int("layers", 1, 9, step=2)
    trial.suggest_float("drop-out", 0, 0.5, step=0.1)
    if kind == "sgd":
        trial.suggest_float("momentum", 0, 0.9)
    trial.set_user_attr("accuracy", 1 - lr)
    for step in range(1, 6):
        trial.report(math.nan if step == 2 else lr / step, step)
    if trial.number % 5 == 3:
        raise optuna.TrialPruned
    if trial.number % 5 == 4:
        raise ValueError
    return lr


class OptunaImport(WorkspaceCase):
    def storage(self, name):
        path = self.folder / name
        return "sqlite:///{}".format(path) if name.endswith(".db") else journal(path)

    def compare(self, source):
        study = optuna.create_study(study_name="digits", storage=self.storage(source), direction="minimize",
                                    sampler=optuna.samplers.TPESampler(seed=1))
        study.optimize(objective, n_trials=25, catch=ValueError)
        study.enqueue_trial({"lr": 0.01})
        before = (self.folder / source).read_bytes()
        said = self.sweepctl("import", source).stdout
        self.assertEqual((self.folder / source).read_bytes(), before)
        self.assertIn("0001-digits: 25 trials, 15 completed, 5 pruned, 5 failed", said)
        self.assertIn("1 trial that had not finished left out", said)
        self.sweepctl("export", "1", "--optuna", "back.journal")
        back = load(self.folder / "back.journal").trials
        self.assertEqual(len(back), 25)
        for original, imported in zip(study.trials, back):
            self.assertEqual(imported.state, original.state)
            params = {name.replace("-", "_"): str(value) if name == "kind" else value for name, value in original.params.items()}
            self.assertEqual(imported.params, params)
            self.assertEqual(imported.value, original.value)
            self.assertEqual(str(imported.intermediate_values), str(original.intermediate_values))
            self.assertEqual(imported.datetime_start, original.datetime_start)
            self.assertEqual(imported.datetime_complete, original.datetime_complete)
            self.assertEqual(imported.user_attrs["metric.accuracy"], original.user_attrs["accuracy"])
        return study

    def test_journal_comes_back_equal(self):
        self.compare("study.journal")
        # Readers of the workspace find the results where those of any sweep are.
        self.sweepctl("export", "1", "--trials", "trials.json")
        self.assertEqual(len(json.loads((self.folder / "trials.json").read_text())["trials"]), 25)
        self.assertIn("completed", self.sweepctl("status").stdout)

    def test_an_engine_runs_other_sweeps_next_to_it(self):
        self.compare("study.journal")
        (self.folder / "next.toml").write_text(
            "[sweep]\nname = 'next'\nobjective = 'loss'\n[space]\na = [1]\n[run]\ncommand = ['true', '{a}']\n")
        self.assertIn("0002-next: 1 completed", self.sweepctl("run", "next.toml", "--wait").stdout)

    def test_database_comes_back_equal(self):
        self.compare("study.db")

    def test_results_warm_start_a_search(self):
        self.compare("study.journal")
        self.sweepctl("export", "1", "--trials", "earlier.csv")
        (self.folder / "next.toml").write_text(
            "[sweep]\nname = 'next'\nobjective = 'objective'\n[search]\nmethod = 'tpe'\ntrials = 3\n"
            "warm_start = ['earlier.csv']\n[space]\nlr = { log = [1e-5, 1e-1] }\nbatch = [32, 64]\n"
            "[run]\ncommand = ['true', '{lr}', '{batch}']\n")
        self.assertIn("warm start 25 results of 1 file", self.sweepctl("validate", "next.toml").stdout)

    def test_one_of_several_studies_is_chosen(self):
        for name in ("first", "second"):
            study = optuna.create_study(study_name=name, storage=self.storage("both.db"), directions=["minimize", "maximize"])
            study.optimize(lambda trial: (trial.suggest_float("x", 0, 1), 3), n_trials=2)
        self.assertIn("first, second", self.sweepctl("import", "both.db", code=2).stderr)
        self.assertIn("no study 'third'", self.sweepctl("import", "both.db", "--study", "third", code=2).stderr)
        self.assertIn("0001-second: 2 trials", self.sweepctl("import", "both.db", "--study", "second").stdout)
        self.sweepctl("export", "1", "--optuna", "back.journal")
        back = load(self.folder / "back.journal")
        self.assertEqual([trial.values for trial in back.trials], [trial.values for trial in study.trials])

    def test_other_databases_are_refused(self):
        sqlite3.connect(self.folder / "other.db").execute("CREATE TABLE t (a)")
        self.assertIn("as a database of Optuna", self.sweepctl("import", "other.db", code=2).stderr)
        self.storage("new.db")
        optuna.create_study(storage=self.storage("new.db"))
        with sqlite3.connect(self.folder / "new.db") as connection:
            connection.execute("UPDATE version_info SET schema_version = 13")
        self.assertIn("version 13", self.sweepctl("import", "new.db", code=2).stderr)
        self.assertFalse((self.folder / "workspace" / "sweeps").exists())

    def test_exports_of_sweepscope_come_back_equal(self):
        sweep = ExportedSweep(SWEEPCTL)
        self.addCleanup(sweep.close)
        exported = sweep.folder / "exported.journal"
        sweep.export("--optuna", exported)
        (self.folder / "exported.journal").write_bytes(exported.read_bytes())
        self.sweepctl("import", "exported.journal")
        self.sweepctl("export", "1", "--optuna", "back.journal")
        first = load(exported)
        back = load(self.folder / "back.journal")
        self.assertEqual(back.study_name, first.study_name)
        self.assertEqual(len(back.trials), len(first.trials))
        for original, imported in zip(first.trials, back.trials):
            for name in ("state", "params", "values", "datetime_start", "datetime_complete"):
                self.assertEqual(getattr(imported, name), getattr(original, name), name)
            self.assertEqual(str(imported.intermediate_values), str(original.intermediate_values))
            for name, value in original.user_attrs.items():
                if name.startswith("metric") or name in ("trial", "state", "seed", "objective_best", "tags", "note", "starred"):
                    self.assertEqual(str(imported.user_attrs.get(name)), str(value), name)


if __name__ == "__main__":
    unittest.main()
