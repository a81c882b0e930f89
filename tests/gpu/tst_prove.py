"""What tests/gpu/prove does on a machine without a GPU, and the parts of it that need none."""

import copy
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import time
import unittest
import unittest.mock
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import checks  # noqa: E402
import gpu  # noqa: E402
import report  # noqa: E402
import runner  # noqa: E402
from runner import Check, Context, NotProved, Skipped  # noqa: E402

BUILD = Path(os.environ.get("SWEEPSCOPE_BUILD_DIR", HERE.parents[1] / "build" / "release"))
CLIENTS = BUILD / "tests" / "clients"
TRACE = HERE.parent / "clients" / "fakenvml" / "trace.json"


class FolderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class Prove(FolderTest):
    def prove(self, torch, *arguments):
        """Runs it with a stand-in for torch, and without nvidia-smi."""
        (self.folder / "torch.py").write_text(textwrap.dedent(torch))
        return subprocess.run([sys.executable, HERE / "prove", *arguments], text=True, cwd=self.folder, capture_output=True,
                              env={**os.environ, "PYTHONPATH": str(self.folder), "PATH": str(self.folder)})

    def test_without_a_gpu_it_says_so_and_does_nothing(self):
        done = self.prove("""
            __version__ = "2.11.0"
            class version: cuda = "13.0"
            class cuda:
                is_available = staticmethod(lambda: False)
                device_count = staticmethod(lambda: 0)
        """)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr, "prove: there is no GPU on this machine: nvidia-smi is missing, and torch 2.11.0 sees no "
                                      "GPU\n")
        self.assertEqual(done.stdout, "")
        self.assertFalse((self.folder / "gpu-report").exists())

    def test_without_torch_it_says_why_no_gpu_was_found(self):
        done = self.prove("raise ImportError('libcudart.so.13 is missing')")
        self.assertEqual(done.returncode, 3)
        self.assertIn("libcudart.so.13 is missing", done.stderr)

    def test_a_source_folder_is_no_bundle(self):
        done = self.prove("", "--device", "cpu")
        self.assertEqual(done.returncode, 2)
        self.assertIn("make one with tests/gpu/bundle", done.stderr)


class Runner(FolderTest):
    def play(self, *checks, seconds=60, device="cuda"):
        written = []
        context = Context(self.folder, self.folder / "out", device, {"GPU": "made up"})

        def write(results):
            report.write(context.out, device, context.machine, results)
            written.append(json.loads((context.out / "report.json").read_text()))

        results = runner.run_checks(list(checks), context, time.monotonic() + seconds, write)
        self.assertEqual([len(each["checks"]) for each in written], list(range(1, len(checks) + 1)))
        return results, (context.out / "report.md").read_text()

    def test_a_failing_check_does_not_end_the_run(self):
        def wrong(context):
            """Nothing is wrong."""
            context.figures["seen"] = 3
            (context.folder / "rank-0.log").write_text("error: out of luck\n")
            raise NotProved("three were seen")

        def broken(_):
            """It computes"""
            return 1 // 0

        def leaves(_):
            """It exits"""
            sys.exit(77)

        def right(context):
            """All is right"""
            return {"ratio": 1.23456}

        results, text = self.play(Check(wrong, 10), Check(broken, 10), Check(leaves, 10), Check(right, 10))
        self.assertEqual([result.state for result in results], ["not proved", "not proved", "not proved", "proved"])
        self.assertEqual(results[0].log, ["error: out of luck"])
        self.assertEqual(results[0].figures, {"seen": 3})
        self.assertEqual(results[1].reason, "ZeroDivisionError: integer division or modulo by zero")
        self.assertIn("Checks proved: 1, failed: 3, not tried: 0.", text)
        self.assertRegex(text, r"\n\| All is right \| yes \| [0-9.]+ \| ratio 1\.23 \|\n")
        self.assertIn("- **Nothing is wrong** (failed): three were seen", text)
        self.assertIn("  error: out of luck", text)

    def test_what_does_not_apply_is_skipped_with_its_reason(self):
        def other(_):
            """Two GPUs"""
            raise Skipped("there is one")

        results, text = self.play(Check(other, 10), device="cuda")
        self.assertEqual((results[0].state, results[0].reason), ("skipped", "there is one"))
        results, text = self.play(Check(other, 10, on_cpu=False), device="cpu")
        self.assertEqual((results[0].state, results[0].reason), ("skipped", "it needs a GPU"))
        self.assertTrue(text.startswith("## Rehearsal on the CPU: proves nothing about GPUs\n"))

    def test_logs_of_an_earlier_run_are_replaced(self):
        def writes(context):
            """It writes"""
            (context.folder / "attempt").mkdir()

        for _ in range(2):
            results, _ = self.play(Check(writes, 10))
            self.assertEqual(results[0].state, "proved")

    def test_a_check_ends_after_its_time_with_all_that_it_started(self):
        child = []

        def hangs(context):
            """It ends"""
            command = "(setsid sleep 600 &); echo started; exec sleep 600"
            child.append(subprocess.Popen(["sh", "-c", command], stdout=subprocess.PIPE))
            child[0].stdout.readline()
            child[0].wait()

        self.addCleanup(lambda: (child[0].wait(), child[0].stdout.close()))

        results, _ = self.play(Check(hangs, 0.3))
        self.assertEqual(results[0].state, "not proved")
        self.assertRegex(results[0].reason, "^it was not finished after")
        self.assertEqual(runner.processes.descendants(), [])

    def test_checks_after_the_deadline_do_not_begin(self):
        def sleeps(_):
            """It sleeps"""
            time.sleep(60)

        runner.LEAST_SECONDS, before = 0.1, runner.LEAST_SECONDS
        self.addCleanup(setattr, runner, "LEAST_SECONDS", before)
        begin = time.monotonic()
        results, text = self.play(Check(sleeps, 50), Check(sleeps, 50), seconds=2)
        self.assertLess(time.monotonic() - begin, 30)
        self.assertRegex(results[0].reason, "^it was not finished after")
        self.assertEqual(results[1].reason, "the time was up")
        self.assertIn("Checks proved: 0, failed: 1, not tried: 1.", text)


