"""A rank that saves its own checkpoint and resumes from it. Usage: resumes.py STEPS

Trials whose `n` is a multiple of 3 never resume. `begun` lists for each attempt: trial, attempt, first step.
"""
import os
import random
import sys
import time

import sweepscope

steps = int(sys.argv[1])
run = sweepscope.init()
n = int(run.params["n"])
trial = os.environ["SWEEPSCOPE_TRIAL"]
attempt = os.path.basename(os.environ["SWEEPSCOPE_ATTEMPT_FOLDER"])
checkpoint = "checkpoint-{}".format(n)


def save(step):
    with open(checkpoint + ".new", "w") as file:
        print(step, file=file)
    os.rename(checkpoint + ".new", checkpoint)
    run.event("checkpoint saved", kind="checkpoint", step=step)


step = 0
if n % 3 and os.path.exists(checkpoint):
    with open(checkpoint) as file:
        step = int(file.read())
with open("begun", "a") as book:
    print(trial, attempt, step + 1, file=book)

# Repeated steps give other values: any of them may be the best.
values = random.Random("{} {}".format(n, attempt))
while step < steps:
    step += 1
    run.log(step, loss=values.uniform(0, 100), speed=values.uniform(-50, 50))
    time.sleep(0.01)
    if run.should_stop():
        save(step)
        sys.exit(143)
    if step % 7 == 0:
        save(step)
