"""Scripts that do not know of Sweepscope, and what is reported of them. Each is written as its author would write it."""

import json
import os
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from pathlib import Path

import peer  # says why, if there is no torch
import torch

PYTHON = peer.HERE.parents[1] / "packaging" / "python"

SINGLE = """
    import torch
    from torch import nn
    torch.manual_seed(1)
    inputs, targets = torch.randn(64, 4), torch.randn(64, 1)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 4, 0.5)
    losses = []
    for step in range(10):
        optimizer.zero_grad()
        loss = ((model(inputs) - targets) ** 2).mean()
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    print(losses)
"""

LOADER = """
    import os, torch
    from torch import nn
    from torch.utils.data import DataLoader, TensorDataset
    torch.manual_seed(1)
    data = TensorDataset(torch.randn(120, 4), torch.randn(120, 1))
    training = DataLoader(data, batch_size=20, shuffle=True, num_workers=int(os.environ.get("WORKERS", "0")))
    validation = DataLoader(data, batch_size=60)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(3):
        for inputs, targets in training:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(inputs), targets).backward()
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
        with torch.no_grad():
            for inputs, targets in validation:
                model(inputs)
"""

DISTRIBUTED = """
    import os, torch, torch.distributed as dist
    from torch import nn
    from torch.nn.parallel import DistributedDataParallel
    from torch.utils.data import DataLoader, TensorDataset
    from torch.utils.data.distributed import DistributedSampler
    mode = os.environ["MODE"]  # what is done wrong
    dist.init_process_group("gloo", init_method="file://" + os.environ["MEET"], rank=int(os.environ["RANK"]),
                            world_size=int(os.environ["WORLD_SIZE"]))
    torch.manual_seed(1)
    data = TensorDataset(torch.randn(400, 4), torch.randn(400, 1))
    sampler = DistributedSampler(data)
    chosen = {"shuffle": True} if mode == "sampler" else {"sampler": sampler}
    loader = DataLoader(data, batch_size=10, **chosen)
    torch.manual_seed(dist.get_rank() if mode in ("thrown", "uncalled", "seeds") else 1)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    parameters = list(model.parameters())
    if mode == "thrown":
        DistributedDataParallel(model)
    elif mode == "uncalled":
        wrapped = DistributedDataParallel(model)
    elif mode in ("fsdp", "fsdp original"):
        from torch.distributed.fsdp import FullyShardedDataParallel
        model = FullyShardedDataParallel(model, use_orig_params=mode != "fsdp", device_id=torch.device("cpu"))
        parameters = list(model.parameters())
    elif mode not in ("unwrapped", "averaged", "seeds"):
        model = DistributedDataParallel(model, find_unused_parameters=mode == "unused")
        torch.save(model, os.path.join(os.path.dirname(os.environ["MEET"]), "model-" + os.environ["RANK"]))
    if mode == "late":
        head = nn.Linear(1, 1)
        model, parameters = nn.Sequential(model, head), parameters + list(head.parameters())
    optimizer = torch.optim.AdamW(parameters, lr=0.01)
    if mode == "zero":
        from torch.distributed.optim import ZeroRedundancyOptimizer
        optimizer = ZeroRedundancyOptimizer(parameters, torch.optim.AdamW, lr=0.01)
    for epoch in range(3):
        if mode != "epoch":
            sampler.set_epoch(epoch)
        for inputs, targets in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(inputs), targets).backward()
            if mode == "averaged":
                for parameter in parameters:
                    dist.all_reduce(parameter.grad)
                    parameter.grad /= dist.get_world_size()
            optimizer.step()
    dist.barrier()
    os._exit(0)
"""


