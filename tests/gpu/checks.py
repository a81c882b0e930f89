"""The checks of tests/gpu/prove, in the order of their value. Each proves what its docstring says."""

import importlib.machinery
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import gpu
import machine
from attempt import Attempt, has_ended, wait_until
from runner import Check, NotProved, Skipped

TESTS = Path(__file__).resolve().parents[1]
for folder in ("parity", "bench", "faults"):
    sys.path.insert(0, str(TESTS / folder))

STEPS = 60
# Kernels of a GPU add in another order, and 60 steps amplify the difference.
TOLERANCE = {"cuda": 1e-3, "cpu": 1e-5}
MLP = {"model": "mlp", "batch_size": 16, "epochs": 1, "optimizer": "sgd", "lr": 0.05, "momentum": 0.9}
CNN = {**MLP, "model": "cnn", "lr": 0.02}
# Never ends. On a GPU, products of large matrices keep it busy.
ENDLESS = {"cpu": {**CNN, "epochs": 100_000, "batch_size": 128},
           "cuda": {**MLP, "epochs": 100_000, "batch_size": 512, "hidden": 4096, "layers": 2}}
FREED_WITHIN = 32  # MiB


def python_peer(context):
    """The module that runs the worker and its counterpart in Python. It imports torch."""
    os.environ["SWEEPSCOPE_BIN_DIR"] = os.path.dirname(context.worker)
    import peer
    return peer


