"""A rank that overwrites its own telemetry with arbitrary bytes."""
import os
import random

noise = random.Random(int(os.environ["SWEEPSCOPE_TRIAL"]))
with open(os.environ["SWEEPSCOPE_RING"], "r+b") as ring:
    size = ring.seek(0, os.SEEK_END)
    for _ in range(2000):
        ring.seek(noise.choice([noise.randrange(4096), noise.randrange(size - 64)]))
        ring.write(noise.randbytes(noise.randrange(1, 64)))
        ring.flush()
