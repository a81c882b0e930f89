#!/usr/bin/env python3
"""sweepscope.read() against `sweepctl export`: every value equal, of trials that ended, failed, were continued, started over or still
run, and of damaged feeds. Usage: tst_reading.py SWEEPCTL [unittest arguments]"""
import csv
import json
import math
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import warnings
from unittest import mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "packaging" / "python"), str(HERE)]

import sweepscope
from sweepscope import arrays, database
from sweepscope.workspace import DamagedFeed, NotFound, WorkspaceError

SWEEPCTL = pathlib.Path(sys.argv.pop(1)).resolve()
HAS_NUMPY = arrays.numpy() is not None
WAYS = [False, True] if HAS_NUMPY else [False]
CASES = ["plain", "numbers", "crash", "resume", "restart"]
CONDITIONAL = """flag = {{ values = [true], when = "case != 'numbers'" }}\n"""

SWEEP = """
[sweep]
name = "{name}"
objective = "loss"
[space]
case = {cases}
wide = [9007199254740993]
state = ["größe, <b>quoted"]
lr = [0.1]
""" + CONDITIONAL + """[run]
command = ["{python}", "{rank}", "{{case}}", "{folder}", "{{wide}}", "{{state}}", "{{lr}}", "{{flag}}"]
ranks = 2
retries = {retries}
[devices]
kind = "cpu"
concurrent = 2
"""


def use_numpy(use):
    arrays._numpy = None if use else False


def number(text):
    return float(text) if text else None


def exported_name(name):
    """CSV has no control characters, which the name of a damaged series may have."""
    return re.sub("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]", "\ufffd", name)


def same(a, b):
    return a == b or (a is not None and b is not None and a != a and b != b)


def nanoseconds(iso):
    seconds, fraction = iso.rstrip("Z").split(".")
    import calendar

    return calendar.timegm(time.strptime(seconds, "%Y-%m-%dT%H:%M:%S")) * 10**9 + int(fraction)


def times_of(curve):
    return curve.times.tolist() if hasattr(curve.times, "tolist") and not hasattr(curve.times, "view") else [
        int(one) for one in curve.times.view("int64")]


class World:
    """A workspace with a sweep of every case that has ended, made once."""

    def __init__(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        (self.folder / "runtime").mkdir(mode=0o700)
        self.workspace = self.folder / "workspace"
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": str(self.folder / "runtime"), "LC_ALL": "C.UTF-8",
                            "SWEEPSCOPE_LEASE_FOLDER": str(self.folder / "leases")}
        self.table = self.run("every", CASES, "--wait").stdout

    def close(self):
        self.end_engine()
        self.temporary.cleanup()

    def end_engine(self):
        """That of this workspace, which a command line started."""
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"serve" in words and os.fsencode(self.workspace) in words:
                os.kill(int(process.name), signal.SIGTERM)

    def sweepctl(self, *arguments, workspace=None, check=True):
        done = subprocess.run([str(SWEEPCTL), *map(str, arguments), "--workspace", str(workspace or self.workspace)],
                              env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=180)
        if check and done.returncode not in ((0, 3) if "--wait" in arguments else (0,)):
            raise AssertionError(done.stderr.decode())
        done.stdout = done.stdout.decode()
        return done

    def run(self, name, cases, *options):
        file = self.folder / (name + ".toml")
        sweep = SWEEP if len(cases) > 1 else SWEEP.replace(CONDITIONAL, "").replace(', "{{flag}}"', "")
        file.write_text(sweep.format(name=name, cases=json.dumps(cases), python=sys.executable, rank=HERE / "rank.py",
                                     folder=self.folder, retries=1 if "wait" not in cases else 0))
        return self.sweepctl("run", file, *options)

    def export(self, sweep, what, workspace=None):
        file = self.folder / "exported.csv"
        self.sweepctl("export", sweep, "--" + what, file, workspace=workspace, check=False)
        with open(str(file), newline="", encoding="utf-8") as rows:
            return list(csv.DictReader(rows))


def setUpModule():
    global world
    world = World()


def tearDownModule():
    world.close()