def bench():
    loader = importlib.machinery.SourceFileLoader("ddp_vs_python", str(TESTS / "bench" / "ddp_vs_python"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def run(context, command, name, **options):
    """Runs a command with its output in a log of the check. Returns (exit code, output)."""
    log = context.folder / f"{name}.log"
    with open(log, "wb") as file:
        code = subprocess.run([str(word) for word in command], stdout=file, stderr=subprocess.STDOUT, **options).returncode
    return code, log.read_text(errors="replace")


def require(condition, sentence):
    if not condition:
        raise NotProved(sentence)


def on_gpu(context):
    return context.device == "cuda"


def device_arguments(context, settings, seed=7):
    return python_peer(context).settings_arguments(seed, {**settings, "device": context.device})


def devices_of_ranks(context, ranks=1):
    """All ranks share the first GPU."""
    return [[gpu.gpus_of_nvidia_smi(["uuid"])[0]["uuid"]]] * ranks if on_gpu(context) else []


def memory_of(context):
    return gpu.GpuMemory() if on_gpu(context) else gpu.NoMemory()


def greatest_difference(found, expected):
    """Of the losses of all ranks."""
    for ours, theirs in zip(found, expected):
        require(len(ours) == len(theirs) > 0, f"{len(ours)} losses, and {len(theirs)} of Python")
    return max(abs(a - b) for ours, theirs in zip(found, expected) for a, b in zip(ours, theirs))


def inventory(context):
    """PyTorch computes on the device"""
    torch = machine.ask_torch()
    smi = gpu.gpus_of_nvidia_smi(["name", "driver_version", "memory.total"])
    made = json.loads((context.root / "bundle.json").read_text())
    context.machine.update({
        "commit": made["commit"] + (" with changes" if made["changed"] else "") + f" ({made['subject']})",
        "rooms compiled with": made["compiler"],
        "GPU": ", ".join(f"{row['name']}, {row['memory.total']} MiB" for row in smi) or torch.get("gpu", "none"),
        "driver": smi[0]["driver_version"] if smi else "none",
        "PyTorch": torch.get("torch", "missing"),
        "CUDA of PyTorch": torch.get("cuda") or "none",
        "NCCL of PyTorch": torch.get("nccl") or "none",
        **machine.facts_without_gpu(),
        "date": time.strftime("%Y-%m-%d"),
    })
    require("error" not in torch, torch.get("error"))
    if on_gpu(context):
        require(torch.get("sum") == 1000, f"PyTorch sees {torch['gpus']} GPUs")
        return {"compute capability": torch["capability"]}
    return {}


def compile_worker(context):
    """The worker compiles with the LibTorch of this machine"""
    cmake, ninja = machine.tool("cmake"), machine.tool("ninja")
    require(cmake, "CMake is missing on this machine")
    require(ninja or machine.tool("make"), "neither Ninja nor make is on this machine")
    require(machine.tool("c++"), "there is no C++ compiler on this machine")
    build = context.root / "build" / "release"
    generator = ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}"] if ninja else ["-G", "Unix Makefiles"]
    # CMake uses the LibTorch of the python3 that it finds first.
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    cores = len(os.sched_getaffinity(0))
    begin = time.monotonic()
    code, text = run(context, [cmake, "-S", context.root, "-B", build, *generator, "-DCMAKE_BUILD_TYPE=Release",
                               "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG"], "configure", env={**os.environ, "PATH": path})
    found = re.search(r"LibTorch (\S+) from .*?\([^;]*; (.*)\)", text)
    require(code == 0 and found, "CMake fails, see the log")
    context.figures["LibTorch"] = f"{found[1]} with {found[2]}"
    code, _ = run(context, [cmake, "--build", build, "--parallel", cores], "compile")
    require(code == 0, "it does not compile, see the log")
    context.figures["compile"] = f"{time.monotonic() - begin:.0f} s on {cores} core{'s' if cores > 1 else ''}"
    require(not on_gpu(context) or "CUDA" in found[2], "this LibTorch has no CUDA")
    require(not on_gpu(context) or "and NCCL" in found[2], f"the worker was built without NCCL ({found[2]})")
    return {}


def one_rank(context):
    """One rank trains with backend nccl, and opens no communicator"""
    backend = "nccl" if on_gpu(context) else "gloo"
    begin = time.time()
    python_peer(context).run_ranks(
        [context.worker, *device_arguments(context, MLP), "--backend", backend, "--metrics", str(context.folder / "metrics")], 1,
        context.folder, {"NCCL_DEBUG": "INFO", "SWEEPSCOPE_ATTEMPT_FOLDER": str(context.folder)}, gpus=on_gpu(context))
    log = (context.folder / "rank-0.log").read_text()
    require(f"1 rank on {context.device}" in log, f"the log does not say that one rank computes on {context.device}")
    require("NCCL INFO" not in log, "NCCL was initialized for a single rank")
    require("destroy_process_group" not in log, "PyTorch warns about an open communicator")
    first = json.loads((context.folder / "metrics").read_text().splitlines()[0])
    return {"first step": f"{first['time'] - begin:.2f} s (the first start, all libraries are read from disk)"}


def worker_against_python(context):
    """The worker computes the losses of PyTorch on the same device"""
    peer = python_peer(context)
    device = "cuda:0" if on_gpu(context) else "cpu"
    for name, settings in {"mlp": MLP, "mlp with AdamW": {**MLP, "layers": 2, "optimizer": "adamw", "lr": 0.003}}.items():
        found = [[step["loss"] for step in rank][:STEPS] for rank in peer.worker_metrics(7, settings, 1, gpus=on_gpu(context))]
        difference = greatest_difference(found, peer.reference_losses(7, settings, 1, STEPS, device))
        context.figures[f"greatest loss difference, {name}"] = f"{difference:.1e} in {STEPS} steps"
        require(difference <= TOLERANCE[context.device], f"{name}: losses differ by {difference:.1e}")
    return {}


def start_and_memory(context):
    """The worker needs neither more time to its first step nor more memory of the GPU than Python"""
    ddp = bench()
    options = SimpleNamespace(worker=context.worker, ranks=1, device=context.device)
    beyond = []
    for model in ("cnn", "transformer"):
        settings, memory = ddp.MODELS[model], memory_of(context)
        with tempfile.TemporaryDirectory() as folder:
            data = ddp.make_data(Path(folder, "data"), settings, 100 * settings["batch_size"])
            with memory:
                start, steps = ddp.run_worker(options, settings, data, 100)
            seconds, ours = steps[0]["time"] - start, memory.peak
            with memory:
                start, times = ddp.run_python(options, settings, data, 100)
        context.figures[f"{model}, first step"] = f"{seconds:.2f} s, Python {times[0] - start:.2f} s"
        if seconds > 1.1 * (times[0] - start):
            beyond.append(f"{model} starts slower")
        if on_gpu(context):
            context.figures[f"{model}, memory"] = f"{ours:.0f} MiB, Python {memory.peak:.0f} MiB"
            if ours > 1.1 * memory.peak:
                beyond.append(f"{model} needs more memory")
    require(not beyond, ", ".join(beyond))
    return {}


def two_ranks_on_one_gpu(context):
    """Two ranks on one device over Gloo compute the losses of two ranks in PyTorch"""
    peer = python_peer(context)
    for name, settings in {"mlp": MLP, "mlp in buckets": {**MLP, "layers": 3, "bucket_mb": 0.01}}.items():
        with memory_of(context) as memory:
            metrics = peer.worker_metrics(11, settings, 2, gpus=on_gpu(context), backend="gloo")
        steps = min(STEPS, len(metrics[0]))
        found = [[step["loss"] for step in rank][:steps] for rank in metrics]
        difference = greatest_difference(found, peer.reference_losses(11, settings, 2, steps))
        context.figures[f"greatest loss difference, {name}"] = f"{difference:.1e} in {steps} steps"
        require(difference <= TOLERANCE[context.device], f"{name}: losses differ by {difference:.1e}")
        if on_gpu(context):
            context.figures["GPU memory of both ranks"] = f"{memory.peak:.0f} MiB"
    return {}


def two_ranks_over_nccl(context):
    """Two ranks on two GPUs over NCCL compute the losses of PyTorch"""
    gpus = len(gpu.gpus_of_nvidia_smi(["uuid"]))
    if gpus < 2:
        raise Skipped(f"it needs two GPUs, and there is {gpus}")
    return parity(context, "Gpu.test_losses_over_nccl_on_two_gpus")


_FILL = """
import sys, torch
free, _ = torch.cuda.mem_get_info()
kept = torch.empty(free - int(sys.argv[1]), dtype=torch.uint8, device="cuda")
print("ready", flush=True)
sys.stdin.read()
"""


def out_of_memory(context):
    """A rank that runs out of GPU memory says so, its attempt fails as out_of_memory, and the memory is free again"""
    memory = memory_of(context)
    filler = subprocess.Popen([sys.executable, "-c", _FILL, str(1536 << 20)], text=True, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE)
    require(filler.stdout.readline() == "ready\n", "the GPU's memory cannot be filled")
    before = memory.settled()
    large = {**MLP, "hidden": 24_000, "layers": 2}  # the second layer has 2.3 GB
    attempt = Attempt(context, "large", device_arguments(context, large), 1, devices_of_ranks(context))
    outcome = attempt.wait_for_end()
    context.figures["last line of the log"] = attempt.last_words()
    require(outcome == "failed", f"the attempt has {outcome}")
    kind = attempt.events("first_error")[0].get("failure")
    require(kind == "out_of_memory", f"the kind of failure is {kind}")
    require("out of memory" in attempt.last_words(), "the log does not end with the reason")
    seconds = wait_until(lambda: memory.used() <= before + FREED_WITHIN, "the release of the memory")
    filler.kill()
    return {"memory free again after": f"{seconds:.2f} s"}


def kill_busy_gpu(context):
    """SIGKILL of a rank or of its agent while the GPU is busy: the attempt ends, the memory is free, the GPU trains again"""
    memory = memory_of(context)
    before = memory.settled() if on_gpu(context) else 0
    freed = lambda: not on_gpu(context) or memory.used() <= before + FREED_WITHIN  # noqa: E731
    arguments = [*device_arguments(context, ENDLESS[context.device]), "--backend", "gloo"]

    def busy(name, ranks, steps):
        attempt = Attempt(context, name, arguments, ranks, devices_of_ranks(context, ranks))
        attempt.wait_for_steps(steps)
        return attempt

    attempt = busy("rank-killed", 2, 20)
    os.kill(attempt.rank_pids()[1], signal.SIGKILL)
    begin = time.monotonic()
    require(attempt.wait_for_end() == "failed", "an attempt with a killed rank has not failed")
    context.figures["rank 1 of 2 killed: attempt ended after"] = f"{time.monotonic() - begin:.2f} s"
    error = attempt.events("first_error")[0]
    require(error["rank"] == 1 and error.get("failure") == "signal", f"the first error is {error}")
    wait_until(freed, "the release of the memory")
    context.figures["memory free after"] = f"{time.monotonic() - begin:.2f} s"

    attempt = busy("agent-killed", 1, 200)
    rank = attempt.rank_pids()[0]
    if on_gpu(context):
        context.figures["utilization before"] = gpu.gpus_of_nvidia_smi(["utilization.gpu"])[0]["utilization.gpu"] + "%"
    attempt.agent.kill()
    seconds = wait_until(lambda: has_ended(rank), "the end of the rank")
    context.figures["agent killed: rank ended after"] = f"{seconds:.2f} s"
    wait_until(freed, "the release of the memory")
    busy("afterwards", 1, 20).agent.terminate()
    return {}


def resume(context):
    """A deterministic training that was stopped in mid-epoch continues bit for bit, in float32 and bf16"""
    import torch

    peer = python_peer(context)
    for precision in ("float32", "bf16"):
        settings = {**CNN, "optimizer": "adam", "lr": 0.002, "dropout": 0.2, "epochs": 2, "deterministic": True,
                    "precision": precision}

        def train(name, steps, context=context, settings=settings):
            place = context.folder / f"{settings['precision']}-{name}"
            place.mkdir(exist_ok=True)
            command = [context.worker, *device_arguments(context, {**settings, "max_steps": steps}),
                       "--checkpoints", str(place / "kept"), "--metrics", str(place / f"metrics-{steps}")]
            peer.run_ranks(command, 1, place, {"SWEEPSCOPE_ATTEMPT_FOLDER": str(place)}, gpus=on_gpu(context))
            lines = map(json.loads, (place / f"metrics-{steps}").read_text().splitlines())
            losses = {line["step"]: line["loss"] for line in lines if "loss" in line}
            weights = torch.load(place / "kept" / "last.pt", map_location="cpu")["model"]
            return losses, weights, (place / "rank-0.log").read_text()

        whole, weights, _ = train("whole", 100)
        train("stopped", 50)
        rest, resumed_weights, log = train("stopped", 100)
        require("resumed from" in log, "the second run has not resumed")
        require(sorted(rest) == list(range(51, 101)), f"{precision}: it continues with the steps {min(rest)} to {max(rest)}")
        wrong = [step for step in sorted(rest) if rest[step] != whole[step]]
        require(not wrong, f"{precision}: losses differ from step {wrong[:1]} on, by up to "
                           f"{max((abs(rest[step] - whole[step]) for step in wrong), default=0):.1e}")
        require(all(torch.equal(weights[key], resumed_weights[key]) for key in weights), f"{precision}: weights differ")
    return {"equal losses": "50 of 50 in each precision", "weights": "equal"}


_WATCHED = """
import json, os, time, torch
from torch import nn
device = os.environ["DEVICE"]
wait = torch.cuda.synchronize if device == "cuda" else lambda: None
torch.manual_seed(1)
inputs, targets = torch.randn(512, 256, device=device), torch.randn(512, 1, device=device)
model = nn.Sequential(nn.Linear(256, 512), nn.Tanh(), nn.Linear(512, 1)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
losses = []
for step in range(320):
    if step == 20:
        wait()
        begin = time.perf_counter()
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(inputs), targets)
    loss.backward()
    optimizer.step()
    losses.append(loss.detach())
wait()
print(json.dumps({"seconds": time.perf_counter() - begin, "losses": [loss.item() for loss in losses]}))
"""


def watch(context):
    """A script that knows nothing of Sweepscope is watched: its losses are reported, and it is hardly slower"""
    script, reported = context.folder / "train.py", context.folder / "reported"
    script.write_text(_WATCHED)
    python = context.root / "packaging" / "python"

    def seconds_and_losses(name, *folders):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders)), "SWEEPSCOPE_RING": "here",
                       "DEVICE": context.device}
        code, text = run(context, [sys.executable, TESTS / "parity" / "watched.py", reported, script], name, env=environment)
        require(code == 0, f"the script fails ({name})")
        printed = json.loads(text.strip().splitlines()[-1])
        return printed["seconds"], printed["losses"]

    plain, _ = seconds_and_losses("plain", python)
    watched, losses = seconds_and_losses("watched", python / "watch", python)
    entries = [json.loads(line) for line in reported.read_text().splitlines()]
    found = [entry["values"]["loss"] for entry in entries if "loss" in entry.get("values", {})]
    events = [entry["text"] for entry in entries if "text" in entry]
    require(found == losses, f"{len(found)} of {len(losses)} losses are reported, or other values: {events[:1]}")
    require(not events, f"it reports: {events[:1]}")
    context.figures["losses"] = f"{len(found)} of {len(losses)}"
    context.figures["time of a step"] = f"{watched / 300 * 1e3:.2f} ms watched, {plain / 300 * 1e3:.2f} ms not watched"
    require(not on_gpu(context) or watched < 1.5 * plain, "watching makes this script much slower")
    return {}


