"""100 steps on two ranks, against PyTorch's DistributedDataParallel: every loss of every rank."""

import unittest

from peer import reference_losses, worker_metrics

RANKS = 2
STEPS = 100
TOLERANCE = 1e-5

SGD = {"optimizer": "sgd", "lr": 0.05, "momentum": 0.9}
ADAMW = {"optimizer": "adamw", "lr": 0.003, "weight_decay": 0.01}


class Training(unittest.TestCase):
    def compare(self, seed, settings):
        # Epochs of 40 batches; a few more than 100 steps, of which the first 100 count.
        settings = {"batch_size": 16, "epochs": 3 * settings.get("accumulate", 1), **settings}
        expected = reference_losses(seed, settings, RANKS, STEPS)
        found = worker_metrics(seed, settings, RANKS)
        for rank in range(RANKS):
            losses = [step["loss"] for step in found[rank]][:STEPS]
            self.assertEqual(len(losses), STEPS)
            self.assertEqual(len(expected[rank]), STEPS)
            largest = max(abs(a - b) for a, b in zip(losses, expected[rank]))
            self.assertLessEqual(largest, TOLERANCE, f"rank {rank}")
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

    def test_schedules(self):
        for settings in [
            {"schedule": "step", "decay_epochs": 1, "decay_factor": 0.3},
            {"schedule": "cosine"},
            {"schedule": "one_cycle"},
            {"warmup_steps": 50},
        ]:
            with self.subTest(**settings):
                self.compare(14, {"model": "mlp", **SGD, **settings})

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
