"""The processes below this one. This process is a subreaper: orphaned descendants become its children, so the list is
complete, whatever a process calls itself and however often it has forked."""

import ctypes
import os
import signal
import time
from collections import namedtuple

Process = namedtuple("Process", "pid parent name state start depth")

_PR_SET_CHILD_SUBREAPER = 36
_reaped = []  # (name, wait status) of ended processes that no other code waits for


def become_subreaper():
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def _read(pid):
    try:
        with open("/proc/{}/stat".format(pid), "rb") as file:
            text = file.read().decode(errors="replace")
    except OSError:
        return None
    name = text[text.index("(") + 1 : text.rindex(")")]
    fields = text[text.rindex(")") + 2 :].split()
    return Process(int(pid), int(fields[1]), name, fields[0], int(fields[19]), 0)


def descendants():
    """Returns all of them except zombies, parents before children. `depth` counts from 1."""
    children = {}
    for pid in os.listdir("/proc"):
        process = _read(pid) if pid.isdigit() else None
        if process:
            children.setdefault(process.parent, []).append(process)
    found, queue = [], [(os.getpid(), 0)]
    while queue:
        parent, depth = queue.pop(0)
        for process in children.get(parent, []):
            queue.append((process.pid, depth + 1))
            if process.state not in "ZX":
                found.append(process._replace(depth=depth + 1))
    return found


def reap(known):
    """Reaps zombies that have become our children. `known`: pids that subprocess waits for."""
    for pid in os.listdir("/proc"):
        process = _read(pid) if pid.isdigit() else None
        if process and process.parent == os.getpid() and process.state == "Z" and process.pid not in known:
            try:
                done, status = os.waitpid(process.pid, os.WNOHANG)
            except ChildProcessError:
                continue
            if done:
                _reaped.append((process.name, status))


def take_reaped():
    taken = list(_reaped)
    _reaped.clear()
    return taken


def kill(process, number=signal.SIGKILL):
    """Returns False if it is gone, or its pid was reused."""
    try:
        pinned = os.pidfd_open(process.pid)
    except OSError:
        return False
    try:
        now = _read(process.pid)
        if now is None or now.start != process.start:
            return False
        signal.pidfd_send_signal(pinned, number)
        return True
    except OSError:
        return False
    finally:
        os.close(pinned)


def command_line(process):
    try:
        with open("/proc/{}/cmdline".format(process.pid), "rb") as file:
            return file.read().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""


def wait_until(condition, seconds):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
