# SPDX-License-Identifier: GPL-3.0-or-later
# torch.sparse: what is Python of it.
import torch


def sum(input, dim=None, dtype=None):
    options = {} if dtype is None else {'dtype': dtype}
    return torch._sparse_sum(input, **options) if dim is None else torch._sparse_sum(input, dim, **options)


def to_sparse_semi_structured(original_tensor, transposed=False):
    raise RuntimeError('to_sparse_semi_structured() is not supported: its tensors are a class of Python')
