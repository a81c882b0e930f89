"""Shows that each invariant can fail: runs a round without faults, then applies each kind of damage to a copy."""

import glob
import os
import shutil
import sqlite3
import subprocess

import invariants
import torment


def _change(sql):
    def damage(workspace):
        connection = sqlite3.connect(workspace.database)
        connection.execute(sql)
        connection.commit()
        connection.close()

    return damage


def _cut_a_feed(workspace):
    feed = sorted(glob.glob(os.path.join(workspace.folder, "sweeps", "*", "trials", "0002", "1", "rank-0.feed")))[0]
    os.truncate(feed, os.path.getsize(feed) // 2)


def _end_an_attempt_again(workspace):
    events = glob.glob(os.path.join(workspace.folder, "sweeps", "*", "trials", "0001", "1", "events.jsonl"))[0]
    with open(events) as file:
        last = file.readlines()[-1]
    with open(events, "a") as file:
        file.write(last)


def _start_a_rank_again(workspace):
    with open(os.path.join(workspace.home, "book")) as file:
        first = file.readline()
    with open(os.path.join(workspace.home, "book"), "a") as file:
        file.write(first)


def _spoil_a_page(workspace):
    with open(workspace.database, "r+b") as file:
        file.seek(4096 * 3)
        file.write(b"\xa5" * 4096)


def _leave_a_file(workspace):
    folder = os.path.join(workspace.runtime, "sweepscope")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "left"), "w"):
        pass


def _leave_a_process(workspace):
    workspace.left = subprocess.Popen(["sleep", "600"])


def _checked(check):
    return lambda workspace: check(workspace, invariants.exports(workspace))


DAMAGES = [
    ("a page of the database is spoilt", _spoil_a_page, invariants.database_is_whole),
    ("a trial is gone", _change("DELETE FROM trial WHERE number = 2"), invariants.no_trial_is_lost),
    ("a trial runs for ever", _change("UPDATE trial SET state = 'running'"), invariants.no_trial_is_lost),
    (
        "a transition is gone",
        _change("DELETE FROM history WHERE state_after = 'running'"),
        invariants.history_gives_the_present,
    ),
    ("an attempt ended twice", _end_an_attempt_again, invariants.no_trial_completes_twice),
    ("a rank was started twice", _start_a_rank_again, invariants.no_trial_completes_twice),
    ("a verdict is wrong", _change("UPDATE attempt SET outcome = 'lost'"), invariants.no_trial_completes_twice),
    ("an attempt is open", _change("UPDATE attempt SET ended = NULL"), invariants.leases_are_consistent),
    ("half of a curve is gone", _cut_a_feed, _checked(invariants.curves_are_whole)),
    (
        "an objective is wrong",
        _change("UPDATE trial SET objective_last = objective_last + 1"),
        _checked(invariants.results_are_what_the_logs_say),
    ),
    ("a file is left", _leave_a_file, invariants.nothing_is_left),
    ("a process is left", _leave_a_process, invariants.nothing_is_left),
]


def prove(workspace, random):
    """Returns the damages that no invariant detected, and what was broken before any was done."""
    unseen = torment.Torment(workspace, random).run(in_peace=True) + invariants.all_broken(workspace)
    whole, runtime, book = workspace.folder, workspace.runtime, os.path.join(workspace.home, "book")
    with open(book) as file:
        written = file.read()
    for name, damage, check in DAMAGES:
        workspace.move_to(os.path.join(workspace.home, "damaged"))
        shutil.copytree(whole, workspace.folder)
        damage(workspace)
        if not check(workspace):
            unseen.append("no invariant detects that " + name)
        workspace.kill_everybody()
        shutil.rmtree(workspace.folder)
        shutil.rmtree(os.path.join(runtime, "sweepscope"), ignore_errors=True)
        with open(book, "w") as file:
            file.write(written)
    return unseen
