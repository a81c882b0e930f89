import argparse
import time

import torch
from torch.utils.data import Dataset
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments, set_seed

from sweepscope.transformers import SweepscopeCallback, last_checkpoint, output_folder


class Sequences(Dataset):
    def __init__(self, size, pause=0.0):
        self.tokens = (torch.randint(64, (size, 1)) + torch.arange(16)) % 64
        self.pause = pause

    def __len__(self):
        return len(self.tokens)

    def __getitem__(self, i):
        time.sleep(self.pause)
        return {"input_ids": self.tokens[i], "labels": self.tokens[i]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--learning_rate", type=float, default=5e-3)
    parser.add_argument("--pause", type=float, default=0.0)
    args = parser.parse_args()
    set_seed(42)
    torch.set_num_threads(1)
    config = GPT2Config(vocab_size=64, n_positions=16, n_embd=32, n_layer=2, n_head=2, bos_token_id=0, eos_token_id=0)
    training_args = TrainingArguments(
        output_dir=output_folder("output"),
        num_train_epochs=2,
        per_device_train_batch_size=8,
        gradient_accumulation_steps=2,
        learning_rate=args.learning_rate,
        logging_steps=5,
        eval_strategy="epoch",
        save_strategy="no",
        disable_tqdm=True,
        use_cpu=True,
    )
    trainer = Trainer(model=GPT2LMHeadModel(config), args=training_args, train_dataset=Sequences(480, args.pause),
                      eval_dataset=Sequences(64), callbacks=[SweepscopeCallback()])
    trainer.train(resume_from_checkpoint=last_checkpoint())


if __name__ == "__main__":
    main()
