#!/usr/bin/env python3
"""How much an engine computes that holds many machines: real node processes, agents and ranks, but on one machine, and `ssh` is a
script that runs the command here. Prints engine_cores (CPU time per second), engine_mib, lag_ms (from a rank's output to its copy in the
workspace) and how long all starts took.

    bench_machines.py --sweepctl build/release/bin/sweepctl [--machines 64] [--trials 250] [--ranks 8] [--seconds 60]

A rank prints a line every second. 64 machines with 2,000 ranks need about 10 GB of memory."""
import argparse
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

RANK = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    const char *rank = getenv("RANK");
    struct timespec pause = {0, rank ? atoi(rank) * 100000000L % 1000000000L : 0};
    nanosleep(&pause, NULL);
    pause.tv_sec = 1;
    pause.tv_nsec = 0;
    for (int step = 0;; ++step) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        printf("step %d loss=%g at=%ld.%09ld\n", step, 1.0 / (step + 1), (long)now.tv_sec, now.tv_nsec);
        nanosleep(&pause, NULL);
    }
}
"""

SSH = r"""#!/bin/sh
# ssh [options] -- MACHINE COMMAND, on this machine. A master only waits.
machine= master= check=
while [ $# -gt 0 ]; do
    case "$1" in
    -N) master=1 ;;
    -O) check=1; shift ;;
    -o|-p|-S|-F) shift ;;
    --) shift; machine=$1; shift; break ;;
    esac
    shift
done
[ -z "$check" ] || [ -e "$FOLDER/masters/$machine" ] || exit 255
[ -z "$check" ] || exit 0
if [ -n "$master" ]; then : > "$FOLDER/masters/$machine"; exec sleep 100000; fi
export SWEEPSCOPE_LEASE_FOLDER="$FOLDER/leases/$machine" HOME="$FOLDER/home/$machine"
mkdir -p "$HOME"; cd "$HOME" && exec sh -c "$*"
"""


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mib(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.workspace = folder / "workspace"
        for name in ("bin", "masters", "leases", "home", "code", "run", "workspace"):
            (folder / name).mkdir(mode=0o700)
        (folder / "bin" / "ssh").write_text(SSH)
        (folder / "bin" / "ssh").chmod(0o755)
        (folder / "code" / "rank.c").write_text(RANK)
        subprocess.run(["cc", "-O2", "-o", folder / "code" / "rank", folder / "code" / "rank.c"], check=True)
        self.environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "FOLDER": str(folder),
                            "XDG_RUNTIME_DIR": str(folder / "run")}

    def sweepctl(self, *arguments):
        return subprocess.run([self.options.sweepctl, *map(str, arguments), "--workspace", self.workspace], check=True,
                              capture_output=True, text=True, env=self.environment).stdout

    def run(self):
        options = self.options
        names = [f"m{i:02}" for i in range(options.machines)]
        (self.workspace / "machines.toml").write_text("".join(f'[{name}]\nssh = "{name}"\n' for name in names))
        each = -(-options.trials // options.machines) * options.ranks
        (self.folder / "code" / "sweep.toml").write_text(f"""
[sweep]
name = "many"
objective = "loss"
[space]
x = {{ int = [1, {options.trials}] }}
[run]
command = ["./rank"]
ranks = {options.ranks}
[run.metrics]
format = "auto"
[devices]
kind = "cpu"
cpu_slots = {each}
machines = {json.dumps(names)}
concurrent = {options.trials}
""")
        engine = subprocess.Popen([options.sweepctl, "serve", "--workspace", self.workspace], env=self.environment,
                                  stdout=subprocess.DEVNULL, stderr=open(self.folder / "engine.err", "w"))
        began = time.monotonic()
        try:
            while not (self.workspace / "sweepscope.db").exists():
                time.sleep(0.1)
            time.sleep(1)
            self.sweepctl("run", self.folder / "code" / "sweep.toml")
            self.wait_for_ranks()
            self.report("started_s", time.monotonic() - began)
            time.sleep(5)
            cpu, since = cpu_seconds(engine.pid), time.monotonic()
            lags = self.lags()
            self.report("engine_cores", (cpu_seconds(engine.pid) - cpu) / (time.monotonic() - since))
            self.report("engine_mib", memory_mib(engine.pid))
            self.report("lag_ms_median", statistics.median(lags) * 1000)
            self.report("lag_ms_p99", statistics.quantiles(lags, n=100)[98] * 1000)
            self.report("lag_ms_max", max(lags) * 1000)
        finally:
            self.end(engine)

    def logs(self):
        return list((self.workspace / "sweeps").glob("*/trials/*/1/rank-*.log"))

    def wait_for_ranks(self):
        wanted = self.options.trials * self.options.ranks
        while (there := len(self.logs())) < wanted:
            print(f"{there} of {wanted} ranks", file=sys.stderr)
            time.sleep(5)

    def lags(self):
        """How old the last line of a copied log is, when it has just come."""
        logs = self.logs()[:: max(1, len(self.logs()) // 40)]
        sizes = {log: log.stat().st_size for log in logs}
        lags = []
        end = time.monotonic() + self.options.seconds
        while time.monotonic() < end:
            for log in logs:
                size = log.stat().st_size
                if size != sizes[log]:
                    with open(log, "rb") as file:
                        file.seek(sizes[log])
                        new = file.read(size - sizes[log]).decode()
                    lags += [time.time() - float(at) for at in re.findall(r"at=(\d+\.\d+)\n", new)]
                    sizes[log] = size
            time.sleep(0.02)
        return lags

    def report(self, name, value):
        print(f"{name} {value:.3g}", flush=True)

    def end(self, engine):
        engine.send_signal(signal.SIGTERM)
        engine.wait()
        for path in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if f"FOLDER={self.folder}".encode() in (path / "environ").read_bytes().split(b"\0"):
                    os.kill(int(path.name), signal.SIGKILL)
            except (OSError, ProcessLookupError):
                pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sweepctl", type=lambda text: pathlib.Path(text).resolve(), required=True)
    for name, default in (("machines", 64), ("trials", 250), ("ranks", 8), ("seconds", 60)):
        parser.add_argument("--" + name, type=int, default=default)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        Bench(options, pathlib.Path(folder)).run()
        subprocess.run(["chmod", "-R", "u+w", folder])


main()
