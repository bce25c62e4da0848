# SPDX-License-Identifier: GPL-3.0-or-later
# Wide crosses and deep embeddings; factorisation machine written as square of sum.
# case: {"expr": "DeepFM([4, 5, 6], 3)", "inputs": "torch.tensor([[0, 1, 2], [3, 4, 5]])"}

import torch


class FeaturesLinear(torch.nn.Module):
    def __init__(self, field_dims, output_dim=1):
        super().__init__()
        self.fc = torch.nn.Embedding(sum(field_dims), output_dim)
        self.bias = torch.nn.Parameter(torch.zeros((output_dim,)))
        offsets = [0]
        for d in field_dims[:-1]:
            offsets.append(offsets[-1] + d)
        self.register_buffer("offsets", torch.tensor(offsets, dtype=torch.long))

    def forward(self, x):
        x = x + self.offsets.unsqueeze(0)
        return torch.sum(self.fc(x), dim=1) + self.bias


class FactorizationMachine(torch.nn.Module):
    def __init__(self, reduce_sum=True):
        super().__init__()
        self.reduce_sum = reduce_sum

    def forward(self, x):
        square_of_sum = torch.sum(x, dim=1) ** 2
        sum_of_square = torch.sum(x**2, dim=1)
        ix = square_of_sum - sum_of_square
        if self.reduce_sum:
            ix = torch.sum(ix, dim=1, keepdim=True)
        return 0.5 * ix


class DeepFM(torch.nn.Module):
    def __init__(self, field_dims, embed_dim):
        super().__init__()
        self.linear = FeaturesLinear(field_dims)
        self.fm = FactorizationMachine(reduce_sum=True)
        self.embedding = torch.nn.Embedding(sum(field_dims), embed_dim)
        self.embed_output_dim = len(field_dims) * embed_dim
        self.mlp = torch.nn.Sequential(torch.nn.Linear(self.embed_output_dim, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))

    def forward(self, x):
        embed_x = self.embedding(x)
        x = self.linear(x) + self.fm(embed_x) + self.mlp(embed_x.view(-1, self.embed_output_dim))
        return torch.sigmoid(x.squeeze(1))
