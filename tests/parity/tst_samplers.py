"""Samplers and splits, index for index."""

import itertools
import json
import subprocess
import unittest

from peer import TEST_PROGRAMS

import torch
from torch.utils.data import WeightedRandomSampler, random_split
from torch.utils.data.distributed import DistributedSampler


def ask(questions):
    answer = subprocess.run([str(TEST_PROGRAMS / "parity_samplers")], input=json.dumps(questions).encode(), check=True,
                            stdout=subprocess.PIPE)
    return json.loads(answer.stdout)


class Samplers(unittest.TestCase):
    def compare(self, questions, expected):
        answers = ask(questions)
        self.assertEqual(len(answers), len(questions))
        for question in range(len(questions)):
            self.assertEqual(answers[question], expected(questions[question]), questions[question])

    def test_distributed_sampler(self):
        questions = [
            {"kind": "distributed", "count": count, "ranks": ranks, "rank": rank, "shuffle": shuffle,
             "drop_last": drop_last, "seed": seed, "epoch": epoch}
            for count, ranks, shuffle, drop_last, seed, epoch in itertools.product(
                (1, 2, 3, 5, 6, 7, 29, 240), range(1, 8), (True, False), (True, False), (0, 7, 2**31 - 1), (0, 1, 12))
            for rank in range(ranks)
        ]

        def expected(q):
            sampler = DistributedSampler(range(q["count"]), q["ranks"], q["rank"], shuffle=q["shuffle"], seed=q["seed"],
                                         drop_last=q["drop_last"])
            sampler.set_epoch(q["epoch"])
            return list(sampler)

        self.compare(questions, expected)

    def test_random_split_by_lengths(self):
        questions = [{"kind": "lengths", "lengths": lengths, "seed": seed}
                     for lengths in ([10], [3, 4], [0, 5, 1], [1258, 269, 270], [50000, 10000])
                     for seed in (0, 1, 42, 2**31 - 1)]

        def expected(q):
            generator = torch.Generator().manual_seed(q["seed"])
            parts = random_split(range(sum(q["lengths"])), q["lengths"], generator=generator)
            return [list(part.indices) for part in parts]

        self.compare(questions, expected)

    def test_random_split_by_fractions(self):
        questions = [{"kind": "fractions", "count": count, "fractions": fractions, "seed": seed}
                     for count in (1, 2, 10, 99, 1797, 60000)
                     for fractions in ([1.0], [0.5, 0.5], [0.7, 0.15, 0.15], [0.1] * 10, [0.33, 0.33, 0.34])
                     for seed in (0, 3, 2**31 - 1)]

        def expected(q):
            generator = torch.Generator().manual_seed(q["seed"])
            parts = random_split(range(q["count"]), q["fractions"], generator=generator)
            return [list(part.indices) for part in parts]

        self.compare(questions, expected)

    def test_weighted_random_sampler(self):
        questions = [{"kind": "weighted", "weights": weights, "draws": draws, "seed": seed}
                     for weights in ([1.0], [0.1, 0.9], [1 / 30] * 30 + [1.0], [float(i % 7) for i in range(1, 500)])
                     for draws in (1, 7, 1000) for seed in (0, 5, 2**31 - 1)]

        def expected(q):
            generator = torch.Generator().manual_seed(q["seed"])
            return list(WeightedRandomSampler(q["weights"], q["draws"], replacement=True, generator=generator))

        self.compare(questions, expected)

    def test_contiguous_partition(self):
        questions = [{"kind": "contiguous", "count": count, "ranks": ranks, "rank": rank}
                     for count in (1, 2, 7, 8, 1000) for ranks in range(1, 8) for rank in range(ranks)]

        def expected(q):
            parts = torch.tensor_split(torch.arange(q["count"]), q["ranks"])
            part = parts[q["rank"]]
            return [sum(len(other) for other in parts[:q["rank"]]), len(part)]

        self.compare(questions, expected)


if __name__ == "__main__":
    unittest.main()
