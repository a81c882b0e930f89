"""The data that a rank sees according to `sweepscope-worker inspect`, against PyTorch."""

import ctypes
import tempfile
import unittest
import zlib
from pathlib import Path

from peer import inspect

import torch
from reference import digits, make_model
from torch.utils.data import WeightedRandomSampler, random_split
from torch.utils.data.distributed import DistributedSampler

TEXT = "The quick brown fox jumps over the lazy dog. " * 40


def digit_parts(seed, fractions):
    _, classes = digits()
    return random_split(range(len(classes)), fractions, generator=torch.Generator().manual_seed(seed))


class Inspect(unittest.TestCase):
    def assert_same_weights(self, report, model):
        state = model.state_dict()
        names = [name for name, _ in model.named_parameters()]
        self.assertEqual([item["name"] for item in report["parameters"]], names)
        self.assertEqual([item["name"] for item in report["buffers"]], [name for name, _ in model.named_buffers()])
        for item in report["parameters"] + report["buffers"]:
            tensor = state[item["name"]].contiguous()
            self.assertEqual(item["shape"], list(tensor.shape), item["name"])
            content = ctypes.string_at(tensor.data_ptr(), tensor.numel() * tensor.element_size())
            self.assertEqual(item["crc32"], zlib.crc32(content), item["name"])

    def test_split_and_sampler(self):
        for seed, ranks, rank, epoch, drop_last, shuffle in ((0, 1, 0, 0, False, True), (7, 3, 2, 5, False, True),
                                                             (11, 4, 1, 2, True, True), (3, 2, 1, 9, True, False)):
            with self.subTest(seed=seed, ranks=ranks, rank=rank, epoch=epoch, drop_last=drop_last, shuffle=shuffle):
                report = inspect(seed, {"drop_last": drop_last, "sampling": "shuffle" if shuffle else "sequential"},
                                 ranks=ranks, rank=rank, epoch=epoch)
                parts = digit_parts(seed, [1 - 0.15 - 0.15, 0.15, 0.15])
                for name, part in zip(("train", "validation", "test"), parts):
                    self.assertEqual(report["split"][name], list(part.indices))
                sampler = DistributedSampler(range(len(parts[0])), ranks, rank, shuffle=shuffle, seed=seed,
                                             drop_last=drop_last)
                sampler.set_epoch(epoch)
                indices = list(sampler)
                self.assertEqual(report["sampler"]["indices"], indices)
                self.assertEqual(report["sampler"]["dataset_indices"], [parts[0].indices[i] for i in indices])

    def test_weighted_sampling_draws_classes_equally(self):
        report = inspect(5, {"sampling": "weighted"}, ranks=2, rank=1, epoch=3)
        _, classes = digits()
        mine = classes[torch.tensor(report["split"]["train"])]
        weights = (1 / torch.bincount(mine).double())[mine]
        draws = 2 * ((len(mine) + 1) // 2)
        sampler = WeightedRandomSampler(weights, draws, replacement=True,
                                        generator=torch.Generator().manual_seed(5 + 3))
        self.assertEqual(report["sampler"]["indices"], list(sampler)[1::2])

    def test_contiguous_parts_are_disjoint_and_complete(self):
        reports = [inspect(5, {"sampling": "contiguous"}, ranks=3, rank=rank) for rank in range(3)]
        count = len(reports[0]["split"]["train"])
        parts = torch.tensor_split(torch.arange(count), 3)
        for report, part in zip(reports, parts):
            self.assertEqual(sorted(set(report["sampler"]["indices"])), part.tolist())

    def test_normalisation(self):
        report = inspect(7, {})
        images, _ = digits()
        pixels = images[torch.tensor(report["split"]["train"])][:4096].float()
        self.assertEqual(report["dataset"]["mean"], [pixels.mean().item()])
        self.assertEqual(report["dataset"]["deviation"], [pixels.std(unbiased=False).item()])

    def test_initial_weights_of_image_models(self):
        for settings in ({"model": "linear"}, {"model": "mlp"}, {"model": "mlp", "layers": 3, "hidden": 33},
                         {"model": "mlp", "dropout": 0.5}, {"model": "cnn"}, {"model": "cnn", "hidden": 100},
                         {"model": "resnet"}, {"model": "resnet", "layers": 3}):
            for seed in (0, 5, 2**31 - 1):
                with self.subTest(settings=settings, seed=seed):
                    report = inspect(seed, settings)
                    torch.manual_seed(seed)
                    self.assert_same_weights(report, make_model(settings, (1, 8, 8), 10))

    def test_initial_weights_of_the_transformer(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "text.txt"
            path.write_text(TEXT)
            for settings in ({}, {"layers": 2, "hidden": 48, "heads": 3}, {"dropout": 0.1}):
                with self.subTest(settings=settings):
                    settings = {"dataset": "text", "model": "transformer", "context": 16, **settings}
                    report = inspect(9, {**settings, "data_file": path})
                    torch.manual_seed(9)
                    model = make_model(settings, (16,), 0, vocabulary=len(set(TEXT)))
                    self.assert_same_weights(report, model)

    def test_values_are_the_weights(self):
        report = inspect(5, {"model": "linear"}, values=True)
        torch.manual_seed(5)
        weight = make_model({"model": "linear"}, (1, 8, 8), 10)[1].weight
        self.assertTrue(torch.equal(torch.tensor(report["parameters"][0]["values"]).view(10, 64), weight))

    def test_epochs_need_enough_samples_for_steps(self):
        report = inspect(5, {"batch_size": 100, "accumulate": 3}, ranks=2)
        self.assertEqual(report["batches_per_epoch"], 7)
        self.assertEqual(report["steps_per_epoch"], 3)


if __name__ == "__main__":
    unittest.main()
