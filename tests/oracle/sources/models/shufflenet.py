# SPDX-License-Identifier: GPL-3.0-or-later
# Channel shuffle by view and transpose, chunk in two.
# case: {"expr": "ShuffleNet()", "inputs": "torch.randn(2, 3, 16, 16)"}

import torch
from torch import Tensor, nn


def channel_shuffle(x: Tensor, groups: int) -> Tensor:
    batchsize, num_channels, height, width = x.size()
    channels_per_group = num_channels // groups
    x = x.view(batchsize, groups, channels_per_group, height, width)
    x = torch.transpose(x, 1, 2).contiguous()
    x = x.view(batchsize, num_channels, height, width)
    return x


class Unit(nn.Module):
    def __init__(self, inp: int, oup: int, stride: int) -> None:
        super().__init__()
        if not (1 <= stride <= 3):
            raise ValueError("illegal stride value")
        self.stride = stride
        branch = oup // 2
        if (self.stride == 1) and (inp != branch << 1):
            raise ValueError(f"Invalid combination of stride {stride}, inp {inp} and oup {oup} values.")
        if self.stride > 1:
            self.branch1 = nn.Sequential(
                self.depthwise(inp, inp, 3, stride, 1), nn.BatchNorm2d(inp), nn.Conv2d(inp, branch, 1), nn.ReLU(True)
            )
        else:
            self.branch1 = nn.Sequential()
        self.branch2 = nn.Sequential(
            nn.Conv2d(inp if (self.stride > 1) else branch, branch, 1),
            nn.ReLU(inplace=True),
            self.depthwise(branch, branch, kernel_size=3, stride=self.stride, padding=1),
            nn.BatchNorm2d(branch),
        )

    @staticmethod
    def depthwise(i: int, o: int, kernel_size: int, stride: int = 1, padding: int = 0, bias: bool = False) -> nn.Conv2d:
        return nn.Conv2d(i, o, kernel_size, stride, padding, bias=bias, groups=i)

    def forward(self, x: Tensor) -> Tensor:
        if self.stride == 1:
            x1, x2 = x.chunk(2, dim=1)
            out = torch.cat((x1, self.branch2(x2)), dim=1)
        else:
            out = torch.cat((self.branch1(x), self.branch2(x)), dim=1)
        return channel_shuffle(out, 2)


class ShuffleNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Sequential(nn.Conv2d(3, 4, 3, 2, 1, bias=False), nn.BatchNorm2d(4), nn.ReLU(inplace=True))
        names = [f"stage{i}" for i in [2, 3]]
        cin = 4
        for name, repeats, cout in zip(names, (1, 2), (8, 16)):
            seq = [Unit(cin, cout, 2)]
            for _ in range(repeats - 1):
                seq.append(Unit(cout, cout, 1))
            setattr(self, name, nn.Sequential(*seq))
            cin = cout
        self.fc = nn.Linear(cin, 3)

    def forward(self, x):
        x = self.conv1(x)
        x = self.stage3(self.stage2(x))
        x = x.mean([2, 3])
        return self.fc(x)
