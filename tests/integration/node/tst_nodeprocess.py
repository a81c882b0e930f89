#!/usr/bin/env python3
"""sweepscope-node with real agents and ranks, over pipes. Usage: tst_nodeprocess.py NODE_PROGRAM [unittest arguments]"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from nodeclient import Closed, Node, content

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
ATTEMPT = "sweeps/0001-a/trials/0001/1"
COUNTING = "import time\nfor i in range({}): print('step', i, 'loss=%g' % (1 / (i + 1)), flush=True); time.sleep({})"
AUTO = {"metrics": {"format": "auto", "every_rank": False, "step": "", "series": {}}}


def counting(steps, pause):
    return ["python3", "-c", COUNTING.format(steps, pause)]


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def agents_of(root):
    return subprocess.run(["pgrep", "-f", f"sweepscope-agent {root}"], capture_output=True, text=True).stdout.split()


def until(condition, seconds=5):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


class NodeProcess(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name) / "work"
        os.environ["SWEEPSCOPE_LEASE_FOLDER"] = self.folder.name + "/leases"
        self.nodes = []

    def tearDown(self):
        for node in self.nodes:
            node.kill()
        for pid in agents_of(self.root):
            os.kill(int(pid), signal.SIGKILL)
        self.folder.cleanup()

    def node(self, **options):
        self.nodes.append(Node(PROGRAM, self.root, **options))
        return self.nodes[-1]

    def ended(self, node):
        """The agent's end arrives after what it wrote."""
        node.until(lambda: ATTEMPT in node.lives and not node.lives[ATTEMPT]["runs"])
        events = [json.loads(line) for line in node.files[ATTEMPT + "/events.jsonl"].splitlines()]
        self.assertEqual(events[-1]["kind"], "ended")
        return events

    def test_an_attempt_runs_and_its_files_arrive(self):
        node = self.node()
        self.assertEqual(node.welcome["folder"], str(self.root))
        self.assertEqual(node.welcome["user"], os.getuid())
        answer = node.start(ATTEMPT, "1-1-1-x", counting(10, 0.05), **AUTO)
        self.assertEqual(answer["type"], "done", answer)
        node.follow(ATTEMPT, answer["process"])
        self.assertEqual(self.ended(node)[-1]["outcome"], "completed")
        node.receive(1)
        for name in ("events.jsonl", "rank-0.feed", "rank-0.log", "host.feed"):
            self.assertEqual(node.files[f"{ATTEMPT}/{name}"], content(self.root, f"{ATTEMPT}/{name}"), name)
        self.assertEqual(node.hang_up(), 0)

    def test_a_start_whose_answer_was_lost_starts_nothing_again(self):
        first = self.node()
        answer = first.start(ATTEMPT, "1-1-1-x", counting(1000, 0.1))
        first.kill()
        second = self.node()
        self.assertEqual(second.start(ATTEMPT, "1-1-1-x", counting(1000, 0.1))["process"], answer["process"])
        # A rank has the agent's command line until it is executed.
        self.assertTrue(until(lambda: agents_of(self.root) == [str(answer["process"]["pid"])]))
        other = second.start(ATTEMPT, "1-1-1-y", counting(1, 0))
        self.assertIn("belongs to another attempt", other["message"])
        second.ask("signal", process=answer["process"], signal=int(signal.SIGTERM))
        second.follow(ATTEMPT, answer["process"])
        self.assertEqual(self.ended(second)[-1]["outcome"], "stopped")
        # Also when it has ended.
        self.assertEqual(second.start(ATTEMPT, "1-1-1-x", counting(1, 0))["process"], answer["process"])

    def test_attempts_outlive_connections_and_files_go_on_where_they_were(self):
        first = self.node()
        answer = first.start(ATTEMPT, "1-1-1-x", counting(60, 0.05), **AUTO)
        first.follow(ATTEMPT, answer["process"])
        log = ATTEMPT + "/rank-0.log"
        first.until(lambda: len(first.files.get(log, b"")) > 50)
        first.kill()
        time.sleep(0.5)
        held = {name.rpartition("/")[2]: {"size": len(data), "tail": data[-64:].hex()} for name, data in first.files.items()}
        held["agent.log"] = {"size": 3, "tail": b"old".hex()}
        second = self.node()
        second.files = dict(first.files)
        second.follow(ATTEMPT, answer["process"], held)
        self.ended(second)
        second.receive(1)
        for name in ("events.jsonl", "rank-0.feed", "rank-0.log"):
            self.assertEqual(second.files[f"{ATTEMPT}/{name}"], content(self.root, f"{ATTEMPT}/{name}"), name)

    def test_nothing_is_sent_without_credit_but_answers_are(self):
        node = self.node()
        answer = node.start(ATTEMPT, "1-1-1-x", ["python3", "-c", "print('x' * 1000000)"])
        node.follow(ATTEMPT, answer["process"], credit=1000)
        time.sleep(1)
        self.assertEqual(node.ask("signal", process={"pid": 1, "began": 1}, signal=0)["type"], "failed")
        self.assertLessEqual(sum(map(len, node.files.values())), 1000)
        node.send("credit", bytes=1 << 30)
        self.ended(node)
        node.until(lambda: len(node.files.get(ATTEMPT + "/rank-0.log", b"")) == 1000001)

    def test_an_attempt_whose_agent_was_killed_is_cleaned_up(self):
        node = self.node()
        answer = node.start(ATTEMPT, "1-1-1-x", ["python3", "-c", "import subprocess, time; "
                                                 "print(subprocess.Popen(['sleep', '987']).pid, flush=True); time.sleep(99)"])
        node.follow(ATTEMPT, answer["process"])
        log = ATTEMPT + "/rank-0.log"
        node.until(lambda: node.files.get(log, b"").endswith(b"\n"))
        child = int(node.files[log])
        os.kill(answer["process"]["pid"], signal.SIGKILL)
        node.until(lambda: ATTEMPT in node.lives and not node.lives[ATTEMPT]["runs"])
        recovered = node.ask("recover", folder=ATTEMPT, attempt="1-1-1-x", ranks=1, agent=answer["process"])
        self.assertEqual((recovered["type"], recovered["text"]), ("done", ""))
        self.assertFalse(is_alive(child))

    def test_a_leased_gpu_is_refused_to_others(self):
        taken = {"sweep": "a", "trial": 1, "gpus": ["GPU-1"], "shared": [], "slots": [], "cpus": [[0]]}
        node = self.node()
        answer = node.start(ATTEMPT, "1-1-1-x", counting(1000, 0.1), taken)
        self.assertEqual(answer["type"], "done", answer)
        self.nodes.append(Node(PROGRAM, self.folder.name + "/other"))
        other = self.nodes[-1]
        refused = other.start(ATTEMPT, "1-1-1-z", counting(1, 0), taken)
        self.assertEqual(json.loads(refused["fact"])["code"], "gpu_leased", refused)
        # The lease is its agent's, whatever becomes of the node process.
        node.kill()
        self.assertEqual(other.start(ATTEMPT, "1-1-1-z", counting(1, 0), taken)["type"], "failed")
        os.kill(answer["process"]["pid"], signal.SIGTERM)
        deadline = time.monotonic() + 15
        while is_alive(answer["process"]["pid"]) and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertEqual(other.start(ATTEMPT, "1-1-1-z", counting(1, 0), taken)["type"], "done")

    def test_devices_are_found_and_sampled(self):
        fake = pathlib.Path(__file__).parents[2] / "clients/fakesmi/nvidia-smi"
        node = self.node(environment={"SWEEPSCOPE_SMI": str(fake)})
        node.send("sample", on=True)
        node.until(lambda: node.machine)
        gpus = [device for device in node.machine["devices"] if device["kind"] == "gpu"]
        self.assertEqual([gpu["name"] for gpu in gpus], ["NVIDIA H100 80GB HBM3"] * 2)
        self.assertTrue(all(gpu["simulated"] for gpu in gpus))
        self.assertEqual(node.machine["links"], [{"a": gpus[0]["id"], "b": gpus[1]["id"], "path": "NV18"}])
        feed = self.root / "hosts/localhost/devices.feed"
        node.until(lambda: feed.exists() and feed.stat().st_size > 1000)

    def test_it_ends_when_the_engine_sends_nonsense_or_hangs_up(self):
        node = self.node()
        node.process.stdin.write(b"\xff" * 8)
        node.process.stdin.flush()
        with self.assertRaises(Closed) as closed:
            node.until(lambda: False)
        self.assertEqual(closed.exception.args, (1,))
        self.assertEqual(self.node().hang_up(), 0)

    def test_paths_lead_nowhere_else(self):
        node = self.node()
        for path in ("../x", "/tmp/x", "sweeps/../../x", ""):
            self.assertEqual(node.start(path, "a", ["true"])["type"], "failed", path)
            self.assertEqual(node.ask("write", b"x", path=path)["type"], "failed", path)
            self.assertEqual(node.ask("recover", folder=path, attempt="a", ranks=1)["type"], "failed", path)
        node.start(ATTEMPT, "1-1-1-x", counting(1, 0))
        self.assertEqual(node.ask("write", b"{}", path=ATTEMPT + "/trace-request")["type"], "done")
        self.assertEqual(content(self.root, ATTEMPT + "/trace-request"), b"{}")


if __name__ == "__main__":
    unittest.main()
