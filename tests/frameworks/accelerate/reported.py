import torch
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader, TensorDataset

from sweepscope.accelerate import SweepscopeTracker


def main():
    set_seed(7)
    torch.set_num_threads(1)
    tracker = SweepscopeTracker()
    accelerator = Accelerator(cpu=True, log_with=tracker)
    accelerator.init_trackers("digits", config={"learning_rate": 1e-2})
    inputs = torch.randn(480, 16)
    dataset = TensorDataset(inputs, (inputs @ torch.randn(16, 4)).argmax(1))
    model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    model, optimizer, loader = accelerator.prepare(model, optimizer, DataLoader(dataset, batch_size=8, shuffle=True))
    step = 0
    for epoch in range(2):
        for x, y in loader:
            loss = F.cross_entropy(model(x), y)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
            step += 1
            accelerator.log({"train_loss": loss}, step=step)  # on the main process
            tracker.log({"rank_loss": loss}, step=step)  # on every rank
            if tracker.should_stop():
                break
    accelerator.end_training()


if __name__ == "__main__":
    main()
