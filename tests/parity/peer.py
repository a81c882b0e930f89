"""The Python torch to which the worker is compared, and the worker itself. Import this before torch."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77

try:
    import torch
except ImportError as error:
    print(f"skipped: {sys.executable} has no torch ({error}); install Debian's python3-torch, or name a Python with "
          "-DSWEEPSCOPE_PARITY_PYTHON=...")
    sys.exit(SKIPPED)

_wanted = os.environ.get("SWEEPSCOPE_LIBTORCH_VERSION", "")
if _wanted and not torch.__version__.startswith(_wanted + "."):
    print(f"skipped: {sys.executable} has torch {torch.__version__}, and the worker is built with LibTorch {_wanted}")
    sys.exit(SKIPPED)

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent.parent / "build" / "release"
WORKER = Path(os.environ.get("SWEEPSCOPE_BIN_DIR", BUILD / "bin")) / "sweepscope-worker"
TEST_PROGRAMS = Path(os.environ.get("SWEEPSCOPE_TEST_BIN_DIR", BUILD / "tests"))


def settings_arguments(seed, settings):
    arguments = ["--seed", str(seed)]
    for key, value in settings.items():
        arguments += ["--set", f"{key}={str(value).lower() if isinstance(value, bool) else value}"]
    return arguments


def inspect(seed, settings, *, ranks=1, rank=0, epoch=0, values=False):
    """Returns the data that a rank would see according to sweepscope-worker."""
    command = [str(WORKER), "inspect", *settings_arguments(seed, settings), "--world-size", str(ranks), "--rank",
               str(rank), "--epoch", str(epoch)]
    if values:
        command.append("--values")
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def run_ranks(command, ranks, folder, environment, *, gpus=False):
    """Starts one process per rank, as torchrun would, and waits; raises with the log of a failed rank. Without `gpus`,
    both sides compute on the CPU on every machine."""
    if not gpus:
        environment = {"CUDA_VISIBLE_DEVICES": "", **environment}
    processes = []
    for rank in range(ranks):
        log = open(Path(folder) / f"rank-{rank}.log", "wb")
        processes.append(subprocess.Popen(
            command, stdout=log, stderr=subprocess.STDOUT,
            env={**os.environ, "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(ranks),
                 "LOCAL_WORLD_SIZE": str(ranks), **environment}))
        log.close()
    codes = [process.wait() for process in processes]
    for rank, code in enumerate(codes):
        if code != 0:
            text = (Path(folder) / f"rank-{rank}.log").read_text(errors="replace")
            raise RuntimeError(f"rank {rank} of {command[0]} exited with code {code}:\n{text}")


def reference_losses(seed, settings, ranks, steps, device="cpu"):
    """Returns for each rank the losses of the first steps of the same training in Python."""
    with tempfile.TemporaryDirectory() as folder:
        job = json.dumps({"seed": seed, "settings": settings, "steps": steps, "folder": folder, "device": device})
        run_ranks([sys.executable, str(HERE / "reference_rank.py"), job], ranks, folder, {},
                  gpus=device != "cpu")
        return [json.loads((Path(folder) / f"losses-{rank}.json").read_text()) for rank in range(ranks)]


def worker_metrics(seed, settings, ranks, *, gpus=False, backend=None):
    """Trains with the worker; returns for each rank the figures of its steps. `backend`: by default nccl on GPUs."""
    backend = backend or ("nccl" if gpus else "gloo")
    with tempfile.TemporaryDirectory() as folder:
        pattern = str(Path(folder) / "metrics-{rank}.jsonl")
        run_ranks([str(WORKER), *settings_arguments(seed, settings), "--backend", backend, "--metrics", pattern], ranks,
                  folder, {"SWEEPSCOPE_ATTEMPT_FOLDER": folder}, gpus=gpus)
        lines = [Path(pattern.format(rank=rank)).read_text().splitlines() for rank in range(ranks)]
        return [[entry for entry in map(json.loads, rank_lines) if "loss" in entry] for rank_lines in lines]
