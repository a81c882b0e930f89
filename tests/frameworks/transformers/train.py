import torch
from torch.utils.data import Dataset
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments, set_seed


class Sequences(Dataset):
    def __init__(self, size, length=16, vocabulary=64):
        starts = torch.randint(vocabulary, (size, 1))
        self.tokens = (starts + torch.arange(length)) % vocabulary

    def __len__(self):
        return len(self.tokens)

    def __getitem__(self, i):
        return {"input_ids": self.tokens[i], "labels": self.tokens[i]}


def main():
    set_seed(42)
    torch.set_num_threads(1)
    config = GPT2Config(vocab_size=64, n_positions=16, n_embd=32, n_layer=2, n_head=2, bos_token_id=0, eos_token_id=0)
    training_args = TrainingArguments(
        output_dir="output",
        num_train_epochs=2,
        per_device_train_batch_size=8,
        gradient_accumulation_steps=2,
        learning_rate=5e-3,
        logging_steps=5,
        eval_strategy="epoch",
        save_strategy="no",
        report_to="none",
        use_cpu=True,
    )
    trainer = Trainer(model=GPT2LMHeadModel(config), args=training_args, train_dataset=Sequences(480),
                      eval_dataset=Sequences(64))
    trainer.train()


if __name__ == "__main__":
    main()
