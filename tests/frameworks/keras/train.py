import argparse
import time

import keras
import numpy as np

from sweepscope.keras import SweepscopeCallback, last_checkpoint

parser = argparse.ArgumentParser()
parser.add_argument("--pause", type=float, default=0.0)
args = parser.parse_args()
keras.utils.set_random_seed(3)
inputs = np.random.normal(size=(480, 16)).astype("float32")
labels = (inputs @ np.random.normal(size=(16, 4))).argmax(1)
resumed = last_checkpoint()
if resumed:
    model = keras.saving.load_model(resumed)
else:
    model = keras.Sequential([keras.layers.Input((16,)), keras.layers.Dense(32, activation="relu"), keras.layers.Dense(4)])
    model.compile(keras.optimizers.Adam(0.01), keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
slow = keras.callbacks.LambdaCallback(on_train_batch_end=lambda batch, logs: time.sleep(args.pause))
model.fit(inputs, labels, batch_size=20, epochs=3, validation_split=1 / 6, verbose=2, callbacks=[slow, SweepscopeCallback(every=5)])
