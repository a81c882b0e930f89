import argparse
import os
import time

import lightning as L
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from sweepscope.lightning import SweepscopeCallback, SweepscopeLogger, last_checkpoint


class Shuffled:
    """Batches of a rank. Lightning does not call set_epoch() of such a batch sampler."""

    def __init__(self, size, rank, world_size):
        self.size, self.rank, self.world_size, self.epoch = size, rank, world_size, 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        order = torch.randperm(self.size, generator=torch.Generator().manual_seed(self.epoch))
        return iter(order[self.rank::self.world_size].view(-1, 20).tolist())

    def __len__(self):
        return self.size // self.world_size // 20


class Classifier(L.LightningModule):
    def __init__(self, learning_rate, pause):
        super().__init__()
        self.save_hyperparameters()
        self.net = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4))

    def training_step(self, batch, batch_idx):
        x, y = batch
        time.sleep(self.hparams.pause)
        loss = F.cross_entropy(self.net(x), y)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self.log("val_loss", F.cross_entropy(self.net(x), y), sync_dist=True)

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.hparams.learning_rate)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--learning_rate", type=float, default=0.05)
    parser.add_argument("--pause", type=float, default=0.0)
    parser.add_argument("--mistake")
    args = parser.parse_args()
    L.seed_everything(1)
    torch.set_num_threads(1)
    inputs = torch.randn(480, 16)
    dataset = TensorDataset(inputs, (inputs @ torch.randn(16, 4)).argmax(1))
    world_size = int(os.environ.get("WORLD_SIZE", "1"))
    trainer = L.Trainer(max_epochs=3, min_epochs=2, accelerator="cpu", devices=world_size, log_every_n_steps=5,
                        strategy="ddp" if world_size > 1 else "auto", gradient_clip_val=1.0, enable_progress_bar=False,
                        use_distributed_sampler=not args.mistake, logger=SweepscopeLogger(), callbacks=[SweepscopeCallback()])
    loader = DataLoader(dataset, batch_size=20, shuffle=True)
    if args.mistake:
        loader = DataLoader(dataset, batch_sampler=Shuffled(len(dataset), int(os.environ.get("RANK", "0")), world_size))
    trainer.fit(Classifier(args.learning_rate, args.pause), loader, DataLoader(dataset, batch_size=60),
                ckpt_path=last_checkpoint())
