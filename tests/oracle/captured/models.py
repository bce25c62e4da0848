# SPDX-License-Identifier: GPL-3.0-or-later
# Models that are captured: each with its arguments by name. Their graphs are traced by torch.fx first, so that nothing here branches on values.
import torch
import torch.nn as nn
import torch.nn.functional as F

from architectures import ARCHITECTURES, drawn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.head = nn.Linear(8, 4)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        y = F.max_pool2d(F.relu(self.norm(self.conv(x))), 2).mean((2, 3))
        return F.log_softmax(self.drop(self.head(y)), dim=-1)


class Block(nn.Module):
    def __init__(self, width, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(width, width, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)

    def forward(self, x):
        out = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        out += x
        return self.relu(out)


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU())
        self.layers = nn.Sequential(Block(4), Block(4))
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        x = self.layers(self.stem(x))
        return self.fc(torch.flatten(F.adaptive_avg_pool2d(x, (1, 1)), 1))


class Loss(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 6), nn.GELU(), nn.LayerNorm(6), nn.Linear(6, 3))

    def forward(self, x, target):
        return F.cross_entropy(self.net(x), target)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(8, 24)
        self.out = nn.Linear(8, 8)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = [t.view(2, 3, 2, 4).transpose(1, 2) for t in (q, k, v)]
        y = F.scaled_dot_product_attention(q, k, v)
        return self.out(y.transpose(1, 2).reshape(2, 3, 8))


class Softmaxed(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(4, 4)
        self.k = nn.Linear(4, 4)
        self.register_buffer("mask", torch.triu(torch.ones(3, 3, dtype=torch.bool), 1))

    def forward(self, x):
        scores = self.q(x) @ self.k(x).transpose(-2, -1) / 2.0
        return torch.softmax(scores.masked_fill(self.mask, float("-inf")), -1) @ x


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(5, 4)
        self.head = nn.Linear(4, 5, bias=False)
        self.head.weight = self.tokens.weight
        self.frozen = nn.Parameter(torch.ones(4), requires_grad=False)

    def forward(self, ids):
        return self.head(self.tokens(ids) * self.frozen)


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Linear(3, 3)
        self.unused = nn.Parameter(torch.ones(2))

    def forward(self, x, y):
        a = torch.tanh(self.shared(x))
        b = torch.sigmoid(self.shared(y)) * a
        return a, b.sum(1)


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(4, 8, bias=False)
        self.gate = nn.Linear(4, 8, bias=False)
        self.down = nn.Linear(8, 4, bias=False)
        self.scale = nn.Parameter(torch.ones(4))

    def forward(self, x):
        y = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.scale
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Writes(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        y = x * self.weight
        y = y.clone()
        y.add_(1).mul_(2)
        self.calls.add_(1)
        return y + torch.tensor([1.0, 2.0, 3.0]) + self.calls


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 4)
        self.lstm = nn.LSTMCell(4, 4)

    def forward(self, x):
        h = self.cell(x)
        h, c = self.lstm(self.cell(x, h))
        return h + c


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose2d(2, 3, 2, stride=2)
        self.norm = nn.GroupNorm(1, 3)

    def forward(self, x):
        y = F.leaky_relu(self.norm(self.up(x)), 0.1)
        return F.interpolate(y, scale_factor=2, mode="bilinear", align_corners=False), F.pad(y, (1, 1, 1, 1))


class Around(nn.Module):
    def __init__(self, *layers):
        super().__init__()
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x)


class Counting(nn.Module):
    """Writes through views, into its input and into a buffer."""

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.register_buffer("seen", torch.zeros(4))

    def forward(self, x):
        x.mul_(0.5)
        self.seen.add_(x.mean(0))
        y = self.lin(x)
        flat = y.view(-1)
        flat[1:3].mul_(3)
        y.select(1, 0).copy_(self.seen.sum())
        return y.t().add_(1), y + x


MODELS = {
    "classifier": lambda: (Classifier(), drawn(x=(2, 3, 8, 8))),
    "classifier_eval": lambda: (Classifier().eval(), drawn(x=(2, 3, 8, 8))),
    "residual": lambda: (Residual().eval(), drawn(x=(1, 3, 8, 8))),
    "residual_train": lambda: (Residual(), drawn(x=(2, 3, 8, 8))),
    "loss": lambda: (Loss(), {**drawn(x=(2, 4)), "target": torch.tensor([0, 2])}),
    "attention": lambda: (Attention(), drawn(x=(2, 3, 8))),
    "softmaxed": lambda: (Softmaxed(), drawn(x=(1, 3, 4))),
    "tied": lambda: (Tied(), {"ids": torch.tensor([1, 3])}),
    "two": lambda: (Two(), drawn(x=(2, 3), y=(2, 3))),
    "gated": lambda: (Gated(), drawn(x=(2, 4))),
    "writes": lambda: (Writes(), drawn(x=(2, 3))),
    "counting": lambda: (Counting(), drawn(x=(2, 4))),
    "recurrent": lambda: (Recurrent(), drawn(x=(2, 3))),
    "decoder": lambda: (Decoder(), drawn(x=(1, 2, 3, 3))),
    "linear": lambda: (Around(nn.Linear(3, 2)), drawn(x=(2, 3))),
    "mlp": lambda: (Around(nn.Linear(4, 4), nn.ELU(), nn.Linear(4, 2), nn.Softplus()), drawn(x=(2, 4))),
    "activations": lambda: (Around(nn.PReLU(), nn.Hardswish(), nn.Mish(), nn.SELU(), nn.Linear(4, 4), nn.GLU(), nn.Tanh(),
                                   nn.Softmax(-1)), drawn(x=(2, 4))),
    "one_dimension": lambda: (Around(nn.Conv1d(2, 4, 3, groups=2), nn.InstanceNorm1d(4, affine=True), nn.AvgPool1d(2), nn.Flatten()),
                              drawn(x=(1, 2, 8))),
    "three_dimensions": lambda: (Around(nn.Conv3d(1, 2, 2), nn.BatchNorm3d(2), nn.ReLU6(), nn.AdaptiveAvgPool3d(1)).eval(),
                                 drawn(x=(1, 1, 4, 4, 4))),
    "transformer": lambda: (Around(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)), drawn(x=(1, 3, 8))),
    "double": lambda: (Around(nn.Linear(3, 2), nn.Sigmoid()).double(), {"x": torch.ones(2, 3, dtype=torch.float64)}),
    **ARCHITECTURES,
}


def build(name):
    return MODELS[name]()[0]
