# SPDX-License-Identifier: GPL-3.0-or-later
# Generators of random numbers: what is known draws from them at once, else they are attributes of the root.
# case: {"expr": "Dropped()"}
# case: {"expr": "Noisy()", "inputs": "torch.rand(3)"}
# case: {"expr": "Several()"}
# case: {"expr": "Filled()"}
# case: {"expr": "Shaped()"}
# case: {"expr": "by_default"}
# case: {"expr": "Seeded()", "fails": "error"}
import torch
from torch import nn


class Drawing(nn.Module):
    def __init__(self):
        super().__init__()
        self.generator = torch.Generator().manual_seed(11)
        self.weight = nn.Parameter(torch.rand(3, generator=self.generator))
        nn.init.uniform_(self.weight, generator=self.generator)


class Dropped(Drawing):
    def forward(self, x):
        return torch.bernoulli(x, generator=self.generator) * self.weight


class Noisy(Drawing):
    def forward(self, x):
        return x + torch.rand(3, generator=self.generator) + torch.randn(3, generator=self.generator)


class Several(Drawing):
    def __init__(self):
        super().__init__()
        self.other = torch.Generator()

    def forward(self, x):
        a = torch.bernoulli(x, generator=self.generator)
        b = torch.randn_like(x, generator=self.other)
        return a, b, torch.bernoulli(x, generator=self.generator)


class Filled(Drawing):
    def forward(self, x):
        return nn.init.normal_(x.clone(), generator=self.generator), x.clone().uniform_(0, 1, generator=self.generator)


class Shaped(Drawing):
    def forward(self, x):
        return torch.randn((x.shape[0], 3), generator=self.generator)


class Seeded(Drawing):
    def forward(self, x):
        self.generator.manual_seed(x)
        return x


def by_default(x):
    return torch.bernoulli(x, generator=torch.default_generator)
