#!/usr/bin/env python3
"""The cost of reporting one value from a Python script: our reporter, the limit (a clock read and a packed store into shared
memory), and the installed TensorBoard writers, in one run.

    PYTHONPATH=packaging/python tests/bench/bench_reporters.py

Prints medians over short stretches in JSON. Needs no Sweepscope: it creates its own ring."""
import json
import mmap
import os
import statistics
import struct
import sys
import tempfile
import time

CAPACITY = 4 * 1024 * 1024
STRETCH = 1000


def new_ring(path):
    header = struct.pack("<8sIIQQ", b"SWSCFEED", 1, 4096, CAPACITY, 0)
    with open(path, "wb") as file:
        file.write(header + bytes(4096 - len(header) + CAPACITY))


def median_us(report, after=lambda: None, stretches=300):
    costs = []
    step = 0
    for _ in range(stretches):
        begin = time.perf_counter_ns()
        for step in range(step, step + STRETCH):
            report(step)
        costs.append((time.perf_counter_ns() - begin) / STRETCH / 1000)
        after()
    return round(statistics.median(costs), 3)


def loop_us():
    return median_us(lambda step: None)


def limit_us():
    area = mmap.mmap(-1, CAPACITY)
    pack, now = struct.Struct("<IIqd").pack_into, time.time_ns

    def store(step):
        pack(area, step % 100000 * 24, 3, step & 0xFFFFFFFF, now(), 0.5)

    return median_us(store)


def reporter_us(folder, figures):
    path = os.path.join(folder, "ring%d" % figures)
    new_ring(path)
    os.environ["SWEEPSCOPE_RING"] = path
    import sweepscope

    run = sweepscope.init()
    header = mmap.mmap(os.open(path, os.O_RDWR), 4096)

    def drained():  # as an agent would do
        header[128:136] = header[64:72]

    if figures == 1:
        cost = median_us(lambda step: run.log(step, loss=0.5), drained)
    else:
        cost = median_us(lambda step: run.log(step, loss=0.5, lr=1e-3, accuracy=0.9), drained)
    assert run.active and run.dropped == 0
    run.close()
    return cost


def writer_us(module, folder):
    try:
        writer = __import__(module, fromlist=["SummaryWriter"]).SummaryWriter(folder)
    except Exception:
        return None
    return median_us(lambda step: writer.add_scalar("loss", 0.5, step), stretches=10)


def main():
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        print(
            json.dumps(
                {
                    "python": sys.version.split()[0],
                    "empty_call_us": loop_us(),
                    "limit_us": limit_us(),
                    "log_1_figure_us": reporter_us(folder, 1),
                    "log_3_figures_us": reporter_us(folder, 3),
                    "tensorboard_torch_us": writer_us("torch.utils.tensorboard", folder),
                    "tensorboardX_us": writer_us("tensorboardX", folder),
                },
                indent=1,
            )
        )


main()
