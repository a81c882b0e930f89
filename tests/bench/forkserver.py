"""The engine's side of the built-in worker's fork server (core/launch/forkserverprotocol.h)."""

import json
import os
import select
import socket
import struct
import subprocess
import time
from pathlib import Path

SOCKET = 3
ROOM = "." * 8192


class ForkServer:
    """`worker fork-server`, loaded."""

    def __init__(self, worker):
        self._worker = worker
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)

        def take_socket():
            os.dup2(theirs.fileno(), SOCKET, inheritable=True)

        self._process = subprocess.Popen(
            [worker, "fork-server", ROOM],
            stdin=subprocess.DEVNULL,
            pass_fds=[SOCKET],
            preexec_fn=take_socket,
            env={**os.environ, "OMP_NUM_THREADS": "1", "SWEEPSCOPE_TITLE_ROOM": ROOM},
        )
        theirs.close()
        if self._socket.recv(1) != b"R":
            raise RuntimeError(f"{worker} fork-server does not load")

    def run_attempt(self, folder, arguments, ranks, devices=()):
        """Starts an agent with `ranks` ranks and waits for its end. Returns the start in seconds since 1970. `devices`: for each
        rank the list of UUIDs of its GPUs; empty for the CPU."""
        launch = {"version": 1, "attempt_id": f"bench-{os.getpid()}", "argv": [self._worker, *arguments],
                  "working_folder": str(folder), "ranks": ranks, "devices": list(devices)}
        Path(folder, "launch.json").write_text(json.dumps(launch))
        ours, agents = socket.socketpair()
        variables = [f"{name}={value}" for name, value in os.environ.items()]
        with open(Path(folder, "agent.log"), "ab") as log:
            start = time.time()
            socket.send_fds(self._socket, [b"".join(os.fsencode(text) + b"\0" for text in [str(folder), *variables])],
                            [log.fileno(), agents.fileno()])
        agents.close()
        kind, pid = struct.unpack("ii", ours.recv(8))
        agent = os.pidfd_open(pid)
        ours.send(b"G")
        select.select([agent], [], [])
        os.close(agent)
        last = json.loads(Path(folder, "events.jsonl").read_text().splitlines()[-1])
        if kind != 0 or last.get("outcome") != "completed":
            raise RuntimeError(f"the attempt ended with {last}: " + Path(folder, "rank-0.log").read_text())
        return start

    def close(self):
        self._socket.close()
        self._process.wait()
