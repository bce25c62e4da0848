# SPDX-License-Identifier: GPL-3.0-or-later
# Traced values where PyTorch wants ints at once.
# case: {"expr": "expand", "fails": "error"}
# case: {"expr": "new_zeros", "fails": "error"}
# case: {"expr": "resize", "fails": "error"}
# case: {"expr": "size", "fails": "error"}
# case: {"expr": "longer_shape", "fails": "error"}
# case: {"expr": "shape_behind", "fails": "error"}
# case: {"expr": "tensor", "fails": "error"}
# case: {"expr": "as_tensor", "fails": "error"}
# case: {"expr": "new_tensor", "fails": "error"}
# case: {"expr": "tensor_of_items", "fails": "error"}

import torch

B = torch.zeros(2, 8)


def expand(x):
    return B.expand(x.size(0), *B.shape)


def new_zeros(x):
    return B.new_zeros(x, 3)


def resize(x):
    return B.clone().resize_(x, 2)


def size(x):
    return torch.Size([1, x])


def longer_shape(x):
    return B.view(B.shape[:-1] + (x, 2))


def shape_behind(x):
    return (x,) + B.shape


def tensor(x):
    return torch.tensor(x.shape[0])


def as_tensor(x):
    return torch.as_tensor(data=x)


def new_tensor(x):
    return B.new_tensor(x)


def tensor_of_items(x):
    return B.new_tensor([x])
