"""A small network learns which points lie in a ring, and records what it has learned as images, histograms and a confusion matrix."""
import math
import random
import sys

import sweepscope

lr, width, steps, side = float(sys.argv[1]), 24, 4001, 48
run = sweepscope.init()
random.seed(1)
inner = [[random.gauss(0, 1) for _ in range(3)] for _ in range(width)]
outer = [random.gauss(0, 0.5) for _ in range(width + 1)]


def forward(x, y):
    hidden = [math.tanh(3 * (a * x + b * y) + c) for a, b, c in inner]
    score = outer[-1] + sum(weight * value for weight, value in zip(outer, hidden))
    return hidden, 1 / (1 + math.exp(-max(-50.0, min(50.0, score))))


def is_in_ring(x, y):
    return 0.35 < math.hypot(x, y) < 0.8


def color(share):
    return [int(235 - 200 * share), int(240 - 110 * share), int(245 - 60 * share)]


for step in range(steps):
    x, y = random.uniform(-1, 1), random.uniform(-1, 1)
    hidden, guess = forward(x, y)
    error = guess - is_in_ring(x, y)
    for i, value in enumerate(hidden):
        slope = error * outer[i] * (1 - value * value)
        outer[i] -= lr * error * value
        inner[i] = [weight - lr * slope * factor for weight, factor in zip(inner[i], (3 * x, 3 * y, 1))]
    outer[-1] -= lr * error
    if step % 500 == 0:
        places = [2 * i / (side - 1) - 1 for i in range(side)]
        guesses = [[forward(x, y)[1] for x in places] for y in places]
        actual = [int(is_in_ring(x, y)) for y in places for x in places]
        predicted = [int(guess > 0.5) for row in guesses for guess in row]
        run.log(step, accuracy=sum(map(int.__eq__, actual, predicted)) / len(actual))
        run.image("decision", [[color(guess) for guess in row] for row in guesses], step)
        run.histogram("weights", inner, step)
        run.confusion_matrix("classes", actual, predicted, ["outside", "ring"], step)
