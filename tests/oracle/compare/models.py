# Models in pairs, for check_compare.py: Pair(False) is held against Pair(True).
import torch
from torch import nn
import torch.nn.functional as F


class Other(nn.Module):
    def __init__(self, is_other=False):
        super().__init__()
        self.is_other = is_other


class Gelu(Other):
    def __init__(self, is_other=False):
        super().__init__(is_other)
        torch.manual_seed(0)
        self.a, self.norm, self.b = nn.Linear(8, 16), nn.LayerNorm(16), nn.Linear(16, 4)

    def forward(self, x):
        y = self.norm(self.a(x))
        y = F.gelu(y, approximate='tanh') if self.is_other else F.gelu(y)
        return self.b(y).softmax(-1)


class Rounded(Other):
    def forward(self, x):
        y = torch.sin(x)
        if self.is_other:
            y = y.to(torch.float16)
        return torch.cos(y), y.sum(0)


class Zeros(Other):
    def forward(self, x):
        y = torch.relu(x)
        return torch.log(y - 0.5 if self.is_other else y) * 2


class Mutating(Other):
    def forward(self, x):
        y = torch.exp(x) if self.is_other else torch.exp(x) * 1.0
        y = y + 1
        z = y.relu_()
        z.mul_(0.5)
        return y + z, y[:, 1:].add_(1), z


class Split(Other):
    def forward(self, x):
        y = torch.tanh(x * (1.001 if self.is_other else 1))
        a, b = torch.split(y, [2, y.shape[-1] - 2], -1)
        values, indices = torch.sort(b, -1)
        return {'a': a, 'sorted': (values, indices), 'large': y > 0.3}


class Shapes(Other):
    def forward(self, x):
        y = torch.abs(x)
        return y.sum(-1, keepdim=self.is_other), y


class Complex(Other):
    def forward(self, x):
        y = torch.fft.rfft(x)
        return torch.view_as_real(y * (1.5 if self.is_other else 1.25)), y


class Running(Other):
    def __init__(self, is_other=False):
        super().__init__(is_other)
        self.norm = nn.BatchNorm1d(8, momentum=0.2 if is_other else 0.1)

    def forward(self, x):
        return self.norm(F.dropout(x, 0.5, training=True))


class Whole(Other):
    def forward(self, x):
        y = (x * 100).to(torch.int64)
        return (y * y + 1 if self.is_other else y * y).remainder(7)


class Named(Other):
    def forward(self, x):
        y = torch.sin(x * 1.01) if self.is_other else torch.sin(x)
        found = torch.max(y, dim=-1)
        return found.values.exp(), found.indices


class Memory(Other):
    def __init__(self, is_other=False):
        super().__init__(is_other)
        torch.manual_seed(1)
        self.lstm = nn.LSTM(8, 5, batch_first=True)

    def forward(self, x):
        y, (h, c) = self.lstm(x.unsqueeze(1) + (1e-3 if self.is_other else 0))
        return y, h, c


class Chain(nn.Module):
    """What passes change (broken_pass.py)."""

    def forward(self, x):
        return torch.tanh(torch.sin(torch.abs(torch.relu(x + 1))))


class Failing(nn.Module):
    """NaN comes from one call among many, behind what is written in place; `shape`: an error."""

    def __init__(self, shape=False):
        super().__init__()
        torch.manual_seed(0)
        self.a, self.b, self.shape = nn.Linear(8, 8), nn.Linear(8, 8), shape

    def forward(self, x):
        y = torch.relu(self.a(x))
        for _ in range(4):
            y = torch.tanh(self.b(y)) + y
        y.sub_(100)
        z = torch.log(y)
        if self.shape:
            z = z @ torch.ones(9, 2)
        for _ in range(4):
            z = torch.relu(z) * 2
        return {'z': z.sum(0), 'y': y}


PAIRS = [Gelu, Rounded, Zeros, Mutating, Split, Shapes, Complex, Running, Whole, Named, Memory]
SAME = [Rounded, Mutating]  # but for rounding
