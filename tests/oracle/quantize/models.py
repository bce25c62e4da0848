# SPDX-License-Identifier: GPL-3.0-or-later
"""Models that check_quantize.py quantizes, here and by torch.ao: fxscope reads this file as their source."""
import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)

    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += x
        return self.relu(out)


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 16, 7, stride=2, padding=3), nn.BatchNorm2d(16), nn.ReLU(inplace=True),
                                  nn.MaxPool2d(3, 2, 1))
        self.blocks = nn.Sequential(Block(16), Block(16))
        self.pool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(16, 10)

    def forward(self, x):
        return self.fc(torch.flatten(self.pool(self.blocks(self.stem(x))), 1))


class Layers(nn.Module):
    """As DeepRecommender has them: linear layers with SELU between them, which has no integer form."""
    def __init__(self):
        super().__init__()
        self.encode = nn.ModuleList([nn.Linear(200, 64), nn.Linear(64, 32)])
        self.decode = nn.ModuleList([nn.Linear(32, 64), nn.Linear(64, 200)])

    def forward(self, x):
        for layer in self.encode:
            x = F.selu(layer(x))
        for layer in self.decode:
            x = F.selu(layer(x))
        return x


class Mobile(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 16, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU6(),
                                      nn.Conv2d(16, 16, 3, padding=1, groups=16, bias=False), nn.BatchNorm2d(16), nn.Hardswish(),
                                      nn.Conv2d(16, 24, 1, bias=False), nn.BatchNorm2d(24))
        self.gate = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(24, 8, 1), nn.ReLU(), nn.Conv2d(8, 24, 1), nn.Hardsigmoid())
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(24, 10))

    def forward(self, x):
        x = self.features(x)
        return self.head((x * self.gate(x)).mean([2, 3]))


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Conv2d(3, 8, 1)
        self.right = nn.Conv2d(3, 8, 5, padding=2)
        self.last = nn.Conv2d(16, 4, 3)

    def forward(self, x):
        x = torch.cat([F.relu(self.left(x)), F.relu(self.right(x))], 1)
        return self.last(F.avg_pool2d(x, 3, stride=1, padding=1)).reshape(x.size(0), -1)


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.Embedding(50, 32)
        self.queries, self.keys, self.values = nn.Linear(32, 32), nn.Linear(32, 32), nn.Linear(32, 32)
        self.out = nn.Linear(32, 32)
        self.norm = nn.LayerNorm(32)
        self.wide, self.narrow = nn.Linear(32, 64), nn.Linear(64, 32)

    def forward(self, ids):
        x = self.rows(ids)
        scores = torch.matmul(self.queries(x), self.keys(x).transpose(1, 2)) * 0.2
        x = x + self.out(torch.matmul(F.softmax(scores, -1), self.values(x)))
        return x + self.narrow(F.gelu(self.wide(self.norm(x))))


class Signals(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(4, 8, 5, padding=2)
        self.bn = nn.BatchNorm1d(8)
        self.gate = nn.Conv1d(8, 8, 1)
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        x = torch.tanh(self.bn(self.conv(x)))
        return self.fc((x * torch.sigmoid(self.gate(x))).mean(2))


class Functions(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 3, 3, 3) * 0.3)
        self.bias = nn.Parameter(torch.randn(4))
        self.matrix = nn.Parameter(torch.randn(5, 4 * 36) * 0.1)

    def forward(self, x):
        x = F.relu(F.conv2d(x, self.weight, self.bias))
        return F.linear(torch.flatten(x, 1), self.matrix)


class Volumes(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv3d(2, 6, 3)
        self.bn = nn.BatchNorm3d(6)
        self.fc = nn.Linear(6, 4)

    def forward(self, x):
        x = F.max_pool3d(F.leaky_relu(self.bn(self.conv(x)), 0.1), 2)
        return self.fc(x.mean([2, 3, 4]))


class Twice(nn.Module):
    """A layer that is called twice, and one whose result two read."""
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(12, 12)
        self.other = nn.Linear(12, 12)

    def forward(self, x):
        y = F.relu(self.fc(x))
        z = self.fc(y)
        return z + y, self.other(z)


class Upwards(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(3, 8, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(8, 6, 2, stride=2)
        self.last = nn.Conv2d(9, 3, 3, padding=1)

    def forward(self, x):
        return self.last(torch.cat([x, F.relu(self.up(F.relu(self.down(x))))], 1))


MODELS = {
    'Residual': lambda: (torch.randn(2, 3, 32, 32),),
    'Layers': lambda: (torch.rand(8, 200),),
    'Mobile': lambda: (torch.randn(2, 3, 32, 32),),
    'Branches': lambda: (torch.randn(2, 3, 12, 12),),
    'Transformer': lambda: (torch.randint(0, 50, (2, 7)),),
    'Signals': lambda: (torch.randn(2, 4, 30),),
    'Functions': lambda: (torch.randn(2, 3, 8, 8),),
    'Volumes': lambda: (torch.randn(1, 2, 8, 8, 8),),
    'Twice': lambda: (torch.randn(4, 12),),
    'Upwards': lambda: (torch.randn(2, 3, 16, 16),),
}


def build(name):
    """With weights that differ from channel to channel, and statistics that are not those of a new model."""
    torch.manual_seed(len(name))
    model = globals()[name]()
    for module in model.modules():
        if hasattr(module, 'running_mean') and module.running_mean is not None:
            module.running_mean.normal_(0, 0.3)
            module.running_var.uniform_(0.5, 2)
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.normal_(module.bias, 0, 0.2)
    return model.eval()
