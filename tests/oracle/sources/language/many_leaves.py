# SPDX-License-Identifier: GPL-3.0-or-later
# A line of modules of torch.nn with unusual arguments.
# case: {"expr": "Leaves()", "inputs": "torch.randn(2, 4, 8, 8)"}

import torch
from torch import nn


class Leaves(nn.Module):
    def __init__(self):
        super().__init__()
        self.pads = nn.ModuleList([nn.ZeroPad2d(1), nn.ReflectionPad2d((1, 0, 1, 0)), nn.ReplicationPad2d(1), nn.ConstantPad2d(1, 3.5)])
        self.pools = nn.ModuleList([nn.MaxPool2d(2, ceil_mode=True), nn.AvgPool2d(3, 1, 1), nn.LPPool2d(2, 2)])
        self.norms = nn.ModuleList([nn.GroupNorm(2, 4), nn.InstanceNorm2d(4, affine=True), nn.LocalResponseNorm(2)])
        self.acts = nn.ModuleList(
            [nn.PReLU(4), nn.Hardswish(), nn.Mish(), nn.GLU(dim=-1), nn.Softshrink(0.1), nn.Threshold(0.1, 20), nn.CELU(0.5)]
        )
        self.up = nn.UpsamplingNearest2d(scale_factor=2)
        self.unfold = nn.Unfold(kernel_size=3, dilation=1, padding=1, stride=2)
        self.bilinear = nn.Bilinear(3, 3, 2, bias=False)
        self.cosine = nn.CosineSimilarity(dim=-1)
        self.depth = nn.Conv2d(4, 8, 3, groups=4, padding_mode="circular", padding=1)
        self.shuffle = nn.ChannelShuffle(2)
        self.drop = nn.Dropout2d(0.3)

    def forward(self, x):
        for group in (self.pads, self.pools, self.norms, self.acts):
            for module in group:
                x = module(x)
        x = self.shuffle(self.depth(self.drop(self.up(x))))
        y = self.unfold(x)[:, :3, :3]
        return self.bilinear(y, y), self.cosine(y, y)
