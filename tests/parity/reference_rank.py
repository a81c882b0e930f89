"""One rank of the same training with PyTorch's own DistributedDataParallel. Writes one loss per step."""

import json
import math
import os
import sys
from contextlib import nullcontext

import torch
import torch.distributed as dist
from reference import digits, make_model
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import random_split
from torch.utils.data.distributed import DistributedSampler


def training_data(settings, seed):
    images, classes = digits()
    generator = torch.Generator().manual_seed(seed)
    parts = random_split(range(len(classes)), [1 - 0.15 - 0.15, 0.15, 0.15], generator=generator)
    indices = torch.tensor(parts[0].indices)
    if settings.get("train_samples"):
        indices = indices[:settings["train_samples"]]
    images, classes = images[indices], classes[indices]
    pixels = images[:4096].float()
    return (images.float() - pixels.mean()) / pixels.std(unbiased=False), classes


def make_optimizer(settings, parameters):
    lr, decay = settings["lr"], settings.get("weight_decay", 0)
    if settings["optimizer"] == "adamw":
        return torch.optim.AdamW(parameters, lr=lr, weight_decay=decay)
    return torch.optim.SGD(parameters, lr=lr, momentum=settings.get("momentum", 0), weight_decay=decay)


def train(settings, seed, steps, rank, world_size, device):
    inputs, classes = (tensor.to(device) for tensor in training_data(settings, seed))
    torch.manual_seed(seed)
    model = DistributedDataParallel(make_model(settings, tuple(inputs.shape[1:]), 10).to(device))
    optimizer = make_optimizer(settings, model.parameters())
    sampler = DistributedSampler(range(len(classes)), world_size, rank, shuffle=True, seed=seed)
    accumulate = settings.get("accumulate", 1)
    losses = []
    for epoch in range(settings["epochs"]):
        sampler.set_epoch(epoch)
        batches = torch.tensor(list(sampler)).split(settings["batch_size"])
        for first in range(0, len(batches), accumulate):
            group = batches[first:first + accumulate]
            optimizer.zero_grad(set_to_none=True)
            total = 0.0
            for number, batch in enumerate(group):
                with model.no_sync() if number + 1 < len(group) else nullcontext():
                    loss = torch.nn.functional.cross_entropy(model(inputs[batch]), classes[batch]) / len(group)
                    loss.backward()
                total += loss.item()
            if settings.get("clip_norm"):
                torch.nn.utils.clip_grad_norm_(model.parameters(), settings["clip_norm"])
            optimizer.step()
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


main()
