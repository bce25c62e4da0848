# SPDX-License-Identifier: GPL-3.0-or-later
# Messages along edges with index_select, scatter_add and degrees.
# case: {"expr": "GCN(4, 8, 3)", "inputs": "torch.randn(5, 4), torch.tensor([[0, 1, 2, 3, 4], [1, 2, 3, 4, 0]])"}

import torch
from torch import nn
import torch.nn.functional as F


class GCNConv(nn.Module):
    def __init__(self, cin, cout, bias=True):
        super().__init__()
        self.lin = nn.Linear(cin, cout, bias=False)
        if bias:
            self.bias = nn.Parameter(torch.zeros(cout))
        else:
            self.register_parameter("bias", None)

    def forward(self, x, edge_index):
        row, col = edge_index[0], edge_index[1]
        n = x.size(0)
        deg = torch.zeros(n, dtype=x.dtype).scatter_add(0, col, torch.ones_like(col, dtype=x.dtype))
        deg_inv_sqrt = deg.pow(-0.5)
        deg_inv_sqrt = deg_inv_sqrt.masked_fill(deg_inv_sqrt == float("inf"), 0.0)
        norm = deg_inv_sqrt[row] * deg_inv_sqrt[col]
        h = self.lin(x)
        messages = norm.view(-1, 1) * h.index_select(0, row)
        out = torch.zeros_like(h).index_add_(0, col, messages)
        if self.bias is not None:
            out = out + self.bias
        return out


class GCN(nn.Module):
    def __init__(self, n_in, hidden, classes):
        super().__init__()
        self.conv1 = GCNConv(n_in, hidden)
        self.conv2 = GCNConv(hidden, classes, bias=False)

    def forward(self, x, edge_index):
        x = F.relu(self.conv1(x, edge_index))
        x = F.dropout(x, training=self.training)
        x = self.conv2(x, edge_index)
        return F.log_softmax(x, dim=1)
