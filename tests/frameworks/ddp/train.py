import argparse
import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    def __init__(self, model, train_data, test_data, optimizer, scheduler):
        self.rank = int(os.environ["LOCAL_RANK"])
        self.model = DDP(model)
        self.train_data = train_data
        self.test_data = test_data
        self.optimizer = optimizer
        self.scheduler = scheduler

    def _run_batch(self, source, targets):
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.model(source), targets)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def _run_epoch(self, epoch):
        self.train_data.sampler.set_epoch(epoch)
        for source, targets in self.train_data:
            loss = self._run_batch(source, targets)
        print(f"[rank {self.rank}] Epoch {epoch} | Steps: {len(self.train_data)} | Loss: {loss:.4f}")

    def _test(self):
        self.model.eval()
        correct = 0
        with torch.no_grad():
            for source, targets in self.test_data:
                correct += (self.model(source).argmax(1) == targets).sum().item()
        self.model.train()
        print(f"Test set: Accuracy: {correct}/{len(self.test_data.dataset)}")

    def train(self, max_epochs):
        for epoch in range(max_epochs):
            self._run_epoch(epoch)
            self.scheduler.step()
            self._test()
            if self.rank == 0:
                torch.save(self.model.module.state_dict(), "snapshot.pt")


def main():
    parser = argparse.ArgumentParser(description="simple distributed training job")
    parser.add_argument("--epochs", default=4, type=int)
    parser.add_argument("--batch_size", default=20, type=int)
    parser.add_argument("--lr", default=0.05, type=float)
    args = parser.parse_args()
    dist.init_process_group(backend="gloo")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    inputs = torch.randn(600, 16)
    targets = (inputs @ torch.randn(16, 4)).argmax(1)
    train_set, test_set = TensorDataset(inputs[:480], targets[:480]), TensorDataset(inputs[480:], targets[480:])
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    train_data = DataLoader(train_set, batch_size=args.batch_size, shuffle=False, sampler=DistributedSampler(train_set),
                            num_workers=1, persistent_workers=True)
    test_data = DataLoader(test_set, batch_size=60, shuffle=False)
    Trainer(model, train_data, test_data, optimizer, StepLR(optimizer, 2, 0.5)).train(args.epochs)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
