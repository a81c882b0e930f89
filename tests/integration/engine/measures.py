"""A rank whose step time grows with the batch, until memory runs out. Usage: measures.py MOST"""
import sys
import time

import sweepscope

run = sweepscope.init()
batch = int(run.params["batch_size"])
with open("began", "a") as book:
    print(batch, file=book)
if batch > int(sys.argv[1]):
    raise MemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
step = 0
while True:
    step += 1
    # Fixed figures, so that other load on the machine makes no difference.
    run.log(step, loss=1 / step, step_time=0.010 + 0.0001 * batch)
    time.sleep(0.005)
