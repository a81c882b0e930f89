#!/usr/bin/env python3
"""Records real trainings to their ends: val_loss after each epoch of 120 random trials of three models, in trainings.csv.

Usage: record.py SWEEPCTL [TEXT_FILE]. Takes some minutes. A line: model, trial, the values.
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

MODELS = {
    "mlp": ("hidden = [16, 32, 64, 128]\nmomentum = { float = [0.0, 0.95] }\n", "dataset = 'digits'\nmodel = 'mlp'\nepochs = 40\n"),
    "cnn": ("hidden = [4, 8, 16]\noptimizer = ['sgd', 'adam']\n", "dataset = 'digits'\nmodel = 'cnn'\nepochs = 25\n"),
    "transformer": (
        "layers = [1, 2]\noptimizer = ['sgd', 'adamw']\n",
        "dataset = 'text'\ndata_file = 'TEXT'\nmodel = 'transformer'\nhidden = 32\ncontext = 32\ntrain_samples = 1000\nepochs = 25\n"),
}
HEAD = "[sweep]\nname = 'NAME'\nobjective = 'val_loss'\n[search]\nmethod = 'random'\ntrials = 120\nseed = 1\n[space]\nlr = { log = [1e-5, 1.0] }\n"
TAIL = "nan_policy = 'stop'\ncheckpoints = false\nthreads = 1\n[devices]\nkind = 'cpu'\nconcurrent = 2\n"


def main() -> None:
    sweepctl = pathlib.Path(sys.argv[1]).resolve()
    text = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "/usr/share/common-licenses/GPL-3").resolve()
    with tempfile.TemporaryDirectory() as folder, open(pathlib.Path(__file__).with_name("trainings.csv"), "w", newline="") as out:
        for number, (name, (space, run)) in enumerate(MODELS.items(), 1):
            file = pathlib.Path(folder) / f"{name}.toml"
            file.write_text(HEAD.replace("NAME", name) + space + "[run]\nworker = 'builtin'\n" + run.replace("TEXT", str(text)) + TAIL)
            workspace = ["--workspace", folder + "/ws"]
            subprocess.run([sweepctl, "run", file, "--wait", *workspace], check=False)
            curves = pathlib.Path(folder) / "curves.csv"
            subprocess.run([sweepctl, "export", str(number), "--curves", curves, *workspace], check=True)
            values: dict[int, list[tuple[int, str]]] = {}
            with open(curves, newline="") as stream:
                for row in csv.DictReader(stream):
                    if row["rank"] == "0" and row["series"] == "val_loss":
                        values.setdefault(int(row["trial"]), []).append((int(row["step"]), row["value"]))
            for trial, points in sorted(values.items()):
                csv.writer(out, lineterminator="\n").writerow([name, trial, *(f"{float(value):.6g}" for _, value in sorted(points))])


if __name__ == "__main__":
    main()
