"""
Trains a small character-level GPT, in one file. On one CPU:
$ python train.py --batch_size=8
On several processes:
$ torchrun --standalone --nproc_per_node=2 train.py
"""
import math
import os
import sys
import time
from contextlib import nullcontext

import torch
import torch.nn as nn
from torch.distributed import destroy_process_group, init_process_group
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

# -----------------------------------------------------------------------------
eval_interval = 10
eval_iters = 4
log_interval = 1
gradient_accumulation_steps = 4
batch_size = 8
block_size = 32
n_layer = 2
n_head = 2
n_embd = 32
dropout = 0.0
learning_rate = 1e-2
max_iters = 30
warmup_iters = 5
min_lr = 1e-3
grad_clip = 1.0
backend = "gloo"
device = "cpu"
# -----------------------------------------------------------------------------
for argument in sys.argv[1:]:
    name, value = argument.removeprefix("--").split("=")
    globals()[name] = type(globals()[name])(value)
# -----------------------------------------------------------------------------

ddp = int(os.environ.get("RANK", -1)) != -1
if ddp:
    init_process_group(backend=backend)
    ddp_rank = int(os.environ["RANK"])
    ddp_world_size = int(os.environ["WORLD_SIZE"])
    master_process = ddp_rank == 0
    seed_offset = ddp_rank
    assert gradient_accumulation_steps % ddp_world_size == 0
    gradient_accumulation_steps //= ddp_world_size
else:
    master_process = True
    seed_offset = 0
torch.manual_seed(1337 + seed_offset)
torch.set_num_threads(1)
ctx = nullcontext() if device == "cpu" else torch.amp.autocast(device_type=device)

text = "".join("the sum of {} and {} is {}.\n".format(a, b, a + b) for a in range(40) for b in range(40))
characters = sorted(set(text))
stoi = {character: i for i, character in enumerate(characters)}
data = torch.tensor([stoi[character] for character in text])
splits = {"train": data[: int(0.9 * len(data))], "val": data[int(0.9 * len(data)):]}


def get_batch(split):
    tokens = splits[split]
    starts = torch.randint(len(tokens) - block_size, (batch_size,))
    x = torch.stack([tokens[i: i + block_size] for i in starts])
    y = torch.stack([tokens[i + 1: i + 1 + block_size] for i in starts])
    return x, y


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(n_embd), nn.LayerNorm(n_embd)
        self.qkv, self.proj = nn.Linear(n_embd, 3 * n_embd), nn.Linear(n_embd, n_embd)
        self.mlp = nn.Sequential(nn.Linear(n_embd, 4 * n_embd), nn.GELU(), nn.Linear(4 * n_embd, n_embd))

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (part.view(B, T, n_head, C // n_head).transpose(1, 2) for part in self.qkv(self.ln_1(x)).split(C, dim=2))
        attended = F.scaled_dot_product_attention(q, k, v, dropout_p=dropout if self.training else 0, is_causal=True)
        x = x + self.proj(attended.transpose(1, 2).reshape(B, T, C))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.places = nn.Embedding(len(characters), n_embd), nn.Embedding(block_size, n_embd)
        self.blocks = nn.ModuleList(Block() for _ in range(n_layer))
        self.norm, self.head = nn.LayerNorm(n_embd), nn.Linear(n_embd, len(characters), bias=False)
        self.tokens.weight = self.head.weight

    def forward(self, x, targets):
        h = self.tokens(x) + self.places(torch.arange(x.size(1)))
        for block in self.blocks:
            h = block(h)
        logits = self.head(self.norm(h))
        return logits, F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))


model = GPT()
scaler = torch.amp.GradScaler(device, enabled=False)
optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate, betas=(0.9, 0.95))
if ddp:
    model = DDP(model)
raw_model = model.module if ddp else model
print("number of parameters: %.2fM" % (sum(p.numel() for p in model.parameters()) / 1e6,))


@torch.no_grad()
def estimate_loss():
    out = {}
    model.eval()
    for split in ["train", "val"]:
        losses = torch.zeros(eval_iters)
        for k in range(eval_iters):
            losses[k] = raw_model(*get_batch(split))[1].item()
        out[split] = losses.mean()
    model.train()
    return out


def get_lr(it):
    if it < warmup_iters:
        return learning_rate * (it + 1) / (warmup_iters + 1)
    ratio = (it - warmup_iters) / (max_iters - warmup_iters)
    return min_lr + 0.5 * (1.0 + math.cos(math.pi * ratio)) * (learning_rate - min_lr)


X, Y = get_batch("train")
t0 = time.time()
iter_num = 0
while True:
    for param_group in optimizer.param_groups:
        param_group["lr"] = get_lr(iter_num)
    if iter_num % eval_interval == 0 and master_process:
        losses = estimate_loss()
        print(f"step {iter_num}: train loss {losses['train']:.4f}, val loss {losses['val']:.4f}")
    for micro_step in range(gradient_accumulation_steps):
        if ddp:
            model.require_backward_grad_sync = micro_step == gradient_accumulation_steps - 1
        with ctx:
            logits, loss = model(X, Y)
            loss = loss / gradient_accumulation_steps
        X, Y = get_batch("train")
        scaler.scale(loss).backward()
    if grad_clip != 0.0:
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
    t1 = time.time()
    dt, t0 = t1 - t0, t1
    if iter_num % log_interval == 0 and master_process:
        lossf = loss.item() * gradient_accumulation_steps
        print(f"iter {iter_num}: loss {lossf:.4f}, time {dt * 1000:.2f}ms, mfu {-100.0:.2f}%")
    iter_num += 1
    if iter_num > max_iters:
        break

if ddp:
    destroy_process_group()
