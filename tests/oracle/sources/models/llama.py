# SPDX-License-Identifier: GPL-3.0-or-later
# Rotary positions, RMS norm, gated feed-forward, grouped key and value heads.
# case: {"expr": "Llama(dim=16, heads=4, kv_heads=2, layers=2)", "inputs": "torch.randint(0, 11, (1, 5))"}

import torch
from torch import nn
import torch.nn.functional as F
from typing import Optional, Tuple


class RMSNorm(nn.Module):
    def __init__(self, dim: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def _norm(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)

    def forward(self, x):
        output = self._norm(x.float()).type_as(x)
        return output * self.weight


def rotate_half(x):
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def apply_rotary(q, k, cos, sin) -> Tuple[torch.Tensor, torch.Tensor]:
    cos, sin = cos[None, None], sin[None, None]
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


class Rotary(nn.Module):
    def __init__(self, dim, base=10000.0):
        super().__init__()
        inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))
        self.register_buffer("inv_freq", inv_freq, persistent=False)

    def forward(self, length):
        freqs = torch.outer(torch.arange(length).float(), self.inv_freq)
        emb = torch.cat((freqs, freqs), dim=-1)
        return emb.cos(), emb.sin()


class Attention(nn.Module):
    def __init__(self, dim, heads, kv_heads):
        super().__init__()
        self.heads, self.kv_heads = heads, kv_heads
        self.head_dim = dim // heads
        self.wq = nn.Linear(dim, heads * self.head_dim, bias=False)
        self.wk = nn.Linear(dim, kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(dim, kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(heads * self.head_dim, dim, bias=False)
        self.rotary = Rotary(self.head_dim)

    @staticmethod
    def repeat_kv(x: torch.Tensor, n: int) -> torch.Tensor:
        b, h, t, d = x.shape
        if n == 1:
            return x
        return x[:, :, None, :, :].expand(b, h, n, t, d).reshape(b, h * n, t, d)

    def forward(self, x, mask: Optional[torch.Tensor] = None):
        bsz, seqlen, _ = x.shape
        xq, xk, xv = self.wq(x), self.wk(x), self.wv(x)
        xq = xq.view(bsz, seqlen, self.heads, self.head_dim).transpose(1, 2)
        xk = xk.view(bsz, seqlen, self.kv_heads, self.head_dim).transpose(1, 2)
        xv = xv.view(bsz, seqlen, self.kv_heads, self.head_dim).transpose(1, 2)
        cos, sin = self.rotary(seqlen)
        xq, xk = apply_rotary(xq, xk, cos, sin)
        keys = self.repeat_kv(xk, self.heads // self.kv_heads)
        values = self.repeat_kv(xv, self.heads // self.kv_heads)
        scores = torch.matmul(xq, keys.transpose(2, 3)) / self.head_dim**0.5
        if mask is not None:
            scores = scores + mask
        scores = F.softmax(scores.float(), dim=-1).type_as(xq)
        output = torch.matmul(scores, values)
        return self.wo(output.transpose(1, 2).contiguous().view(bsz, seqlen, -1))


class FeedForward(nn.Module):
    def __init__(self, dim: int, hidden_dim: int, multiple_of: int):
        super().__init__()
        hidden_dim = int(2 * hidden_dim / 3)
        hidden_dim = multiple_of * ((hidden_dim + multiple_of - 1) // multiple_of)
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)
        self.w3 = nn.Linear(dim, hidden_dim, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class Layer(nn.Module):
    def __init__(self, layer_id, dim, heads, kv_heads):
        super().__init__()
        self.layer_id = layer_id
        self.attention = Attention(dim, heads, kv_heads)
        self.feed_forward = FeedForward(dim, 4 * dim, 8)
        self.attention_norm = RMSNorm(dim)
        self.ffn_norm = RMSNorm(dim, eps=1e-5)

    def forward(self, x, mask):
        h = x + self.attention(self.attention_norm(x), mask)
        return h + self.feed_forward(self.ffn_norm(h))


class Llama(nn.Module):
    def __init__(self, dim, heads, kv_heads, layers, vocab=11):
        super().__init__()
        self.tok_embeddings = nn.Embedding(vocab, dim)
        self.layers = torch.nn.ModuleList()
        for layer_id in range(layers):
            self.layers.append(Layer(layer_id, dim, heads, kv_heads))
        self.norm = RMSNorm(dim)
        self.output = nn.Linear(dim, vocab, bias=False)

    def forward(self, tokens: torch.Tensor):
        h = self.tok_embeddings(tokens)
        seqlen = tokens.shape[1]
        mask = torch.full((seqlen, seqlen), float("-inf"), device=tokens.device)
        mask = torch.triu(mask, diagonal=1)
        for layer in self.layers:
            h = layer(h, mask)
        return self.output(self.norm(h)).float()
