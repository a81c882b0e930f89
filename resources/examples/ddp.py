#!/usr/bin/env python3
"""A training script for torchrun that knows nothing of Sweepscope:  torchrun --nproc-per-node 2 ddp.py --lr 0.05"""
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.05)
parser.add_argument("--hidden", type=int, default=64)
parser.add_argument("--epochs", type=int, default=10)
arguments = parser.parse_args()

on_gpu = torch.cuda.is_available()
dist.init_process_group("nccl" if on_gpu else "gloo")
device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if on_gpu else torch.device("cpu")
torch.manual_seed(1)
inputs = torch.randn(2400, 16)
targets = (torch.tanh(inputs @ torch.randn(16, 8)) @ torch.randn(8, 4)).argmax(1)
dataset = TensorDataset(inputs[:2000], targets[:2000])
sampler = DistributedSampler(dataset)
loader = DataLoader(dataset, batch_size=50, sampler=sampler)
model = nn.Sequential(nn.Linear(16, arguments.hidden), nn.ReLU(), nn.Linear(arguments.hidden, 4)).to(device)
model = DistributedDataParallel(model, device_ids=[device.index] if on_gpu else None)
optimizer = torch.optim.SGD(model.parameters(), lr=arguments.lr, momentum=0.9)

for epoch in range(arguments.epochs):
    sampler.set_epoch(epoch)
    for batch, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(inputs[2000:].to(device)).argmax(1) == targets[2000:].to(device)).float().mean()
    if dist.get_rank() == 0:
        print(f"epoch {epoch + 1}: loss {loss:.3f}, accuracy {accuracy:.3f}")
dist.destroy_process_group()
