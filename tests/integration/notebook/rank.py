"""A rank that reports what its CASE says. Usage: rank.py CASE FOLDER ...; a waiting rank ends when FOLDER has the file `go`."""
import math
import os
import pathlib
import signal
import sys
import time

import sweepscope

case, folder = sys.argv[1], pathlib.Path(sys.argv[2])
attempt_folder = pathlib.Path(os.environ["SWEEPSCOPE_ATTEMPT_FOLDER"])
attempt = int(attempt_folder.name)
run = sweepscope.init()


def report(steps, **more):
    for step in steps:
        run.log(step, {"größe/µ": step * 0.1}, loss=1 / (1 + abs(step)) + run.rank, **more)


def end_together(end):
    """Rank 0 ends when the other one has reported everything, and that is killed with it."""
    mark = attempt_folder / "reported"
    if run.rank == 0:
        while not mark.exists():
            time.sleep(0.01)
        end()
    mark.touch()
    time.sleep(60)


print("case", case, "größe", flush=True)
if case == "plain":
    run.declare("größe/µ", unit="µm")
    report(range(3000), lr=1e-3)
    for step in range(3000, 3500):
        run.log(step, loss=0.25, late=float(step))
elif case == "numbers":
    values = [math.nan, math.inf, -math.inf, 0.1 + 0.2, 5e-324, -0.0, 1.7976931348623157e308, 2.0**60]
    for step, value in zip([0, 1, 2, -1, -(1 << 62), (1 << 62) + 12345, (1 << 32) - 1, 1 << 32], values):
        run.log(step, loss=value, odd=-value)
    for step in range(200):
        run.log(-step if step % 3 else step << 33, loss=step / 7)
    run.log(7, loss=math.nan)
elif case == "crash":
    report(range(100))
    end_together(lambda: os.kill(os.getpid(), signal.SIGKILL))
elif case == "resume":
    report(range(600) if attempt == 1 else range(400, 1000))
    if attempt == 1:
        end_together(lambda: os._exit(3))
elif case == "restart":
    report(range(50 * attempt))
    if attempt == 1:
        end_together(lambda: os._exit(3))
elif case == "wait":
    report(range(5000))
    (folder / "waits-{}".format(run.rank)).touch()
    while not (folder / "go").exists():
        time.sleep(0.05)
    report(range(5000, 5010))
