"""Which torch setup.sh installs for a driver, and what it says of one that cannot use the GPU."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "packaging" / "torchwheel.sh"


def run(command, **environment):
    return subprocess.run(["bash", "-c", f"source '{SCRIPT}'; {command}"], text=True, stdout=subprocess.PIPE,
                          env={**os.environ, **environment})


class TorchWheel(unittest.TestCase):
    def test_the_wheel_fits_the_driver(self):
        for cuda, expected in ((13020, "torch>=2.11,<3"), (13000, "torch>=2.11,<3"), (12080, "torch>=2.7,<2.11"),
                               (12020, "torch>=2.7,<2.11"), (11080, ""), (0, "")):
            with self.subTest(cuda=cuda):
                result = run(f"torch_requirement {cuda}")
                self.assertEqual(result.stdout.strip(), expected)
                self.assertEqual(result.returncode, 0 if expected else 1)

    def test_the_driver_is_asked(self):
        source = "int cuDriverGetVersion(int *version) { *version = 12040; return 0; }"
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-xc", "-", "-o", f"{folder}/libcuda.so.1"],
                           input=source, text=True, check=True)
            self.assertEqual(run("cuda_of_driver", LD_LIBRARY_PATH=folder).stdout.strip(), "12040")

    def test_a_torch_that_cannot_use_the_gpu_says_why(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "torch.py").write_text(
                "__version__ = '2.15.0'\nclass version: cuda = '13.2'\n"
                "def ones(*_, device): raise RuntimeError('no kernel image is available\\nmore')\n")
            result = run(f"torch_runs_a_kernel '{sys.executable}'", PYTHONPATH=folder)
            self.assertEqual(result.stdout, "PyTorch 2.15.0, built with CUDA 13.2, cannot use the GPU: no kernel image is "
                                            "available\n")
            self.assertEqual(result.returncode, 1)


if __name__ == "__main__":
    unittest.main()
