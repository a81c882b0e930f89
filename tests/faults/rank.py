#!/usr/bin/env python3
"""What the ranks of the fault harness run: rank.py FOLDER BEHAVIOUR N STEPS PAUSE_MS

Reports a curve whose values the harness can compute (curve.py), and records its actions in a book in FOLDER, so that the
harness does not depend on the product's own records. Behaviours:

    plain     reports, ends
    children  has children that ignore SIGTERM and outlive it, as data loaders do
    daemons   has grandchildren in separate sessions, forked twice, that ignore SIGTERM
    stubborn  ignores SIGTERM itself
    flaky     the first attempt of every second trial fails half-way
"""

import fcntl
import os
import signal
import sys
import time

import curve
import sweepscope

CLAIM_PATIENCE_S = 5


def write_line(folder, text):
    """Appends with one write() to a file: whole lines, even if a process is killed."""
    book = os.open(os.path.join(folder, "book"), os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
    os.write(book, (text + "\n").encode())
    os.close(book)


def claim(folder, name, attempt):
    """Takes a lock that this process and all its forks hold until the last of them is gone."""
    file = os.open(os.path.join(folder, "claim-" + name), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    deadline = time.monotonic() + CLAIM_PATIENCE_S
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > deadline:
                write_line(folder, "clash {} {}".format(attempt, name))
                return
            time.sleep(0.01)  # a process killed a moment ago may still exist


def live_on():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(60)


def fork_children():
    for _ in range(2):
        if os.fork() == 0:
            live_on()


def fork_daemons():
    for _ in range(2):
        child = os.fork()
        if child == 0:
            os.setsid()
            if os.fork() == 0:
                live_on()
            os._exit(0)
        os.waitpid(child, 0)


def main():
    folder, behaviour, n, steps, pause_ms = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
    sweep, trial, attempt, _ = os.environ["SWEEPSCOPE_ATTEMPT_ID"].split("-")
    rank = int(os.environ.get("RANK", "0"))
    name = "{} {} {} {}".format(sweep, trial, attempt, rank)
    write_line(folder, "began " + name)
    claim(folder, "rank-{}-{}-{}".format(sweep, trial, rank), name)
    for device in os.environ["SWEEPSCOPE_DEVICES"].split(","):
        if device.startswith("GPU-"):
            claim(folder, device, name)
    if behaviour == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    elif behaviour == "children":
        fork_children()
    elif behaviour == "daemons":
        fork_daemons()
    run = sweepscope.init()
    for step in range(steps):
        run.log(step, loss=curve.value(n, rank, step))
        if behaviour == "flaky" and int(trial) % 2 == 0 and attempt == "1" and step == steps // 2:
            sys.exit("ValueError: this one fails the first time")
        if behaviour != "stubborn" and run.should_stop():
            sys.exit(0)
        time.sleep(pause_ms / 1000)
    write_line(folder, "ended " + name)


main()
