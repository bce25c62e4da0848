# SPDX-License-Identifier: GPL-3.0-or-later
# Embeddings, encoder layers and a pooler, configuration from a plain class.
# case: {"expr": "Bert(Config)", "inputs": "torch.randint(0, 19, (2, 4)), torch.ones(2, 4)"}
# case: {"expr": "Bert(Config, pooling=False)", "inputs": "torch.randint(0, 19, (2, 4))", "concrete": {"attention_mask": "None"}}

import torch
from torch import nn


class Config:
    vocab_size = 19
    hidden_size = 8
    heads = 2
    layers = 2
    max_position = 16
    type_vocab_size = 2
    eps = 1e-12


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size, padding_idx=0)
        self.position_embeddings = nn.Embedding(config.max_position, config.hidden_size)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.eps)
        self.dropout = nn.Dropout(0.1)
        self.register_buffer("position_ids", torch.arange(config.max_position).expand((1, -1)))

    def forward(self, input_ids):
        seq_length = input_ids.size()[1]
        position_ids = self.position_ids.narrow(1, 0, seq_length)
        token_type_ids = torch.zeros_like(input_ids, dtype=torch.long)
        words = self.word_embeddings(input_ids)
        embeddings = words + self.token_type_embeddings(token_type_ids)
        embeddings += self.position_embeddings(position_ids)
        return self.dropout(self.LayerNorm(embeddings))


class SelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.num_heads = config.heads
        self.head_size = int(config.hidden_size / config.heads)
        for name in ("query", "key", "value"):
            setattr(self, name, nn.Linear(config.hidden_size, self.num_heads * self.head_size))

    def transpose_for_scores(self, x):
        new_shape = x.size()[:-1] + (self.num_heads, self.head_size)
        x = x.view(new_shape)
        return x.permute(0, 2, 1, 3)

    def forward(self, hidden, mask=None):
        q = self.transpose_for_scores(self.query(hidden))
        k = self.transpose_for_scores(self.key(hidden))
        v = self.transpose_for_scores(self.value(hidden))
        scores = torch.matmul(q, k.transpose(-1, -2))
        scores = scores / (self.head_size**0.5)
        if mask is not None:
            scores = scores + mask
        probs = nn.Softmax(dim=-1)(scores) if False else nn.functional.softmax(scores, dim=-1)
        context = torch.matmul(probs, v).permute(0, 2, 1, 3).contiguous()
        return context.view(hidden.size(0), -1, self.num_heads * self.head_size)


class Layer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention = SelfAttention(config)
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.eps)
        self.up = nn.Linear(config.hidden_size, 2 * config.hidden_size)
        self.down = nn.Linear(2 * config.hidden_size, config.hidden_size)
        self.norm2 = nn.LayerNorm(config.hidden_size, eps=config.eps)

    def forward(self, hidden, mask):
        hidden = self.norm(self.dense(self.attention(hidden, mask)) + hidden)
        middle = nn.functional.gelu(self.up(hidden), approximate="tanh")
        return self.norm2(self.down(middle) + hidden)


class Bert(nn.Module):
    def __init__(self, config, pooling=True):
        super().__init__()
        self.embeddings = Embeddings(config)
        self.encoder = nn.ModuleList([Layer(config) for _ in range(config.layers)])
        self.pooler = nn.Sequential(nn.Linear(config.hidden_size, config.hidden_size), nn.Tanh()) if pooling else None

    def forward(self, input_ids, attention_mask=None):
        mask = None
        if attention_mask is not None:
            mask = (1.0 - attention_mask[:, None, None, :]) * torch.finfo(torch.float32).min
        hidden = self.embeddings(input_ids)
        all_hidden = (hidden,)
        for layer in self.encoder:
            hidden = layer(hidden, mask)
            all_hidden = all_hidden + (hidden,)
        pooled = self.pooler(hidden[:, 0]) if self.pooler is not None else None
        return hidden, pooled, all_hidden
