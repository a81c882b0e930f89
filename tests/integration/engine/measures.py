"""A rank whose steps take a time that grows with the batch, until memory runs out. Usage: measures.py MOST"""
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
    # As if by the figures of a device: what the machine is busy with makes no difference.
    run.log(step, loss=1 / step, step_time=0.010 + 0.0001 * batch)
    time.sleep(0.005)
