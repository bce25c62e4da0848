# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules whose inputs are lists, tuples, dicts and any number of values, or are left at their defaults."""

import torch
from torch import nn


class Listed(nn.Module):
    def forward(self, xs):
        return xs[0] + xs[1]


class Nested(nn.Module):
    def forward(self, d, pair, y):
        return {"sum": d["b"][0] + pair[1] * y, "a": d["a"] - 1}


class Masked(nn.Module):
    def forward(self, x, mask=None):
        return x + 1


class Between(nn.Module):
    def forward(self, x, mask=None, scale=2.0, y=None):
        return x * scale


class Options(nn.Module):
    def forward(self, x, sizes=(1, 2), *, mode="plain", flip=False):
        return x * sizes[1]


class Late(nn.Module):
    def forward(self, x, *, bias=None, gain=2.0):
        return x * gain


class Two(nn.Module):
    def forward(self, x=None, y=None):
        return y + 1


class Keyword(nn.Module):
    def forward(self, x, mask=None, y=None):
        return x * 2 + y


class Rest(nn.Module):
    def forward(self, x, *rest):
        return x * rest[0] - rest[1]


class NoRest(nn.Module):
    def forward(self, x, *rest, **more):
        return x * 2


class Named(nn.Module):
    def forward(self, x, **more):
        return x + more["b"] - more["a"]


class Unread(nn.Module):
    def forward(self, xs, d):
        return xs[1].relu()


class Written(nn.Module):
    def forward(self, xs):
        xs[0].add_(xs[1])
        return xs[0] * 2


class Scalars(nn.Module):
    def forward(self, xs, n):
        return xs[0] * xs[1] + n


def cases():
    """(name, module, args, kwargs)."""
    t, u = torch.arange(4.0), torch.ones(4) * 3
    yield "listed", Listed(), ([t, u],), {}
    yield "tuple", Listed(), ((t, u),), {}
    yield "nested", Nested(), ({"b": [t, u], "a": u}, (t, u), t), {}
    yield "deep", Nested(), ({"b": ((t, [u])[1:][0][0], t), "a": u}, [t, u], t), {}
    yield "masked", Masked(), (t,), {}
    yield "masked_given", Masked(), (t, u), {}
    yield "between", Between(), (t,), {}
    yield "between_named", Keyword(), (t,), {"y": u}
    yield "all_given", Between(), (t, u, 3.0, u), {}
    yield "options", Options(), (t,), {}
    yield "options_last", Options(), (t,), {"flip": True}
    yield "late", Late(), (t,), {}
    yield "late_given", Late(), (t,), {"gain": 3.0}
    yield "first_left", Two(), (), {"y": t}
    yield "rest", Rest(), (t, u, u), {}
    yield "no_rest", NoRest(), (t,), {}
    yield "named", Named(), (t,), {"b": u, "a": t}
    yield "unread", Unread(), ([t, u], {"x": t}), {}
    yield "written", Written(), ([t.clone(), u],), {}
    yield "scalars", Scalars(), ([t, 3], 2), {}