class Nvml(FolderTest):
    def context(self):
        """Of a bundle that has the programs of this build."""
        (self.folder / "build").mkdir()
        (self.folder / "build" / "release").symlink_to(BUILD)
        return Context(self.folder, self.folder / "out", "cuda")

    def setUp(self):
        super().setUp()
        self.recorded = {"gpus": [{
            "uuid": "GPU-a", "name": "NVIDIA H200", "memory": 150754820096, "memory_used": {"curve": [2 << 30, 2 << 30]},
            "temperature": {"curve": [40, 41]}, "power": {"curve": [120, 118]}, "power_limit": {"curve": [700]},
            "sm_clock_max": {"curve": [1980]}, "memory_clock": {"curve": [3201]}, "memory_clock_max": {"curve": [3201]},
            "pcie_generation_max": {"curve": [5]}, "pcie_width_max": {"curve": [16]}, "pcie_width": {"curve": [16]}}]}
        line = "GPU-a, NVIDIA H200, 143771, 2050, 41, 117.5, 700.00, 1980, 3201, 3201, 5, 16, [N/A]\n"
        self.smi = gpu.parse(gpu.QUERY, line)

    def test_equal_readings(self):
        self.assertEqual(gpu.differences(self.recorded, self.smi, self.smi), ([], len(gpu.COMPARED) - 1))

    def test_other_readings(self):
        for key, value, sentence in (("temperature", [40, 90], "temperature: 90, nvidia-smi: 41 before and 41 after"),
                                     ("memory_used", [1], "memory_used: 9.53674e-07, nvidia-smi: 2050 before and 2050 after"),
                                     ("sm_clock_max", [1755], "sm_clock_max: 1755, nvidia-smi: 1980 before and 1980 after")):
            with self.subTest(key=key):
                recorded = copy.deepcopy(self.recorded)
                recorded["gpus"][0][key]["curve"] = value
                self.assertEqual(gpu.differences(recorded, self.smi, self.smi)[0], [sentence])
        del self.recorded["gpus"][0]["power"]
        self.assertEqual(gpu.differences(self.recorded, self.smi, self.smi)[0], ["power: unknown, nvidia-smi: 117.5"])

    def test_other_gpus(self):
        self.recorded["gpus"][0]["uuid"] = "GPU-b"
        self.assertEqual(gpu.differences(self.recorded, self.smi, self.smi),
                         (["NVML has the GPUs ['GPU-b'], nvidia-smi has ['GPU-a']"], 0))

    @unittest.skipUnless((CLIENTS / "client-recordsnvml").exists(), "client-recordsnvml is not built")
    def test_the_fake_driver_replays_the_recording_of_this_tree(self):
        fake = CLIENTS / "libfakenvml.so"
        done = subprocess.run([CLIENTS / "client-recordsnvml", "--check", fake], text=True, capture_output=True,
                              env={**os.environ, "SWEEPSCOPE_NVML": str(fake), "FAKE_NVML_SCRIPT": str(TRACE)})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @unittest.skipUnless((CLIENTS / "client-recordsnvml").exists(), "client-recordsnvml is not built")
    def test_the_check_on_the_fake_driver(self):
        """With a stand-in for nvidia-smi that reads the same recording."""
        recorded = json.loads(TRACE.read_text())["gpus"][0]
        row = [recorded["uuid"], recorded["name"]]
        for key, _, factor, *_ in gpu.COMPARED:
            value = recorded[key]
            row.append(f"{(value['curve'][0] if isinstance(value, dict) else value) * factor:.2f}")
        steady = {**recorded, **{key: {"curve": recorded[key]["curve"][:1]} for key, *_ in gpu.COMPARED if key != "memory"}}
        context = self.context()
        (self.folder / "script.json").write_text(json.dumps({"gpus": [steady]}))
        (self.folder / "nvidia-smi").write_text(f"#!/bin/sh\necho '{', '.join(row)}'\n")
        (self.folder / "nvidia-smi").chmod(0o755)
        with unittest.mock.patch.dict(os.environ, {
                "PATH": f"{self.folder}:{os.environ['PATH']}", "SWEEPSCOPE_NVML": str(CLIENTS / "libfakenvml.so"),
                "FAKE_NVML_SCRIPT": str(self.folder / "script.json")}):
            result = runner.run_check(Check(checks.nvml, 60), context, 60)
            self.assertEqual((result.state, result.reason), ("proved", ""))
            self.assertEqual(result.figures, {"values compared": len(gpu.COMPARED)})
            (self.folder / "script.json").write_text(json.dumps({"gpus": [{**steady, "temperature": 99}]}))
            result = runner.run_check(Check(checks.nvml, 60), context, 60)
            self.assertRegex(result.reason, "^temperature: 99, nvidia-smi: ")

    @unittest.skipUnless((CLIENTS / "libfakenvml.so").exists(), "libfakenvml.so is not built")
    def test_memory_of_the_fake_driver(self):
        """In another process, because a library is loaded once."""
        (self.folder / "libnvidia-ml.so.1").symlink_to(CLIENTS / "libfakenvml.so")
        script = self.folder / "script.json"
        script.write_text(json.dumps({"gpus": [{"uuid": "GPU-a", "memory": 80 << 30, "memory_used": 1 << 30}]}))
        done = subprocess.run([sys.executable, "-c", "import gpu; print(gpu.GpuMemory().used())"], text=True, capture_output=True,
                              cwd=HERE, env={**os.environ, "LD_LIBRARY_PATH": str(self.folder), "FAKE_NVML_SCRIPT": str(script)})
        self.assertEqual(done.stdout, "1024.0\n", done.stderr)


