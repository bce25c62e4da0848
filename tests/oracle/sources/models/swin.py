# SPDX-License-Identifier: GPL-3.0-or-later
# Windows by view and permute, cyclic shift, a relative position table indexed by a buffer.
# case: {"expr": "Swin(8, 2, window=4)", "inputs": "torch.randn(1, 3, 16, 16)"}

import torch
import torch.nn as nn
import torch.nn.functional as F


def window_partition(x, w, size):
    b, c = x.shape[0], x.shape[-1]
    x = x.view(b, size // w, w, size // w, w, c)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, w * w, c)


def window_reverse(windows, w, size):
    b = windows.shape[0] // (size * size // w // w)
    x = windows.view(b, size // w, size // w, w, w, -1)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(b, size, size, -1)


class WindowAttention(nn.Module):
    def __init__(self, dim, window, heads):
        super().__init__()
        self.window, self.heads = window, heads
        self.scale = (dim // heads) ** (-0.5)
        self.relative_position_bias_table = nn.Parameter(torch.zeros((2 * window - 1) * (2 * window - 1), heads))
        coords = torch.stack(torch.meshgrid([torch.arange(window), torch.arange(window)], indexing="ij"))
        flat = torch.flatten(coords, 1)
        relative = flat[:, :, None] - flat[:, None, :]
        relative = relative.permute(1, 2, 0).contiguous()
        relative[:, :, 0] += window - 1
        relative[:, :, 1] += window - 1
        relative[:, :, 0] *= 2 * window - 1
        self.register_buffer("relative_position_index", relative.sum(-1))
        self.qkv = nn.Linear(dim, dim * 3)
        self.proj = nn.Linear(dim, dim)
        nn.init.trunc_normal_(self.relative_position_bias_table, std=0.02)

    def forward(self, x, mask=None):
        b_, n, c = x.shape
        qkv = self.qkv(x).reshape(b_, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        attn = (q * self.scale) @ k.transpose(-2, -1)
        side = self.window * self.window
        bias = self.relative_position_bias_table[self.relative_position_index.view(-1)].view(side, side, -1)
        attn = attn + bias.permute(2, 0, 1).contiguous().unsqueeze(0)
        if mask is not None:
            nw = mask.shape[0]
            attn = attn.view(b_ // nw, nw, self.heads, n, n) + mask.unsqueeze(1).unsqueeze(0)
            attn = attn.view(-1, self.heads, n, n)
        attn = F.softmax(attn, -1)
        return self.proj((attn @ v).transpose(1, 2).reshape(b_, n, c))


class SwinBlock(nn.Module):
    def __init__(self, dim, size, heads, window, shift):
        super().__init__()
        self.size, self.window, self.shift = size, window, shift
        self.norm1 = nn.LayerNorm(dim)
        self.attn = WindowAttention(dim, window, heads)
        self.norm2 = nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
        if shift > 0:
            mask = torch.zeros((1, size, size, 1))
            slices = (slice(0, -window), slice(-window, -shift), slice(-shift, None))
            count = 0
            for h in slices:
                for w in slices:
                    mask[:, h, w, :] = count
                    count += 1
            windows = window_partition(mask, window, size).squeeze(-1)
            attn_mask = windows.unsqueeze(1) - windows.unsqueeze(2)
            attn_mask = attn_mask.masked_fill(attn_mask != 0, float(-100.0)).masked_fill(attn_mask == 0, float(0.0))
        else:
            attn_mask = None
        self.register_buffer("attn_mask", attn_mask)

    def forward(self, x):
        b, l, c = x.shape
        shortcut = x
        x = self.norm1(x).view(b, self.size, self.size, c)
        if self.shift > 0:
            x = torch.roll(x, shifts=(-self.shift, -self.shift), dims=(1, 2))
        windows = self.attn(window_partition(x, self.window, self.size), mask=self.attn_mask)
        x = window_reverse(windows, self.window, self.size)
        if self.shift > 0:
            x = torch.roll(x, shifts=(self.shift, self.shift), dims=(1, 2))
        x = shortcut + x.view(b, self.size * self.size, c)
        return x + self.mlp(self.norm2(x))


class PatchMerging(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.size = size
        self.reduction = nn.Linear(4 * dim, 2 * dim, bias=False)

    def forward(self, x):
        b, _, c = x.shape
        x = x.view(b, self.size, self.size, c)
        x0, x1 = x[:, 0::2, 0::2, :], x[:, 1::2, 0::2, :]
        x2, x3 = x[:, 0::2, 1::2, :], x[:, 1::2, 1::2, :]
        return self.reduction(torch.cat([x0, x1, x2, x3], -1).view(b, -1, 4 * c))


class Swin(nn.Module):
    def __init__(self, dim, heads, window, size=16, patch=2):
        super().__init__()
        self.embed = nn.Conv2d(3, dim, patch, patch)
        side = size // patch
        self.blocks = nn.ModuleList(
            [SwinBlock(dim, side, heads, window, shift=0 if (i % 2 == 0) else window // 2) for i in range(2)]
        )
        self.merge = PatchMerging(side, dim)
        self.avgpool = nn.AdaptiveAvgPool1d(1)
        self.head = nn.Linear(2 * dim, 2)

    def forward(self, x):
        x = self.embed(x).flatten(2).transpose(1, 2)
        for blk in self.blocks:
            x = blk(x)
        x = self.merge(x)
        x = self.avgpool(x.transpose(1, 2))
        return self.head(torch.flatten(x, 1))
