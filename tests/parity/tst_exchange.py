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


def macro_f1(predicted, actual):
    values = []
    for kind in sorted({*predicted.tolist(), *actual.tolist()}):
        hits = ((predicted == kind) & (actual == kind)).sum().item()
        values.append(2 * hits / ((predicted == kind).sum().item() + (actual == kind).sum().item()))
    return sum(values) / len(values)


def read_safetensors(path):
    """Returns the tensors (float32 alone) by name, and the metadata."""
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8:8 + length])
    metadata = header.pop("__metadata__")
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        assert entry["dtype"] == "F32"
        values = torch.frombuffer(bytearray(content[8 + length + begin:8 + length + end]), dtype=torch.float32)
        tensors[name] = values.view(entry["shape"])
    return tensors, metadata


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
                    scores = network(inputs)
                loss = torch.nn.functional.cross_entropy(scores, classes[test]).item()
                self.assertIn(f"test_loss {loss:.3f}", log)
                top5 = scores.topk(5).indices.eq(classes[test].unsqueeze(1)).any(1).float().mean()
                self.assertIn(f"test_top5_accuracy {top5:.4f}", log)
                self.assertIn(f"test_f1 {macro_f1(scores.argmax(1), classes[test]):.4f}", log)

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
        best, metadata = read_safetensors(place / "best.safetensors")
        self.assertEqual(metadata["epoch"], "1")
        self.assert_equal(best, torch.load(place / "last.pt")["model"])

    def after(self, steps, settings):
        """Trains for this number of steps; returns the checkpoint folder."""
        place = self.folder / f"after-{steps}-{len(settings)}"
        subprocess.run([str(WORKER), "--set", "device=cpu", "--checkpoints", str(place),
                        *settings_arguments(4, {**SHORT, "model": "mlp", "max_steps": steps, **settings})],
                       check=True, stdout=subprocess.DEVNULL)
        return place

    def assert_equal(self, found, expected):
        self.assertEqual(list(found), list(expected))
        for name, tensor in expected.items():
            self.assertTrue(torch.equal(found[name], tensor), name)

    def test_the_average_of_weights_is_pytorchs(self):
        decay, steps = 0.8, 6
        model = make_model({"model": "mlp"}, (1, 8, 8), 10)
        average = torch.optim.swa_utils.AveragedModel(
            model, avg_fn=lambda averaged, current, _: decay * averaged + (1 - decay) * current)
        for step in range(1, steps + 1):
            model.load_state_dict(torch.load(self.after(step, {}) / "last.pt")["model"])
            average.update_parameters(model)
        place = self.after(steps, {"ema_decay": decay})
        checkpoint = torch.load(place / "last.pt")
        self.assert_equal(checkpoint["model"], model.state_dict())  # training is the same
        for name, tensor in average.module.state_dict().items():
            self.assertLess((checkpoint["model_average"][name] - tensor).abs().max().item(), 1e-6, name)
        self.assert_equal(read_safetensors(place / "best.safetensors")[0], checkpoint["model_average"])

    def test_several_best_weights_are_kept(self):
        place = self.after(12, {"val_every": 2, "keep_best": 3, "best_by": "val_accuracy"})
        kept = {}
        for path in place.glob("best-*.safetensors"):
            tensors, metadata = read_safetensors(path)
            self.assertEqual(path.name, f"best-{metadata['step']}.safetensors")
            kept[int(metadata["step"])] = float(metadata["val_accuracy"])
            self.assert_equal(tensors, torch.load(self.after(int(metadata["step"]), {}) / "last.pt")["model"])
        self.assertEqual(len(kept), 3)
        recorded = torch.load(place / "last.pt")["best_steps"]
        self.assertEqual(set(recorded), set(kept))
        best = min(kept, key=lambda step: (-recorded[step], step))
        self.assertEqual(read_safetensors(place / "best.safetensors")[1]["step"], str(best))

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
