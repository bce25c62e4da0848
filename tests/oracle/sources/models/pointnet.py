# SPDX-License-Identifier: GPL-3.0-or-later
# Shared perceptrons over points, a learned transform by batched products, max over points.
# case: {"expr": "PointNet()", "inputs": "torch.randn(2, 3, 10)"}

import torch
import torch.nn as nn
import torch.nn.functional as F


class TNet(nn.Module):
    def __init__(self, k=3):
        super().__init__()
        self.k = k
        self.conv1 = nn.Conv1d(k, 8, 1)
        self.conv2 = nn.Conv1d(8, 16, 1)
        self.fc = nn.Linear(16, k * k)
        self.register_buffer("identity", torch.eye(k).flatten())

    def forward(self, x):
        bs = x.size(0)
        h = F.relu(self.conv2(F.relu(self.conv1(x))))
        pool = nn.MaxPool1d(h.size(-1))(h) if False else torch.max(h, 2, keepdim=True)[0]
        flat = pool.view(bs, -1)
        return (self.fc(flat) + self.identity).view(-1, self.k, self.k)


class PointNet(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.transform = TNet(3)
        self.conv = nn.Conv1d(3, 12, 1)
        self.bn = nn.BatchNorm1d(12)
        self.fc = nn.Linear(12, classes)

    def forward(self, points):
        matrix = self.transform(points)
        x = torch.bmm(points.transpose(1, 2), matrix).transpose(2, 1)
        x = F.leaky_relu(self.bn(self.conv(x)), negative_slope=0.1)
        x, _ = torch.max(x, 2)
        return F.log_softmax(self.fc(x), dim=-1), matrix