def fork_server(context):
    """Ranks forked from the fork server compute on the device, with the losses of an executed rank"""
    from forkserver import ForkServer

    settings = {**MLP, "deterministic": True}
    arguments = device_arguments(context, settings)

    def read(folder, start):
        entries = [json.loads(line) for line in (folder / "metrics-0").read_text().splitlines()]
        steps = [entry for entry in entries if "loss" in entry]
        return [step["loss"] for step in steps], steps[0]["time"] - start

    begin = time.time()
    executed = Attempt(context, "executed", arguments, 1, devices_of_ranks(context))
    require(executed.wait_for_end() == "completed", executed.last_words())
    expected, executed_seconds = read(executed.folder, begin)
    server = ForkServer(context.worker)
    seconds = []
    for number in range(3):
        folder = context.folder / f"forked-{number}"
        folder.mkdir()
        begin = server.run_attempt(folder, [*arguments, "--metrics", str(folder / "metrics-{rank}")], 1,
                                   devices_of_ranks(context))
        events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
        require(all(event.get("forked") for event in events if event["kind"] == "rank_started"),
                "the rank was executed, not forked")
        losses, first_step = read(folder, begin)
        seconds.append(first_step)
        require(losses == expected, "losses of a forked rank differ from those of an executed one")
    server.close()
    return {"first step": f"{sorted(seconds)[1]:.2f} s forked, {executed_seconds:.2f} s executed"}


