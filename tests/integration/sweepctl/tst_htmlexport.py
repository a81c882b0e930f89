#!/usr/bin/env python3
"""`sweepctl export --html`, and of several sweeps. Usage: tst_htmlexport.py SWEEPCTL [unittest arguments]"""
import base64
import hashlib
import html.parser
import json
import sys
import unittest

from exportedsweep import ExportedSweep

SWEEPCTL = sys.argv.pop(1)


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.contents = {}  # of scripts, by id
        self.text = ""
        self.policy = ""
        self._script = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append((tag, attributes))
        self._script = attributes.get("id", "code") if tag == "script" else None
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]

    def handle_endtag(self, tag):
        self._script = None

    def handle_data(self, data):
        if self._script:
            self.contents[self._script] = self.contents.get(self._script, "") + data
        else:
            self.text += data


class HtmlExport(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sweep = ExportedSweep(SWEEPCTL)
        file = cls.sweep.folder / "report.html"
        cls.sweep.export("--html", file)
        cls.source = file.read_text(encoding="utf-8")
        cls.page = Page(cls.source)
        cls.data = json.loads(cls.page.contents["data"])
        cls.rows = cls.sweep.table("1")

    @classmethod
    def tearDownClass(cls):
        cls.sweep.close()

    def test_several_sweeps_are_one_table(self):
        (self.sweep.folder / "small.toml").write_text(
            "[sweep]\nname = 'small'\nobjective = 'loss'\n[space]\nlr = [0.1]\nwidth = [8, 16]\n"
            "[run]\ncommand = ['sh', '-c', 'echo loss=0.5', '{lr}', '{width}']\n[run.metrics]\nformat = 'auto'\n"
            "[devices]\nkind = 'cpu'\n")
        self.sweep.sweepctl("run", "small.toml", "--wait")
        rows = self.sweep.table("1", "small")
        self.assertEqual([row["sweep"] for row in rows], ["kinds <script>"] * 14 + ["small"] * 2)
        self.assertEqual([(row["lr"], row["width"], row["optimizer"], row["objective_best"]) for row in rows[14:]],
                         [("0.1", "8", "", "0.5"), ("0.1", "16", "", "0.5")])
        for row, alone in zip(rows, self.rows):
            self.assertEqual({name: row[name] for name in alone}, alone)
        self.sweep.export("small", "--trials", "both.json")
        both = json.loads((self.sweep.folder / "both.json").read_text())
        self.assertEqual([(each["sweep"], len(each["trials"])) for each in both], [("kinds <script>", 14), ("small", 2)])
        refused = self.sweep.sweepctl("export", "1", "small", "--html", "both.html", code=2)
        self.assertIn("only --trials can have several sweeps", refused.stderr)

    def test_only_its_own_script_may_run(self):
        digest = base64.b64encode(hashlib.sha256(self.page.contents["code"].encode()).digest()).decode()
        self.assertIn("default-src 'none'", self.page.policy)
        self.assertIn(f"script-src 'sha256-{digest}';", self.page.policy)

    def test_it_loads_nothing(self):
        for tag, attributes in self.page.tags:
            self.assertNotIn(tag, ("link", "img", "iframe", "object", "embed"))
            self.assertFalse({"src", "href", "action", "onclick", "onload"} & set(attributes))

    def test_names_are_no_markup(self):
        self.assertEqual(len([tag for tag, _ in self.page.tags if tag == "script"]), 2)
        self.assertIn("kinds <script>", self.page.text)
        self.assertIn("adam </script>", self.page.text)  # in the definition
        self.assertIn("adam </script>", json.dumps(self.data["rows"]))

    def test_rows_are_those_of_the_table(self):
        names = [column["name"] for column in self.data["columns"]]
        self.assertEqual(len(self.data["rows"]), len(self.rows))
        for found, row in zip(self.data["rows"], self.rows):
            cells = dict(zip(names, found))
            self.assertEqual(cells["trial"], int(row["trial"]))
            self.assertEqual(cells["state"], row["state"])
            best = row["objective_best"]
            self.assertEqual(cells["loss"], None if best == "" else best if best == "nan" else float(best))
            self.assertEqual(cells["nesterov"], None if row["nesterov"] == "" else row["nesterov"] == "true")

    def test_trials_are_ranked(self):
        ranked = [row for row in self.rows if row["state"] == "completed" and row["objective_best"] not in ("", "nan")]
        ranked.sort(key=lambda row: float(row["objective_best"]))
        self.assertEqual(self.data["ranking"], [int(row["trial"]) for row in ranked])
        self.assertEqual(self.data["best"], self.data["ranking"][0])

    def test_findings_are_grouped_by_rule(self):
        found = {row["rule"] for row in self.sweep.table("1", option="--findings") if row["verdict"] == "found"}
        self.assertGreaterEqual(len(self.data["findings"]["groups"]), len(found))
        nan = next(group for group in self.data["findings"]["groups"] if group["title"] == "Value is NaN or infinite")
        self.assertEqual(nan["trials"], "trial 5")
        self.assertIn("learning rate", nan["hint"])

    def test_curves_keep_their_best_value(self):
        curves = {curve["t"]: curve for curve in self.data["curves"]}
        self.assertNotIn(7, curves)  # it reported nothing
        self.assertEqual(set(curves[5]["y"]), {None})  # NaN
        for row in self.rows:
            if row["state"] == "completed" and row["objective_best"] not in ("", "nan"):
                lowest = min(value for value in curves[int(row["trial"])]["y"] if value is not None)
                self.assertAlmostEqual(lowest, float(row["objective_best"]), delta=abs(lowest) * 1e-5)

    def test_failures_and_environment_are_told(self):
        self.assertIn("exit", self.page.text)
        self.assertIn("Working directory", self.page.text)
        self.assertRegex(self.page.text, r"14 trials: \d+ completed, \d failed\. .* Wall-clock time \d")


if __name__ == "__main__":
    unittest.main()
