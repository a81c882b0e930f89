"""Wherever the hook that watches scripts fails, the script runs as without it, and agent.log says so once."""

import os
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

PYTHON = Path(__file__).resolve().parents[3] / "packaging" / "python"

#: What the hook uses of torch, as far as it gets in these tests.
TORCH = """
    class nn:
        class Module:
            def zero_grad(self): pass
        class utils:
            def clip_grad_norm_(): pass
            class clip_grad: pass
    class amp: pass
    class cuda:
        class amp:
            class GradScaler: pass
    class optim:
        class Optimizer:
            param_groups = [{"lr": 0.5, "params": []}]
            def zero_grad(self): pass
            def __init__(self): pass
            def step(self): pass
    class distributed:
        is_available = staticmethod(lambda: False)
    class autograd:
        backward = staticmethod(lambda tensors, gradients=None: None)
    class Tensor: pass
"""
DATA = """
    class DataLoader:
        def __iter__(self): pass
    class dataloader:
        class _BaseDataLoaderIter:
            def __next__(self): pass
"""
SAMPLER = "class DistributedSampler:\n    def set_epoch(self, epoch): pass\n"
PARALLEL = "class DistributedDataParallel:\n    def forward(self): pass\n"
SCRIPT = """
    import torch
    print("started")
    class SGD(torch.optim.Optimizer):
        pass
    optimizer = SGD()
    for step in range(5):
        optimizer.zero_grad()
        optimizer.step()
    print("done")
"""


class WatchFailures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.attempt = self.folder / "attempt"
        self.attempt.mkdir()
        self.ring = self.folder / "ring"

    def write(self, file, content):
        path = self.folder / "modules" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(content))

    def write_torch(self):
        self.write("torch/__init__.py", TORCH)
        self.write("torch/utils/data/__init__.py", DATA)
        self.write("torch/utils/data/distributed.py", SAMPLER)
        self.write("torch/nn/parallel.py", PARALLEL)
        # The module's class nn, and the package of that name for imports.
        self.write("torch/nn/__init__.py", "")

    def run_script(self, script=SCRIPT, **environment):
        """Returns stdout, stderr and the lines of agent.log."""
        (self.folder / "train.py").write_text(textwrap.dedent(script))
        path = os.pathsep.join([str(PYTHON / "watch"), str(self.folder / "modules"), str(PYTHON)])
        inherited = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        ended = subprocess.run([sys.executable, str(self.folder / "train.py")], text=True, capture_output=True, timeout=60, env={
            **inherited, "PYTHONPATH": path, "SWEEPSCOPE_RING": str(self.ring), "RANK": "3",
            "SWEEPSCOPE_ATTEMPT_FOLDER": str(self.attempt), **environment})
        self.assertEqual(ended.returncode, 0, ended.stderr)
        log = self.attempt / "agent.log"
        return ended.stdout, ended.stderr, log.read_text().splitlines() if log.is_file() else []

    def assert_said(self, result, words, printed=""):
        stdout, stderr, lines = result
        self.assertEqual(stdout, "started\ndone\n")
        self.assertEqual(len(lines), 1, lines)
        self.assertRegex(lines[0], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z warning watch: rank 3: this script is ")
        self.assertIn(words, lines[0])
        self.assertIn(printed, stderr)
        self.assertEqual(bool(printed), bool(stderr), stderr)

    def test_the_hook_cannot_be_imported(self):
        self.write_torch()
        self.write("sweepscope/__init__.py", "")
        self.write("sweepscope/watch.py", "this is no Python")
        self.assert_said(self.run_script(), "not watched: SyntaxError")

    def test_there_is_no_sweepscope_package(self):
        self.write_torch()
        result = self.run_script(PYTHONPATH=os.pathsep.join([str(PYTHON / "watch"), str(self.folder / "modules")]))
        self.assert_said(result, "not watched: ModuleNotFoundError")

    def test_a_torch_that_lacks_what_is_watched(self):
        self.write_torch()
        for missing in ("class autograd", "class optim", "class cuda", "class nn", "class distributed"):
            with self.subTest(missing=missing):
                (self.attempt / "agent.log").unlink(missing_ok=True)
                self.write("torch/__init__.py", TORCH.replace(missing, "class other"))
                script = "import torch\nprint('started')\nprint('done')\n"
                if missing == "class distributed":  # is used with the first report
                    script = SCRIPT
                self.assert_said(self.run_script(script), "watched: ", printed="nothing is reported")

    def test_a_ring_that_cannot_be_opened(self):
        self.write_torch()
        self.ring.write_bytes(b"")
        for content, words in ((None, "No such file"), (b"", "is not a telemetry ring"), (b"x" * 100_000, "telemetry ring")):
            with self.subTest(words=words):
                (self.attempt / "agent.log").unlink(missing_ok=True)
                self.ring.unlink(missing_ok=True)
                if content is not None:
                    self.ring.write_bytes(content)
                self.assert_said(self.run_script(), "not watched: ", printed="nothing is reported")

    def test_an_error_while_reporting_ends_the_watch(self):
        self.write_torch()
        script = SCRIPT.replace('print("started")', 'import sweepscope.watch as watch; print("started")\n'
                                '    def fail(*_): raise OSError(28, "No space left on device")\n'
                                '    watch._watcher._reporter = fail')
        self.assert_said(self.run_script(script), "no longer watched: OSError(28, 'No space left on device')")

    def test_without_a_place_for_the_line_it_is_printed(self):
        self.write_torch()
        self.attempt.rmdir()
        stdout, stderr, _ = self.run_script()
        self.assertEqual(stdout, "started\ndone\n")
        self.assertEqual(stderr.count("this script is not watched"), 1, stderr)
        # Neither that, nor a closed stderr, keeps it from running.
        self.assertEqual(self.run_script("import os; os.close(2)\n" + textwrap.dedent(SCRIPT))[0], "started\ndone\n")

    def test_a_library_that_looks_for_torch_before_it_is_imported(self):
        self.write_torch()
        script = "import importlib.util; assert importlib.util.find_spec('torch').origin\n" + textwrap.dedent(SCRIPT)
        self.assert_said(self.run_script(script), "not watched: ", printed="nothing is reported")

    def test_children_do_not_say_it_again(self):
        self.write_torch()
        script = textwrap.dedent(SCRIPT) + "import os, subprocess, sys\nos.environ.get('CHILD') or " \
            "subprocess.run([sys.executable, __file__], env={**os.environ, 'CHILD': '1'}, check=True)\n"
        stdout, _, lines = self.run_script(script)
        self.assertEqual(sorted(stdout.split()), ["done", "done", "started", "started"])
        self.assertEqual(len(lines), 1)

    def test_a_broken_torch_fails_as_it_would_alone(self):
        self.write("torch/__init__.py", "raise ImportError('libcudart.so is missing')")
        _, stderr, lines = self.run_script("try:\n    import torch\nexcept ImportError as error:\n    print(error)\n")
        self.assertEqual((stderr, lines), ("", []))


if __name__ == "__main__":
    unittest.main()
