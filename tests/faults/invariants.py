"""What must be true of a workspace after random kills of everything in it. Each function takes the workspace and
returns the violations as sentences."""

import csv
import json
import os
import signal
import sqlite3
import stat
from collections import Counter, defaultdict

import processes

FINAL = {"completed", "pruned", "failed", "stopped", "lost"}


class Export:
    """The output of `sweepctl export` for one sweep, without an engine."""

    def __init__(self, workspace, sweep_id):
        self.problems = []
        trials = os.path.join(workspace.home, "trials-{}.csv".format(sweep_id))
        curves = os.path.join(workspace.home, "curves-{}.csv".format(sweep_id))
        code, said = workspace.sweepctl("export", str(sweep_id), "--trials", trials, "--curves", curves)
        if code != 0:
            self.problems.append("sweepctl export {} ended with {}: {}".format(sweep_id, code, said.strip()))
        self.trials = {int(row["trial"]): row for row in _rows(trials)}
        self.curves = defaultdict(list)  # (trial, attempt, rank, series) -> [(step, value)]
        for row in _rows(curves):
            key = (int(row["trial"]), int(row["attempt"]), int(row["rank"]), row["series"])
            self.curves[key].append((int(row["step"] or -1), float(row["value"])))


def _rows(file):
    if not os.path.exists(file):
        return []
    with open(file, newline="") as opened:
        return list(csv.DictReader(opened))


def exports(workspace):
    """Returns (name, Export) by sweep id."""
    sweeps = workspace.query("SELECT id, name FROM sweep")
    return {sweep_id: (name, Export(workspace, sweep_id)) for sweep_id, name in sweeps}


def database_is_whole(workspace):
    broken = []
    try:
        check = workspace.query("PRAGMA integrity_check")
    except sqlite3.DatabaseError as error:
        return ["PRAGMA integrity_check fails: {}".format(error)]
    if check != [("ok",)]:
        broken.append("PRAGMA integrity_check says {}".format(check))
    if workspace.query("PRAGMA foreign_key_check"):
        broken.append("PRAGMA foreign_key_check finds rows without their parents")
    return broken


def no_trial_is_lost(workspace):
    """Everything acknowledged exists, with all its trials, and every trial has ended."""
    broken = []
    names = dict(workspace.query("SELECT id, name FROM sweep"))
    for sweep_id, definition in workspace.launched:
        if names.get(sweep_id) != definition.name:
            broken.append("sweep {} ({}) was acknowledged and is not there".format(sweep_id, definition.name))
    for sweep_id, name in names.items():
        numbers = [row[0] for row in workspace.query("SELECT number FROM trial WHERE sweep = ? ORDER BY 1", sweep_id)]
        if numbers != list(range(1, workspace.definitions[name].trials + 1)):
            broken.append("sweep {} ({}) has the trials {}".format(sweep_id, name, numbers))
    for row in workspace.query("SELECT sweep, number, state, reason FROM trial"):
        if row[2] not in FINAL:
            broken.append("trial {} of sweep {} is still {} ({})".format(row[1], row[0], row[2], row[3]))
    return broken


def history_gives_the_present(workspace):
    broken = []
    state = {}
    for sweep, trial, before, after in workspace.query(
        "SELECT sweep, trial, state_before, state_after FROM history ORDER BY id"
    ):
        known = state.get((sweep, trial), "queued" if trial else "")
        if before != known:
            broken.append("history: {}/{} goes from {} but was {}".format(sweep, trial, before, known))
        if trial and known in ("completed", "stopped"):
            broken.append("history: trial {}/{} was {} and became {}".format(sweep, trial, known, after))
        state[(sweep, trial)] = after
    for sweep, trial, present in workspace.query(
        "SELECT sweep, number, state FROM trial UNION ALL SELECT id, 0, state FROM sweep"
    ):
        replayed = state.get((sweep, trial), "queued")
        if replayed != present:
            broken.append("history gives {} for {}/{}, which is {}".format(replayed, sweep, trial, present))
    return broken


