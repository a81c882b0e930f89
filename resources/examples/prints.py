#!/usr/bin/env python3
"""Some training script as it was found: it prints how it gets on, and nothing else."""
import sys
import time

lr = float(sys.argv[1])
x, y = 2.5, 1.5
for epoch in range(1, 21):
    gx, gy = x, 8 * y
    x, y = x - lr * gx, y - lr * gy
    loss = (x * x + 8 * y * y) / 2
    time.sleep(0.2)  # an epoch of a real training takes longer
    print(f"epoch {epoch} loss={loss:.6g} |g|={(gx * gx + gy * gy) ** 0.5:.4g}")
