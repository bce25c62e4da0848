# SPDX-License-Identifier: GPL-3.0-or-later
# Nested tensors of layout torch.jagged: in functions that are wrapped, and of what is known.
# case: {"expr": "pooled", "inputs": "torch.arange(18.0).reshape(6, 3), torch.tensor([0, 2, 6])"}
# case: {"expr": "padded", "inputs": "torch.arange(18.0).reshape(6, 3), torch.tensor([0, 2, 6])"}
# case: {"expr": "known", "inputs": "torch.ones(3)"}
# case: {"expr": "parts", "inputs": "torch.ones(3)"}
# case: {"expr": "counted", "inputs": "torch.ones(3)"}
# case: {"expr": "computed", "inputs": "torch.ones(3)"}
# case: {"expr": "inside", "fails": "error"}
# case: {"expr": "without", "fails": "error"}
import torch


def mean_of(values, offsets):
    return torch.nested.nested_tensor_from_jagged(values, offsets).mean(1)


def pad(values, offsets):
    nested = torch.nested.nested_tensor_from_jagged(values, offsets)
    return torch.nested.to_padded_tensor(nested * 2 + 1, 0.5)


torch.fx.wrap("mean_of")
torch.fx.wrap("pad")


def pooled(values, offsets):
    return mean_of(values, offsets) + 1


def padded(values, offsets):
    return pad(values, offsets).sum(-1)


def made():
    return torch.nested.nested_tensor([torch.arange(6.0).reshape(2, 3), torch.ones(4, 3)], layout=torch.jagged)


def known(x):
    nested = made()
    return x + nested.values(), nested.offsets(), nested.to_padded_tensor(0.0)


def parts(x):
    return [x + part for part in made().unbind()]


def counted(x):
    nested = made()
    return x, nested.dim(), nested.size(0), len(nested), nested.is_nested, nested.numel(), str(nested.layout)


def computed(x):
    nested = made()
    return x * nested.sum(), (nested.relu() - nested / 2).values(), nested.softmax(-1).values(), nested.sum(1), (nested * torch.ones(1, 1, 3)).values()


def inside(values, offsets):
    return torch.nested.nested_tensor_from_jagged(values, offsets)


def without(values, offsets):
    return torch.nested.as_nested_tensor(values, layout=torch.jagged)
