# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs whose graphs are those of torch.fx: user modules over leaves of torch.nn, functions and methods."""

import torch
import torch.nn.functional as F
from torch import nn


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 8)
        self.second = nn.Linear(8, 3)
        self.drop = nn.Dropout(0.4)

    def forward(self, x):
        hidden = torch.relu(self.first(x))
        return self.second(self.drop(hidden))


class Conv(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(inplace=True), nn.MaxPool2d(2), nn.AdaptiveAvgPool2d(1)
        )
        self.fc = nn.Linear(4, 5)

    def forward(self, x):
        x = self.body(x)
        return self.fc(torch.flatten(x, 1))


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.norm = nn.GroupNorm(2, width)
        self.act = nn.SiLU()

    def forward(self, x):
        return x + self.act(self.norm(self.conv(x)))


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(4) for _ in range(3)])
        self.head = nn.Conv2d(4, 2, 1)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)


class Parameters(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 3))
        self.shift = nn.Parameter(torch.randn(4))
        self.register_buffer("scale", torch.rand(4) + 0.5)

    def forward(self, x):
        y = F.linear(x, self.weight, self.shift)
        return y * self.scale + self.shift


class Operators(nn.Module):
    def forward(self, x, y):
        a = 2 * x + y
        b = 1 - x / 3
        c = x @ y.transpose(0, 1)
        d = -(x**2) > y
        e = 3 / (x * x + 1)
        return a, b, c, d, e


class Methods(nn.Module):
    def forward(self, x):
        a = x.view(x.size(0), -1)
        b = x.permute(0, 2, 1).contiguous()
        c = x.mean(dim=1, keepdim=True)
        d = x.unsqueeze(-1).squeeze(-1)
        e = x.reshape((x.shape[0], 6)).float()
        return a, b.sum(2), c, d, e


class Functionals(nn.Module):
    def forward(self, x):
        x = F.relu(x)
        y = F.softmax(x, dim=-1)
        z = F.gelu(x) + F.silu(y)
        w = F.leaky_relu(z, 0.2)
        return F.layer_norm(w, (4,)), F.max_pool2d(x, 2), F.avg_pool2d(x, 2, stride=1), F.pad(x, (1, 1))


class Subscripts(nn.Module):
    def forward(self, x):
        a = x[:, 0]
        b = x[1:, ..., None] if False else x[None]
        c = x[..., 0]
        d = x[:, 1:3, 0]
        e = x[0]
        f = x[:, :2]
        g = x[x > 0]
        return a, b, c, d, e, f, g


class Structures(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        y = self.fc(x)
        out = {"first": y, "pair": torch.stack([x, y], dim=0)}
        return out


class Chunks(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 8)

    def forward(self, x):
        a, b = self.fc(x).chunk(2, dim=-1)
        values, places = torch.max(a, dim=1)
        return torch.cat([a * torch.sigmoid(b), x], dim=1), values, places


class TiedHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(11, 4)
        self.head = nn.Linear(4, 11, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, ids):
        return self.head(self.embed(ids))


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.Tanh()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return self.act(self.fc(self.act(self.fc(x))))


class Defaults(nn.Module):
    """What bindings and operators call differently, or have other defaults for."""

    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5, inplace=True)
        self.feature_drop = nn.Dropout2d(0.5)
        self.loss = nn.TripletMarginLoss()

    def forward(self, x, y):
        a = self.drop(x * 2) + F.dropout(y + 1, 0.5, self.training, inplace=True)
        b = F.alpha_dropout(a * 1, 0.3, False, True) + self.feature_drop(a)
        losses = (self.loss(a, b, x), F.triplet_margin_loss(x, a, b, reduction="none"), F.hinge_embedding_loss(x, y.sign()),
                  F.mse_loss(a, x), F.mse_loss(a, y, reduction="sum"), F.kl_div(x, y, reduction="batchmean"),
                  F.cosine_embedding_loss(x, y, y[:, 0].sign()), F.margin_ranking_loss(x, y, y.sign(), margin=0.1))
        return a, losses


class Moves(nn.Module):
    def forward(self, x, y):
        moved = x.to("cpu") + y.to(device=x.device, dtype=torch.float64) + y.to(x)
        return moved.to(torch.float16).to(y.device, copy=True), x.to(torch.device("cpu"), torch.int64, non_blocking=True)


def cases():
    image, matrix = torch.randn(2, 3, 8, 8), torch.randn(3, 4)
    yield "mlp", Mlp(), (torch.randn(5, 6),), "script trace freeze same"
    yield "conv", Conv(), (image,), "script trace freeze same"
    yield "residual", Residual(), (torch.randn(2, 4, 5, 5),), "script trace freeze same"
    yield "parameters", Parameters(), (torch.randn(2, 3),), "script trace freeze same"
    yield "operators", Operators(), (matrix, torch.randn(3, 4)), "script trace same"
    yield "methods", Methods(), (torch.randn(2, 3, 2),), "script trace same"
    yield "functionals", Functionals(), (torch.randn(1, 2, 4, 4),), "script trace same"
    yield "subscripts", Subscripts(), (torch.randn(3, 4, 5),), "script trace same"
    yield "structures", Structures(), (matrix,), "script same"
    yield "chunks", Chunks(), (matrix,), "script trace freeze same"
    yield "tied", TiedHead(), (torch.tensor([[1, 2, 10]]),), "script trace same"
    yield "defaults", Defaults(), (matrix, torch.randn(3, 4)), "script trace"
    yield "moves", Moves(), (matrix, torch.randn(3, 4)), "script trace"
    yield "shared", Shared(), (matrix,), "script trace same"
