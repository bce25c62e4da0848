# SPDX-License-Identifier: GPL-3.0-or-later
# Tensors made as before there was `dtype`: torch.FloatTensor and its like, with sizes, with data, in isinstance.
# case: {"expr": "GraphNet(5, 4, 3)", "inputs": "torch.randn(6, 5), torch.eye(6)"}
# case: {"expr": "kinds", "inputs": "torch.randn(2)"}
# case: {"expr": "words", "inputs": "torch.randn(2)"}
import torch
from torch import nn
from torch.nn.parameter import Parameter


class GraphConvolution(nn.Module):
    def __init__(self, wide, narrow, bias=True):
        super().__init__()
        self.weight = Parameter(torch.FloatTensor(wide, narrow))
        if bias:
            self.bias = Parameter(torch.FloatTensor(narrow))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1.0 / self.weight.size(1) ** 0.5
        self.weight.data.uniform_(-bound, bound)
        if self.bias is not None:
            self.bias.data.uniform_(-bound, bound)

    def forward(self, x, adjacency):
        out = adjacency.mm(torch.mm(x, self.weight))
        return out + self.bias if self.bias is not None else out


class GraphNet(nn.Module):
    def __init__(self, features, hidden, classes):
        super().__init__()
        self.first = GraphConvolution(features, hidden)
        self.second = GraphConvolution(hidden, classes, bias=False)
        self.register_buffer("order", torch.LongTensor([2, 0, 1]))

    def forward(self, x, adjacency):
        x = torch.relu(self.first(x, adjacency))
        return torch.log_softmax(self.second(x, adjacency)[:, self.order], dim=1)


def kinds(x):
    data = torch.FloatTensor([1, 2.5])
    known = [isinstance(data, t) for t in (torch.FloatTensor, torch.LongTensor, torch.DoubleTensor, torch.Tensor)]
    shapes = [torch.IntTensor(2, 3).shape, torch.ByteTensor([[1, 2]]).dtype, torch.BoolTensor([1, 0]).tolist(),
              torch.HalfTensor().shape, torch.DoubleTensor(torch.Size([2, 1])).shape]
    same = torch.FloatTensor(data)
    same[0] = 7
    return x * data, known, shapes, data.tolist()


def words(x):
    numbers = [2 ** 64 - 1, 5, 2 ** 63]
    tensor = torch.tensor(numbers, dtype=torch.uint64)
    found = [tensor.tolist() == numbers, tensor[0].item() - 2 ** 64, tensor[2].tolist() - 2 ** 63, tensor[1].item()]
    for call in (lambda: torch.tensor([2 ** 64], dtype=torch.uint64), lambda: torch.tensor([-2 ** 70], dtype=torch.uint64), lambda: int(tensor[0]),
                 lambda: range(9)[tensor[0]]):
        try:
            call()
        except (ValueError, RuntimeError, OverflowError):
            found.append("refused")
    return x, found, str(torch.tensor(2 ** 63, dtype=torch.uint64))
