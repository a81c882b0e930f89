#!/usr/bin/env python3
"""`sweepctl join` with real sweeps: the new sweep exports what the joined ones do. Usage: tst_join.py SWEEPCTL [unittest arguments]"""
import sys
import time
import unittest

from workspacecase import WorkspaceCase

WorkspaceCase.SWEEPCTL = sys.argv.pop(1)

#: Trials with n = 3 fail; with n = 9 they run until they are stopped.
TRAIN = """
import json, os, sys, time
import sweepscope
run = sweepscope.init()
n, rank = json.loads(os.environ["SWEEPSCOPE_PARAMS"])["n"], int(os.environ.get("RANK", "0"))
print("n is", n)
for step in range(1, 21):
    run.log(step, loss=n / step + rank, accuracy=abs(step - 10) / 10)
if n == 3:
    sys.exit(3)
while n == 9:
    time.sleep(0.1)
"""


def definition(name, space, objective="loss", more=""):
    return f"""
[sweep]
name = "{name}"
objective = "{objective}"
goal = "{"minimize" if objective == "loss" else "maximize"}"
{more}
[space]
{space}
[run]
command = ["python3", "train.py"]
ranks = 2
working_folder = "code"
[devices]
kind = "cpu"
concurrent = 2
cpu_slots = 4
"""


class Join(WorkspaceCase):
    def setUp(self):
        super().setUp()
        (self.folder / "code").mkdir()  # which nothing changes: the last snapshots are taken after the sweeps
        (self.folder / "code" / "train.py").write_text(TRAIN)

    def run_sweep(self, *arguments, code=0, wait=True, **options):
        (self.folder / "sweep.toml").write_text(definition(*arguments, **options))
        self.sweepctl("run", "sweep.toml", *(["--wait"] if wait else []), code=code)

    def test_a_joined_sweep_exports_what_its_sweeps_do(self):
        self.run_sweep("grid", "n = [1, 2, 3]\nwidth = [8, 16]", code=3)
        self.run_sweep("random", "n = { int = [4, 8] }\nlr = { log = [1e-4, 1e-1] }",
                       more='[search]\nmethod = "random"\ntrials = 4\nseed = 1')
        self.sweepctl("mark", "grid", "--trial", "2", "--star", "--tag", "good", "--note", "keep this")
        before = self.table("grid", "random")
        curves = {name: self.table(name, option="--curves") for name in ("grid", "random")}

        answer = self.sweepctl("join", "grid", "random", "--name", "both").stdout
        self.assertEqual(answer, "0003-both: Joined from grid (6 trials) and random (4 trials).\n")
        joined = self.table("both")
        self.assertEqual([row["trial"] for row in joined], [str(number) for number in range(1, 11)])
        places = {}
        for old, new in zip(before, joined, strict=True):
            origin = f"{old['sweep']}, trial {old['trial']}"
            self.assertEqual(new["note"], f"{origin}\n{old['note']}" if old["note"] else origin)
            self.assertEqual(new.pop("parameter.sweep"), old["sweep"])
            places[new["trial"]] = old["sweep"], old["trial"]
            same = {"sweep": "both", "trial": new["trial"], "note": new["note"]}
            self.assertEqual(new, {**old, **same})
        self.assertEqual({row["state"] for row in joined}, {"completed", "failed"})

        points = [(*places[row.pop("trial")], row) for row in self.table("both", option="--curves")]
        self.assertTrue(points)
        for name, rows in curves.items():
            wanted = [(row.pop("trial"), {**row, "sweep": "both"}) for row in rows]
            self.assertEqual([(trial, row) for sweep, trial, row in points if sweep == name], wanted)
        self.assertEqual({row["rank"] for _, _, row in points}, {"0", "1"})
        self.assertEqual(self.table("grid", "random"), before)

        why = "an imported or joined sweep has no program to run; set run.command first"
        for arguments in (["retry", "both"], ["retry", "both", "--trial", "5"], ["continue", "both", "--trial", "1"],
                          ["enqueue", "both", "n=9", "sweep=grid"]):
            refused = self.sweepctl(*arguments, code=2).stderr
            self.assertEqual(refused, why + "\n")
        self.sweepctl("export", "both", "--html", "report.html")
        self.assertIn("grid, trial 2", (self.folder / "report.html").read_text())
        history = self.sweepctl("history", "grid", "--trial", "5").stdout  # the failure, the command, the code
        self.assertIn("exited with code 3", history)
        self.assertEqual(self.sweepctl("history", "both", "--trial", "5").stdout, history)
        findings = [row["rule"] for name in ("grid", "random") for row in self.table(name, option="--findings")]
        self.assertEqual(sorted(row["rule"] for row in self.table("both", option="--findings")), sorted(findings))
        # The files are its own.
        self.sweepctl("delete", "grid", "--yes")
        self.assertEqual(self.table("both"), [{**row, "parameter.sweep": places[row["trial"]][0]} for row in joined])
        self.assertEqual(len(self.table("both", option="--curves")), len(points))

    def test_other_objectives_need_a_common_metric(self):
        self.run_sweep("low", "n = [1, 2]")
        self.run_sweep("high", "n = [4]", objective="accuracy")
        refused = self.sweepctl("join", "low", "high", code=2).stderr
        self.assertEqual(refused, "low minimizes loss, but high maximizes accuracy. Choose a metric of all of them as the "
                                  "objective: accuracy, loss\n")
        self.sweepctl("join", "low", "high", "--objective", "accuracy")
        for row in self.table("3"):
            self.assertEqual((row["objective"], row["objective_best"], row["objective_best_step"]),
                             ("accuracy", "1", "20"))
            self.assertEqual(float(row["metric.loss"]) * 20, float(row["n"]))
        self.assertIn("there is no sweep", self.sweepctl("join", "low", "middle", code=2).stderr)
        self.assertIn("at least two sweeps", self.sweepctl("join", "low", "1", code=2).stderr)

    def test_trials_that_run_are_left_out(self):
        self.run_sweep("done", "n = [1]")
        self.run_sweep("runs", "n = [2, 9]", wait=False)
        deadline = time.monotonic() + 60
        while [row["state"] for row in self.table("runs")] != ["completed", "running"]:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        answer = self.sweepctl("join", "done", "runs").stdout
        self.assertEqual(answer, "0003-done___runs: Joined from done (1 trial) and runs (1 trial). 1 trial that has not "
                                 "ended was left out.\n")
        self.assertEqual([row["n"] for row in self.table("3")], ["1", "2"])
        self.sweepctl("stop", "runs")


if __name__ == "__main__":
    unittest.main()
