# SPDX-License-Identifier: GPL-3.0-or-later
# The classes of the models that check_quantized.py quantizes, prunes and saves; fxscope reads this file as their source.
import torch
import torch.ao.nn.qat as nnqat
import torch.ao.nn.quantized as nnq
import torch.nn.functional as F
import torch.nn.utils.parametrizations as parametrizations
from torch import nn
from torch.ao.quantization import DeQuantStub, QuantStub, default_qat_qconfig, get_default_qat_qconfig


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 6, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(6)
        self.relu = nn.ReLU()
        self.deep = nn.Conv2d(6, 6, 3, stride=2, groups=6)
        self.act = nn.Hardswish()
        self.norm = nn.GroupNorm(2, 6)
        self.fc = nn.Linear(6 * 9, 5)
        self.last = nn.Sequential(nn.Linear(5, 5), nn.LeakyReLU(0.2), nn.ELU(), nn.Sigmoid())

    def forward(self, x):
        x = self.relu(self.bn(self.conv(x)))
        x = self.norm(self.act(self.deep(x)))
        return self.last(self.fc(torch.flatten(x, 1)))


class Functions(nn.Module):
    # Weights of functions become attributes of the GraphModule that hold them packed.
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 3, 3, 3))
        self.bias = nn.Parameter(torch.randn(4))
        self.matrix = nn.Parameter(torch.randn(5, 4 * 36))

    def forward(self, x):
        x = F.relu(F.conv2d(x, self.weight, self.bias, (1, 1), (0, 0), (1, 1), 1))
        x = torch.cat([x, x + x]).reshape(4, 144) * 0.5
        return F.linear(x, self.matrix)


class Embedded(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.Embedding(10, 12)
        self.bag = nn.EmbeddingBag(10, 12, mode='sum', include_last_offset=True)

    def forward(self, indices, offsets):
        return self.rows(indices), self.bag(indices, offsets)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 5, 2, bidirectional=True)
        self.gru = nn.GRU(10, 5, batch_first=True)
        self.cell = nn.LSTMCell(5, 4)
        self.other = nn.GRUCell(4, 4)
        self.out = nn.Linear(4, 2)

    def forward(self, x):
        x, (h, c) = self.lstm(x)
        x, _ = self.gru(x)
        h, c = self.cell(x[0])
        return self.out(self.other(h)), c


class Stubs(nn.Module):
    def __init__(self):
        super().__init__()
        self.quant = QuantStub()
        self.conv = nn.Conv2d(3, 4, 3)
        self.relu = nn.ReLU()
        self.fc = nn.Linear(4 * 36, 5)
        self.add = nnq.FloatFunctional()
        self.dequant = DeQuantStub()

    def forward(self, x):
        x = self.relu(self.conv(self.quant(x)))
        x = self.add.add(x, x)
        return self.dequant(self.fc(torch.flatten(x, 1)))


class Packed(nn.Module):
    # Quantized layers that a state_dict fills.
    def __init__(self):
        super().__init__()
        self.enter = nnq.Quantize(1.0, 0, torch.quint8)
        self.conv = nnq.Conv2d(3, 4, 3, stride=2)
        self.fc = nnq.Linear(4 * 9, 5)
        self.leave = nnq.DeQuantize()

    def forward(self, x):
        return self.leave(self.fc(torch.flatten(self.conv(self.enter(x)), 1)))


class Rounded(nn.Module):
    # Trained for quantization: observers watch the weights.
    def __init__(self):
        super().__init__()
        self.conv = nnqat.Conv2d(3, 4, 3, qconfig=get_default_qat_qconfig('x86'))
        self.fc = nnqat.Linear(4 * 36, 5, qconfig=default_qat_qconfig)

    def forward(self, x):
        return self.fc(torch.flatten(self.conv(x).relu(), 1))


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.fc = nn.Linear(4 * 36, 6)
        self.back = nn.Linear(6, 6)

    def forward(self, x):
        return self.back(self.fc(torch.flatten(self.conv(x).relu(), 1)))


class Parametrized(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = parametrizations.spectral_norm(nn.Conv2d(3, 4, 3))
        self.fc = parametrizations.weight_norm(nn.Linear(4 * 36, 6), dim=1)
        self.back = parametrizations.orthogonal(nn.Linear(6, 6), orthogonal_map='householder')

    def forward(self, x):
        return self.back(self.fc(torch.flatten(self.conv(x).relu(), 1)))


def doubled(module, args):
    return (args[0] * 2,)


def shifted(module, args, result):
    return result + 1


def scaled(module, args, kwargs):
    return (args[0] * 3,), kwargs
