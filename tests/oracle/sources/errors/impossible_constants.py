# SPDX-License-Identifier: GPL-3.0-or-later
# Constants beside a traced value that no overload takes: refused while tracing, with Python's words.
# case: {"expr": "text_for_tensor", "fails": "error"}
# case: {"expr": "text_in_list", "fails": "error"}
# case: {"expr": "none_for_tensor", "fails": "error"}
# case: {"expr": "text_for_dimension", "fails": "error"}
# case: {"expr": "text_for_weight", "fails": "error"}
# case: {"expr": "list_for_number", "fails": "error"}
# case: {"expr": "number_for_weight", "fails": "error"}
# case: {"expr": "number_for_tensor", "fails": "error"}
# case: {"expr": "text_for_choice", "fails": "error"}
# case: {"expr": "text_for_alpha", "fails": "error"}
# case: {"expr": "text_for_size", "fails": "error"}
# case: {"expr": "float_for_dimension", "fails": "error"}
# case: {"expr": "number_for_dtype", "fails": "error"}
# case: {"expr": "only_a_keyword_is_traced", "fails": "error"}
# case: {"expr": "scheme", "fails": "error"}
# case: {"expr": "operator_without_overload", "fails": "error"}
# case: {"expr": "anything_may_be_traced", "inputs": "torch.ones(2, 3), 2"}

import torch
import torch.nn.functional as F


def text_for_tensor(x):
    return torch.add(x, "a")


def text_in_list(x):
    return torch.cat([x, "a"])


def none_for_tensor(x):
    return torch.mul(x, None)


def text_for_dimension(x):
    return torch.sum(x, dim="a")


def text_for_weight(x):
    return F.linear(x, "w")


def list_for_number(x):
    return torch.clamp(x, min=[1])


def number_for_weight(x):
    return F.conv2d(x, 3)


def number_for_tensor(x):
    return torch.matmul(x, 3.0)


def text_for_choice(x):
    return torch.where(x, "a", 1)


def text_for_alpha(x):
    return torch.add(x, 1, alpha="a")


def text_for_size(x):
    return torch.reshape(x, ("a",))


def float_for_dimension(x):
    return torch.softmax(x, 1.5)


def number_for_dtype(x):
    return torch.sum(x, dtype=3)


def only_a_keyword_is_traced(x):
    return torch.add("a", 1, alpha=x)


def anything_may_be_traced(x, n):
    return torch.add(x, 1, alpha=n), torch.reshape(x, (n, 3)), torch.cat([x, x], n - 1), torch.full((2,), n)


def scheme(x):
    return x.view(torch.per_tensor_affine)


def operator_without_overload(x):
    return x + 1, torch.ops.aten.add
