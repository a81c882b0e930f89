"""Files exchanged between the worker and Python: checkpoints, TorchScript models, data saved by torch and numpy."""

import json
import subprocess
import tempfile
import unittest
import zipfile
from pathlib import Path

from peer import WORKER, inspect, settings_arguments, worker_metrics

import torch
from reference import digits, make_model

try:
    import numpy
except ImportError:  # pip's torch does not require it
    numpy = None

SHORT = {"epochs": 1, "batch_size": 16, "lr": 0.05}


def losses(seed, settings, ranks=2):
    return [[step["loss"] for step in rank] for rank in worker_metrics(seed, settings, ranks)]


class Exchange(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_python_reads_checkpoints(self):
        for model in ("mlp", "resnet"):
            with self.subTest(model=model):
                settings = {"model": model, "epochs": 2, "batch_size": 64}
                place = self.folder / model
                log = subprocess.run([str(WORKER), *settings_arguments(4, settings), "--set", "device=cpu",
                                      "--checkpoints", str(place)], check=True, stdout=subprocess.PIPE, text=True).stdout
                checkpoint = torch.load(place / "last.pt")
                self.assertEqual(checkpoint["epoch"], 2)
                network = make_model(settings, (1, 8, 8), 10)
                network.load_state_dict(checkpoint["model"])
                network.eval()
                report = inspect(4, settings)
                images, classes = digits()
                test = torch.tensor(report["split"]["test"])
                inputs = (images[test].float() - report["dataset"]["mean"][0]) / report["dataset"]["deviation"][0]
                with torch.no_grad():
                    loss = torch.nn.functional.cross_entropy(network(inputs), classes[test]).item()
                self.assertIn(f"test_loss {loss:.3f}", log)

    def test_python_continues_with_the_optimizer(self):
        for optimizer, more in {"sgd": {"momentum": 0.9, "nesterov": True}, "adam": {"beta1": 0.8}, "adamw": {"beta2": 0.9},
                                "rmsprop": {"momentum": 0.5}, "adagrad": {}}.items():
            with self.subTest(optimizer=optimizer):
                settings = {**SHORT, "optimizer": optimizer, "lr": 0.01, "weight_decay": 0.05, "decay_norm_and_bias": False,
                            "model": "mlp", "layers": 2, **more}
                place = self.folder / optimizer
                run = [str(WORKER), "--set", "device=cpu", "--checkpoints", str(place)]
                subprocess.run([*run, *settings_arguments(4, settings)], check=True, stdout=subprocess.DEVNULL)
                checkpoint = torch.load(place / "last.pt")
                longer = {**settings, "epochs": 2}
                lines = self.folder / "metrics.jsonl"
                subprocess.run([*run, *settings_arguments(4, longer), "--metrics", str(lines)], check=True,
                               stdout=subprocess.DEVNULL)
                expected = [json.loads(line)["loss"] for line in lines.read_text().splitlines() if '"loss"' in line]

                network = make_model(settings, (1, 8, 8), 10)
                network.load_state_dict(checkpoint["model"])
                groups = [[p for p in network.parameters() if p.dim() > 1], [p for p in network.parameters() if p.dim() < 2]]
                kinds = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW,
                         "rmsprop": torch.optim.RMSprop, "adagrad": torch.optim.Adagrad}
                updates = kinds[optimizer]([{"params": group} for group in groups], lr=1)
                updates.load_state_dict(checkpoint["optimizer"])
                report = inspect(4, settings, epoch=1)
                images, classes = digits()
                order = torch.tensor(report["sampler"]["dataset_indices"])
                inputs = (images.float() - report["dataset"]["mean"][0]) / report["dataset"]["deviation"][0]
                self.assertEqual(len(expected), len(order.split(settings["batch_size"])))
                for batch, wanted in zip(order.split(settings["batch_size"]), expected):
                    updates.zero_grad()
                    loss = torch.nn.functional.cross_entropy(network(inputs[batch]), classes[batch])
                    loss.backward()
                    updates.step()
                    self.assertAlmostEqual(loss.item(), wanted, delta=2e-5)

    def test_the_best_weights_are_safetensors(self):
        place = self.folder / "best"
        subprocess.run([str(WORKER), "--set", "device=cpu", "--checkpoints", str(place), *settings_arguments(4, SHORT)],
                       check=True, stdout=subprocess.DEVNULL)
        content = (place / "best.safetensors").read_bytes()
        length = int.from_bytes(content[:8], "little")
        header = json.loads(content[8:8 + length])
        self.assertEqual(header.pop("__metadata__")["epoch"], "1")
        model = torch.load(place / "last.pt")["model"]
        self.assertEqual(list(header), list(model))
        for name, entry in header.items():
            begin, end = entry["data_offsets"]
            values = torch.frombuffer(bytearray(content[8 + length + begin:8 + length + end]), dtype=torch.float32)
            self.assertEqual(entry["dtype"], "F32")
            self.assertTrue(torch.equal(values.view(entry["shape"]), model[name]), name)

    def test_a_torchscript_model_trains_like_the_same_layers(self):
        for name in ("mlp", "cnn", "resnet"):
            with self.subTest(model=name):
                torch.manual_seed(6)
                file = self.folder / f"{name}.pt"
                torch.jit.script(make_model({"model": name}, (1, 8, 8), 10)).save(str(file))
                expected = losses(6, {"model": name, **SHORT})
                found = losses(6, {"model": "torchscript", "model_file": file, **SHORT})
                for rank in range(2):
                    self.assertEqual(len(found[rank]), len(expected[rank]))
                    for a, b in zip(found[rank], expected[rank]):
                        self.assertAlmostEqual(a, b, delta=1e-5)

    def test_saved_tensors_are_the_same_data(self):
        images, classes = digits()
        torch.save({"inputs": images, "targets": classes}, self.folder / "dictionary.pt")
        torch.save((images, classes), self.folder / "pair.pt")
        # Pixels up to 16, as in the digits: the same mean and deviation.
        expected = losses(3, SHORT)
        for file in ("dictionary.pt", "pair.pt"):
            self.assertEqual(losses(3, {"dataset": "tensors", "data_file": self.folder / file, **SHORT}), expected, file)

    def test_tensors_that_were_saved_on_a_gpu_are_read_without_one(self):
        images, classes = digits()
        torch.save({"inputs": images, "targets": classes}, self.folder / "here.pt")
        # The output of torch.save for tensors on a GPU differs only in the name of their device.
        name = lambda text: b"X" + len(text).to_bytes(4, "little") + text
        with zipfile.ZipFile(self.folder / "here.pt") as here, zipfile.ZipFile(self.folder / "there.pt", "w") as there:
            for item in here.namelist():
                content = here.read(item)
                if item.endswith("data.pkl"):
                    self.assertEqual(content.count(name(b"cpu")), 1)  # the second one refers to the first
                    content = content.replace(name(b"cpu"), name(b"cuda:0"))
                there.writestr(item, content)
        for sampling in ("shuffle", "contiguous"):
            settings = {**SHORT, "sampling": sampling}
            self.assertEqual(losses(3, {"dataset": "tensors", "data_file": self.folder / "there.pt", **settings}),
                             losses(3, settings), sampling)

    @unittest.skipIf(numpy is None, "this Python has no numpy")
    def test_saved_arrays_are_the_same_data(self):
        images, classes = digits()
        numpy.save(self.folder / "inputs.npy", images.numpy())
        numpy.save(self.folder / "targets.npy", classes.numpy())
        self.assertEqual(losses(3, {"dataset": "npy", "data_file": self.folder / "inputs.npy",
                                    "target_file": self.folder / "targets.npy", **SHORT}), losses(3, SHORT))


if __name__ == "__main__":
    unittest.main()