class Case(unittest.TestCase):
    def setUp(self):
        self.addCleanup(use_numpy, True)

    def open(self, sweep="every"):
        return sweepscope.read(world.workspace).sweeps[sweep]

    def compare_curves(self, sweep, workspace=None):
        """Returns how many points were compared."""
        exported = {}
        for row in world.export(sweep.id, "curves", workspace):
            place = (int(row["trial"]), int(row["attempt"]), int(row["rank"]), row["series"])
            exported.setdefault(place, []).append((row["step"] and int(row["step"]), nanoseconds(row["time"]), float(row["value"])))
        points = 0
        for use in WAYS:
            use_numpy(use)
            found = {}
            for trial in sweep.trials:
                for attempt in range(1, trial.attempts + 1):
                    for rank in range(trial.ranks):
                        for name in trial.curves(rank, attempt):
                            curve = trial.curve(name, rank, attempt)
                            values = list(zip(map(int, curve.steps), times_of(curve), map(float, curve.values)))
                            if values:
                                found.setdefault((trial.number, attempt, rank, exported_name(name)), []).extend(values)
                            if curve.gaps:
                                found[trial.number, attempt, rank, "gap"] = [("", *gap) for gap in curve.gaps]
            self.assertEqual(found.keys(), exported.keys())
            for place, values in found.items():
                self.assertEqual(len(values), len(exported[place]), place)
                for mine, theirs in zip(values, exported[place]):
                    self.assertEqual(mine[:2], theirs[:2], place)
                    self.assertTrue(same(mine[2], theirs[2]), (place, mine, theirs))
                points += len(values)
        return points


class Trials(Case):
    def test_every_value_is_the_exported_one(self):
        sweep = self.open()
        rows = world.export(sweep.id, "trials")
        self.assertEqual(len(rows), len(CASES))
        for trial, row in zip(sweep.trials, rows):
            self.assertEqual(str(trial.number), row["trial"])
            self.assertEqual(trial.state, row["state"])
            self.assertEqual((str(trial.attempts), str(trial.first_attempt)), (row["attempts"], row["first_attempt"]))
            self.assertEqual(str(trial.seed), row["seed"])
            self.assertEqual(sweep.objective, row["objective"])
            for mine, theirs in ((trial.last, "objective_last"), (trial.best, "objective_best"), (trial.mean, "objective_mean"),
                                 (trial.seconds, "seconds")):
                self.assertTrue(same(mine, number(row[theirs])), (trial, theirs, mine, row[theirs]))
            self.assertEqual((str(trial.last_step), str(trial.best_step)), (row["objective_last_step"], row["objective_best_step"]))
            self.assertEqual(trial.started_ns, nanoseconds(row["start"]))
            self.assertEqual(trial.ended_ns, nanoseconds(row["end"]))
            self.assertEqual(trial.started.strftime("%Y-%m-%dT%H:%M:%S.%f"), row["start"][:26])
            self.assertEqual(" ".join(trial.devices), row["devices"])
            self.assertEqual((trial.reason or {"code": ""})["code"], row["reason"])
            self.assertEqual((str(trial.starred).lower(), ", ".join(trial.tags), trial.note), (row["starred"], row["tags"], row["note"]))
            self.assertEqual(trial.params.get("case"), row["case"])
            self.assertEqual((trial.params["wide"], row["wide"]), (9007199254740993, "9007199254740993"))
            self.assertEqual((trial.params["state"], trial.params["lr"]), (row["parameter.state"], float(row["lr"])))
            self.assertEqual("flag" in trial.params, row["flag"] != "")
            names = [column[len("metric."):] for column in row if column.startswith("metric.") and row[column]]
            self.assertEqual(sorted(trial.metrics), sorted(names))
            for name, metric in trial.metrics.items():
                for mine, column in ((metric.last, "metric."), (metric.lowest, "metric_min."), (metric.highest, "metric_max.")):
                    self.assertTrue(same(mine, number(row[column + name])), (trial, name))

    def test_the_best_is_the_one_that_sweepctl_lists_first(self):
        lines = world.table.splitlines()
        head = next(at for at, line in enumerate(lines) if line.startswith("trial "))
        self.assertEqual(str(self.open().best.number), lines[head + 1].split()[0])

    def test_marks(self):
        done = world.sweepctl("mark", "every", "--trial", 2, "--star", "--tag", "größe", "--tag", "a b", "--note", "zwei\nZeilen")
        world.sweepctl("mark", "every", "--star", "--tag", "sweep")
        trial = self.open().trial(2)
        self.assertEqual((trial.starred, trial.tags, trial.note), (True, ["a b", "größe"], "zwei\nZeilen"), done)
        self.assertEqual((self.open().starred, self.open().tags, self.open().archived), (True, ["sweep"], False))
        self.test_every_value_is_the_exported_one()

    def test_the_rule_of_the_best_of_failures_constraints_and_repeated_points(self):
        copy = world.folder / "ranking"
        shutil.copytree(str(world.workspace), str(copy))
        self.addCleanup(shutil.rmtree, str(copy))

        def best(*changes):
            with sqlite3.connect(str(copy / "sweepscope.db")) as connection:
                connection.execute("UPDATE trial SET state = 'completed', objective_best = 10 - number, objective_best_step = 1, "
                                   "violation = 0, point_mean = NULL, point_runs = 0")
                for change in changes:
                    connection.execute("UPDATE trial SET " + change)
            connection.close()
            sweep = sweepscope.read(copy).sweeps[1]
            return sweep.best and sweep.best.number

        self.assertEqual(best(), 5)
        self.assertEqual(best("state = 'failed' WHERE number = 5", "state = 'lost' WHERE number = 4"), 3)
        self.assertEqual(best("violation = 0.5 WHERE number > 2"), 2)
        self.assertEqual(best("objective_best = NULL WHERE number = 5", "objective_best = 9e999 WHERE number = 4"), 3)
        self.assertEqual(best("objective_best = 1"), 1)  # of equal ones the first
        self.assertEqual(best("state = 'failed'"), None)
        runs = "point_mean = 20 - number, point_runs = 2 WHERE number IN (1, 2)"
        self.assertEqual(best(runs, "point_mean = 0, point_runs = 1 WHERE number = 3"), 2)
        with sqlite3.connect(str(copy / "sweepscope.db")) as connection:
            connection.execute("UPDATE sweep SET maximize = 1")
        connection.close()
        self.assertEqual(best(), 1)


