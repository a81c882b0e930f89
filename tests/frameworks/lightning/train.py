import os

import lightning as L
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Classifier(L.LightningModule):
    def __init__(self, learning_rate=0.05):
        super().__init__()
        self.save_hyperparameters()
        self.net = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4))

    def forward(self, x):
        return self.net(x)

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.cross_entropy(self(x), y)
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self.log("val_loss", F.cross_entropy(self(x), y), sync_dist=True)

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=self.hparams.learning_rate)
        return {"optimizer": optimizer, "lr_scheduler": torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.5)}


if __name__ == "__main__":
    L.seed_everything(1)
    torch.set_num_threads(1)
    inputs = torch.randn(480, 16)
    dataset = TensorDataset(inputs, (inputs @ torch.randn(16, 4)).argmax(1))
    train_loader = DataLoader(dataset, batch_size=20, shuffle=True)
    val_loader = DataLoader(dataset, batch_size=60)
    world_size = int(os.environ.get("WORLD_SIZE", "1"))
    trainer = L.Trainer(max_epochs=3, accelerator="cpu", devices=world_size, strategy="ddp" if world_size > 1 else "auto",
                        gradient_clip_val=1.0, log_every_n_steps=5)
    trainer.fit(Classifier(), train_loader, val_loader)