def _ended_events(workspace):
    """Returns the outcomes that agents have written, by (sweep, trial, attempt)."""
    folders = dict(workspace.query("SELECT id, folder FROM sweep"))
    found = {}
    for sweep_id, folder in folders.items():
        trials = os.path.join(workspace.folder, "sweeps", folder, "trials")
        for trial in os.listdir(trials) if os.path.isdir(trials) else []:
            for attempt in os.listdir(os.path.join(trials, trial)):
                file = os.path.join(trials, trial, attempt, "events.jsonl")
                outcomes = []
                if os.path.exists(file):
                    with open(file) as lines:
                        for line in lines:
                            event = json.loads(line) if line.endswith("\n") else {}
                            if event.get("kind") == "ended":
                                outcomes.append(event["outcome"])
                found[(sweep_id, int(trial), int(attempt))] = outcomes
    return found


def no_trial_completes_twice(workspace):
    """Compares agents' events and the ranks' book, without the database."""
    broken = []
    completed = Counter()
    recorded = {
        row[:3]: row[3] for row in workspace.query("SELECT sweep, trial, number, outcome FROM attempt")
    }
    for key, outcomes in _ended_events(workspace).items():
        if key not in recorded:
            broken.append("attempt {} has a folder and is not in the database".format(key))
            continue
        if len(outcomes) > 1:
            broken.append("attempt {} has ended {} times".format(key, len(outcomes)))
        if outcomes and recorded[key] != outcomes[0]:
            broken.append("attempt {} has {}, but the database says {}".format(key, outcomes[0], recorded[key]))
        if "completed" in outcomes:
            completed[key[:2]] += 1
    for trial, times in completed.items():
        if times > 1:
            broken.append("trial {} ran to completion {} times".format(trial, times))
    states = {row[:2]: row[2] for row in workspace.query("SELECT sweep, number, state FROM trial")}
    for trial, state in states.items():
        if (state == "completed") != (completed[trial] > 0):
            broken.append("trial {} is {}, and {} of its attempts completed".format(trial, state, completed[trial]))
    began = Counter(line for line in _book(workspace) if line.startswith("began "))
    for line, times in began.items():
        if times > 1:
            broken.append("a rank was started {} times: {}".format(times, line))
    return broken


def what_was_stopped_stays_so(workspace):
    """After a sweep or trial was reported stopped, no attempt of it begins, even after the engine dies."""
    broken = []
    for sweep, trial, acknowledged in workspace.stopped:
        for row in workspace.query(
            "SELECT trial, number FROM attempt WHERE sweep = ? AND (? = 0 OR trial = ?) AND created > ?",
            sweep,
            trial,
            trial,
            acknowledged,
        ):
            broken.append("trial {}/{} was stopped, and its attempt {} began".format(sweep, *row))
    return broken


def _book(workspace):
    file = os.path.join(workspace.home, "book")
    if not os.path.exists(file):
        return []
    with open(file) as lines:
        return [line.strip() for line in lines]


def leases_are_consistent(workspace):
    """No rank met another attempt of its trial, a leftover of one, or another holder of its GPU; no claim is left."""
    broken = ["a rank found its place or device taken: " + line for line in _book(workspace) if "clash" in line]
    for row in workspace.query("SELECT sweep, trial, number FROM attempt WHERE ended IS NULL"):
        broken.append("attempt {} is still open".format(row))
    for sweep, name in workspace.query("SELECT id, name FROM sweep"):
        most = workspace.definitions[name].concurrent
        marks = []
        for created, ended in workspace.query("SELECT created, ended FROM attempt WHERE sweep = ?", sweep):
            marks += [(created, 1), (max(created, ended or created), -1)]
        running = 0
        for _, change in sorted(marks, key=lambda mark: (mark[0], mark[1])):
            running += change
            if running > most:
                broken.append("sweep {} ran {} trials at a time, not {}".format(sweep, running, most))
                break
    return broken


def curves_are_whole(workspace, exported):
    """Every step once, in order, with the reported value; a completed attempt has all of them."""
    broken = []
    states = {row[:2]: row[2:] for row in workspace.query("SELECT sweep, number, state, attempts FROM trial")}
    for sweep_id, (name, export) in exported.items():
        definition = workspace.definitions[name]
        for (trial, attempt, rank, series), points in export.curves.items():
            place = "sweep {} ({}), trial {}, attempt {}, rank {}, {}".format(
                sweep_id, name, trial, attempt, rank, series
            )
            steps = [step for step, _ in points]
            if series == "gap":
                broken.append("{}: a gap".format(place))
            elif definition.value is None:
                if sorted(set(steps)) != steps:
                    broken.append("{}: steps are {}".format(place, steps[:50]))
            elif steps != list(range(len(steps))):
                broken.append("{}: steps are {}".format(place, steps[:50]))
            elif points != [(step, definition.value(trial, rank, step)) for step in steps]:
                broken.append("{}: wrong values {}".format(place, points[:20]))
        for trial in range(1, definition.trials + 1):
            state, attempts = states.get((sweep_id, trial), ("", 0))
            for rank in range(definition.ranks if state == "completed" and definition.steps else 0):
                there = len(export.curves.get((trial, attempts, rank, "loss"), []))
                if there != definition.steps:
                    broken.append(
                        "sweep {} ({}), trial {} is completed, but rank {} has {} of {} steps".format(
                            sweep_id, name, trial, rank, there, definition.steps
                        )
                    )
    return broken