class Curves(Case):
    def test_every_point_of_every_attempt_is_the_exported_one(self):
        self.assertGreater(self.compare_curves(self.open()), len(WAYS) * 20000)

    def test_a_curve_goes_through_attempts_that_continue_one_another(self):
        for use in WAYS:
            use_numpy(use)
            resumed, restarted = self.open().trial(4), self.open().trial(5)
            self.assertEqual((resumed.params["case"], resumed.first_attempt, resumed.attempts), ("resume", 1, 2))
            self.assertEqual(list(resumed.curve("loss").steps), list(range(600)) + list(range(400, 1000)))
            self.assertEqual(list(resumed.curve("loss", rank=1, attempt=2).steps), list(range(400, 1000)))
            self.assertEqual((restarted.params["case"], restarted.first_attempt), ("restart", 2))
            self.assertEqual(list(restarted.curve("loss").steps), list(range(100)))
            self.assertEqual(len(resumed.curve("loss", points=50)) <= 50, True)

    def test_names_and_units(self):
        trial = self.open().trial(1)
        self.assertEqual(trial.curves(), ["größe/µ", "loss", "lr", "late"])
        self.assertEqual(trial.curve("größe/µ").unit, "µm")
        self.assertRaisesRegex(NotFound, "rank 0 of trial 1 has no curve 'x'; it has größe/µ, loss, lr, late", trial.curve, "x")
        self.assertRaisesRegex(NotFound, "has no rank 2; it has 2", trial.curve, "loss", rank=2)
        self.assertRaisesRegex(NotFound, "has no attempt 3; it has 1", trial.curve, "loss", attempt=3)

    def test_a_running_sweep(self):
        (world.folder / "go").unlink() if (world.folder / "go").exists() else None
        world.run("waiting", ["wait"])
        end = time.monotonic() + 60
        while not all((world.folder / "waits-{}".format(rank)).exists() for rank in range(2)):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        sweep = self.open("waiting")
        self.assertEqual(sweep.state, "running")
        self.assertIsNone(sweep.ended)
        self.assertEqual(self.compare_curves(sweep), len(WAYS) * 2 * 2 * 5000)
        trial = sweep.trials[0]
        self.assertGreater(trial.seconds, 0)
        folder = pathlib.Path(trial.path) / "1"
        self.assertTrue((folder / "rank-0.ring").exists())
        before = sweep.trials[0].state
        (world.folder / "go").touch()
        while self.open("waiting").state == "running":
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        self.assertEqual((before, sweep.trials[0].state), ("running", "completed"))  # trials are always the present ones
        self.assertEqual(self.compare_curves(sweep), len(WAYS) * 2 * 2 * 5010)
        self.check_readings(sweep)
        # The engine has compressed them meanwhile, if it finds that worthwhile.
        self.assertEqual((folder / "rank-0.feed").read_bytes()[:8], b"SWSCPACK")

    def check_readings(self, sweep):
        exported = {}
        for row in world.export(sweep.id, "devices"):
            if row["trial"] == "":
                exported.setdefault(row["device"] + "." + row["series"], []).append((nanoseconds(row["time"]), float(row["value"])))
            else:
                exported.setdefault("rank{}.{}".format(row["rank"], row["series"]), []).append(
                    (nanoseconds(row["time"]), float(row["value"])))
        trial = sweep.trials[0]
        for use in WAYS:
            use_numpy(use)
            found = sweep.readings()
            found.update((name, curve) for name, curve in trial.readings().items() if name.startswith("rank"))
            self.assertEqual({name: list(zip(times_of(curve), curve.values)) for name, curve in found.items()}, exported)
            for name in trial.readings():
                self.assertRegex(name, r"^(rank[01]|cpu:\d+)\.")

    def test_damaged_feeds_are_read_as_far_as_the_exported_ones(self):
        chance = random.Random(3)
        for round_ in range(8):
            copy = world.folder / "damaged"
            shutil.copytree(str(world.workspace), str(copy))
            for feed in sorted(copy.glob("sweeps/*/trials/*/*/rank-*.feed")):
                data = bytearray(feed.read_bytes())
                for _ in range(chance.randrange(0, 4)):
                    at, count = chance.randrange(len(data)), chance.choice([1, 3, 16, 100, 3000])
                    how = chance.randrange(5)
                    if how == 0:
                        data[at : at + count] = bytes(min(count, len(data) - at))
                    elif how <= 2:
                        data[at] ^= 1 << chance.randrange(8)
                    elif how == 3:
                        data[at : at + count] = bytes(chance.randrange(256) for _ in range(min(count, len(data) - at)))
                    else:
                        del data[at:]
                        data = data or bytearray(1)
                feed.write_bytes(data)
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                for sweep in sweepscope.read(copy).sweeps:
                    self.compare_curves(sweep, copy)
            self.assertTrue(any(issubclass(one.category, DamagedFeed) for one in told))
            shutil.rmtree(str(copy))

    def test_damage_is_reported_with_the_bytes_that_were_lost(self):
        copy = world.folder / "cut"
        shutil.copytree(str(world.workspace), str(copy))
        self.addCleanup(shutil.rmtree, str(copy))
        feed = next(copy.glob("sweeps/*/trials/0003/2/rank-0.feed"))
        data = bytearray(feed.read_bytes())
        self.assertEqual(data[:1], b"\1")  # too short to be compressed
        data[1000:1048] = bytes(48)
        feed.write_bytes(data)
        with self.assertWarns(DamagedFeed):
            curve = sweepscope.read(copy).sweeps[1].trial(3).curve("loss")
        self.assertIn("rank-0.feed: damaged at offset", curve.damage)
        self.assertTrue(48 <= curve.lost_bytes <= 120, curve.lost_bytes)
        self.assertIn("bytes of the feed damaged", repr(curve))


