"""A rank whose checkpoint is its step, its state, and the line of trials that made it. Usage: population.py STEPS

The state grows by lr in each step, and the loss falls with it, so the loss of a trial that continues another begins where that one's
was. `begun` lists for each attempt: trial, attempt, first step, state, line.
"""
import json
import os
import sys
import time

import sweepscope

steps = int(sys.argv[1])
run = sweepscope.init()
trial = int(os.environ["SWEEPSCOPE_TRIAL"])
attempt = int(os.path.basename(os.environ["SWEEPSCOPE_ATTEMPT_FOLDER"]))
state = {"step": 0, "state": 0.0, "line": []}
folder = run.last_checkpoint()
if folder:
    with open(os.path.join(folder, "state.json")) as file:
        state = json.load(file)
if state["line"][-1:] != [trial]:
    state["line"].append(trial)
with open("begun", "a") as book:
    print(json.dumps([trial, attempt, state["step"] + 1, state["state"], state["line"]]), file=book)


def save():
    os.makedirs(run.checkpoint_folder, exist_ok=True)
    name = os.path.join(run.checkpoint_folder, "state.json")
    with open(name + ".tmp", "w") as file:
        json.dump(state, file)
    os.rename(name + ".tmp", name)


while state["step"] < steps:
    state["step"] += 1
    state["state"] += run.params["lr"]
    run.log(state["step"], loss=1 / (1 + state["state"]))
    time.sleep(0.02)
    if state["step"] % 5 == 0:
        save()
    if run.should_stop():
        save()
        sys.exit(143)
