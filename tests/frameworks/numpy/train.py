import logging
import os
import sys

import numpy as np

logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO, stream=sys.stdout)
rng = np.random.default_rng(int(os.environ.get("RANK", "0")))
x = rng.normal(size=(200, 5))
y = (x @ rng.normal(size=5) > 0).astype(float)
w = np.zeros(5)
for epoch in range(1, 21):
    for i in range(0, 160, 16):
        p = 1 / (1 + np.exp(-x[i:i + 16] @ w))
        w -= 0.1 * x[i:i + 16].T @ (p - y[i:i + 16]) / 16
    train, val = (1 / (1 + np.exp(-part @ w)) for part in (x[:160], x[160:]))
    loss = -np.mean(y[:160] * np.log(train) + (1 - y[:160]) * np.log(1 - train))
    logging.info("Epoch %d/20: loss=%.4f val_acc=%.1f%%", epoch, loss, 100 * np.mean((val > 0.5) == y[160:]))
