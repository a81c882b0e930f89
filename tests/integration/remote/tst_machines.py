#!/usr/bin/env python3
"""`sweepctl machine` with a real sshd on this machine. Usage: tst_machines.py SWEEPCTL [unittest arguments]"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from sshserver import SshServer, is_available

SWEEPCTL = pathlib.Path(sys.argv.pop(1)).resolve()


@unittest.skipUnless(is_available(), "OpenSSH's server or client is not installed")
class Machines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.server = SshServer(cls.folder / "server")

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.temporary.cleanup()

    def setUp(self):
        self.workspace = self.folder / self.id().rpartition(".")[2]
        self.place = self.folder / ("place-" + self.workspace.name)

    def sweepctl(self, *arguments, **environment):
        runtime = self.folder / "runtime"
        runtime.mkdir(mode=0o700, exist_ok=True)
        result = subprocess.run([SWEEPCTL, "--workspace", self.workspace, *map(str, arguments)], capture_output=True, text=True,
                                stdin=subprocess.DEVNULL, timeout=200,
                                env=self.server.environment(XDG_RUNTIME_DIR=str(runtime), **environment))
        self.assertEqual(list((runtime / "sweepscope").glob("ssh-*")) if (runtime / "sweepscope").exists() else [], [])
        return result

    def check(self, name, code):
        result = self.sweepctl("machine", "check", name, "--json")
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return {row["subject"]: row for row in json.loads(result.stdout)[0]["checks"]}

    def add(self, *more, address="box"):
        result = self.sweepctl("machine", "add", "m", address, "--folder", self.place, "--python", "/usr/bin/python3", *more)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_machines_are_added_changed_and_removed(self):
        self.assertIn("no machines yet", self.sweepctl("machine", "list").stderr)
        self.add("--setup", "module load 'cuda'", "--data", "mnist=/data/mnist", address="ssh://ann@box:2222")
        self.assertEqual(self.sweepctl("machine", "list").stdout,
                         f"""[m]\nssh = "ssh://ann@box:2222"\nfolder = "{self.place}"\nsetup = "module load 'cuda'"\n"""
                         """python = "/usr/bin/python3"\ndata = { mnist = "/data/mnist" }\n""")
        self.add("--concurrent", 4, "--lost-after", "90m")
        self.assertEqual(self.sweepctl("machine", "list").stdout,
                         f"""[m]\nssh = "ssh://box"\nfolder = "{self.place}"\nsetup = "module load 'cuda'"\npython = "/usr/bin/python3"\n"""
                         """concurrent = 4\nlost_after = "1h30m"\ndata = { mnist = "/data/mnist" }\n""")
        self.add("--data", "more=/data/more", "--data", "mnist=", "--address", "10.0.0.7")
        self.assertIn('address = "10.0.0.7"', self.sweepctl("machine", "list").stdout)
        self.assertIn('data = { more = "/data/more" }', self.sweepctl("machine", "list").stdout)
        self.assertIn("--address 'box2' is not an IP address", self.sweepctl("machine", "add", "m", "box", "--address", "box2").stderr)
        self.add("--concurrent", 0, "--lost-after", "no limit", "--setup", "")
        self.assertNotIn("\nconcurrent", self.sweepctl("machine", "list").stdout)
        self.assertNotIn("lost_after", self.sweepctl("machine", "list").stdout)
        self.assertIn("not a duration such as 2h", self.sweepctl("machine", "add", "m", "box", "--lost-after", "soon").stderr)
        self.assertIn("there is no machine 'n'", self.sweepctl("machine", "remove", "n").stderr)
        self.assertIn("sweepctl machine add needs NAME and SSH; see", self.sweepctl("machine", "add").stderr)
        self.assertIn("sweepctl machine needs a command: add, list, remove or check", self.sweepctl("machine").stderr)
        self.assertEqual(self.sweepctl("machine", "remove", "m").returncode, 0)
        self.assertEqual(self.sweepctl("machine", "list").stdout, "")
        for wrong in ("-oProxyCommand=x", "http://box", "ssh://box:99999", "a b", ""):
            refused = self.sweepctl("machine", "add", "m", "--", wrong)
            self.assertEqual(refused.returncode, 2, wrong)
        (self.workspace / "machines.toml").write_text("[m]\nssh = 'box'\npasword = 'x'\n")
        self.assertIn("machine m has the unknown key pasword", self.sweepctl("machine", "list").stderr)

    def test_a_machine_without_anything_is_checked(self):
        self.add()
        rows = self.check("m", 0)
        self.assertEqual({subject: row["result"] for subject, row in rows.items() if subject not in ("GPUs", "Python")},
                         {name: "ok" for name in ("ssh", "programs", "machine", "agent", "disk", "clock")}, rows)
        self.assertIn("copied", rows["programs"]["text"])
        programs = next((self.place / "programs").iterdir())
        self.assertEqual(sorted(path.name for path in programs.iterdir()), ["sweepscope-agent", "sweepscope-node"])
        self.assertEqual(list((self.place / "work").glob("check*")), [])
        # The second time they are there; a damaged one is replaced.
        self.assertIn("already there", self.check("m", 0)["programs"]["text"])
        with open(programs / "sweepscope-node", "r+b") as file:
            file.truncate(1000)
        self.assertIn("copied", self.check("m", 0)["programs"]["text"])

    def test_all_goes_over_one_connection(self):
        self.add()
        before = (self.server.folder / "sshd.log").read_text().count("Accepted publickey")
        self.check("m", 0)
        self.assertEqual((self.server.folder / "sshd.log").read_text().count("Accepted publickey"), before + 1)

    def test_noise_of_the_shell_is_skipped(self):
        noise = self.folder / "noise"
        noise.write_text("echo 'Welcome to the cluster!'\necho sweepscope\n")
        config = self.server.folder / "sshd_config"
        kept = config.read_text()
        self.server.stop()
        config.write_text(kept + f'ForceCommand . {noise}; eval "$SSH_ORIGINAL_COMMAND"\n')
        try:
            self.server.start()
            self.add()
            self.check("m", 0)
        finally:
            self.server.stop()
            config.write_text(kept)
            self.server.start()

    def test_each_failure_says_what_to_do(self):
        self.add(address="ssh://127.0.0.1:1")
        self.assertIn("Connection refused", self.check("m", 3)["ssh"]["text"])
        self.add("--setup", "exit 7")
        self.assertEqual(self.check("m", 3)["Python"]["result"], "failed")
        self.add("--setup", "", "--data", "here=/usr", "--data", "gone=/nowhere")
        result = json.loads(self.sweepctl("machine", "check", "m", "--json").stdout)[0]
        self.assertTrue(result["can_run_trials"])
        self.assertEqual([(row["result"], row["text"]) for row in result["checks"] if row["subject"] == "data"],
                         [("warning", "gone: /nowhere does not exist there or cannot be read"), ("ok", "here: /usr")])
        self.sweepctl("machine", "add", "m", "box", "--folder", "/proc/nowhere")
        rows = self.check("m", 3)
        self.assertIn("no folder could be created", rows["programs"]["text"])
        self.assertIn("sweepctl machine add m box --folder FOLDER", rows["programs"]["remedy"])

    def test_a_changed_host_key_is_refused(self):
        self.add()
        self.server.stop()
        self.server.make_key("host")
        try:
            self.server.start()
            row = self.check("m", 3)["ssh"]
            self.assertIn("REMOTE HOST IDENTIFICATION HAS CHANGED", row["text"])
        finally:
            self.server.trust_host()

    def test_a_folder_that_runs_no_programs_is_named(self):
        if os.getuid() != 0 or subprocess.run(["mount", "--version"], capture_output=True).returncode:
            self.skipTest("needs root to mount")
        self.place.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "noexec,size=64m", "none", self.place], capture_output=True).returncode:
            self.skipTest("may not mount")
        try:
            self.add()
            row = self.check("m", 3)["programs"]
            self.assertIn("mounted noexec", row["text"])
        finally:
            subprocess.run(["umount", self.place])


if __name__ == "__main__":
    unittest.main()