_SWEEP = """[sweep]
name = "proof"
objective = "val_accuracy"
goal = "maximize"
[search]
method = "grid"
[space]
lr = {{ log = [1e-3, 1e-1], points = 4 }}
[run]
worker = "builtin"
model = "cnn"
batch_size = 16
epochs = {epochs}
[devices]
kind = "{kind}"
concurrent = 1
"""


def sweep(context):
    """A sweep of four trials runs through engine, agents and worker on the device; later trials are forked"""
    import workspace

    build = context.root / "build" / "release"
    sweepctl = build / "bin" / "sweepctl"
    require(sweepctl.exists(), "the bundle has no sweepctl")
    code, text = run(context, [sweepctl, "--version"], "sweepctl")
    require(code == 0, f"sweepctl does not start on this machine: {text.strip()[:200]}")
    python = str(context.root / "packaging" / "python")
    place = workspace.Workspace(workspace.Programs(str(sweepctl), None, context.worker, None, None, python))
    try:
        file = context.folder / "proof.toml"
        file.write_text(_SWEEP.format(kind="gpu" if on_gpu(context) else "cpu", epochs=30 if on_gpu(context) else 6))
        code, text = place.sweepctl("run", str(file), "--wait", timeout=100)
        (context.folder / "run.log").write_text(text)
        trials = sorted(Path(place.folder).glob("sweeps/*/trials/*/1"))
        for trial in trials:
            shutil.copytree(trial, context.folder / trial.parent.name,
                            ignore=shutil.ignore_patterns("checkpoint", "*.ring", "*.index"))
        require(code == 0, f"sweepctl run ends with code {code}")
        launched = [json.loads((trial / "launch.json").read_text()) for trial in trials]
        require(len(trials) == 4, f"{len(trials)} of 4 trials ran")
        if on_gpu(context):
            uuids = {row["uuid"] for row in gpu.gpus_of_nvidia_smi(["uuid"])}
            require(all(set(devices) <= uuids for spec in launched for devices in spec["devices"]), "a trial had no GPU")
            require(all("on cuda" in (trial / "rank-0.log").read_text() for trial in trials), "a trial did not train on the GPU")
        forked = sum('"forked":true' in (trial / "events.jsonl").read_text() for trial in trials)
        context.figures["forked"] = f"{forked} of 4 trials"
        require(forked > 0, "no trial was forked")
    finally:
        place.kill_everybody()
        place.remove()
    return {}


