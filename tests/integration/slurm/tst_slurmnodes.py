#!/usr/bin/env python3
"""Trials as jobs on several nodes of a Slurm. Usage: tst_slurmnodes.py SWEEPCTL [unittest arguments]"""
import json
import os
import pathlib
import signal
import sys
import unittest

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parent.parent / "remote"))

from jobsweeps import JobSweeps, processes, until
from meetingranks import SCRIPT
from sshserver import SshServer, is_available

CHECKPOINT = """
import os, pathlib, sys, time
import sweepscope
run = sweepscope.init()
for step in range(int(sys.argv[2])):
    run.log(step, loss=1 / (step + 1))
    if run.should_stop():
        (pathlib.Path(os.environ["STARTS"]).parent / f"saved-{os.environ['RANK']}").write_text(str(step))
        sys.exit()
    time.sleep(0.02)
"""


class SlurmNodes(JobSweeps):
    def prepare(self):
        (self.folder / "train.py").write_text(SCRIPT)

    def sweep(self, lrs=(0.1,), steps=30, ranks=4, environment="", kind="gpu"):
        file = self.folder / "sweep.toml"
        file.write_text(f"""
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
[devices]
kind = "{kind}"
nodes = 2
concurrent = 10
machines = {list(self.machines)}
""")
        return file

    def nodes_of_jobs(self):
        return self.cluster.output("squeue", "-h", "-t", "all", "-o", "%N").split()

    def environments(self, ranks=4):
        lines = [(self.attempt(1) / f"rank-{rank}.log").read_text().splitlines()[0] for rank in range(ranks)]
        return [json.loads(line.removeprefix("environment ")) for line in lines]

    def is_ours(self, pid):
        """Other clusters may run beside this one."""
        try:
            return os.readlink(f"/proc/{pid}/cwd").startswith(str(self.cluster.folder))
        except OSError:
            return False

    def no_process_is_left(self):
        self.assertEqual([pid for name in ("sweepscope-agent", "train.py") for pid in processes(name) if self.is_ours(pid)], [])

    def test_ranks_of_two_nodes_meet(self):
        plan = self.sweepctl("plan", self.sweep())
        self.assertIn("Job: 2 nodes, each with 2 GPUs, 2 CPUs", plan)
        self.launch()
        trial = self.wait_for_states("completed")[0]
        self.assertAlmostEqual(trial["objective_best"]["value"], 0.1 * sum(range(1, 5)) / 30, places=5)
        self.assertEqual(self.nodes_of_jobs(), ["n[1-2]"])
        self.assertEqual(self.started(), ["1"])
        environments = self.environments()
        for rank, environment in enumerate(environments):
            self.assertEqual(environment, {
                "RANK": str(rank), "LOCAL_RANK": str(rank % 2), "WORLD_SIZE": "4", "LOCAL_WORLD_SIZE": "2", "GROUP_RANK": str(rank // 2),
                "GROUP_WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": environments[0]["MASTER_PORT"],
                "GLOO_SOCKET_IFNAME": "lo", "NCCL_SOCKET_IFNAME": "=lo"})
        for rank in range(4):
            self.assertEqual((self.attempt(1) / f"rank-{rank}.log").read_text().count("step "), 30)
        events = (self.attempt(1) / "ranks-2-3" / "events.jsonl").read_text()
        self.assertEqual(events.count('"rank_started"'), 2, events)
        self.no_process_is_left()

    def test_the_first_cause_on_any_node_ends_all(self):
        self.launch(steps=2000, environment='FAULT = "raise 3"')
        trial = self.wait_for_states("failed")[0]
        self.assertIn("rank 3", trial["cause"].lower())
        self.assertIn("the data of this rank is broken", trial["cause"])
        self.no_process_is_left()

    def test_trials_are_stopped_while_they_wait_and_run(self):
        self.launch(steps=9999, lrs=[0.1, 0.2])
        self.wait(lambda trials: [t["state"] for t in trials] == ["running", "starting"])
        self.sweepctl("stop", "1", "--trial", "2")
        self.wait_for_states("running", "stopped")
        self.sweepctl("stop", "1", "--trial", "1")
        trial = self.wait_for_states("stopped", "stopped")[0]
        self.assertEqual(trial["cause"].lower(), "stopped on request")
        self.no_process_is_left()
        self.assertEqual(self.cluster.output("squeue", "-h"), "")

    def test_all_ranks_are_asked_for_a_checkpoint(self):
        (self.folder / "train.py").write_text(CHECKPOINT)
        file = self.sweep(steps=9999)
        file.write_text(file.read_text().replace('[run.metrics]\nformat = "auto"\n', ""))
        self.sweepctl("run", file)
        self.wait(lambda trials: trials[0]["state"] == "running" and trials[0]["objective_best"])
        self.sweepctl("stop", "1", "--checkpoint")
        self.wait_for_states("stopped")
        self.assertEqual(sorted(path.name for path in self.folder.glob("saved-*")), [f"saved-{rank}" for rank in range(4)])

    def test_an_engine_that_is_killed_finds_the_job(self):
        self.launch(steps=300)
        self.wait_for_states("running")
        self.end_engines()
        self.sweepctl("resume", "1", code=None)  # starts an engine
        self.wait_for_states("completed")
        self.assertEqual(self.started(), ["1"])
        for rank in range(4):
            self.assertEqual((self.attempt(1) / f"rank-{rank}.log").read_text().count("step "), 300)

    def test_an_agent_that_is_killed_loses_the_attempt(self):
        self.launch(steps=9999)
        self.wait_for_states("running")
        log = self.attempt(1) / "rank-2.log"
        until(lambda: log.exists() and "step " in log.read_text())  # before, rank 0 would wait for it
        agents = [pid for pid in processes("sweepscope-agent")
                  if self.is_ours(pid) and "/ranks-2-3" in pathlib.Path(f"/proc/{pid}/cmdline").read_text()]
        self.assertTrue(agents)
        for pid in agents:
            if pathlib.Path(f"/proc/{pid}/comm").read_text().startswith("sweepscope"):
                os.kill(pid, signal.SIGKILL)
        trial = self.wait_for_states("lost")[0]
        self.assertIn("agent", trial["cause"])
        self.no_process_is_left()


@unittest.skipUnless(is_available(), "OpenSSH's server or client is not installed")
class LoginNode(SlurmNodes):
    """The same over ssh, from a machine that sees neither Slurm nor the files of jobs."""
    machines = ("lab",)

    def prepare(self):
        super().prepare()
        self.server = SshServer(self.cluster.folder / "server", f"SetEnv SLURM_CONF={self.cluster.conf}\n")
        self.addCleanup(self.server.stop)
        self.there = self.cluster.folder / "there"
        self.programs = {"PATH": f"{self.server.path}:{os.environ['PATH']}", "SLURM_CONF": "/nowhere"}

    def settings(self, toml):
        (self.workspace / "machines.toml").write_text(
            f"[lab]\nssh = 'box'\nfolder = '{self.there}'\npython = '{sys.executable}'\n[lab.slurm]\n{toml}\n")


if __name__ == "__main__":
    unittest.main()
