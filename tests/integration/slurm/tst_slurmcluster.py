#!/usr/bin/env python3
"""The cluster that other tests start: that it runs jobs, and leaves nothing behind. Usage: tst_slurmcluster.py [unittest arguments]"""
import pathlib
import signal
import subprocess
import sys
import unittest

from slurmcluster import SlurmCluster, missing, until

STARTS_AND_WAITS = """
import sys, time
from slurmcluster import SlurmCluster, until
cluster = SlurmCluster(nodes=1)
up = cluster.folder / "up"
cluster.command("sbatch", "--output=/dev/null", "--wrap", f"setsid sleep 987 & echo $! > {up}; sleep 987")
until(lambda: up.exists() and up.read_text().endswith("\\n") and int(up.read_text()) in cluster.processes())
print(cluster.folder, *cluster.processes(), flush=True)
time.sleep(987)
"""


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@unittest.skipIf(missing(), missing())
class Cluster(unittest.TestCase):
    def assert_gone(self, folder, pids):
        self.assertGreater(len(pids), 5)
        until(lambda: not any(map(is_alive, pids)) and not pathlib.Path(folder).exists())

    def test_two_clusters_run_jobs_with_gpus_side_by_side(self):
        clusters = [SlurmCluster(), SlurmCluster(nodes=1, gpus=1)]
        try:
            for cluster, gpus in zip(clusters, ("0,1", "0")):
                out = cluster.folder / "out"
                count = gpus.count(",") + 1
                cluster.command("sbatch", f"--gres=gpu:{count}", f"--output={out}", "--wrap", "echo got $CUDA_VISIBLE_DEVICES")
                until(lambda: out.exists() and out.read_text() == f"got {gpus}\n")
        finally:
            for cluster in clusters:
                cluster.stop()

    def test_nothing_is_left_of_a_cluster_and_its_jobs_when_the_test_is_killed(self):
        test = subprocess.Popen([sys.executable, "-c", STARTS_AND_WAITS], stdout=subprocess.PIPE, text=True,
                                cwd=pathlib.Path(__file__).parent)
        folder, *pids = test.stdout.readline().split()
        test.stdout.close()
        test.kill()
        test.wait()
        self.assert_gone(folder, pids)

    def test_a_frozen_daemon_is_ended_too(self):
        cluster = SlurmCluster(nodes=1)
        pids = cluster.processes()
        for name in ("slurmctld", "n1"):
            cluster.signal(name, signal.SIGSTOP)
        cluster.stop()
        until(lambda: not any(map(is_alive, pids)) and not cluster.folder.exists())

    def test_a_crashed_node_takes_its_job_along(self):
        cluster = SlurmCluster(nodes=1)
        try:
            out = cluster.folder / "out"
            cluster.command("sbatch", f"--output={out}", "--wrap", "echo $$; sleep 987")
            until(lambda: out.exists() and out.read_text())
            cluster.crash_node("n1")
            until(lambda: not is_alive(int(out.read_text())))
            until(lambda: "down" in cluster.output("sinfo", "-hN", "-n", "n1", "-o", "%t"))
            cluster.start_node("n1")
            until(lambda: "idle" in cluster.output("sinfo", "-hN", "-n", "n1", "-o", "%t"))
        finally:
            cluster.stop()


if __name__ == "__main__":
    unittest.main()
