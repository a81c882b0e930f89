"""The worker on NVIDIA GPUs over NCCL, against PyTorch on the same GPU. Skipped if there is none."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

from peer import SKIPPED, WORKER, reference_losses, run_ranks, settings_arguments, worker_metrics

import torch

if not (torch.cuda.is_available() and torch.distributed.is_nccl_available()):
    print("skipped: no NVIDIA GPU here, or no torch with CUDA and NCCL")
    sys.exit(SKIPPED)

NCCL_WORKER = [str(WORKER), "--backend", "nccl"]
STEPS = 60
# Sums on a GPU differ in their last bits between kernels, and 60 steps amplify that.
TOLERANCE = 1e-3
MLP = {"model": "mlp", "batch_size": 16, "epochs": 1, "optimizer": "sgd", "lr": 0.05, "momentum": 0.9}


def gpu_losses(seed, settings, ranks=1):
    metrics = worker_metrics(seed, settings, ranks, gpus=True)
    return [[step["loss"] for step in rank][:STEPS] for rank in metrics]


class Gpu(unittest.TestCase):
    def assert_close(self, found, expected):
        for ours, theirs in zip(found, expected):
            self.assertEqual(len(ours), len(theirs))
            self.assertLessEqual(max(abs(a - b) for a, b in zip(ours, theirs)), TOLERANCE)

    def test_losses_over_nccl(self):
        for settings in (MLP, {**MLP, "clip_norm": 0.5, "layers": 2}, {**MLP, "optimizer": "adamw", "lr": 0.003}):
            with self.subTest(settings=settings):
                self.assert_close(gpu_losses(7, settings), reference_losses(7, settings, 1, STEPS, "cuda:0"))

    def test_models_learn_in_both_precisions(self):
        for model in ("cnn", "resnet"):
            for precision in ("float32", "bf16"):
                with self.subTest(model=model, precision=precision):
                    losses = gpu_losses(3, {**MLP, "model": model, "precision": precision, "lr": 0.02})[0]
                    self.assertLess(sum(losses[-10:]), 0.7 * sum(losses[:10]))

    def test_two_ranks_on_one_gpu_are_refused(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(RuntimeError, "use the same GPU"):
            run_ranks([*NCCL_WORKER, *settings_arguments(5, MLP)], 2, folder,
                      {"SWEEPSCOPE_ATTEMPT_FOLDER": folder, "CUDA_VISIBLE_DEVICES": "0"}, gpus=True)

    def test_a_checkpoint_is_read_without_a_gpu(self):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "checkpoints"
            run_ranks([*NCCL_WORKER, *settings_arguments(4, MLP), "--checkpoints", str(place)], 1, folder,
                      {"SWEEPSCOPE_ATTEMPT_FOLDER": folder}, gpus=True)
            weights = torch.load(place / "last.pt", map_location="cpu")["model"]
            self.assertTrue(all(torch.isfinite(tensor).all() for tensor in weights.values()))

    def test_a_checkpoint_of_a_gpu_goes_on_without_one(self):
        with tempfile.TemporaryDirectory() as folder:
            settings = {**MLP, "epochs": 1, "optimizer": "adam", "lr": 0.003}
            place = Path(folder) / "checkpoints"
            run_ranks([*NCCL_WORKER, *settings_arguments(4, settings), "--checkpoints", str(place)], 1, folder,
                      {"SWEEPSCOPE_ATTEMPT_FOLDER": folder}, gpus=True)
            longer = settings_arguments(4, {**settings, "epochs": 2})
            run_ranks([str(WORKER), "--set", "device=cpu", *longer, "--checkpoints", str(place)], 1, folder,
                      {"SWEEPSCOPE_ATTEMPT_FOLDER": folder})
            self.assertIn("resumed from", (Path(folder) / "rank-0.log").read_text())
            self.assertEqual(torch.load(place / "last.pt", map_location="cpu")["epoch"], 2)

    def test_batches_that_are_copied_beside_the_computation_are_the_same(self):
        settings = {**MLP, "model": "cnn", "deterministic": True}
        whole = gpu_losses(9, settings)
        for threads in (1, 3):  # the data stays on the host
            steps = worker_metrics(9, {**settings, "loader_threads": threads}, 1, gpus=True)[0]
            self.assertEqual([step["loss"] for step in steps][:STEPS], whole[0])
            self.assertTrue(all(step["copy_time"] > 0 for step in steps))

    def test_times_are_those_of_the_gpu(self):
        # Products of large matrices: the GPU takes far longer than the host needs to queue a step.
        steps = worker_metrics(9, {**MLP, "hidden": 8192, "layers": 2, "batch_size": 256, "epochs": 4}, 1, gpus=True)[0][4:]
        for step in steps:
            parts = step["forward_time"] + step["backward_time"] + step["update_time"]
            self.assertGreater(step["forward_time"], 0)
            self.assertGreater(step["backward_time"], step["forward_time"])
            self.assertLessEqual(parts, step["compute_time"] * 1.01)
        between = [after["time"] - before["time"] for before, after in zip(steps, steps[1:])]
        reported = [step["step_time"] for step in steps]
        self.assertAlmostEqual(sorted(reported)[len(reported) // 2] / sorted(between)[len(between) // 2], 1, delta=0.3)

    def test_steps_that_are_not_finite_are_skipped_on_the_gpu(self):
        generator = torch.Generator().manual_seed(5)
        inputs, targets = torch.randn(600, 8, generator=generator), torch.randint(0, 3, (600,), generator=generator)
        inputs[::90] = 3e38
        for optimizer in ("sgd", "adam", "adamw", "rmsprop", "adagrad"):
            with self.subTest(optimizer=optimizer), tempfile.TemporaryDirectory() as folder:
                torch.save({"inputs": inputs, "targets": targets}, Path(folder) / "data.pt")
                settings = {**MLP, "dataset": "tensors", "data_file": str(Path(folder) / "data.pt"), "standardize": False,
                            "nan_policy": "skip", "optimizer": optimizer, "lr": 0.001}
                found = {}
                for device in ("cuda", "cpu"):
                    metrics = Path(folder) / device
                    run_ranks([str(WORKER), *settings_arguments(3, {**settings, "device": device}), "--metrics", str(metrics)],
                              1, folder, {"SWEEPSCOPE_ATTEMPT_FOLDER": folder}, gpus=device == "cuda")
                    steps = [line for line in map(json.loads, metrics.read_text().splitlines()) if "loss" in line]
                    found[device] = [step["loss"] for step in steps]
                self.assertIn(None, found["cpu"])  # what is not finite
                self.assertEqual([loss is None for loss in found["cuda"]], [loss is None for loss in found["cpu"]])
                self.assert_close([[loss or 0 for loss in found["cuda"]]], [[loss or 0 for loss in found["cpu"]]])

    def test_sharing_with_one_device_computes_the_same(self):
        whole = gpu_losses(9, MLP)
        for parallel in ("data_parallel", "model", "hybrid"):
            with self.subTest(parallel=parallel):
                self.assert_close(gpu_losses(9, {**MLP, "parallel": parallel, "stages": 1}), whole)

    @unittest.skipIf(torch.cuda.device_count() < 2, "there is one GPU")
    def test_replicas_on_two_gpus_compute_what_one_computes(self):
        for model in ("mlp", "cnn"):
            with self.subTest(model=model):
                settings = {**MLP, "model": model}
                self.assert_close(gpu_losses(9, {**settings, "parallel": "data_parallel", "stages": 2}),
                                  gpu_losses(9, settings))

    @unittest.skipIf(torch.cuda.device_count() < 2, "there is one GPU")
    def test_random_numbers_of_every_gpu_go_on_after_a_stop(self):
        settings = {**MLP, "layers": 3, "dropout": 0.4, "parallel": "model", "stages": 2, "epochs": 2}
        whole = worker_metrics(6, settings, 1, gpus=True)[0]
        with tempfile.TemporaryDirectory() as folder:
            place, metrics = Path(folder) / "checkpoints", Path(folder) / "metrics"
            keep = ["--checkpoints", str(place), "--metrics", str(metrics)]
            # The first epoch only, then the rest of two.
            run_ranks([*NCCL_WORKER, *settings_arguments(6, {**settings, "epochs": 1}), *keep], 1, folder,
                      {"SWEEPSCOPE_ATTEMPT_FOLDER": folder}, gpus=True)
            run_ranks([*NCCL_WORKER, *settings_arguments(6, settings), *keep], 1, folder,
                      {"SWEEPSCOPE_ATTEMPT_FOLDER": folder}, gpus=True)
            rest = [line for line in map(json.loads, metrics.read_text().splitlines()) if "loss" in line]
        expected = {step["step"]: step["loss"] for step in whole}
        self.assert_close([[step["loss"] for step in rest]], [[expected[step["step"]] for step in rest]])

    @unittest.skipIf(torch.cuda.device_count() < 4, "there are fewer than four GPUs")
    def test_ranks_of_two_stages_compute_what_ranks_of_one_compute(self):
        whole = gpu_losses(12, {**MLP, "layers": 3}, 2)
        self.assert_close(gpu_losses(12, {**MLP, "layers": 3, "parallel": "hybrid", "stages": 2}, 2), whole)

    @unittest.skipIf(torch.cuda.device_count() < 2, "there is one GPU")
    def test_stages_on_two_gpus_compute_what_one_computes(self):
        settings = {**MLP, "layers": 3}
        whole = gpu_losses(9, settings)
        for parts in (1, 4):
            self.assert_close(gpu_losses(9, {**settings, "parallel": "model", "stages": 2, "micro_batches": parts}), whole)

    @unittest.skipIf(torch.cuda.device_count() < 2, "there is one GPU")
    def test_losses_over_nccl_on_two_gpus(self):
        expected = reference_losses(11, MLP, 2, STEPS)
        self.assert_close(gpu_losses(11, MLP, 2), [losses[:STEPS] for losses in expected])


if __name__ == "__main__":
    unittest.main()
