#!/usr/bin/env python3
"""Gradient descent with momentum on a badly scaled bowl: the smallest program that is a trial.

Each rank starts at its own point and reports its loss. Nothing here knows Sweepscope but the three lines with `run`; outside
Sweepscope they do nothing, so the script also runs by hand:  python3 descend.py --lr 0.05 --momentum 0.8
"""
import argparse
import random
import time

import sweepscope

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, required=True)
parser.add_argument("--momentum", type=float, default=0.0)
parser.add_argument("--steps", type=int, default=100)
arguments = parser.parse_args()

run = sweepscope.init()
start = random.Random(run.rank)
curvature = [1.0, 8.0]
position = [start.uniform(2.0, 3.0), start.uniform(2.0, 3.0)]
velocity = [0.0, 0.0]

run.log(0, total_steps=arguments.steps)
for step in range(arguments.steps):
    gradient = [c * p for c, p in zip(curvature, position)]
    velocity = [arguments.momentum * v - arguments.lr * g for v, g in zip(velocity, gradient)]
    position = [p + v for p, v in zip(position, velocity)]
    loss = sum(0.5 * c * p * p for c, p in zip(curvature, position))
    run.log(step, loss=loss, distance=max(abs(p) for p in position))
    time.sleep(0.02)

print(f"rank {run.rank} of {run.world_size}: loss {loss:.3g} after {arguments.steps} steps")
