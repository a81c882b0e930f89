"""A rank that trains like DDP does: it waits for a batch, computes, and then waits for all ranks. It only sleeps,
so that many fit on a core. Usage: trains.py FAULT SECONDS; rank 1 has the fault."""
import math
import os
import random
import signal
import socket
import sys
import time

import sweepscope

fault, seconds = sys.argv[1], float(sys.argv[2])
rank, world_size = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
address = (os.environ.get("MASTER_ADDR", ""), int(os.environ.get("MASTER_PORT", "0")))


def connect():
    """Gathers the values of all ranks on rank 0."""
    if rank == 0:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen()
        return [listener.accept()[0] for _ in range(world_size - 1)]
    while True:
        try:
            return [socket.create_connection(address)]
        except ConnectionRefusedError:
            time.sleep(0.05)


def all_reduce(peers, go_on):
    """Returns whether to continue: rank 0 tells all ranks once all have arrived."""
    if rank != 0:
        peers[0].sendall(b"x")
        return peers[0].recv(1) == b"1"
    for peer in peers:
        peer.recv(1)
    for peer in peers:
        peer.sendall(b"1" if go_on else b"0")
    return go_on


def sampler(epoch):
    """Returns this rank's indexes like torch's DistributedSampler. Faults: set_epoch is never called; all ranks claim
    to be 0."""
    order = list(range(64))
    random.Random(0 if fault == "order" else epoch).shuffle(order)
    return order[0 if fault == "overlap" else rank :: world_size]


run = sweepscope.init()
peers = connect()
begin = time.monotonic()
step = 0
going = True
while going:
    step += 1
    has_fault = rank == 1 and step > 20
    start = time.monotonic()
    if fault == "starved" and has_fault:
        time.sleep(0.030)
    batch_there = time.monotonic()
    if fault == "straggler":
        time.sleep(0.120 if has_fault else 0.100)  # longer: other load on the machine must not hide a fifth
    else:
        time.sleep(0.030 * random.uniform(0.9, 1.1))  # ranks vary: each waits for the other occasionally
    if fault == "stopped" and rank == 1 and step == 60:
        os.kill(os.getpid(), signal.SIGSTOP)
    computed = time.monotonic()
    going = all_reduce(peers, time.monotonic() - begin < seconds)
    end = time.monotonic()

    loss = 0.2 + 2.0 * math.exp(-step / 30) + 0.02 * math.sin(7 * step + rank)
    if fault == "spike" and has_fault and 80 <= step < 90:
        loss += 9
    if fault == "nan" and has_fault and step >= 100:
        loss = math.nan
    run.log(step, loss=loss, data_wait=batch_there - start, compute_time=computed - batch_there,
            comm_wait=end - computed, step_time=end - start)
    if step % 50 == 1:  # an epoch begins
        weights = str(step if rank == 1 and fault == "diverged" and step > 100 else 0).encode()
        order = sweepscope.fingerprint(sampler(step // 50))
        run.log(step, sample_order=order, weights_hash=sweepscope.fingerprint(weights))