def chain(curves, trial, attempts, series):
    """Returns the reports of attempts that continue one another: each begins beyond the first step of all."""
    points = []
    for attempt in range(1, attempts + 1):
        own = curves.get((trial, attempt, 0, series), [])
        if own and points and own[0][0] <= points[0][0]:
            points = []
        points = points + own
    return points


def results_are_what_the_logs_say(workspace, exported):
    broken = []
    for sweep_id, (name, export) in exported.items():
        broken += export.problems
        objective = workspace.query("SELECT objective FROM sweep WHERE id = ?", sweep_id)[0][0]
        for row in workspace.query(
            "SELECT number, state, attempts, objective_last_step, objective_last, objective_best_step, objective_best "
            "FROM trial WHERE sweep = ?",
            sweep_id,
        ):
            number, state, attempts = row[:3]
            points = chain(export.curves, number, attempts, objective)
            last = points[-1] if points else (None, None)
            best = min(points, key=lambda point: point[1]) if points else (None, None)
            place = "sweep {} ({}), trial {} ({})".format(sweep_id, name, number, state)
            if row[3:5] != last or row[5:7] != best:
                broken.append("{}: database {}, log {} {}".format(place, row[3:], last, best))
            table = export.trials.get(number)
            if table is None or table["state"] != state or int(table["attempts"]) != attempts:
                broken.append("{}: its row in trials.csv is {}".format(place, table))
            elif (float(table["objective_last"]) if table["objective_last"] else None) != last[1]:
                broken.append("{}: trials.csv says {}, the log {}".format(place, table["objective_last"], last))
    return broken


def nothing_is_left(workspace):
    broken = []
    for process in processes.descendants():
        broken.append("process {} is left: {}".format(process.pid, processes.command_line(process) or process.name))
    ids = [row[0] for row in workspace.query("SELECT id FROM attempt")]
    rings = [name for name in os.listdir("/dev/shm") if any(attempt in name for attempt in ids)]
    if rings:
        broken.append("rings are left in shared memory: {}".format(rings))
    for folder, _, files in os.walk(workspace.runtime):
        paths = [os.path.join(folder, name) for name in files]
        # A killed engine leaves its socket; the next engine replaces it.
        broken += ["{} is left".format(path) for path in paths if not stat.S_ISSOCK(os.lstat(path).st_mode)]
    for folder, _, files in os.walk(os.path.join(workspace.folder, "sweeps")):
        for name in files:
            if name.endswith((".ring", ".packing")) or ".tmp." in name:
                broken.append("{} is left".format(os.path.join(folder, name)))
    return broken


def nobody_crashed(workspace):
    """Our own programs end normally or by our SIGKILL or SIGTERM; never by another signal."""
    broken = []
    for name, status in processes.take_reaped():
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        if name.startswith(("sweep", "QThread")) and number not in (0, signal.SIGKILL, signal.SIGTERM):
            broken.append("{} was ended by signal {}".format(name, number))
    for process in workspace.ended():
        if process.returncode < 0 and -process.returncode not in (signal.SIGKILL, signal.SIGTERM):
            broken.append("{} was ended by signal {}".format(process.args, -process.returncode))
    return broken


def all_broken(workspace):
    exported = exports(workspace)
    return (
        database_is_whole(workspace)
        + no_trial_is_lost(workspace)
        + history_gives_the_present(workspace)
        + no_trial_completes_twice(workspace)
        + what_was_stopped_stays_so(workspace)
        + leases_are_consistent(workspace)
        + curves_are_whole(workspace, exported)
        + results_are_what_the_logs_say(workspace, exported)
        + nothing_is_left(workspace)
        + nobody_crashed(workspace)
    )
