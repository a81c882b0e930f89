import argparse

import torch
from torch import nn

from sweepscope.tensorboard import SummaryWriter

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.1)
args = parser.parse_args()
torch.manual_seed(1)
inputs, targets = torch.randn(64, 4), torch.randn(64, 1)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
with SummaryWriter("runs", also=True) as writer:
    for step in range(20):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(inputs), targets)
        loss.backward()
        optimizer.step()
        writer.add_scalar("Loss/train", loss, step)
        writer.add_histogram("weights", model.weight, step)
    writer.add_scalars("norms", {"weight": model.weight.norm(), "bias": model.bias.norm()}, 19)
    writer.add_hparams({"lr": args.lr}, {"hparam/loss": loss.item()})
