# SPDX-License-Identifier: GPL-3.0-or-later
# Encoder and decoder with relative position bias; several inputs and a dict as output.
# case: {"expr": "T5(d=8, heads=2)", "inputs": "torch.randint(0, 13, (2, 5)), torch.randint(0, 13, (2, 5))"}

import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class T5LayerNorm(nn.Module):
    def __init__(self, hidden, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden))
        self.variance_epsilon = eps

    def forward(self, hidden_states):
        variance = hidden_states.to(torch.float32).pow(2).mean(-1, keepdim=True)
        hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        hidden_states = hidden_states.to(self.weight.dtype)
        return self.weight * hidden_states


class T5Attention(nn.Module):
    def __init__(self, d, heads, has_bias=False, buckets=8, length=5):
        super().__init__()
        self.heads, self.dk = heads, d // heads
        self.q, self.k, self.v, self.o = [nn.Linear(d, d, bias=False) for _ in range(4)]
        self.has_bias = has_bias
        if has_bias:
            self.relative_attention_bias = nn.Embedding(buckets, heads)
            ctx = torch.arange(length)[:, None]
            mem = torch.arange(length)[None, :]
            self.register_buffer("bucket", self._bucket(mem - ctx, buckets))

    @staticmethod
    def _bucket(relative, buckets, max_distance=128):
        half = buckets // 2
        out = (relative > 0).to(torch.long) * half
        n = torch.abs(relative)
        exact = half // 2
        large = exact + (torch.log(n.float() / exact + 1e-6) / math.log(max_distance / exact) * (half - exact)).long()
        large = torch.min(large, torch.full_like(large, half - 1))
        return out + torch.where(n < exact, n, large)

    def shape(self, states, batch):
        return states.view(batch, -1, self.heads, self.dk).transpose(1, 2)

    def forward(self, x, kv=None, bias=None, causal=False):
        batch = x.shape[0]
        source = x if kv is None else kv
        q, k, v = self.shape(self.q(x), batch), self.shape(self.k(source), batch), self.shape(self.v(source), batch)
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k)
        if bias is None:
            if self.has_bias:
                bias = self.relative_attention_bias(self.bucket).permute([2, 0, 1]).unsqueeze(0)
            else:
                bias = torch.zeros((1, self.heads, 1, 1), dtype=scores.dtype)
        scores += bias
        if causal:
            t = x.size(1)
            scores = scores.masked_fill(torch.ones((t, t), dtype=torch.bool).triu(1), torch.finfo(torch.float32).min)
        weights = F.softmax(scores.float(), dim=-1).type_as(scores)
        out = torch.matmul(weights, v).transpose(1, 2).contiguous().view(batch, -1, self.heads * self.dk)
        return self.o(out), bias


class T5Block(nn.Module):
    def __init__(self, d, heads, is_decoder, has_bias):
        super().__init__()
        self.is_decoder = is_decoder
        self.layer = nn.ModuleList()
        self.layer.append(T5Attention(d, heads, has_bias))
        if is_decoder:
            self.layer.append(T5Attention(d, heads))
        self.layer.append(nn.Sequential(nn.Linear(d, 2 * d, False), nn.ReLU(), nn.Linear(2 * d, d, False)))
        self.norms = nn.ModuleList([T5LayerNorm(d) for _ in self.layer])

    def forward(self, x, memory=None, bias=None):
        out, bias = self.layer[0](self.norms[0](x), bias=bias, causal=self.is_decoder)
        x = x + out
        if self.is_decoder and memory is not None:
            out, _ = self.layer[1](self.norms[1](x), kv=memory)
            x = x + out
        x = x + self.layer[-1](self.norms[-1](x))
        return x, bias


class T5(nn.Module):
    def __init__(self, d, heads, vocab=13, depth=2):
        super().__init__()
        self.shared = nn.Embedding(vocab, d)
        self.encoder = nn.ModuleList(T5Block(d, heads, False, has_bias=bool(i == 0)) for i in range(depth))
        self.decoder = nn.ModuleList(T5Block(d, heads, True, has_bias=bool(i == 0)) for i in range(depth))
        self.final = T5LayerNorm(d)
        self.lm_head = nn.Linear(d, vocab, bias=False)
        self.lm_head.weight = self.shared.weight
        self.d = d

    def forward(self, input_ids, decoder_input_ids):
        hidden, bias = self.shared(input_ids), None
        for block in self.encoder:
            hidden, bias = block(hidden, bias=bias)
        memory = self.final(hidden)
        hidden, bias = self.shared(decoder_input_ids), None
        for block in self.decoder:
            hidden, bias = block(hidden, memory, bias=bias)
        sequence = self.final(hidden) * (self.d**-0.5)
        return {"logits": self.lm_head(sequence), "encoder_last_hidden_state": memory}