class Watch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def start(self, script, rank=0, watched=True, **environment):
        (self.folder / "train.py").write_text(textwrap.dedent(script).lstrip("\n"))
        lines = self.folder / f"reported-{rank}"
        command = [sys.executable, "-W", "error::UserWarning:torch.optim", str(peer.HERE / "watched.py"), str(lines),
                   str(self.folder / "train.py")]
        folders = ([str(PYTHON / "watch")] if watched else []) + [str(PYTHON)]
        return subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=self.folder, env={
            **os.environ, "PYTHONPATH": os.pathsep.join(folders), "SWEEPSCOPE_RING": "here", "OMP_NUM_THREADS": "1",
            "CUDA_VISIBLE_DEVICES": "", **environment})

    def finish(self, process, rank=0):
        """Returns what was printed, points by name, and events."""
        printed, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, printed)
        series, events = {}, []
        lines = self.folder / f"reported-{rank}"
        for line in map(json.loads, lines.read_text().splitlines() if lines.exists() else []):
            for name, value in line.get("values", {}).items():
                series.setdefault(name, []).append((line["step"], value))
            if "text" in line:
                events.append(line["text"])
        return printed, series, events

    def watch(self, script, **environment):
        return self.finish(self.start(script, **environment))

    def watch_ranks(self, mode, ranks=2):
        processes = [self.start(DISTRIBUTED, rank, MODE=mode, MEET=str(self.folder / "meet"), RANK=str(rank),
                                WORLD_SIZE=str(ranks)) for rank in range(ranks)]
        return [self.finish(process, rank)[1:] for rank, process in enumerate(processes)]

    def test_loss_and_learning_rate_of_a_plain_loop(self):
        printed, series, events = self.watch(SINGLE)
        self.assertEqual([value for _, value in series["loss"]], json.loads(printed.splitlines()[-1]))
        self.assertEqual([step for step, _ in series["loss"]], list(range(1, 11)))
        self.assertEqual([value for _, value in series["lr"]], [0.1] * 4 + [0.05] * 4 + [0.025] * 2)
        self.assertEqual(len(series["step_time"]), 9)
        self.assertEqual(events, [])

    def test_a_script_runs_the_same_without_being_watched(self):
        script = SINGLE + "    print(model.weight.tolist(), type(optimizer.step).__name__)\n"
        watched = self.watch(script)[0]
        self.assertEqual(watched, self.finish(self.start(script, watched=False))[0])

    def test_losses_of_accumulated_batches_are_averaged(self):
        for divided in (" / 4", ""):
            with self.subTest(divided=divided):
                _, series, _ = self.watch(f"""
                    import torch
                    weight = torch.ones(3, requires_grad=True)
                    optimizer = torch.optim.SGD([weight], lr=0.0)
                    for step in range(3):
                        for batch in range(4):
                            loss = (weight * (step + batch)).mean(){divided}
                            loss.backward()
                        optimizer.step()
                """)
                self.assertEqual([value for _, value in series["loss"]], [1.5, 2.5, 3.5])

    def test_sums_over_samples_of_several_batches_are_one_mean(self):
        """As Transformers computes losses: each batch's sum, divided by the samples of all batches of the step."""
        for divisor, expected in (("8", 2.0), ("4", 2.0)):
            with self.subTest(divisor=divisor):
                _, series, _ = self.watch(f"""
                    import torch
                    weight = torch.zeros(4, 3, requires_grad=True)
                    optimizer = torch.optim.SGD([weight], lr=0.0)
                    for batch in range(2):
                        loss = torch.nn.functional.mse_loss(weight[:, 0], torch.full((4,), 2.0 ** 0.5), reduction="sum")
                        (loss / {divisor}).backward()
                    optimizer.step()
                """)
                self.assertAlmostEqual(series["loss"][0][1], expected, places=5)

    def test_fewer_batches_at_the_end_of_an_epoch(self):
        _, series, _ = self.watch("""
            import torch
            weight = torch.ones(3, requires_grad=True)
            optimizer = torch.optim.SGD([weight], lr=0.0)
            for batch in range(10):
                ((weight * 2).mean() / 4).backward()
                if batch % 4 == 3 or batch == 9:
                    optimizer.step()
                    optimizer.zero_grad()
        """)
        self.assertEqual([value for _, value in series["loss"]], [2.0, 2.0, 2.0])

    def test_gradients_that_are_thrown_away_are_of_no_step(self):
        _, series, _ = self.watch("""
            import torch
            weight = torch.ones(3, requires_grad=True)
            optimizer = torch.optim.SGD([weight], lr=0.0)
            for step in range(3):
                (weight * 100).mean().backward()  # an attack on the inputs
                optimizer.zero_grad()
                (weight * 2).mean().backward()
                optimizer.step()
        """)
        self.assertEqual([value for _, value in series["loss"]], [2.0, 2.0, 2.0])

    def test_a_step_that_calls_its_base_class_counts_once(self):
        _, series, _ = self.watch("""
            import torch
            class Mine(torch.optim.SGD):
                def step(self, closure=None):
                    return super().step(closure)
            weight = torch.ones(3, requires_grad=True)
            optimizers = [torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0), Mine([weight], lr=0.5)]
            for step in range(4):
                weight.mean().backward()
                optimizers[1].step()
        """)
        self.assertEqual([step for step, _ in series["loss"]], [1, 2, 3, 4])

    def test_a_loss_that_changes_afterwards_is_reported_as_it_was(self):
        _, series, _ = self.watch("""
            import torch
            weight = torch.ones(3, requires_grad=True)
            optimizer = torch.optim.SGD([weight], lr=0.0)
            for step in range(3):
                loss = weight.mean()
                loss.backward()
                loss.detach().mul_(7)
                optimizer.step()
        """)
        self.assertEqual([value for _, value in series["loss"]], [1.0, 1.0, 1.0])

    def test_losses_are_reported_without_their_scale(self):
        if not hasattr(torch, "amp") or not hasattr(torch.amp, "GradScaler"):
            self.skipTest("this torch scales gradients on GPUs only")
        _, series, _ = self.watch("""
            import torch
            weight = torch.ones(3, requires_grad=True)
            optimizer = torch.optim.SGD([weight], lr=0.0)
            scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
            for step in range(3):
                scaler.scale((weight * step).mean()).backward()
                scaler.step(optimizer)
                scaler.update()
        """)
        self.assertEqual([value for _, value in series["loss"]], [0, 1, 2])

    def test_batches_epochs_and_norms(self):
        for workers in ("0", "2"):
            with self.subTest(workers=workers):
                _, series, events = self.watch(LOADER, WORKERS=workers)
                self.assertEqual(len(series["loss"]), 18)
                self.assertEqual(len(series["grad_norm"]), 18)
                # The first step, and those after a validation, have no beginning.
                self.assertEqual(len(series["step_time"]), 15)
                for (_, whole), (_, waited), (_, rate) in zip(series["step_time"], series["data_wait"],
                                                             series["samples_per_second"]):
                    self.assertLessEqual(waited, whole)
                    self.assertAlmostEqual(rate * whole, 20)
                self.assertEqual([step for step, _ in series["sample_order"]], [1, 7, 13])
                self.assertEqual(len({value for _, value in series["sample_order"]}), 3)
                self.assertEqual(events, ["epoch 2 begins", "epoch 3 begins"])

    def test_what_a_script_reports_itself_comes_first(self):
        _, series, _ = self.watch("import sweepscope\nrun = sweepscope.init()\n" + textwrap.dedent(SINGLE).replace(
            "losses.append(loss.item())", "run.log(step, loss=1.0)"))
        self.assertEqual([value for _, value in series["loss"]], [1.0] * 10)
        self.assertNotIn("lr", series)
        self.assertEqual(len(series["step_time"]), 9)

    def test_what_an_integration_reports_is_added(self):
        _, series, events = self.watch("from sweepscope.tensorboard import SummaryWriter\nwriter = SummaryWriter()\n"
                                       + textwrap.dedent(SINGLE).replace(
                                           "losses.append(loss.item())", "writer.add_scalar('Loss/train', loss, step)"))
        self.assertEqual([len(series[name]) for name in ("loss", "lr", "step_time", "Loss/train")], [10, 10, 9, 10])
        self.assertEqual([value for _, value in series["loss"]], [value for _, value in series["Loss/train"]])
        self.assertEqual(events, [])

    def test_a_name_that_an_integration_reports_is_left_to_it(self):
        _, series, _ = self.watch("import sweepscope.wandb as wandb\nwandb.init()\n" + textwrap.dedent(SINGLE).replace(
            "losses.append(loss.item())", "wandb.log({'loss': -1.0}, step=step + 1)"))
        self.assertEqual([value for _, value in series["loss"]][1:], [-1.0] * 10)
        self.assertEqual(len(series["lr"]), 10)

    def test_a_resumed_training_continues_its_steps_and_epochs(self):
        _, series, events = self.watch("from sweepscope import frameworks\nimport torch\nframeworks.continue_from(24, 2)\n"
                                       + textwrap.dedent(LOADER))
        self.assertEqual([step for step, _ in series["loss"]], list(range(25, 43)))
        self.assertEqual([step for step, _ in series["sample_order"]], [25, 31, 37])
        self.assertEqual(events, ["epoch 3 begins", "epoch 4 begins", "epoch 5 begins"])

    def test_two_optimizers_have_their_own_losses(self):
        _, series, _ = self.watch("""
            import torch
            weights = [torch.ones(2, requires_grad=True) for _ in range(2)]
            optimizers = [torch.optim.SGD([weight], lr=0.1 * (i + 1)) for i, weight in enumerate(weights)]
            for step in range(4):
                for i in range(2):
                    optimizers[i].zero_grad()
                    (weights[i] * 0 + i + 1).mean().backward()
                    optimizers[i].step()
        """)
        self.assertEqual(series["loss"], [(step, 1.0) for step in range(1, 5)])
        self.assertEqual(series["loss_2"], [(step, 2.0) for step in range(1, 5)])
        self.assertEqual(series["lr_2"], [(step, 0.2) for step in range(1, 5)])

    def test_ranks_of_a_distributed_script(self):
        first, second = self.watch_ranks("right")
        for series, events in (first, second):
            self.assertEqual(len(series["loss"]), 60)
            self.assertEqual([text for text in events if text.startswith("mistake")], [])
            self.assertEqual([step for step, _ in series["weights_hash"]], [0, 1, 10])
            self.assertNotIn("gradients_hash", series)
            self.assertEqual([step for step, _ in series["comm_wait"]], [10, 20, 30, 40, 50, 60])
        self.assertNotEqual(first[0]["loss"], second[0]["loss"])
        self.assertNotEqual(first[0]["sample_order"], second[0]["sample_order"])
        self.assertEqual(first[0]["weights_hash"], second[0]["weights_hash"])

    def test_classic_mistakes(self):
        for mode, beginning, differs in (
                ("sampler", "mistake no-distributed-sampler: train.py:38: each of 2 ranks goes through all 400 samples", False),
                ("epoch", "mistake set-epoch: train.py:38: set_epoch() of the DistributedSampler is never called", False),
                ("thrown", "mistake wrapper-thrown-away: train.py:18: DistributedDataParallel(model) is discarded", True),
                ("uncalled", "mistake wrapper-not-called: train.py:20: training does not call", True),
                ("unused", "mistake find-unused: train.py:26: find_unused_parameters=True traverses", False)):
            with self.subTest(mode=mode):
                (self.folder / "meet").unlink(missing_ok=True)
                reported = self.watch_ranks(mode)
                for _, events in reported:
                    mistakes = [text for text in events if text.startswith("mistake")]
                    self.assertEqual(len(mistakes), 1, mistakes)
                    self.assertTrue(mistakes[0].startswith(beginning), mistakes[0])
                hashes = [series["weights_hash"] for series, _ in reported]
                self.assertEqual(hashes[0] != hashes[1], differs)

    def test_gradients_that_are_never_cleared_or_never_there(self):
        loop = """
            import torch
            weight = torch.ones(3, requires_grad=True)
            optimizer = torch.optim.SGD([weight], lr=0.0)
            for step in range(12):
                {}
                loss = weight.mean()
                {}
        """
        for before, after, told in (
                ("pass", "loss.backward(); optimizer.step()", "zero-grad: train.py:7: gradients are never cleared"),
                ("optimizer.zero_grad(set_to_none=True)", "optimizer.step(); loss.backward()",
                 "no-gradients: train.py:7: no parameter has a gradient"),
                ("optimizer.zero_grad()", "loss.backward(); optimizer.step()", None),
                ("weight.grad = None", "loss.backward(); optimizer.step()", None),
                ("weight.grad is None or weight.grad.zero_()", "loss.backward(); optimizer.step()", None),
                ("pass", "optimizer.step(lambda: (optimizer.zero_grad(), weight.mean().backward()))", None)):
            with self.subTest(told=told, before=before):
                _, _, events = self.watch(loop.format(before, after))
                self.assertEqual(len(events), 1 if told else 0, events)
                self.assertTrue(not told or events[0].startswith("mistake " + told), events)

    def test_gradients_that_are_not_exchanged(self):
        for mode, told in (("unwrapped", "gradients: train.py:45: no DistributedDataParallel averages them"),
                           ("late", "gradients: train.py:45: 2 of 6 parameters are not in the "
                                    "DistributedDataParallel")):
            with self.subTest(mode=mode):
                (self.folder / "meet").unlink(missing_ok=True)
                (first, events), (second, _) = self.watch_ranks(mode)
                self.assertEqual([text for text in events if not text.startswith("epoch")], [told])
                self.assertEqual(first["weights_hash"][0], second["weights_hash"][0])
                self.assertEqual([step for step, _ in first["gradients_hash"]], [2])
                self.assertNotEqual(first["gradients_hash"], second["gradients_hash"])

    def test_gradients_and_weights_that_are_exchanged(self):
        # Two ranks with torch 1.13's ZeroRedundancyOptimizer sometimes wait for each other on a busy machine.
        for mode in ("averaged", "zero") if hasattr(torch, "compiler") else ("averaged",):
            with self.subTest(mode=mode):
                (self.folder / "meet").unlink(missing_ok=True)
                first, second = [series for series, _ in self.watch_ranks(mode)]
                self.assertEqual(first.get("gradients_hash"), second.get("gradients_hash"))
                self.assertEqual([step for step, _ in first["weights_hash"]], [0, 1, 10])
                self.assertEqual(first["weights_hash"], second["weights_hash"])

    def test_ranks_with_parts_of_a_model_are_not_compared(self):
        if not hasattr(torch, "compiler"):
            self.skipTest("this torch shards on GPUs only")
        for mode in ("fsdp", "fsdp original"):
            with self.subTest(mode=mode):
                (self.folder / "meet").unlink(missing_ok=True)
                for series, events in self.watch_ranks(mode):
                    self.assertEqual([text for text in events if not text.startswith("epoch")], [])
                    self.assertEqual(len(series["loss"]), 60)
                    self.assertFalse({"weights_hash", "gradients_hash"} & set(series))

    def test_a_library_that_looks_for_torch_first(self):
        _, series, _ = self.watch("import importlib.util; importlib.util.find_spec('torch')\n" + textwrap.dedent(SINGLE))
        self.assertEqual(len(series["loss"]), 10)

    def test_a_compiled_replica_is_watched(self):
        if not hasattr(torch, "compiler") or sys.version_info >= (3, 15):
            self.skipTest("this torch compiles nothing")
        _, series, events = self.watch("""
            import os, torch, torch.distributed as dist
            from torch.nn.parallel import DistributedDataParallel
            dist.init_process_group("gloo", init_method="file://" + os.path.abspath("meet"), rank=0, world_size=1)
            model = torch.compile(DistributedDataParallel(torch.nn.Linear(4, 1)), backend="eager")
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            @torch.compile(backend="eager")
            def update():
                optimizer.step()
            for step in range(4):
                optimizer.zero_grad()
                model(torch.ones(2, 4)).mean().backward()
                update()
        """)
        self.assertEqual(len(series["loss"]), 4)
        self.assertEqual(events, [])

    def request_trace(self, steps):
        attempt = self.folder / "attempt"
        attempt.mkdir(exist_ok=True)
        (attempt / "trace-request").write_text(json.dumps({"time": time.time_ns() - 2_000_000_000, "steps": steps}))
        return attempt

    def steps_of(self, trace):
        """The numbers of the steps in a trace, each of which has a backward pass and an optimizer's step in it."""
        events = [event for event in json.loads(trace.read_text())["traceEvents"] if event.get("ph") == "X"]
        steps = [event for event in events if event["name"].startswith("ProfilerStep#")]
        for step in steps:
            inside = {event["name"] for event in events
                      if step["ts"] <= event["ts"] and event["ts"] + event["dur"] <= step["ts"] + step["dur"]}
            self.assertIn("autograd::engine::evaluate_function: AddmmBackward0", inside)
            self.assertIn("Optimizer.step#SGD.step", inside)
        return [int(step["name"].partition("#")[2]) for step in steps]

    @unittest.skipUnless(torch.profiler.kineto_available(), "this torch was built without Kineto")
    def test_a_trace_of_some_steps_is_recorded_on_request(self):
        attempt = self.request_trace(3)
        _, _, events = self.watch(SINGLE, SWEEPSCOPE_ATTEMPT_FOLDER=str(attempt))
        self.assertEqual(events, ["trace of steps 2 to 4: trace-rank-0.json"])
        self.assertEqual(self.steps_of(attempt / "trace-rank-0.json"), [2, 3, 4])

    @unittest.skipUnless(torch.profiler.kineto_available(), "this torch was built without Kineto")
    def test_a_trace_ends_with_training_and_has_a_name_of_its_own(self):
        for name in ("trace-rank-0.json", "trace-rank-0-2.json"):
            attempt = self.request_trace(1000)
            _, _, events = self.watch(SINGLE, SWEEPSCOPE_ATTEMPT_FOLDER=str(attempt))
            self.assertEqual(events, ["trace of steps 2 to 10: " + name])
            self.assertEqual(self.steps_of(attempt / name), list(range(2, 11)))

    @unittest.skipUnless(torch.profiler.kineto_available(), "this torch was built without Kineto")
    def test_a_second_request_is_recorded_after_the_first(self):
        attempt = self.request_trace(2)
        _, _, events = self.watch("""
            import json, os, time, torch
            attempt = os.environ["SWEEPSCOPE_ATTEMPT_FOLDER"]
            weight = torch.ones(3, requires_grad=True)
            optimizer = torch.optim.SGD([weight], lr=0.0)
            deadline = time.monotonic() + 60
            for step in range(10 ** 9):
                optimizer.zero_grad()
                weight.mean().backward()
                optimizer.step()
                if step == 1:  # the first one is being recorded
                    with open(os.path.join(attempt, "other"), "w") as file:
                        json.dump({"time": time.time_ns() - 2 * 10 ** 9, "steps": 1}, file)
                    os.rename(os.path.join(attempt, "other"), os.path.join(attempt, "trace-request"))
                if os.path.exists(os.path.join(attempt, "trace-rank-0-2.json")) or time.monotonic() > deadline:
                    break
        """, SWEEPSCOPE_ATTEMPT_FOLDER=str(attempt))
        self.assertEqual(events[0], "trace of steps 2 to 3: trace-rank-0.json")
        self.assertRegex(events[1], "^trace of step [0-9]+: trace-rank-0-2.json$")
        self.assertEqual(len(events), 2)

    @unittest.skipUnless(torch.profiler.kineto_available(), "this torch was built without Kineto")
    def test_steps_that_are_logged_are_traced_without_a_watch(self):
        attempt = self.request_trace(4)
        script = "import sweepscope\nrun = sweepscope.init()\n" + textwrap.dedent(SINGLE).replace(
            "losses.append(loss.item())", "step % 2 or (run.log(step, loss=1.0), run.log(step, lr=0.1))")
        _, _, events = self.finish(self.start(script, watched=False, SWEEPSCOPE_ATTEMPT_FOLDER=str(attempt)))
        self.assertEqual(events, ["trace of steps 1 to 4: trace-rank-0.json"])
        self.assertEqual(self.steps_of(attempt / "trace-rank-0.json"), [1, 3])

    def test_a_trace_that_fails_is_a_warning(self):
        attempt = self.request_trace(3)
        script = textwrap.dedent(SINGLE)
        for broken, warning in (("torch.profiler.kineto_available = lambda: False", "this build of torch lacks Kineto"),
                                ("torch.profiler.profile = None", "TypeError(\"'NoneType' object is not callable\")")):
            if broken.endswith("None") and not torch.profiler.kineto_available():
                continue
            with self.subTest(broken=broken):
                printed, series, events = self.watch(f"import torch\n{broken}\n{script}",
                                                     SWEEPSCOPE_ATTEMPT_FOLDER=str(attempt))
                self.assertEqual(len(series["loss"]), 10)
                self.assertEqual(events, ["no trace: " + warning])

    def test_a_script_goes_on_if_watching_fails(self):
        printed, series, events = self.watch("import sweepscope.watch\nimport torch\n"
                                             "sweepscope.watch._divisor = lambda _: 1 / 0\n" + textwrap.dedent(SINGLE))
        self.assertEqual(len(json.loads(printed.splitlines()[-1])), 10)
        self.assertEqual(len(events), 1)
        self.assertTrue(events[0].startswith("this script is not watched: ZeroDivisionError("), events)
        self.assertNotIn("loss", series)

    def test_another_sitecustomize_is_imported_too(self):
        other = self.folder / "other"
        other.mkdir()
        (other / "sitecustomize.py").write_text("print('the other one')\n")
        path = os.pathsep.join([str(PYTHON / "watch"), str(other), str(PYTHON)])
        printed, series, _ = self.watch(SINGLE, PYTHONPATH=path)
        self.assertTrue(printed.startswith("the other one\n"), printed)
        self.assertEqual(len(series["loss"]), 10)


if __name__ == "__main__":
    unittest.main()
