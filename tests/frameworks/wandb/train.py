import torch
from torch import nn

import sweepscope.wandb as wandb

wandb.init(project="bowl", config={"lr": 0.5, "steps": 20})
config = wandb.config
torch.manual_seed(1)
inputs, targets = torch.randn(64, 4), torch.randn(64, 1)
model = nn.Linear(4, 1)
wandb.watch(model)
optimizer = torch.optim.SGD(model.parameters(), lr=config.lr)
for step in range(config.steps):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(inputs), targets)
    loss.backward()
    optimizer.step()
    wandb.log({"train": {"loss": loss.item()}, "used_lr": config.lr}, commit=False)
    wandb.log({"weights": wandb.Histogram(model.weight.tolist())})
wandb.summary["final_loss"] = loss.item()
wandb.finish()
