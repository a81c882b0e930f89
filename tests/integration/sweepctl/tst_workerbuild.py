#!/usr/bin/env python3
"""`sweepctl worker build` in a folder that is installed without the worker. The sources are those of a small program, so that this takes
seconds; tests/packaging/bareroot compiles the real worker. Usage: tst_workerbuild.py SWEEPCTL [unittest arguments]"""
import fcntl
import os
import pathlib
import shutil
import sys
import unittest

from workspacecase import WorkspaceCase

BUILT = pathlib.Path(sys.argv.pop(1)).resolve()
WorkspaceCase.SWEEPCTL = BUILT

CMAKE = """
cmake_minimum_required(VERSION 3.22)
project(Small LANGUAGES CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
message(STATUS "torch in ${SWEEPSCOPE_TORCH_PREFIX}")
add_executable(sweepscope-worker main.cpp)
"""
MAIN = '#include <cstdio>\nint main() { std::puts("help"); }\n'


class WorkerTest(WorkspaceCase):
    def setUp(self):
        super().setUp()
        installed = self.folder / "installed"
        (installed / "bin").mkdir(parents=True)
        shutil.copy2(BUILT, installed / "bin/sweepctl")
        self.workspace.program = installed / "bin/sweepctl"
        self.sources = installed / "share/sweepscope/worker"
        self.sources.mkdir(parents=True)
        (self.sources / "version.txt").write_text("0123456789ab\n")
        (self.sources / "CMakeLists.txt").write_text(CMAKE)
        (self.sources / "main.cpp").write_text(MAIN)
        shutil.copytree(BUILT.parent.parent / "share/sweepscope/data", installed / "share/sweepscope/data")
        shutil.copytree(BUILT.parent.parent / "share/sweepscope/examples", self.folder / "examples")
        self.torch = self.folder / "site/torch"
        self.torch.mkdir(parents=True)
        (self.torch / "__init__.py").write_text("raise SystemExit('must not be imported')\n")
        (self.torch / "version.py").write_text("__version__ = '2.9.0+cpu'\n")
        self.environment.update(PYTHONPATH=str(self.torch.parent), XDG_DATA_HOME=str(self.folder / "data"))
        self.built = self.folder / "data/sweepscope/worker/0123456789ab"

    def build(self, code=0):
        return self.sweepctl("worker", "build", "--python", sys.executable, code=code)

    def refusal(self):
        """What a sweep with the built-in worker is refused for."""
        return self.sweepctl("run", "examples/digits-mlp.toml", code=2).stderr

    def test_builds_and_finds_the_worker(self):
        self.assertIn("compile it with `sweepctl worker build`", self.refusal())
        result = self.build()
        lines = result.stdout.splitlines()
        self.assertEqual(lines[0], f"Compiling the built-in worker for PyTorch 2.9.0+cpu of {sys.executable}")
        self.assertIn("Compiling: 100%", lines)
        self.assertEqual(lines[-1], f"The built-in worker for PyTorch 2.9.0+cpu is {self.built}/bin/sweepscope-worker")
        self.assertTrue(os.access(self.built / "bin/sweepscope-worker", os.X_OK))
        self.assertTrue((self.built / "share/sweepscope/data/digits.csv.gz").exists())
        self.assertIn(f"torch in {self.torch}", (self.built / "build.log").read_text())
        self.assertFalse((self.built / "build").exists())

        (self.torch / "version.py").write_text("__version__ = '2.10.0+cpu'\n")
        self.assertIn(f"compiled for PyTorch 2.9.0+cpu, but {self.torch} has 2.10.0+cpu now", self.refusal())
        self.assertIn("for PyTorch 2.10.0+cpu is", self.build().stdout)

    def test_a_failure_ends_with_the_last_lines_of_the_log(self):
        (self.sources / "main.cpp").write_text("#error no such thing\n")
        errors = self.build(code=2).stderr
        self.assertTrue(errors.startswith(f"The last lines of {self.built}/build.log:\n"), errors)
        self.assertIn("no such thing", errors)
        self.assertTrue(errors.endswith("The worker was not compiled.\n"), errors)
        self.assertIn("the built-in worker is not installed", self.refusal())
        (self.sources / "main.cpp").write_text(MAIN)
        self.build()

    def test_a_worker_that_does_not_start_is_not_installed(self):
        (self.sources / "main.cpp").write_text("int main() { return 1; }\n")
        self.assertIn("was compiled, but does not start", self.build(code=2).stderr)
        self.assertIn("the built-in worker is not installed", self.refusal())

    def test_only_one_build_runs_at_a_time(self):
        self.built.mkdir(parents=True)
        with open(self.built / "build.log", "w") as log:
            fcntl.flock(log, fcntl.LOCK_EX)
            self.assertIn("another `sweepctl worker build` is running", self.build(code=2).stderr)

    def test_missing_tools_are_named_with_their_packages(self):
        self.environment["PATH"] = ""
        self.environment.pop("CXX", None)
        errors = self.build(code=2).stderr
        self.assertTrue(errors.startswith("missing on this system: CMake, Ninja or make, a C++ compiler. To install:\n"), errors)
        self.assertIn("sudo apt install cmake make g++\n", errors)

    def test_python_without_torch_is_refused(self):
        self.environment["PYTHONPATH"] = ""
        self.assertIn("has no PyTorch: activate the environment that has it", self.build(code=2).stderr)
        result = self.sweepctl("worker", "build", "--python", "/nowhere/python", code=2)
        self.assertIn("cannot start /nowhere/python", result.stderr)

    def test_packages_without_sources_are_refused(self):
        shutil.rmtree(self.sources)
        self.assertIn("this installation has no sources of the built-in worker", self.build(code=2).stderr)


unittest.main()
