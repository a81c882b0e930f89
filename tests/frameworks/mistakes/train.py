"""Trains on two ranks and does one thing wrong, as people do."""
import sys
import time

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler

mistake = sys.argv[1]


class Samples(Dataset):
    def __init__(self):
        generator = torch.Generator().manual_seed(5)
        self.inputs = torch.randn(240, 16, generator=generator)
        self.targets = (self.inputs @ torch.randn(16, 4, generator=generator)).argmax(1)

    def __len__(self):
        return len(self.inputs)

    def __getitem__(self, i):
        if mistake == "starving loader":
            time.sleep(0.02)
        return self.inputs[i], self.targets[i]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))

    def forward(self, x):
        return self.net(x)


dist.init_process_group("gloo")
torch.set_num_threads(1)
torch.manual_seed(0)
dataset = Samples()
sampler = DistributedSampler(dataset, num_replicas=2, rank=0) if mistake == "same samples" else DistributedSampler(dataset)
model = Net()
if mistake == "wrapper thrown away":
    DDP(model)
elif mistake == "no wrapper":
    pass
elif mistake == "unused parameters":
    model = DDP(model, find_unused_parameters=True)
else:
    model = DDP(model)
if mistake == "late parameters":
    model.module.net = nn.Sequential(model.module.net, nn.Linear(4, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
if mistake == "no sampler":
    loader = DataLoader(dataset, batch_size=10, shuffle=True)
else:
    loader = DataLoader(dataset, batch_size=10, sampler=sampler)
for epoch in range(4):
    if mistake != "no set_epoch":
        sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
dist.destroy_process_group()
