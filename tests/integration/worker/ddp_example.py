"""The example of sweepscope_ddp in use: alone, as ranks over TCP, and with a rank that never joins.
Usage: ddp_example.py PROGRAM"""

import os
import re
import socket
import subprocess
import sys
import unittest


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def start(rank, world_size, port):
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1", "RANK": str(rank),
                   "WORLD_SIZE": str(world_size), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    return subprocess.Popen([PROGRAM], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def run(world_sizes):
    """Returns the output and the exit code of each rank."""
    port = free_port()
    ranks = [start(rank, world_size, port) for rank, world_size in enumerate(world_sizes)]
    return [(process.communicate(timeout=240)[0], process.returncode) for process in ranks]


def losses(outputs):
    for text, code in outputs:
        assert code == 0, text
    return [float(re.search(r"loss ([0-9.]+)", text)[1]) for text, _ in outputs]


class Example(unittest.TestCase):
    def test_ranks_learn_the_line_together(self):
        for ranks in (1, 2, 3):
            with self.subTest(ranks=ranks):
                found = losses(run([ranks] * ranks))
                self.assertEqual(len(set(found)), 1)
                self.assertLess(found[0], 0.05)

    def test_ranks_that_were_told_another_number_end_with_a_sentence(self):
        (other, _), (text, code) = run([2, 3])
        self.assertIn("error: rank 1 was started with WORLD_SIZE=3, rank 0 with WORLD_SIZE=2", other)
        self.assertEqual(code, 1)
        self.assertRegex(text, "error: (rank 0 was started with WORLD_SIZE=2, rank 1 with WORLD_SIZE=3|.*rank 0.*see its log)")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
