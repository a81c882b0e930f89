#!/usr/bin/env python3
"""What it takes to look at a workspace over a connection of 50 ms and 20 MB/s: a real sshd behind a relay that delays, a real mirror. Prints
first_ms (from the look at an ended trial to the curves of all of its ranks), first_mb and whole_mb (what that carried, and what the feeds
have), lag_ms (how old the newest point here is while a rank reports, median and 99th percentile) and wire (bytes carried for each byte
that the rank's feed grew by).

    bench_mirror.py --sweepctl build/release/bin/sweepctl [--ranks 64] [--points 1000000] [--seconds 20] [--rate 10000]"""
import argparse
import json
import os
import pathlib
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parent.parent / "integration" / "remote"))

from mirrorclient import MirrorClient
from slowrelay import SlowRelay
from sshserver import SshServer, is_available

SWEEP = """
[sweep]
name = "long"
objective = "loss"
[space]
x = [1, 2]
[run]
command = ["python3", "train.py", "{{x}}"]
ranks = {ranks}
[devices]
kind = "cpu"
cpu_slots = {ranks}
concurrent = 1
"""
SCRIPT = """
import os, sys, time
if sys.argv[1] == "2" and os.environ["RANK"] == "0":
    import sweepscope
    run = sweepscope.init()
    began, step = time.monotonic(), 0
    while time.monotonic() < began + {seconds}:
        while step < (time.monotonic() - began) * {rate}:
            run.log(step, loss=1 / (step + 1))
            step += 1
        time.sleep(0.002)
"""


def feed_of(rank, ranks, body):
    identity = b"1-1-1"
    preamble = struct.pack("<8sIiiIq", b"SWSCFEED", 1, rank, ranks, 0, 1_763_674_200_000_000_000) + identity.ljust(8, b"\0")
    series = struct.pack("<HHI", 4, 0, 0) + b"loss".ljust(8, b"\0")
    return struct.pack("<BBHI", 1, 0, 0, 8 + len(preamble)) + preamble + struct.pack("<BBHI", 2, 0, 0, 8 + len(series)) + series + body


def points(count):
    pack = struct.Struct("<BBHIqd").pack
    noise = 1
    parts = []
    for step in range(count):
        noise = noise * 1103515245 + 12345 & 0x7FFFFFFF
        parts.append(pack(3, 0, 0, step, 1_763_674_200_000_000_000 + step * 10_000_000, 100 / (step + 100) + noise / 2**34))
    return b"".join(parts)


