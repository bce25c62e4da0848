# SPDX-License-Identifier: GPL-3.0-or-later
"""Larger programs: recurrent nets, attention, transformers, ResNets; a net with nothing a leaf."""

import pathlib
import sys

import torch
import torch.ao.quantization as tao
import torch.nn.functional as F
from torch import nn

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import resnet50


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 6, num_layers=2, batch_first=True, bidirectional=True)
        self.head = nn.Linear(12, 2)

    def forward(self, x):
        out, (hidden, cell) = self.lstm(x)
        return self.head(out[:, -1]), hidden, cell


class Gru(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(4, 5, batch_first=True)

    def forward(self, x):
        out, hidden = self.gru(x)
        return out, hidden


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.norm = nn.LayerNorm(8)

    def forward(self, x):
        y, weights = self.attention(x, x, x, need_weights=True)
        return self.norm(x + y), weights


class OwnAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(8, 24)
        self.out = nn.Linear(8, 8)
        self.heads = 2

    def forward(self, x):
        b, t, c = x.shape
        qkv = self.qkv(x).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        weights = (q @ k.transpose(-2, -1)) * (c // self.heads) ** -0.5
        y = F.softmax(weights, dim=-1) @ v
        return self.out(y.transpose(1, 2).reshape(b, t, c))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 8)
        layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(8, 20)

    def forward(self, ids):
        return self.head(self.encoder(self.embed(ids)))


class BasicBlock(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.down = None
        if stride != 1 or inputs != outputs:
            self.down = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        identity = x
        if self.down is not None:
            identity = self.down(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out = out + identity
        return self.relu(out)


class ResNet18(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 7, 2, 3, bias=False), nn.BatchNorm2d(8), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1))
        layers, inputs = [], 8
        for width, stride in ((8, 1), (8, 1), (16, 2), (16, 1), (32, 2), (32, 1), (64, 2), (64, 1)):
            layers.append(BasicBlock(inputs, width, stride))
            inputs = width
        self.layers = nn.Sequential(*layers)
        self.pool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(64, 10)

    def forward(self, x):
        x = self.layers(self.stem(x))
        return self.fc(torch.flatten(self.pool(x), 1))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose2d(4, 3, 2, stride=2)
        self.norm = nn.InstanceNorm2d(3, affine=True)
        self.act = nn.LeakyReLU(0.1)
        self.pad = nn.ReflectionPad2d(1)
        self.resize = nn.Upsample(scale_factor=2.0, mode="nearest")
        self.shuffle = nn.PixelShuffle(2)

    def forward(self, x):
        y = self.act(self.norm(self.up(x)))
        z = F.interpolate(y, scale_factor=2.0, mode="bilinear", align_corners=False)
        return self.pad(y), z, self.resize(y), self.shuffle(x)


class Packed(nn.Module):
    """A recurrent layer over a packed sequence."""

    def __init__(self, kind, is_sorted, **options):
        super().__init__()
        self.layer = kind(4, 3, **options)
        self.is_sorted = is_sorted
        self.first = options.get("batch_first", False)

    def forward(self, x, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=self.first, enforce_sorted=self.is_sorted)
        out, state = self.layer(packed)
        padded, counts = nn.utils.rnn.pad_packed_sequence(out, batch_first=self.first)
        return padded, counts, state, packed.data


class PackedFrom(nn.Module):
    """From a state that is given, padded to a length and with a value."""

    def __init__(self):
        super().__init__()
        self.layer = nn.GRU(4, 3, batch_first=True)

    def forward(self, x, lengths, state):
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
        out, state = self.layer(packed, state)
        return nn.utils.rnn.pad_packed_sequence(out, batch_first=True, padding_value=-1.0, total_length=7)[0], state


class Quantized(nn.Module):
    """Layers that torch.ao made integers of."""

    def __init__(self, *layers, sample):
        super().__init__()
        model = nn.Sequential(tao.QuantStub(), *layers, tao.DeQuantStub()).eval()
        model.qconfig = tao.get_default_qconfig("fbgemm")
        tao.prepare(model, inplace=True)
        model(sample)
        self.model = tao.convert(model)

    def forward(self, x):
        return self.model(x)


def dynamic(*layers):
    return tao.quantize_dynamic(nn.Sequential(*layers).eval(), {nn.Linear, nn.LSTM, nn.GRU, nn.LSTMCell}, dtype=torch.qint8)


class DynamicLstm(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.layer = dynamic(kind(4, 3, num_layers=2, bidirectional=True))[0]

    def forward(self, x):
        return self.layer(x)


class DynamicCell(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.cell = tao.quantize_dynamic(nn.Sequential(kind(4, 3)).eval(), {kind}, dtype=torch.qint8)[0]

    def forward(self, x):
        return self.cell(x[1], self.cell(x[0]))


class DynamicLstmCell(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = dynamic(nn.LSTMCell(4, 3))[0]

    def forward(self, x, h, c):
        return self.cell(x, (h, c))


class Sums(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 4)
        self.sum, self.both = nn.quantized.FloatFunctional(), nn.quantized.FloatFunctional()

    def forward(self, x):
        return self.both.cat([self.sum.add(self.a(x), self.b(x)), x], 1)


class Tables(nn.Module):
    """Embeddings of integers."""

    def __init__(self):
        super().__init__()
        model = nn.ModuleList([nn.Embedding(10, 8), nn.EmbeddingBag(10, 8, mode="sum", include_last_offset=True)]).eval()
        model.qconfig = tao.float_qparams_weight_only_qconfig
        self.tables = tao.convert(tao.prepare(model))

    def forward(self, ids, offsets):
        return self.tables[0](ids), self.tables[1](ids, offsets)


def fused(*layers):
    return tao.fuse_modules(nn.Sequential(*layers).eval(), [[str(i) for i in range(len(layers))]])


def plain_weights(layer):
    """Quantized with one scale for the whole weight, as transposed convolutions need it."""
    layer.qconfig = tao.QConfig(activation=tao.default_observer, weight=tao.default_weight_observer)
    return layer


def quantized_cases():
    x, image = torch.randn(3, 4), torch.randn(2, 3, 6, 6)
    yield "quantized_linear", Quantized(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2), sample=x), (x,), "script trace freeze"
    yield "quantized_conv", Quantized(nn.Conv2d(3, 4, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), sample=image), (image,), "script trace"
    yield "quantized_dynamic", dynamic(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2)), (x,), "script trace"
    yield "quantized_half", tao.quantize_dynamic(nn.Sequential(nn.Linear(4, 2)).eval(), {nn.Linear}, dtype=torch.float16), (x,), "script"
    yield "quantized_conv_relu", Quantized(fused(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU()), sample=image), (image,), "script trace"
    yield "quantized_conv1d", Quantized(nn.Conv1d(3, 4, 3), nn.ReLU6(), sample=image[:, :, 0]), (image[:, :, 0],), "script"
    yield "quantized_up", Quantized(plain_weights(nn.ConvTranspose2d(3, 4, 2)), sample=image), (image,), "script"
    yield "quantized_hardswish", Quantized(nn.Linear(4, 4), nn.Hardswish(), nn.LayerNorm(4), nn.ELU(), sample=x), (x,), "script freeze"
    yield "quantized_sums", Quantized(Sums(), sample=x), (x,), "script"
    yield "quantized_tables", Tables(), (torch.tensor([1, 2, 4, 9]), torch.tensor([0, 2, 4])), "script"
    yield "quantized_gru_cell", DynamicCell(nn.GRUCell), (torch.randn(5, 2, 4),), "script"
    yield "quantized_rnn_cell", DynamicCell(nn.RNNCell), (torch.randn(5, 2, 4),), "script"
    yield "quantized_lstm_cell", DynamicLstmCell(), (x, torch.randn(3, 3), torch.randn(3, 3)), "script"
    yield "quantized_lstm", DynamicLstm(nn.LSTM), (torch.randn(5, 2, 4),), "script"
    yield "quantized_gru", DynamicLstm(nn.GRU), (torch.randn(5, 2, 4),), "script"


def cases():
    torch.manual_seed(3)
    x = torch.randn(2, 5, 4)
    yield "lstm", Recurrent(), (x,), "script trace"
    yield "gru", Gru(), (x,), "script trace"
    yield "attention", Attention(), (torch.randn(2, 5, 8),), "script trace"
    yield "own_attention", OwnAttention(), (torch.randn(2, 5, 8),), "script trace"
    yield "encoder", Encoder(), (torch.randint(0, 20, (2, 5)),), "script", {"close": True}  # torch.jit takes the fused path
    image = torch.randn(1, 3, 32, 32)
    yield "resnet18", ResNet18(), (image,), "script trace freeze same"
    yield "decoder", Decoder(), (torch.randn(1, 4, 4, 4),), "script trace"
    yield "resnet18_no_leaves", ResNet18(), (image,), "script trace", {"no_leaves": True}
    lengths = torch.tensor([5, 3])
    yield "packed_gru", Packed(nn.GRU, True, batch_first=True), (x, lengths), "script"
    yield "packed_lstm", Packed(nn.LSTM, True, num_layers=2, bidirectional=True), (x.transpose(0, 1), lengths), "script"
    yield "packed_unsorted", Packed(nn.GRU, False, batch_first=True), (x, torch.tensor([2, 5])), "script"
    yield "packed_rnn", Packed(nn.RNN, True, batch_first=True), (x, lengths), "script"
    yield "packed_rnn_relu", Packed(nn.RNN, True, batch_first=True, nonlinearity="relu", bias=False), (x, lengths), "script"
    yield "packed_lstm_projected", Packed(nn.LSTM, True, batch_first=True, proj_size=2), (x, lengths), "script"
    yield "packed_gru_both_ways", Packed(nn.GRU, False, num_layers=2, bidirectional=True), (x.transpose(0, 1), torch.tensor([2, 5])), "script"
    yield "packed_lengths_equal", Packed(nn.LSTM, True, batch_first=True), (x, torch.tensor([5, 5])), "script"
    yield "packed_from", PackedFrom(), (x, lengths, torch.zeros(1, 2, 3)), "script"
    yield from quantized_cases()
    yield "resnet50", resnet50.ResNet50(), (image,), "script trace", {"no_leaves": True, "lines": 445}