class Frames(Case):
    def setUp(self):
        super().setUp()
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        self.pandas = pandas

    def test_the_frame_has_the_exported_columns_and_values(self):
        sweep = self.open()
        frame = sweep.df()
        rows = world.export(sweep.id, "trials")
        self.assertEqual(list(frame.columns), [name for name in rows[0] if name not in ("exit_cause", "why")])
        self.assertEqual(str(frame["wide"].dtype), "Int64")
        self.assertEqual(str(frame["flag"].dtype), "boolean")
        self.assertEqual(str(frame["start"].dtype), "datetime64[ns, UTC]")
        for at, row in enumerate(rows):
            for name in frame.columns:
                value, text = frame[name].iloc[at], row[name]
                if name in ("start", "end"):
                    self.assertEqual(value.value, nanoseconds(text))
                elif value is self.pandas.NA or value is None:
                    self.assertEqual(text, "", name)
                elif isinstance(value, float):
                    self.assertTrue(same(float(value), number(text)), (name, value, text))
                elif str(frame[name].dtype) == "boolean":
                    self.assertEqual(str(bool(value)).lower(), text)
                else:
                    self.assertEqual(str(value), text, name)

    def test_curves_in_long_form(self):
        sweep = self.open()
        frame = sweep.curves_df("loss")
        self.assertEqual(list(frame.columns), ["trial", "attempt", "rank", "series", "step", "time", "value"])
        self.assertEqual(sorted(set(frame["trial"])), [1, 2, 3, 4, 5])
        resumed = frame[frame["trial"] == 4]
        self.assertEqual(list(resumed["step"]), list(sweep.trial(4).curve("loss").steps))
        self.assertEqual(list(resumed["value"]), list(sweep.trial(4).curve("loss").values))
        self.assertEqual(len(sweep.curves_df("absent")), 0)
        self.assertLess(len(sweep.curves_df("loss", points=20)), 8 * 20)

    def test_parquet(self):
        try:
            import pyarrow.parquet
        except ImportError:
            self.skipTest("pyarrow is not installed")
        file = world.folder / "trials.parquet"
        self.open().to_parquet(file)
        table = pyarrow.parquet.read_table(str(file)).to_pydict()
        self.assertEqual(table["wide"], [9007199254740993] * 5)
        self.assertEqual(table["flag"], [True, None, True, True, True])
        self.assertTrue(math.isnan(table["objective_last"][1]))
        self.assertEqual([one.name for one in world.folder.glob("trials.parquet*")], ["trials.parquet"])


