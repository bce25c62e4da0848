# SPDX-License-Identifier: GPL-3.0-or-later
"""Quantized tensors and operators; the results leave as numbers."""

import torch


def per_tensor(x):
    q = torch.quantize_per_tensor(x, 0.1, 10, torch.quint8)
    added = torch.ops.quantized.add(q, q, 0.2, 5)
    multiplied = torch.ops.quantized.mul(q, q, 0.1, 0)
    return (q.dequantize(), added.dequantize(), q.int_repr(), multiplied.dequantize(), q.q_scale(), q.q_zero_point(),
            torch.relu(q).dequantize(), torch.dequantize(torch.ops.quantized.cat([q, added], 0, 0.1, 3)),
            q.reshape(-1)[1:4].dequantize(), torch.ops.quantized.add_relu(q, added, 0.3, 2).int_repr())


def per_channel(x):
    q = torch.quantize_per_channel(x, torch.tensor([0.1, 0.2]), torch.tensor([0, 3]), 0, torch.qint8)
    return q.dequantize(), q.int_repr(), q.q_per_channel_scales(), q.q_per_channel_axis()


def packed(x):
    """The packed weights are an object that only flows from one operator to the other."""
    q = torch.quantize_per_tensor(x, 0.1, 10, torch.quint8)
    weights = torch.quantize_per_tensor(x, 0.05, 0, torch.qint8)
    held = torch.ops.quantized.linear_prepack(weights, x[:, 0])
    return (torch.ops.quantized.linear(q, held, 0.2, 4).dequantize(), torch.ops.quantized.linear_dynamic(x, held),
            torch.ops.quantized.linear_relu(q, held, 0.1, 0).int_repr())


def fake(x):
    return torch.fake_quantize_per_tensor_affine(x, 0.1, 2, 0, 255)


def cases():
    x = torch.randn(2, 3)
    yield "quantized_per_tensor", per_tensor, [x], {}
    yield "quantized_per_channel", per_channel, [x], {}
    yield "quantized_packed", packed, [x], {}
    yield "fake_quantized", fake, [x], {}
