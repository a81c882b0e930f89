"""100 steps, mostly on two ranks, against PyTorch's DistributedDataParallel: every loss of every rank."""

import tempfile
import unittest
from pathlib import Path

from peer import reference_losses, worker_metrics

import torch

STEPS = 100
TOLERANCE = 1e-5

SGD = {"optimizer": "sgd", "lr": 0.05, "momentum": 0.9}
ADAMW = {"optimizer": "adamw", "lr": 0.003, "weight_decay": 0.01}


class Training(unittest.TestCase):
    def compare(self, seed, settings, ranks=2):
        # On two ranks an epoch has 40 batches: slightly more than 100 steps, of which the first 100 are compared.
        epochs = -(-3 * ranks * settings.get("accumulate", 1) // 2)
        settings = {"batch_size": 16, "epochs": epochs, **settings}
        expected = reference_losses(seed, settings, ranks, STEPS)
        found = worker_metrics(seed, settings, ranks)
        for rank in range(ranks):
            losses = [step["loss"] for step in found[rank]][:STEPS]
            self.assertEqual(len(losses), STEPS)
            self.assertEqual(len(expected[rank]), STEPS)
            largest = max(abs(a - b) for a, b in zip(losses, expected[rank]))
            self.assertLessEqual(largest, TOLERANCE, f"rank {rank}")
        if ranks > 1:
            self.assertNotEqual(expected[0], expected[1])
        self.assertLess(expected[0][-1], expected[0][0])

    def test_sgd_with_momentum_and_clipping(self):
        self.compare(7, {"model": "mlp", "clip_norm": 0.5, **SGD})

    def test_sgd_with_accumulation(self):
        self.compare(8, {"model": "mlp", "clip_norm": 0.5, "accumulate": 2, **SGD})

    def test_adamw_with_clipping(self):
        self.compare(9, {"model": "mlp", "layers": 2, "clip_norm": 0.5, **ADAMW})

    def test_adamw_with_accumulation(self):
        self.compare(10, {"model": "mlp", "clip_norm": 0.5, "accumulate": 3, **ADAMW})

    def test_other_optimizers(self):
        for optimizer, settings in {
            "adam": {"lr": 0.003, "weight_decay": 0.001},
            "rmsprop": {"lr": 0.001, "momentum": 0.5, "weight_decay": 0.001},
            "adagrad": {"lr": 0.03, "weight_decay": 0.001},
        }.items():
            with self.subTest(optimizer):
                self.compare(13, {"model": "mlp", "optimizer": optimizer, **settings})

    def test_what_optimizers_are_tuned_by(self):
        for settings in [
            {**SGD, "nesterov": True, "weight_decay": 0.01},
            {**SGD, "weight_decay": 0.1, "decay_norm_and_bias": False},
            {**ADAMW, "beta1": 0.8, "beta2": 0.95, "eps": 1e-6, "weight_decay": 0.3, "decay_norm_and_bias": False},
            {"optimizer": "adagrad", "lr": 0.03, "eps": 0.001},
        ]:
            with self.subTest(**settings):
                self.compare(20, {"model": "mlp", "layers": 2, **settings})

    def test_a_split_of_its_own_and_no_short_batch(self):
        # 629 samples a rank: 39 batches of 16, and 5 samples.
        self.compare(21, {"model": "mlp", "split_seed": 5, "drop_last_batch": True, "schedule": "cosine", **SGD})

    def test_schedules(self):
        for settings in [
            {"schedule": "step", "decay_epochs": 1, "decay_factor": 0.3},
            {"schedule": "cosine"},
            {"schedule": "one_cycle"},
            {"warmup_steps": 50},
        ]:
            with self.subTest(**settings):
                self.compare(14, {"model": "mlp", **SGD, **settings})

    def test_other_numbers_of_ranks(self):
        # 1,258 samples: three and four ranks pad their epochs.
        for ranks in (1, 3, 4):
            with self.subTest(ranks=ranks):
                self.compare(17, {"model": "mlp", "clip_norm": 0.5, **SGD}, ranks)

    @unittest.skipIf(torch.__version__ < "2.2", "Gloo sends no bfloat16")
    def test_gradients_sent_as_bf16(self):
        self.compare(22, {"model": "mlp", "exchange_precision": "bf16", **SGD})

    def test_a_transformer_on_text(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "text"
            path.write_text(" ".join(f"{i * i % 997} sheep in {i} fields" for i in range(4000)))
            self.compare(18, {"dataset": "text", "data_file": str(path), "model": "transformer", "context": 16, "hidden": 32,
                              "layers": 2, "heads": 4, "clip_norm": 1.0, **ADAMW})

    def test_a_regression_of_two_numbers(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "data.pt"
            generator = torch.Generator().manual_seed(4)
            inputs = torch.randn(2400, 6, generator=generator) * torch.arange(1, 7) + 3
            targets = torch.stack([inputs.sum(1) / 9, inputs[:, 0] * inputs[:, 1] / 5], 1)
            torch.save({"inputs": inputs, "targets": targets}, path)
            self.compare(19, {"dataset": "tensors", "data_file": str(path), "model": "mlp", **SGD, "lr": 0.01})

    def test_label_smoothing(self):
        self.compare(15, {"model": "mlp", "label_smoothing": 0.1, **SGD})

    def test_bf16_autocast(self):
        self.compare(16, {"model": "mlp", "precision": "bf16", **SGD})

    def test_cnn_without_clipping(self):
        self.compare(11, {"model": "cnn", **SGD})

    def test_running_statistics_of_a_resnet(self):
        self.compare(12, {"model": "resnet", "clip_norm": 1.0, **SGD, "lr": 0.01})


if __name__ == "__main__":
    unittest.main()
