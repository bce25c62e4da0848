# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators and modules that draw random numbers."""

import torch
import torch.fx
import torch.nn.functional as F
from torch import nn


def calls(x):
    generated = torch.bernoulli(torch.sigmoid(x)), torch.multinomial(x.abs() + 0.1, 2), torch.normal(x, 0.5)
    like = torch.rand_like(x), torch.randn_like(x), torch.randint_like(x, 9), torch.poisson(x.abs())
    return generated, like


def factories():
    """Calls that tracing would evaluate at once."""
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    calls = [(torch.randperm, (9,), {}), (torch.rand, (2, 3), {}), (torch.randn, ((2, 3),), {"dtype": torch.float64}),
             (torch.randint, (0, 7, (2, 2)), {}), (torch.randint, (5, (3,)), {"dtype": torch.int32}),
             (torch.normal, (0.0, 2.0, (3, 3)), {}), (torch.bernoulli, (x, 0.4), {}),
             (torch.rand_like, (x,), {}),
             (torch.ops.aten.rand.default, ([3],), {}), (torch.ops.aten.randperm.default, (4,), {}),
             (torch.ops.aten.randn, ([2],), {}), (torch.ops.aten.bernoulli.p, (x, 0.5), {}),
             (torch.ops.aten.native_dropout.default, (x, 0.5, True), {})]
    graph.output(tuple(graph.call_function(function, args, kwargs) for function, args, kwargs in calls))
    return torch.fx.GraphModule(nn.Module(), graph)


def dropouts(x):
    image = x[:, :, None, None] * torch.ones(1, 1, 3, 3)
    return (F.dropout(x, 0.4, True), F.dropout(x, 0.4, False), F.alpha_dropout(x, 0.3, True), F.dropout1d(x, 0.5, True),
            F.dropout2d(image, 0.5, True), F.dropout3d(image[:, :, None], 0.5, True),
            F.feature_alpha_dropout(image, 0.5, True), torch.dropout(x, 0.2, True))


def functions(x):
    return (F.gumbel_softmax(x), F.gumbel_softmax(x, hard=True), F.rrelu(x, 0.1, 0.4, True),
            torch.rrelu(x, 0.1, 0.3, True), F.fractional_max_pool2d(x[None, None], 2, output_size=(1, 1)))


def methods(x):
    y = x.clone()
    return (y.normal_(), x.clone().uniform_(-1, 2), x.clone().bernoulli_(0.3), x.clone().exponential_(),
            x.clone().random_(0, 10), x.clone().cauchy_(), x.clone().geometric_(0.4), x.clone().log_normal_(),
            x.bernoulli(0.5), x.abs().multinomial(3, True))


class Modules(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.Sequential(nn.Dropout(0.5), nn.Linear(6, 6), nn.AlphaDropout(0.2), nn.RReLU())
        self.image = nn.Sequential(nn.Dropout2d(0.5), nn.Conv2d(4, 4, 1), nn.FeatureAlphaDropout(0.5))
        self.attention = nn.MultiheadAttention(6, 2, dropout=0.4, batch_first=True)
        self.recurrent = nn.LSTM(6, 5, num_layers=2, dropout=0.5, batch_first=True)
        self.encoder = nn.TransformerEncoderLayer(6, 2, 8, dropout=0.3, batch_first=True)

    def forward(self, x):
        x = self.rows(x)
        image = self.image(x[:, :4, None, None] * 2)
        y = x[None]
        return image, self.attention(y, y, y)[0], self.recurrent(y)[0], self.encoder(y)


class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Dropout(0.5), nn.Dropout(0.3, inplace=True)

    def forward(self, x):
        return self.second(self.first(x) + torch.rand_like(x)) + torch.randn(4, 6)


def cases():
    x = torch.randn(4, 6)
    for seed in (0, 12345):
        yield f"calls_{seed}", calls, [x], {"seed": seed}
    yield "factories", factories(), [x], {"graph": True, "seed": 7}
    yield "dropouts", dropouts, [x], {"seed": 1}
    yield "random_functions", functions, [x], {"seed": 2}
    yield "random_methods", methods, [x], {"seed": 3}
    yield "random_modules", Modules(), [x], {"seed": 4, "train": True}
    yield "no_random_modules", Modules(), [x], {"seed": 4}
    yield "exported_dropout", Nested(), [x], {"seed": 5, "train": True, "export": True}
    yield "exported_dropout_eval", Nested(), [x], {"seed": 5, "export": True}
    yield "random_with_grad", Modules(), [x], {"seed": 6, "train": True, "grad": "grad"}
