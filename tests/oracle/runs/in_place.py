# SPDX-License-Identifier: GPL-3.0-or-later
"""Graphs that write: into inputs, views, buffers and parameters."""

import operator

import torch
import torch.fx
import torch.nn.functional as F
from torch import nn


def writes_input(x, y):
    x.add_(1)
    z = x * 2
    x.mul_(y)
    return x, z, x + z


def views_of_views(x):
    row = x[1]
    part = row[1:3]
    part.zero_()
    middle = x.view(-1)[4:8]
    middle.add_(10)
    x.t()[0].fill_(5)
    return x, row, part, middle, x.transpose(0, 1), x.unsqueeze(0).expand(2, -1, -1)


class SetItems(nn.Module):
    def forward(self, x, i):
        x[0] = 3.0
        x[1, 2:] = x[0, :2] + 1
        y = x[:, ::2]
        y[...] = y * 2
        x[i] = -1
        x[x > 4] = 0
        return x, y


class Augmented(nn.Module):
    def forward(self, x, y):
        z = x
        z += y
        z -= 1
        z *= 2
        z /= 4
        z **= 2
        w = z.to(torch.int64)
        w <<= 1
        w |= 1
        w &= 7
        w ^= 2
        w >>= 1
        w //= 2
        w %= 3
        return x, z, w


def out_keywords(x, y):
    into = torch.empty_like(x)
    added = torch.add(x, y, out=into)
    values, indices = torch.empty(3), torch.empty(3, dtype=torch.int64)
    best = torch.max(x, 1, out=(values, indices))
    return added, into, best[0], values, indices, torch.matmul(x, y.t(), out=torch.empty(3, 3))


def functional_in_place(x):
    y = x.clone()
    return F.relu(y, inplace=True), y, F.dropout(y, 0.5, True, True), F.leaky_relu_(y.clone()), torch.relu_(y.neg()), F.threshold(
        y, 0.1, 7.0, inplace=True), y


def more_methods(x):
    y = x.clone()
    y.clamp_(-1, 1).sub_(0.5)
    y.index_fill_(0, torch.tensor([0]), 9.0)
    y.masked_fill_(y < 0, 4.0)
    y.scatter_(1, torch.zeros(3, 1, dtype=torch.int64), 2.0)
    y.copy_(y + x[0])
    y.t_()
    y.unsqueeze_(0)
    return y, x, y.squeeze_(0), y.resize_(2, 2), y.set_(x[0].clone())


class Statistics(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)
        self.average = nn.BatchNorm1d(4, momentum=None)
        self.instance = nn.InstanceNorm1d(4, affine=True, track_running_stats=True)
        self.lookup = nn.Embedding(5, 4, max_norm=0.5)

    def forward(self, x, i):
        x = self.average(self.norm(x))
        x = self.instance(x.t()[None])[0].t()
        return self.lookup(i), self.norm(x)


class Spectral(nn.Module):
    def __init__(self):
        super().__init__()
        self.spectral = nn.utils.spectral_norm(nn.Linear(4, 4))

    def forward(self, x):
        return self.spectral(x)


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3), requires_grad=False)
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))
        self.register_buffer("window", torch.zeros(2, 3))
        self.register_buffer("hidden", torch.ones(2), persistent=False)

    def forward(self, x):
        self.count.add_(1)
        self.window[1].copy_(x)
        self.weight.mul_(2)
        self.hidden += 1
        row = self.window[1]
        row += self.weight
        return x + self.count, self.window, row, self.weight, self.hidden


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.last = nn.BatchNorm2d(3), nn.BatchNorm1d(4, momentum=0.3)

    def forward(self, x):
        return self.last(self.norm(x).flatten(1)[:, :4])


class Functional(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(4))
        self.register_buffer("variance", torch.ones(4))
        self.table = nn.Parameter(torch.randn(5, 4))

    def forward(self, x, i):
        y = F.batch_norm(x, self.mean, self.variance, training=True, momentum=0.2)
        z = F.instance_norm(x.t()[None], self.mean, self.variance, use_input_stats=True)
        return y, z, F.embedding(i, self.table, max_norm=0.3), self.table


class Leaves(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.Sequential(nn.ReLU(inplace=True), nn.Hardtanh(-0.5, 0.5, inplace=True), nn.Identity())
        self.table = nn.Parameter(torch.randn(4), requires_grad=False)

    def forward(self, x):
        y = self.act(x)
        self.act(self.table)
        return y, x, self.table


def by_operator():
    """operator.iadd and friends as call_function nodes, which Python source gives for tensors that are no proxies."""
    graph = torch.fx.Graph()
    x, y = graph.placeholder("x"), graph.placeholder("y")
    flat = graph.call_method("view", (x, -1))
    graph.call_function(operator.iadd, (flat, 2))
    graph.call_function(operator.setitem, (flat, slice(0, 2), 7))
    items = graph.call_function(operator.getitem, (x, 1))
    graph.call_function(operator.imul, (items, y))
    graph.call_function(operator.isub, (x, 1))
    graph.output((x, flat, items, (y, x)))
    return torch.fx.GraphModule(nn.Module(), graph)


def cases():
    def tensors():
        return [torch.randn(3, 4), torch.randn(3, 4)]

    yield "writes_input", writes_input, tensors(), {}
    yield "views_of_views", views_of_views, tensors()[:1], {}
    yield "set_items", SetItems(), [torch.randn(3, 4), torch.tensor([2])], {"export": True}
    yield "augmented", Augmented(), tensors(), {"export": True}
    yield "out_keywords", out_keywords, tensors(), {}
    yield "functional_in_place", functional_in_place, tensors()[:1], {"seed": 1}
    yield "more_methods", more_methods, tensors()[:1], {}
    yield "by_operator", by_operator(), [torch.randn(2, 3), torch.randn(3)], {"graph": True}
    yield "statistics", Statistics(), [torch.randn(6, 4), torch.tensor([1, 3])], {"train": True}
    yield "statistics_eval", Statistics(), [torch.randn(6, 4), torch.tensor([1, 3])], {}
    yield "spectral", Spectral(), [torch.randn(2, 4)], {"train": True}
    yield "spectral_eval", Spectral(), [torch.randn(2, 4)], {}
    yield "counter", Counter(), [torch.randn(3)], {}
    yield "exported_counter", Counter(), [torch.randn(3)], {"export": True}
    yield "exported_norm", Norm(), [torch.randn(4, 3, 2, 2)], {"export": True, "train": True}
    yield "functional_statistics", Functional(), [torch.randn(6, 4), torch.tensor([1, 3])], {}
    yield "in_place_leaves", Leaves(), [torch.randn(2, 3)], {}
