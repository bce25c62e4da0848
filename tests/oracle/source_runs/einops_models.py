# SPDX-License-Identifier: GPL-3.0-or-later
# einops, whole: its functions recorded as calls, which a run makes by einops' own source; and its functions, layers and errors on real
# tensors, while a model is built. (torch.fx traces into its layers, and fails there.)
import torch
import torch.fx
import torch.nn as nn
from einops import EinopsError, einsum, pack, parse_shape, rearrange, reduce, repeat, unpack
from einops.layers.torch import EinMix, Rearrange, Reduce

PACKAGES = ['einops']
for name in ('rearrange', 'reduce', 'repeat', 'einsum'):
    torch.fx.wrap(name)


def inputs():
    torch.manual_seed(0)
    return (torch.randn(2, 3, 4, 4),)


class Functions(nn.Module):
    def forward(self, x):
        y = rearrange(x, 'b c (h p) (w q) -> b (h w) (p q c)', p=2, q=2)
        z = reduce(y, 'b n d -> b d', 'mean')
        return einsum(z, z, 'b d, e d -> b e'), repeat(z, 'b d -> (r b) d', r=3), reduce(x, 'b c h w -> c', 'max')


class Lists(nn.Module):
    def forward(self, x):
        return rearrange([x, x + 1], 'k b c h w -> b (k c) h w')


class Built(nn.Module):
    def __init__(self):
        super().__init__()
        steps = torch.arange(24.0).view(2, 3, 4)
        self.register_buffer('turned', rearrange(steps, 'a b c -> c (a b)'))
        packed, shapes = pack([torch.ones(2, 3), torch.zeros(2, 4, 5)], 'i *')
        self.register_buffer('packed', packed)
        self.parts = [tuple(part.shape) for part in unpack(packed, shapes, 'i *')]
        self.sizes = parse_shape(steps, 'a _ c')

    def forward(self, x):
        return x.flatten(1)[:, :6] @ self.turned.t() * self.sizes['a'], self.packed + len(self.parts) * self.parts[1][2]


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        steps = nn.Sequential(Rearrange('b c h w -> b h w c'), Reduce('b h w c -> b c', 'max'),
                              EinMix('b c -> b d', weight_shape='c d', bias_shape='d', c=3, d=5))
        self.register_buffer('mixed', steps(*inputs()).detach())

    def forward(self, x):
        return x.mean() + self.mixed


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(12, 3 * 8)
        self.out = nn.Linear(8, 5)

    def forward(self, x):
        q, k, v = rearrange(self.qkv(rearrange(x, 'b c (h p) (w q) -> b (h w) (p q c)', p=2, q=2)), 'b n (three h d) -> three b h n d', three=3, h=2).unbind(0)
        weights = torch.softmax(einsum(q, k, 'b h i d, b h j d -> b h i j'), -1)
        return self.out(rearrange(weights @ v, 'b h n d -> b n (h d)'))


class Refused(nn.Module):
    def __init__(self):
        super().__init__()
        try:
            rearrange(torch.ones(2, 3), 'b c -> b c d')
        except EinopsError as error:
            self.words = len(str(error))

    def forward(self, x):
        return x + self.words


def functions():
    return Functions()


def lists():
    return Lists()


def layers():
    torch.manual_seed(1)
    return Layers()


def built():
    return Built()


def block():
    torch.manual_seed(1)
    return Block()


def refused():
    return Refused()


CASES = [functions, lists, layers, built, block, refused]
