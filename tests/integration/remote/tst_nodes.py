#!/usr/bin/env python3
"""Trials on several machines at once. Usage: tst_nodes.py SWEEPCTL [unittest arguments]
SWEEPSCOPE_TORCH_PYTHON: a Python with PyTorch, for the comparison with torchrun; default: python3, if it has PyTorch."""
import json
import os
import re
import signal
import subprocess
import sys
import time
import unittest

from machinesweeps import MachineSweeps, processes
from meetingranks import SCRIPT
from sshserver import free_port

sys.argv.pop(1)


TORCH_SCRIPT = """
import os, pathlib, sys, time
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(0)
model = DistributedDataParallel(torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.Tanh(), torch.nn.Linear(32, 1)))
optimizer = torch.optim.SGD(model.parameters(), lr=float(sys.argv[1]), momentum=0.9)
data = torch.Generator().manual_seed(rank)
for step in range(int(sys.argv[2])):
    x = torch.randn(32, 16, generator=data)
    loss = (model(x) - x.sum(1, keepdim=True).sin()).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    mean = loss.detach().clone()
    dist.all_reduce(mean)
    if rank == 0:
        print(f"step {step} loss={mean.item() / dist.get_world_size():.9g}", flush=True)
dist.destroy_process_group()
"""


def python_with_torch():
    for python in (os.environ.get("SWEEPSCOPE_TORCH_PYTHON"), "/usr/bin/python3", sys.executable):
        if python and subprocess.run([python, "-c", "import torch.distributed as d; assert d.is_gloo_available()"],
                                     capture_output=True).returncode == 0:
            return python
    return None