def record(context, file, readings, milliseconds):
    client = context.root / "build" / "release" / "tests" / "clients" / "client-recordsnvml"
    code, text = run(context, [client, file, readings, milliseconds], "record")
    require(code == 0, f"NVML cannot be recorded: {text.strip()[:200]}")
    return json.loads(file.read_text())


def nvml(context):
    """What Sweepscope reads from NVML is what nvidia-smi says"""
    before = gpu.gpus_of_nvidia_smi(gpu.QUERY)
    require(before, "nvidia-smi lists no GPU")
    recorded = record(context, context.folder / "readings.json", 5, 100)
    found, compared = gpu.differences(recorded, before, gpu.gpus_of_nvidia_smi(gpu.QUERY))
    context.figures["values compared"] = compared
    require(not found, "; ".join(found))
    return {}


_LOAD = """
import time, torch
a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
end = time.monotonic() + 16
while time.monotonic() < end:
    burst = time.monotonic() + 2
    while time.monotonic() < burst:
        for _ in range(20):
            a @ a
        torch.cuda.synchronize()
    time.sleep(1)
"""


def trace(context):
    """A recording of the driver under load, which the fake driver replays without a difference"""
    load = subprocess.Popen([sys.executable, "-c", _LOAD])
    recorded = record(context, context.out / "trace.json", 80, 250)
    load.kill()
    require(recorded["recorded_from"].startswith("NVIDIA driver"), "it is not a recording of a driver")
    first = recorded["gpus"][0]
    peak = {name: max(first[name]["curve"]) for name in ("utilization", "power", "sm_activity") if name in first}
    clients = context.root / "build" / "release" / "tests" / "clients"
    code, text = run(context, [clients / "client-recordsnvml", "--check", clients / "libfakenvml.so"], "replay")
    context.figures["readings"] = len(first["memory_used"]["curve"]) - 1
    context.figures.update({f"peak {name}": value for name, value in peak.items()})
    require(code == 0, f"it is not replayed: {text.strip()[:300]}")
    require(peak.get("utilization", 0) > 50, "the load is not in the recording")
    return {}


