"""The models and data of docs/training.md, written in plain PyTorch."""

import gzip
from pathlib import Path

import torch
from torch import nn

DIGITS = Path(__file__).resolve().parents[2] / "resources" / "data" / "digits.csv.gz"


def digits():
    """Images N x 1 x 8 x 8 (uint8) and their classes."""
    rows = [list(map(int, line.split(","))) for line in gzip.open(DIGITS, "rt").read().split()]
    table = torch.tensor(rows)
    return table[:, :64].to(torch.uint8).view(-1, 1, 8, 8), table[:, 64].clone()


class Block(nn.Module):
    """A residual block."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.shortcut = nn.Sequential()
        if inputs != outputs or stride != 1:
            self.shortcut = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        inner = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(inner)) + self.shortcut(x))


class Embeddings(nn.Module):
    def __init__(self, vocabulary, context, width, dropout):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(context, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens):
        return self.dropout(self.tokens(tokens) + self.positions(torch.arange(tokens.shape[1], device=tokens.device)))


class TransformerBlock(nn.Module):
    def __init__(self, width, heads, dropout):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(dropout)

    def attend(self, x):
        samples, length, width = x.shape
        q, k, v = self.qkv(x).view(samples, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        if hasattr(nn.functional, "scaled_dot_product_attention"):
            mixed = nn.functional.scaled_dot_product_attention(q, k, v, dropout_p=self.dropout.p if self.training else 0.0,
                                                               is_causal=True)
            return self.out(mixed.transpose(1, 2).reshape(samples, length, width))
        mask = torch.ones(length, length, dtype=torch.bool, device=x.device).triu(1)
        scores = (q @ k.transpose(-2, -1) / (width // self.heads) ** 0.5).masked_fill(mask, float("-inf"))
        mixed = self.dropout(scores.softmax(-1)) @ v
        return self.out(mixed.transpose(1, 2).reshape(samples, length, width))

    def forward(self, x):
        x = x + self.dropout(self.attend(self.norm1(x)))
        return x + self.dropout(self.down(nn.functional.gelu(self.up(self.norm2(x)))))


def make_model(settings, shape, outputs, vocabulary=0):
    """`shape`: of one sample, in the format of the worker's inspect."""
    hidden, layers = settings.get("hidden", 64), settings.get("layers", 1)
    dropout = settings.get("dropout", 0)
    noise = [nn.Dropout(dropout)] if dropout > 0 else []
    kind = settings["model"]
    if kind == "cnn":
        channels, height, width = shape
        return nn.Sequential(
            nn.Conv2d(channels, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
            nn.Linear(32 * (height // 4) * (width // 4), hidden), nn.ReLU(), *noise, nn.Linear(hidden, outputs))
    if kind == "resnet":
        parts = [nn.Conv2d(shape[0], 16, 3, 1, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU()]
        inputs = 16
        for width in (16, 32, 64):
            for i in range(layers):
                parts.append(Block(inputs, width, 2 if i == 0 and width > 16 else 1))
                inputs = width
        return nn.Sequential(*parts, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, outputs))
    if kind == "transformer":
        heads = settings.get("heads", 4)
        parts = [Embeddings(vocabulary, shape[0], hidden, dropout)]
        parts += [TransformerBlock(hidden, heads, dropout) for _ in range(layers)]
        return nn.Sequential(*parts, nn.LayerNorm(hidden), nn.Linear(hidden, vocabulary))
    features = 1
    for extent in shape:
        features *= extent
    parts = [nn.Flatten()]
    for _ in range(layers if kind == "mlp" else 0):
        parts += [nn.Linear(features, hidden), nn.ReLU(), *noise]
        features = hidden
    return nn.Sequential(*parts, nn.Linear(features, outputs))