def until(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.005)


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.server = SshServer(folder / "server")
        self.relay = SlowRelay(self.server.port)
        self.there, self.mirror = folder / "there", folder / "mirror"
        self.mirror.mkdir(mode=0o700)
        (self.mirror / "mirror.toml").write_text(f'workspace = "ssh://box{self.there}"\n')
        for side in ("here", "other"):
            (folder / side).mkdir(mode=0o700)
        wrapper = folder / "sweepctl"
        wrapper.write_text(f'#!/bin/sh\nXDG_RUNTIME_DIR={folder}/other exec {options.sweepctl} "$@"\n')
        wrapper.chmod(0o755)
        self.server.stop()
        daemon = self.server.folder / "sshd_config"
        daemon.write_text(daemon.read_text() + f"SetEnv PATH={folder}:{os.environ['PATH']}\n")
        config = self.server.folder / "ssh_config"
        config.write_text(config.read_text().replace(f"Port {self.server.port}", f"Port {self.relay.port}"))
        key = (self.server.folder / "host.pub").read_text()
        (self.server.folder / "known_hosts").write_text(f"[127.0.0.1]:{self.relay.port} {key}")
        self.server.start()

    def sweepctl(self, side, *arguments):
        return subprocess.run([self.options.sweepctl, *map(str, arguments)], check=True, capture_output=True, text=True,
                              env=self.server.environment(XDG_RUNTIME_DIR=str(self.folder / side))).stdout

    def attempt(self, root, trial):
        return root / f"sweeps/0001-long/trials/{trial:04}/1"

    def state(self, trial):
        status = json.loads(self.sweepctl("other", "status", "--json", "--workspace", self.there))
        return status["sweeps"][0]["trials"][trial - 1]["state"]

    def prepare(self):
        """An ended trial whose ranks have reported for long, and another one that waits."""
        options = self.options
        (self.folder / "train.py").write_text(SCRIPT.format(seconds=options.seconds, rate=options.rate))
        sweep = self.folder / "sweep.toml"
        sweep.write_text(SWEEP.format(ranks=options.ranks))
        self.sweepctl("other", "run", sweep, "--workspace", self.there)
        self.sweepctl("other", "pause", "1", "--trial", "2", "--workspace", self.there)
        until(lambda: self.state(1) == "completed", 300, "the first trial did not end")
        body = points(options.points)
        for rank in range(options.ranks):
            (self.attempt(self.there, 1) / f"rank-{rank}.feed").write_bytes(feed_of(rank, options.ranks, body))
        agent = pathlib.Path(options.sweepctl).parent / "sweepscope-agent"
        subprocess.run([agent, "--tidy", self.attempt(self.there, 1)], check=True)

    def connect(self):
        self.process = subprocess.Popen([self.options.sweepctl, "serve", "--workspace", self.mirror],
                                        env=self.server.environment(XDG_RUNTIME_DIR=str(self.folder / "here")),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
        sockets = lambda: list((self.folder / "here" / "sweepscope").glob("*.sock"))
        until(lambda: sockets(), 60, "the mirror did not start")
        return MirrorClient(sockets()[0], self.mirror)

    def first_picture(self, client):
        until(lambda: (self.mirror / "hosts").exists(), 30, "no connection")
        time.sleep(2)
        began, bytes_before = time.monotonic(), self.relay.bytes
        client.look(1)
        names = [self.attempt(self.mirror, 1) / f"rank-{rank}.feed" for rank in range(self.options.ranks)]
        until(lambda: all(name.exists() for name in names), 600, "the curves did not come")
        took = time.monotonic() - began
        whole = sum(path.stat().st_size for path in self.attempt(self.there, 1).glob("rank-*.feed"))
        print(f"first_ms {took * 1000:.0f}  first_mb {(self.relay.bytes - bytes_before) / 1e6:.1f}  whole_mb {whole / 1e6:.1f}")

    def live(self, client):
        """The second trial, while it is looked at."""
        self.sweepctl("other", "resume", "1", "--trial", "2", "--workspace", self.there)
        feeds = [self.attempt(root, 2) / "rank-0.feed" for root in (self.there, self.mirror)]
        until(lambda: feeds[0].exists() and feeds[0].stat().st_size > 100_000, 60, "the second trial does not report")
        client.look(2)
        until(feeds[1].exists, 30, "the curve did not come")
        time.sleep(2)
        bytes_before, grown, copied = self.relay.bytes, [], []
        end = time.monotonic() + self.options.seconds / 2
        while time.monotonic() < end:
            for feed, sizes in zip(feeds, (grown, copied)):
                size = feed.stat().st_size
                if not sizes or size != sizes[-1][1]:
                    sizes.append((time.monotonic(), size))
            time.sleep(0.005)
        lags = [copy[0] - next(then for then, size in grown if size >= copy[1]) for copy in copied if copy[1] <= grown[-1][1]]
        lags = sorted(lag * 1000 for lag in lags[1:])
        wire = (self.relay.bytes - bytes_before) / (grown[-1][1] - grown[0][1])
        print(f"lag_ms {statistics.median(lags):.0f} {lags[len(lags) * 99 // 100]:.0f}  wire {wire:.2f}  points_per_second "
              f"{(grown[-1][1] - grown[0][1]) / 24 / (grown[-1][0] - grown[0][0]):.0f}")

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        subprocess.run(["pkill", "-f", f"serve --workspace {self.there}"])
        self.server.stop()
        time.sleep(0.5)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sweepctl", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--ranks", type=int, default=64)
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--rate", type=int, default=10_000)
    options = parser.parse_args()
    if not is_available():
        print("skipped: OpenSSH's server or client is not installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, pathlib.Path(folder))
        try:
            bench.prepare()
            client = bench.connect()
            bench.first_picture(client)
            bench.live(client)
        finally:
            bench.end()


if __name__ == "__main__":
    main()