class Bundle(FolderTest):
    @unittest.skipUnless((BUILD / "bin/sweepctl").exists() and (BUILD / "core/train/libsweepscope_train.a").exists(),
                         "this build has no engine, no LibTorch or shared rooms")
    @unittest.skipUnless(shutil.which("patchelf"), "patchelf is missing")
    def test_a_build_is_packed_with_all_that_its_programs_load(self):
        archive = self.folder / "bundle.tar.gz"
        done = subprocess.run([sys.executable, HERE / "bundle", archive, "--build", BUILD], text=True, capture_output=True)
        if "is out of date" in done.stderr:
            self.skipTest("parts of this build are out of date")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertLess(archive.stat().st_size, 50_000_000)
        with tarfile.open(archive) as packed:
            packed.extractall(self.folder)
        folder = self.folder / "sweepscope-gpu"
        for program in ("sweepctl", "sweepscope-agent"):
            command = ["ldd", folder / "build" / "release" / "bin" / program]
            loaded = subprocess.run(command, text=True, capture_output=True).stdout
            self.assertNotIn("not found", loaded)
            self.assertIn(str(folder), loaded)
        self.assertEqual(len(json.loads((folder / "bundle.json").read_text())["commit"]), 40)


if __name__ == "__main__":
    unittest.main()
