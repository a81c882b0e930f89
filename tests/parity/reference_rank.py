"""One rank of the same training with PyTorch's own DistributedDataParallel. Writes one loss per step."""

import json
import math
import os
import sys
from contextlib import nullcontext
from pathlib import Path

import torch
import torch.distributed as dist
from reference import digits, make_model
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import bf16_compress_hook
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import random_split
from torch.utils.data.distributed import DistributedSampler


def whole_data(settings):
    """Returns inputs and targets as stored in the data set, and a function for the outputs of a model."""
    kind = settings.get("dataset", "digits")
    if kind == "text":
        text, context = Path(settings["data_file"]).read_bytes(), settings["context"]
        places = {byte: place for place, byte in enumerate(sorted(set(text)))}
        count = (len(text) - 1) // context
        tokens = torch.tensor([places[byte] for byte in text])
        return (tokens[:count * context].view(count, context), tokens[1:count * context + 1].view(count, context),
                len(places))
    if kind == "tensors":
        data = torch.load(settings["data_file"])
        return data["inputs"], data["targets"], data["targets"].shape[1]
    return (*digits(), 10)


def training_data(settings, seed):
    inputs, targets, outputs = whole_data(settings)
    generator = torch.Generator().manual_seed(settings.get("split_seed", seed))
    parts = random_split(range(len(targets)), [1 - 0.15 - 0.15, 0.15, 0.15], generator=generator)
    indices = torch.tensor(parts[0].indices)
    if settings.get("train_samples"):
        indices = indices[:settings["train_samples"]]
    inputs, targets = inputs[indices], targets[indices]
    if inputs.dtype == torch.uint8:
        pixels = inputs[:4096].float()
        inputs = (inputs.float() - pixels.mean()) / pixels.std(unbiased=False)
    elif inputs.is_floating_point():
        inputs = (inputs - inputs.mean(0)) / inputs.std(0, unbiased=False)
    return inputs, targets, outputs


def make_loss(settings):
    """Cross-entropy for classes, over every token of a text; mean squared error for other targets."""
    smoothing = settings.get("label_smoothing", 0)

    def loss(scores, targets):
        if targets.is_floating_point():
            return torch.nn.functional.mse_loss(scores, targets)
        return torch.nn.functional.cross_entropy(scores.flatten(0, -2), targets.flatten(), label_smoothing=smoothing)

    return loss


def make_optimizer(settings, parameters):
    options = {"lr": settings["lr"], "weight_decay": settings.get("weight_decay", 0)}
    momentum = settings.get("momentum", 0)
    if not settings.get("decay_norm_and_bias", True):
        parameters = list(parameters)
        parameters = [{"params": [p for p in parameters if p.dim() > 1]},
                      {"params": [p for p in parameters if p.dim() <= 1], "weight_decay": 0}]
    if "eps" in settings:
        options["eps"] = settings["eps"]
    # The worker has PyTorch's fused kernels where LibTorch exports them; the default of the CPU adds in another order.
    if settings["optimizer"] != "rmsprop" and tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 4):
        options["fused"] = True
    adam = {**options, "betas": (settings.get("beta1", 0.9), settings.get("beta2", 0.999))}
    makers = {
        "sgd": lambda: torch.optim.SGD(parameters, momentum=momentum, nesterov=settings.get("nesterov", False), **options),
        "adam": lambda: torch.optim.Adam(parameters, **adam),
        "adamw": lambda: torch.optim.AdamW(parameters, **adam),
        "rmsprop": lambda: torch.optim.RMSprop(parameters, momentum=momentum, **options),
        "adagrad": lambda: torch.optim.Adagrad(parameters, **options),
    }
    return makers[settings["optimizer"]]()


def make_schedule(settings, optimizer, steps_per_epoch):
    """Stepped after each step of the optimizer. Supports warm-up only with a constant rate."""
    total = steps_per_epoch * settings["epochs"]
    schedulers = torch.optim.lr_scheduler
    kind = settings.get("schedule", "constant")
    if kind == "step":
        return schedulers.StepLR(optimizer, settings["decay_epochs"] * steps_per_epoch, settings["decay_factor"])
    if kind == "cosine":
        return schedulers.CosineAnnealingLR(optimizer, total)
    if kind == "one_cycle":
        return schedulers.OneCycleLR(optimizer, settings["lr"], total_steps=total, cycle_momentum=False)
    warmup = settings.get("warmup_steps", 0)
    return schedulers.LambdaLR(optimizer, lambda step: (step + 1) / warmup if step < warmup else 1.0)


def train(settings, seed, steps, rank, world_size, device):
    inputs, targets, outputs = training_data(settings, seed)
    inputs, targets = inputs.to(device), targets.to(device)
    torch.manual_seed(seed)
    model = make_model(settings, tuple(inputs.shape[1:]), outputs, vocabulary=outputs)
    model = DistributedDataParallel(model.to(device))
    if settings.get("exchange_precision") == "bf16":
        model.register_comm_hook(None, bf16_compress_hook)
    optimizer = make_optimizer(settings, model.parameters())
    sampler = DistributedSampler(range(len(targets)), world_size, rank, shuffle=True, seed=seed)
    accumulate = settings.get("accumulate", 1)
    batches_per_epoch = math.ceil(len(sampler) / settings["batch_size"])
    if settings.get("drop_last_batch"):
        batches_per_epoch = len(sampler) // settings["batch_size"]
    schedule = make_schedule(settings, optimizer, math.ceil(batches_per_epoch / accumulate))
    criterion = make_loss(settings)
    bf16 = settings.get("precision") == "bf16"
    losses = []
    for epoch in range(settings["epochs"]):
        sampler.set_epoch(epoch)
        batches = torch.tensor(list(sampler)).split(settings["batch_size"])[:batches_per_epoch]
        for first in range(0, len(batches), accumulate):
            group = batches[first:first + accumulate]
            optimizer.zero_grad(set_to_none=True)
            total = 0.0
            for number, batch in enumerate(group):
                with model.no_sync() if number + 1 < len(group) else nullcontext():
                    with torch.autocast(inputs.device.type, torch.bfloat16, enabled=bf16):
                        loss = criterion(model(inputs[batch]), targets[batch]) / len(group)
                    loss.backward()
                total += loss.item()
            if settings.get("clip_norm"):
                torch.nn.utils.clip_grad_norm_(model.parameters(), settings["clip_norm"])
            optimizer.step()
            schedule.step()
            losses.append(total)
            if len(losses) == steps:
                return losses
    return losses


def main():
    job = json.loads(sys.argv[1])
    rank, world_size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    torch.set_num_threads(1)
    device = job.get("device", "cpu")
    backend = "gloo" if device == "cpu" else "nccl"
    dist.init_process_group(backend, init_method=f"file://{job['folder']}/meet", rank=rank, world_size=world_size)
    losses = train(job["settings"], job["seed"], job["steps"], rank, world_size, device)
    assert all(math.isfinite(loss) for loss in losses)
    with open(f"{job['folder']}/losses-{rank}.json", "w") as file:
        json.dump(losses, file)
    dist.barrier()
    os._exit(0)  # torch 2.15 aborts occasionally at interpreter exit, because one of its threads still runs


main()