class Workspaces(Case):
    def test_sweeps_by_id_name_folder_and_place(self):
        sweeps = sweepscope.read(str(world.workspace)).sweeps
        first = sweeps[1]
        self.assertEqual(first.folder, "0001-every")
        for key in ("every", "0001-every", 1):
            self.assertEqual(sweeps[key].id, 1)
            self.assertIn(key, sweeps)
        self.assertEqual(sweeps[-1].id, len(sweeps))
        self.assertEqual([sweep.id for sweep in sweeps], [sweep.id for sweep in sweeps.values()])
        self.assertEqual(dict(sweeps).keys(), set(sweeps.keys()))
        self.assertNotIn("absent", sweeps)
        self.assertRaisesRegex(NotFound, "there is no sweep 'absent'; there (is|are) 0001-every", sweeps.__getitem__, "absent")
        self.assertEqual(first.parameters, ["case", "wide", "state", "lr", "flag"])
        self.assertIn('name = "every"', first.toml)
        self.assertEqual((first.goal, first.objective, first.state), ("minimize", "loss", "completed"))
        self.assertLess(first.created, first.ended)

    def test_of_equal_names_the_newest(self):
        copy = world.folder / "names"
        shutil.copytree(str(world.workspace), str(copy))
        self.addCleanup(shutil.rmtree, str(copy))
        with sqlite3.connect(str(copy / "sweepscope.db")) as connection:
            connection.execute("INSERT INTO sweep (name, folder, state, objective, maximize, parameter_names, toml, base_folder, "
                               "trials_total, created) VALUES ('every', '0009-every', 'running', 'x', 1, '[]', '', '', 0, 0)")
        connection.close()
        newest = sweepscope.read(copy).sweeps["every"]
        self.assertEqual((newest.folder, newest.trials, newest.best, newest.goal), ("0009-every", [], None, "maximize"))

    def test_the_default_workspace_is_that_of_sweepctl(self):
        with mock.patch.dict(os.environ, {"SWEEPSCOPE_WORKSPACE": str(world.workspace)}):
            self.assertEqual(sweepscope.read().path, str(world.workspace))
        data = world.folder / "data"
        (data / "sweepscope").mkdir(parents=True, exist_ok=True)
        if not (data / "sweepscope" / "workspace").exists():
            (data / "sweepscope" / "workspace").symlink_to(world.workspace)
        with mock.patch.dict(os.environ, {"XDG_DATA_HOME": str(data), "SWEEPSCOPE_WORKSPACE": ""}):
            self.assertEqual(len(sweepscope.read().sweeps), len(sweepscope.read(world.workspace).sweeps))

    def test_a_database_of_another_version_is_refused_with_both_versions(self):
        folder = pathlib.Path(tempfile.mkdtemp(dir=str(world.folder)))
        for version, words in ((database.SCHEMA_VERSION + 1, "a newer sweepscope"), (3, "the package that came with")):
            connection = sqlite3.connect(str(folder / "sweepscope.db"))
            connection.execute("PRAGMA application_id = {}".format(0x53775363))
            connection.execute("PRAGMA user_version = {}".format(version))
            connection.close()
            with self.assertRaisesRegex(WorkspaceError, "has version {}, but this package reads version {}; use {}".format(
                    version, database.SCHEMA_VERSION, words)):
                sweepscope.read(folder)

    def test_the_version_is_that_of_the_engine(self):
        connection = sqlite3.connect("file:{}?mode=ro".format(world.workspace / "sweepscope.db"), uri=True)
        self.assertEqual(connection.execute("PRAGMA user_version").fetchone()[0], database.SCHEMA_VERSION)
        connection.close()

    def test_what_is_no_workspace(self):
        folder = pathlib.Path(tempfile.mkdtemp(dir=str(world.folder)))
        self.assertRaisesRegex(WorkspaceError, "no sweepscope.db", sweepscope.read, folder)
        os.mkfifo(str(folder / "sweepscope.db"))
        self.assertRaisesRegex(WorkspaceError, "is not a file", sweepscope.read, folder)
        (folder / "sweepscope.db").unlink()
        (folder / "sweepscope.db").write_bytes(os.urandom(5000))
        self.assertRaisesRegex(WorkspaceError, "is damaged", sweepscope.read, folder)
        (folder / "sweepscope.db").unlink()
        sqlite3.connect(str(folder / "sweepscope.db")).execute("CREATE TABLE t (x)").connection.close()
        self.assertRaisesRegex(WorkspaceError, "another program", sweepscope.read, folder)
        (folder / "mirror.toml").touch()
        self.assertRaisesRegex(WorkspaceError, "is on another machine", sweepscope.read, folder)

    def test_a_workspace_without_write_access(self):
        copy = world.folder / "archive"
        shutil.copytree(str(world.workspace), str(copy))
        self.addCleanup(shutil.rmtree, str(copy))
        sqlite3.connect(str(copy / "sweepscope.db")).execute("PRAGMA wal_checkpoint(TRUNCATE)").connection.close()
        for rest in copy.glob("sweepscope.db-*"):
            rest.unlink()
        with mock.patch.object(os, "access", lambda *_: False):
            self.assertEqual(len(sweepscope.read(copy).sweeps[1].trials), len(CASES))
            self.assertEqual(list(copy.glob("sweepscope.db-*")), [])
            (copy / "sweepscope.db-wal").write_bytes(b"x")
            (copy / "disk").mkdir()
        disk = mock.Mock(f_flag=os.ST_RDONLY)
        with mock.patch.object(os, "statvfs", lambda *_: disk):
            self.assertRaisesRegex(WorkspaceError, "on a read-only disk, and its last changes are still in", sweepscope.read, copy)

    def test_damaged_rows_and_hostile_names(self):
        copy = world.folder / "hostile"
        shutil.copytree(str(world.workspace), str(copy))
        self.addCleanup(shutil.rmtree, str(copy))
        with sqlite3.connect(str(copy / "sweepscope.db")) as connection:
            connection.execute("UPDATE trial SET parameters = x'9f', metrics = x'9bffffffffffffffff' WHERE number = 1")
            connection.execute("UPDATE trial SET reason = '[[[', tags = '{}', devices = '[\"cpu:0@../../secret\"]' WHERE number = 2")
            connection.execute("UPDATE sweep SET folder = '../../etc' WHERE id > 1")
        connection.close()
        sweeps = sweepscope.read(copy).sweeps
        trial, other = sweeps[1].trials[:2]
        with self.assertRaisesRegex(WorkspaceError, "damaged row: trial 1 of sweep 1"):
            trial.params
        with self.assertRaisesRegex(WorkspaceError, "damaged row: trial 1 of sweep 1"):
            trial.metrics
        self.assertEqual((other.reason, other.tags), ({"code": "unknown", "detail": "[[["}, []))
        self.assertEqual([name for name in other.readings() if "@" in name], [])
        for sweep in sweeps[1:]:
            self.assertRaisesRegex(WorkspaceError, "damaged row", getattr, sweep, "path")
        folder = pathlib.Path(other.path) / "1"
        (folder / "rank-0.log").unlink()
        os.mkfifo(str(folder / "rank-0.log"))
        self.assertRaisesRegex(WorkspaceError, "is not a regular file", other.log)

    def test_output(self):
        trial = self.open().trial(3)
        self.assertEqual(trial.log(), "case crash größe\n")
        self.assertEqual(trial.log(rank=1, attempt=1), "case crash größe\n")
        copy = world.folder / "output"
        shutil.copytree(str(world.workspace), str(copy))
        self.addCleanup(shutil.rmtree, str(copy))
        log = next(copy.glob("sweeps/*/trials/0003/2/rank-0.log"))
        log.write_text("".join("line {}\n".format(line) for line in range(1000)))
        trial = sweepscope.read(copy).sweeps[1].trial(3)
        self.assertEqual(trial.log(most_bytes=20), "line 998\nline 999\n")
        self.assertEqual(trial.log(most_bytes=18), "line 998\nline 999\n")
        self.assertEqual(len(trial.log()), log.stat().st_size)
        log.write_bytes(b"x" * 100)
        self.assertEqual(trial.log(most_bytes=18), "x" * 18)

    def test_findings_are_those_of_sweepctl(self):
        trial = self.open().trial(2)
        expected = json.loads(world.sweepctl("diagnose", "1", "2", "--json").stdout)["attempts"][0]["findings"]
        with mock.patch.dict(os.environ, {"PATH": str(SWEEPCTL.parent)}):
            found = trial.findings()
        self.assertEqual(found, expected)
        self.assertIn("not-finite", [finding["rule"] for finding in found])
        with mock.patch.dict(os.environ, {"PATH": "/nonexistent"}):
            self.assertRaisesRegex(WorkspaceError, "sweepctl was not found", trial.findings)

    def test_what_a_notebook_shows(self):
        workspace = sweepscope.read(world.workspace)
        sweep = workspace.sweeps[1]
        self.assertIn("Sweep(1 'every', completed, 5 trials, minimize loss)", repr(workspace.sweeps))
        for shown in (workspace, workspace.sweeps, sweep, sweep.trials[0]):
            html = shown._repr_html_()
            self.assertIn("<table>", html)
            self.assertNotIn("<b>quoted", html)
        self.assertIn("(best)", sweep._repr_html_())
        self.assertRegex(repr(sweep.trials[0]), r"^Trial\(1, completed, loss 0.00033")

    def test_the_example_of_the_documentation(self):
        text = (HERE.parents[2] / "packaging" / "python" / "README.md").read_text(encoding="utf-8").split("## Notebooks")[1]
        code = text.split("```python\n")[1].split("```")[0]
        done = subprocess.run([sys.executable, "-W", "error", "-c", code], stdout=subprocess.PIPE, check=True,
                              env={**os.environ, "PYTHONPATH": str(HERE.parents[2] / "packaging" / "python"),
                                   "PYTHONIOENCODING": "utf-8", "SWEEPSCOPE_WORKSPACE": str(world.workspace)})
        lines = done.stdout.decode().splitlines()
        self.assertTrue(lines[0].startswith("Sweep("), lines)
        self.assertTrue(lines[-1].startswith("Curve('loss': "), lines)

    def test_reporting_alone_imports_none_of_it(self):
        code = "import sys, sweepscope; sweepscope.init(); print([m for m in sys.modules if m in ('sqlite3', 'numpy', 'sweepscope.workspace')])"
        done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True,
                              env={**os.environ, "PYTHONPATH": str(HERE.parents[2] / "packaging" / "python"),
                                   "SWEEPSCOPE_WORKSPACE": tempfile.mkdtemp(dir=str(world.folder))})
        self.assertEqual(done.stdout.strip(), b"[]")


if not HAS_NUMPY:
    print("without NumPy: arrays, data frames and Parquet are not tested", file=sys.stderr)
if __name__ == "__main__":
    unittest.main()
