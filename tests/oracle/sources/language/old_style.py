# SPDX-License-Identifier: GPL-3.0-or-later
# Habits of older code: Variable, super with arguments, __future__, object bases, forward with data.
# case: {"expr": "Net()", "inputs": "torch.randn(2, 3)"}

from __future__ import absolute_import, division, print_function

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Variable
from torch.nn import init


class Helper(object):
    instances = 0

    def __init__(self, n):
        Helper.instances += 1
        self.n = n


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.fc1 = nn.Linear(3, 4)
        self.fc2 = nn.Linear(4, 2)
        init.xavier_uniform(self.fc1.weight) if False else init.xavier_uniform_(self.fc1.weight)
        self.fc1.bias.data.zero_()
        self.fc2.weight.data.normal_(0, 0.01)
        self.helper = Helper(2)
        self.criterion = nn.NLLLoss(reduction="mean")

    def forward(self, x):
        x = F.relu(self.fc1(x))
        x = F.dropout(x, training=self.training)
        return F.log_softmax(self.fc2(x), dim=1) / self.helper.n
