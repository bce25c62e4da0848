# SPDX-License-Identifier: GPL-3.0-or-later
# Roots that are ready-made modules, not classes of the file.
# case: {"expr": "net", "inputs": "torch.randn(1, 1, 8, 8)"}
# case: {"expr": "nn.Sequential(net[0], nn.Flatten())", "inputs": "torch.randn(1, 1, 8, 8)"}
# case: {"expr": "nn.Linear(3, 2)", "inputs": "torch.randn(2, 3)"}
# case: {"expr": "nn.ReLU(inplace=True)", "inputs": "torch.randn(2, 3)"}
# case: {"expr": "nn.LayerNorm([3], elementwise_affine=True)", "inputs": "torch.randn(2, 3)"}
# case: {"expr": "nn.Conv2d(1, 1, 3, padding=1, padding_mode='reflect')", "inputs": "torch.randn(1, 1, 8, 8)"}
# case: {"expr": "nn.MSELoss()", "inputs": "torch.ones(2), torch.zeros(2)"}
# case: {"expr": "nn.Embedding(4, 2)", "inputs": "torch.tensor([1, 2])"}
# case: {"expr": "nn.Dropout(0.5)", "inputs": "torch.ones(3)"}
# case: {"expr": "nn.Softmax(dim=1)", "inputs": "torch.ones(3, 2)"}
# case: {"expr": "nn.CrossEntropyLoss(label_smoothing=0.1)", "inputs": "torch.randn(3, 4), torch.tensor([0, 1, 2])"}

import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU6(), nn.AdaptiveMaxPool2d(2), nn.Flatten(1), nn.LogSoftmax(dim=1))