class Nodes(MachineSweeps):
    script = SCRIPT

    def machines(self, count, python=sys.executable):
        names = [f"m{i}" for i in range(1, count + 1)]
        for name in names:
            self.sweepctl("machine", "add", name, "box", "--folder", self.folder / name, "--python", python)
        return names

    def launch(self, machines, nodes=1, ranks=1, steps=20, lrs=(0.1,), environment="", code=0):
        sweep = self.code / "sweep.toml"
        sweep.write_text(f"""
[sweep]
name = "count"
objective = "loss"
[space]
lr = {list(lrs)}
[run]
command = ["python3", "train.py", "{{lr}}", "{steps}"]
ranks = {ranks}
[run.environment]
STARTS = "{self.starts}"
{environment}
[run.metrics]
format = "auto"
ranks = "all"
[devices]
kind = "cpu"
cpu_slots = 8
machines = {json.dumps(list(machines))}
nodes = {nodes}
concurrent = 3
""")
        return self.sweepctl("run", sweep, code=code)

    def environments(self, ranks):
        found = []
        for rank in range(ranks):
            line = (self.attempt() / f"rank-{rank}.log").read_text().splitlines()[0]
            found.append(json.loads(line.removeprefix("environment ")))
        return found

    def no_rank_is_left(self):
        time.sleep(0.5)
        self.assertEqual(self.ranks(), [])
        self.assertEqual(self.agents(), [])

    def test_ranks_of_all_machines_meet(self):
        self.launch(["localhost", *self.machines(3)], nodes=4, ranks=8, steps=30)
        plan = self.sweepctl("plan", self.code / "sweep.toml").stdout
        self.assertIn("1 trial", plan)
        trial = self.wait_for_end()[0]
        self.assertEqual(trial["state"], "completed", trial["cause"])
        self.assertEqual(self.started(), ["1"])
        self.assertAlmostEqual(trial["objective_best"]["value"], 0.1 * sum(range(1, 9)) / 30, places=5)
        self.assertEqual([device.partition("@")[2] for device in trial["devices"]], ["", "", "m1", "m1", "m2", "m2", "m3", "m3"])
        environments = self.environments(8)
        for rank, environment in enumerate(environments):
            self.assertEqual(environment, {
                "RANK": str(rank), "LOCAL_RANK": str(rank % 2), "WORLD_SIZE": "8", "LOCAL_WORLD_SIZE": "2", "GROUP_RANK": str(rank // 2),
                "GROUP_WORLD_SIZE": "4", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": environments[0]["MASTER_PORT"],
                "GLOO_SOCKET_IFNAME": "lo", "NCCL_SOCKET_IFNAME": "=lo"})
        # The files of all ranks are together, and each agent's own beside them.
        for rank in range(8):
            self.assertEqual((self.attempt() / f"rank-{rank}.log").read_text().count("step "), 30)
        for part in ("ranks-2-3", "ranks-4-5", "ranks-6-7"):
            events = (self.attempt() / part / "events.jsonl").read_text()
            self.assertEqual(events.count('"rank_started"'), 2, events)
        self.assertIn("ranks 0, 1, 2, 3, 4, 5, 6 and 7", self.sweepctl("diagnose", "1").stdout)  # their losses are equal
        self.sweepctl("export", "1", "--devices", self.folder / "devices.csv")
        rows = [line.split(",") for line in (self.folder / "devices.csv").read_text().splitlines()]
        self.assertEqual({row[3] for row in rows[1:] if row[3]}, {str(rank) for rank in range(8)})
        history = self.sweepctl("history", "1", "--trial", "1").stdout
        for rank, machine in ((0, ""), (2, "m1: "), (7, "m3: ")):
            self.assertRegex(history, rf"rank {rank} on +{machine}core \d+;")
        self.no_rank_is_left()

    def test_the_first_cause_anywhere_ends_all(self):
        self.launch(self.machines(3), nodes=3, ranks=6, steps=2000, environment='FAULT = "raise 3"')
        trial = self.wait_for_end()[0]
        self.assertEqual(trial["state"], "failed")
        self.assertIn("m2: rank 3", trial["cause"].lower())
        self.assertIn("the data of this rank is broken", trial["cause"])
        self.no_rank_is_left()

    def test_stopping_and_an_agent_that_is_killed(self):
        self.launch(["localhost", *self.machines(1)], nodes=2, ranks=2, steps=4000, lrs=[0.1, 0.2])
        self.wait(lambda trials: [t["state"] for t in trials] == ["running"] * 2)
        self.sweepctl("stop", "1", "--trial", "1")
        self.wait(lambda trials: trials[0]["state"] == "stopped")
        there = [pid for pid, line in processes("sweepscope-agent") if "ranks-1-1" in line and str(self.folder) in line]
        self.assertEqual(len(there), 1)
        os.kill(there[0], signal.SIGKILL)
        trial = self.wait(lambda trials: trials[1]["state"] in ("lost", "failed", "completed"))[1]
        self.assertEqual(trial["state"], "lost", trial["cause"])
        self.assertIn("m1: ", trial["cause"].lower())
        self.no_rank_is_left()

    def test_an_engine_that_is_killed_finds_all_parts(self):
        self.launch(self.machines(2), nodes=2, ranks=4, steps=300)
        self.wait(lambda trials: trials[0]["state"] == "running")
        self.kill_engine_and_node_processes()
        self.serve()
        trial = self.wait_for_end()[0]
        self.assertEqual(trial["state"], "completed", trial["cause"])
        self.assertEqual(self.started(), ["1"])
        for rank in range(4):
            self.assertEqual((self.attempt() / f"rank-{rank}.log").read_text().count("step "), 300)

    def test_machines_that_cannot_reach_each_other_are_named(self):
        self.machines(2)
        machines = self.workspace / "machines.toml"
        machines.write_text(machines.read_text().replace("[m2]\n", '[m2]\naddress = "192.0.2.1"\n'))
        self.launch(["m1", "m2"], nodes=2, ranks=2, steps=20)
        trials = self.wait(lambda trials: "could not reach" in (trials[0]["cause"] or ""))
        self.assertRegex(trials[0]["cause"], r"ranks on m1 could not reach those on m2: 192\.0\.2\.1, port \d+")
        self.assertEqual(trials[0]["state"], "queued")
        self.no_rank_is_left()

    def test_a_trial_waits_for_enough_machines(self):
        refused = self.launch(["localhost", *self.machines(1)], nodes=3, ranks=6, code=2)
        self.assertIn("needs 3 machines", refused.stdout + refused.stderr)
        self.sweepctl("machine", "add", "m2", "ssh://127.0.0.1:1")
        self.launch(["localhost", "m1", "m2"], nodes=3, ranks=6)
        trials = self.wait(lambda trials: "at once, and 2 have room" in (trials[0]["cause"] or ""))
        self.assertIn("needs 3 machines at once, and 2 have room: m2: cannot be reached", trials[0]["cause"].lower())
        self.add("m2")
        self.assertEqual(self.wait_for_end()[0]["state"], "completed")

    def test_training_with_gloo_is_as_under_torchrun(self):
        python = python_with_torch()
        if python is None:
            self.skipTest("no Python has PyTorch")
        (self.code / "train.py").write_text(TORCH_SCRIPT)
        self.launch(self.machines(4, python), nodes=4, ranks=4, steps=50)
        trial = self.wait_for_end(150)[0]
        self.assertEqual(trial["state"], "completed", trial["cause"])
        expected, found = [[float(loss) for loss in re.findall(r"step \d+ loss=(\S+)", text)]
                           for text in (self.reference(python), (self.attempt() / "rank-0.log").read_text())]
        self.assertEqual([len(expected), len(found)], [50, 50])
        for step, losses in enumerate(zip(expected, found)):
            self.assertAlmostEqual(*losses, delta=1e-5, msg=f"step {step}")  # the last digits depend on how BLAS splits a sum

    def reference(self, python):
        """What torchrun's ranks print. PyTorch 1's torchrun does not work with Python 3.11: then the same ranks without it."""
        script = ["train.py", "0.1", "50"]
        if subprocess.run([python, "-c", "import sys, torch; sys.exit(torch.__version__.startswith('1.'))"]).returncode == 0:
            torchrun = subprocess.run([python, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=4", *script],
                                      cwd=self.code, capture_output=True, text=True, timeout=150)
            self.assertEqual(torchrun.returncode, 0, torchrun.stderr[-2000:])
            return torchrun.stdout
        ranks = {"WORLD_SIZE": "4", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}
        started = [subprocess.Popen([python, *script], cwd=self.code, stdout=subprocess.PIPE, text=True,
                                    env={**os.environ, **ranks, "RANK": str(rank), "LOCAL_RANK": str(rank)}) for rank in range(4)]
        return "".join(rank.communicate(timeout=150)[0] for rank in started)


if __name__ == "__main__":
    unittest.main()
