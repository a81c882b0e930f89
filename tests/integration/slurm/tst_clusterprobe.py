#!/usr/bin/env python3
"""`sweepctl cluster probe` on a real Slurm, here and over ssh. Usage: tst_clusterprobe.py SWEEPCTL [unittest arguments]"""
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

from slurmcluster import SlurmCluster, missing

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "remote"))
from sshserver import SshServer, is_available  # noqa: E402

SWEEPCTL = pathlib.Path(sys.argv.pop(1)).resolve()


@unittest.skipIf(missing(), missing())
class ClusterProbe(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = SlurmCluster(nodes=2, gpus=2)

    @classmethod
    def tearDownClass(cls):
        cls.cluster.stop()

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.workspace = pathlib.Path(self.temporary.name) / "w"
        (pathlib.Path(self.temporary.name) / "runtime").mkdir(mode=0o700)

    def sweepctl(self, *arguments, environment=None):
        return subprocess.run([SWEEPCTL, *arguments, "--workspace", self.workspace], capture_output=True, text=True, timeout=100,
                              stdin=subprocess.DEVNULL,
                              env={**(environment or self.cluster.environment()), "XDG_RUNTIME_DIR": self.temporary.name + "/runtime"})

    def machines(self):
        return (self.workspace / "machines.toml").read_text()

    def test_a_cluster_is_described_and_kept(self):
        result = self.sweepctl("cluster", "probe")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        for words in ("Slurm         ok       22.", "partition     ok       main, the default: 2 nodes, 2 GPUs each, up to 24 h, 10 min by default",
                      "partition     warning  closed: 2 nodes", "none: this cluster has no accounting database", "MaxArraySize",
                      "attempts are asked for a checkpoint first; time to save it: scavenge (20 s)",
                      "a job with 1 GPU in main would be accepted and start at once, on n1"):
            self.assertIn(words, result.stdout)
        self.assertEqual(self.machines(), '[localhost.slurm]\ntime = "1-00:00:00"\n')
        self.assertEqual(self.cluster.output("squeue", "-h", "-t", "all"), "")

    def test_settings_of_the_user_stay_and_are_tried(self):
        self.sweepctl("cluster", "probe")
        (self.workspace / "machines.toml").write_text('[localhost.slurm]\npartition = "short"\nmodules = [ "cuda" ]\n')
        self.assertEqual(self.sweepctl("cluster", "probe").returncode, 0)
        self.assertEqual(self.machines(), '[localhost.slurm]\npartition = "short"\ntime = "00:01:00"\nmodules = ["cuda"]\n')
        (self.workspace / "machines.toml").write_text('[localhost.slurm]\nconstraint = "h100"\n')
        refused = self.sweepctl("cluster", "probe", "--json")
        self.assertEqual(refused.returncode, 3)
        rows = {row["subject"]: row for row in json.loads(refused.stdout)["checks"]}
        self.assertIn("Invalid feature specification", rows["submission"]["text"])
        self.assertEqual(self.machines(), '[localhost.slurm]\nconstraint = "h100"\n')

    def test_what_is_no_cluster_says_so(self):
        environment = self.cluster.environment()
        environment["PATH"] = self.temporary.name
        pathlib.Path(self.temporary.name, "env").symlink_to("/usr/bin/env")
        absent = self.sweepctl("cluster", "probe", environment=environment)
        self.assertEqual(absent.returncode, 3)
        self.assertIn("scontrol is not installed, or not in PATH", absent.stdout)
        unknown = self.sweepctl("cluster", "probe", "hpc")
        self.assertIn("there is no machine 'hpc'; add it: sweepctl machine add hpc", unknown.stderr)

    def test_a_dead_controller_is_reported(self):
        self.cluster.signal("slurmctld", signal.SIGKILL)
        try:
            result = self.sweepctl("cluster", "probe")
            self.assertEqual(result.returncode, 3)
            self.assertIn("Unable to contact slurm controller", result.stdout)
        finally:
            self.cluster.start_controller()
            self.cluster.wait_for_nodes()

    @unittest.skipUnless(is_available(), "OpenSSH's server or client is not installed")
    def test_a_login_node_is_probed_over_ssh(self):
        server = SshServer(pathlib.Path(self.temporary.name) / "ssh")
        self.addCleanup(server.stop)
        # As a site's profile does.
        with open(server.folder / "sshd_config", "a") as config:
            config.write(f"SetEnv SLURM_CONF={self.cluster.conf}\n")
        server.stop()
        server.start()
        environment = server.environment()
        self.assertEqual(self.sweepctl("machine", "add", "hpc", "box", environment=environment).returncode, 0)
        result = self.sweepctl("cluster", "probe", "hpc", environment=environment)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("a job with 1 GPU in main would be accepted", result.stdout)
        self.assertEqual(self.machines(), '[hpc]\nssh = "ssh://box"\n\n[hpc.slurm]\ntime = "1-00:00:00"\n')
        self.assertIn("[hpc.slurm]", self.sweepctl("machine", "list", environment=environment).stdout)


if __name__ == "__main__":
    unittest.main()
