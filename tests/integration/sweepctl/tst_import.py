"""Sweeps of other programs, imported by the real sweepctl, validated, and run with a script that records what it gets."""
import json
import sys
import unittest

from workspacecase import WorkspaceCase

WorkspaceCase.SWEEPCTL = sys.argv.pop(1)

# Records its arguments and parameters.
SCRIPT = """
import json, os, pathlib, sys
with open(pathlib.Path(__file__).parent / "seen", "a") as file:
    file.write(json.dumps({"arguments": sys.argv[1:], "params": json.loads(os.environ["SWEEPSCOPE_PARAMS"])}) + "\\n")
print("loss=" + str(len(sys.argv)))
"""


class Import(WorkspaceCase):
    def setUp(self):
        super().setUp()
        (self.folder / "train.py").write_text(SCRIPT)

    def run_imported(self, source):
        """What the trials saw."""
        self.sweepctl("import", source, "--output", "imported.toml")
        self.sweepctl("validate", "imported.toml")
        self.sweepctl("run", "imported.toml", "--wait")
        return [json.loads(line) for line in (self.folder / "seen").read_text().splitlines()]

    def test_wandb_grid_runs_with_the_arguments_of_wandb(self):
        (self.folder / "sweep.yaml").write_text(
            "program: train.py\n"
            "method: grid\n"
            "metric: {name: loss, goal: minimize}\n"
            "parameters:\n"
            "  learning-rate: {values: [0.1, 0.5]}\n"
            "  optimizer: {parameters: {name: {values: [adam]}, momentum: {value: 0.9}}}\n"
            "  sizes: {value: [64, 64]}\n")
        seen = self.run_imported("sweep.yaml")
        self.assertEqual(
            sorted(trial["arguments"] for trial in seen),
            [["--learning-rate=" + rate, "--optimizer={'name': 'adam', 'momentum': 0.9}", "--sizes=[64, 64]"]
             for rate in ("0.1", "0.5")])
        self.assertEqual(seen[0]["params"]["optimizer_momentum"], 0.9)

    def test_wandb_json_arguments_are_json(self):
        (self.folder / "sweep.yaml").write_text(
            "program: train.py\n"
            "method: random\n"
            "run_cap: 3\n"
            "command: ['${env}', '${interpreter}', '${program}', '${args_json}']\n"
            "metric: {name: loss}\n"
            "parameters:\n"
            "  lr: {distribution: log_uniform, min: -4, max: -2}\n"
            "  activation: {values: [relu, gelu]}\n")
        seen = self.run_imported("sweep.yaml")
        self.assertEqual(len(seen), 3)
        for trial in seen:
            params = json.loads(trial["arguments"][0])
            self.assertEqual(params, trial["params"])
            self.assertTrue(0.0183 < params["lr"] < 0.1354, params)

    def test_hydra_gets_overrides(self):
        (self.folder / "config.yaml").write_text(
            "hydra:\n  job: {name: train}\n  sweeper:\n    params:\n"
            "      optimizer.lr: 0.1,0.5\n      +epochs: range(1,3)\n      db: mysql\n      sizes: '[1,2],[3]'\n")
        seen = self.run_imported("config.yaml")
        self.assertEqual(
            sorted(trial["arguments"] for trial in seen),
            sorted(["optimizer.lr=" + rate, "+epochs=" + epochs, "db=mysql", "sizes=" + sizes]
                   for rate in ("0.1", "0.5") for epochs in ("1", "2") for sizes in ("[1,2]", "[3]")))

    def test_python_scripts_are_read_and_not_run(self):
        (self.folder / "train.py").write_text(
            "import optuna\n"
            "def objective(trial):\n"
            "    kind = trial.suggest_categorical('kind', ['a', 'b'])\n"
            "    if kind == 'a':\n"
            "        depth = trial.suggest_int('depth', 1, 3)\n"
            "optuna.create_study(sampler=optuna.samplers.BruteForceSampler()).optimize(objective)\n")
        self.sweepctl("import", "train.py", "--output", "imported.toml")
        (self.folder / "train.py").write_text(SCRIPT)
        self.sweepctl("validate", "imported.toml")
        self.sweepctl("run", "imported.toml", "--wait")
        seen = [json.loads(line)["params"] for line in (self.folder / "seen").read_text().splitlines()]
        self.assertEqual(sorted(sorted(params.items(), reverse=True) for params in seen),
                         [[("kind", "a"), ("depth", depth)] for depth in (1, 2, 3)] + [[("kind", "b")]])

    def test_a_file_is_replaced_only_with_force(self):
        (self.folder / "sweep.yaml").write_text(
            "program: train.py\nmethod: grid\nmetric: {name: loss}\nparameters: {a: {values: [1, 2]}}\n")
        (self.folder / "mine.toml").write_text("mine")
        refused = self.sweepctl("import", "sweep.yaml", "--output", "mine.toml", code=2)
        self.assertIn("--force", refused.stderr)
        self.assertEqual((self.folder / "mine.toml").read_text(), "mine")
        self.sweepctl("import", "sweep.yaml", "--output", "mine.toml", "--force")
        self.sweepctl("validate", "mine.toml")
        self.assertEqual(self.sweepctl("import", "sweep.yaml").stdout, (self.folder / "mine.toml").read_text())

    def test_what_has_no_equivalent_is_refused_and_nothing_written(self):
        (self.folder / "sweep.yaml").write_text(
            "program: train.py\nmethod: random\nparameters:\n  a: {distribution: beta, a: 1, b: 2}\n")
        refused = self.sweepctl("import", "sweep.yaml", "--output", "imported.toml", code=2)
        self.assertIn("sweep.yaml:4:", refused.stderr)
        self.assertIn("beta distribution has no equivalent", refused.stderr)
        self.assertFalse((self.folder / "imported.toml").exists())
        self.assertIn("no-such.yaml", self.sweepctl("import", "no-such.yaml", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
