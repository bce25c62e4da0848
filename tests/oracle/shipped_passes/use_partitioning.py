# SPDX-License-Identifier: GPL-3.0-or-later
# passes: ../../../plugins/passes/partitioning.py
# case: key_of_modules Net() split_by_key
# case: key_deeper Net() split_by_key --depth 2
# case: key_unknown Net() split_by_key --key stage
# case: tags_default Net() split_by_tags
# case: tags_named Net() split_by_tags --operators conv2d,relu --tag npu --rest host
# case: operators_default Net() partition_by_operators
# case: operators_single Net() partition_by_operators --operators add,linear --single True
# case: accelerator_parts Net() SplitForAccelerator
# case: accelerator_large Net() SplitForAccelerator --operators relu,linear,flatten,conv2d --min-size 3
# case: devices_two Net() PlaceOnDevices --memory 4000
# case: devices_small Net() PlaceOnDevices --memory 100
# case: devices_one Net() PlaceOnDevices --devices 1
# case: extract_middle Net() extract_subgraph --first body_1 --last flatten
# case: extract_unknown Net() extract_subgraph --first body_1 --last head_9

import torch
import torch.nn as nn

INPUTS = {"Net()": (torch.linspace(-1, 1, 64).reshape(2, 2, 4, 4),)}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(2, 3, 3), nn.ReLU(), nn.Flatten())
        self.head = nn.Sequential(nn.Linear(12, 8), nn.ReLU(), nn.Linear(8, 4))
        self.gate = nn.Linear(12, 4)

    def forward(self, x):
        y = torch.flatten(self.body(x), 1)
        return torch.relu(self.head(y) + torch.sigmoid(self.gate(y)) + 1)