def parity(context, *tests):
    """The tests of tests/parity on a GPU pass"""
    command = [sys.executable, TESTS / "parity" / "tst_gpu.py", "-v", *tests]
    code, text = run(context, command, "tst_gpu", env=context.environment)
    context.figures["passed"] = len(re.findall(r"\.\.\. ok$", text, re.M))
    context.figures["skipped"] = len(re.findall(r"\.\.\. skipped", text))
    require(code == 0, f"tst_gpu.py ends with code {code}")
    return {}


def ddp_vs_python(context):
    """No model trains slower than with DistributedDataParallel in Python (ddp_vs_python)"""
    ranks = 1 if on_gpu(context) else 2
    command = [sys.executable, TESTS / "bench" / "ddp_vs_python", "--worker", context.worker, "--device", context.device,
               "--ranks", ranks, "--steps", 1000 if on_gpu(context) else 24, "--repeat", 1]
    # Each model by itself, so that those that were measured count when the time is up.
    wrong = []
    for model in bench().MODELS:
        code, text = run(context, [*command, "--models", model], model)
        if code != 0:
            wrong.append(f"{model} fails: {(text.strip().splitlines() or ['no output'])[-1]}")
            continue
        figures = json.loads(text.strip().splitlines()[-1])
        context.figures[model] = (f"{figures['steps_ratio']:.2f} ({figures['steps_per_second']:.0f} steps/s, Python "
                                  f"{figures['python_steps_per_second']:.0f}), start {figures['cold_start_ratio']:.2f}")
        if on_gpu(context) and figures["steps_ratio"] < 0.95:
            wrong.append(f"{model} has {figures['steps_ratio']:.2f} of Python's speed")
    require(not wrong, "; ".join(wrong))
    return {}


CHECKS = [
    Check(inventory, 60),
    Check(compile_worker, 270),
    Check(one_rank, 60),
    Check(worker_against_python, 60),
    Check(start_and_memory, 60),
    Check(two_ranks_on_one_gpu, 90),
    Check(out_of_memory, 60, on_cpu=False),
    Check(kill_busy_gpu, 60),
    Check(resume, 60),
    Check(watch, 40),
    Check(fork_server, 60),
    Check(nvml, 20, on_cpu=False),
    Check(trace, 45, on_cpu=False),
    Check(sweep, 110),
    Check(two_ranks_over_nccl, 60, on_cpu=False),
    Check(ddp_vs_python, 200),
    Check(parity, 180, on_cpu=False),
]
