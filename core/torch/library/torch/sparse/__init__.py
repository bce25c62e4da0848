# SPDX-License-Identifier: GPL-3.0-or-later
# torch.sparse: what is Python of it.
import torch

addmm = torch._C._sparse._sparse_addmm
mm = torch._C._sparse._sparse_mm
softmax = torch._C._sparse._sparse_softmax
log_softmax = torch._C._sparse._sparse_log_softmax
sampled_addmm = torch._C._sparse.sparse_sampled_addmm
spdiags = torch._C._sparse._spdiags
spsolve = torch._C._sparse._spsolve


def sum(input, dim=None, dtype=None):
    options = {} if dtype is None else {'dtype': dtype}
    return torch._sparse_sum(input, **options) if dim is None else torch._sparse_sum(input, dim, **options)


def to_sparse_semi_structured(original_tensor, transposed=False):
    raise RuntimeError('to_sparse_semi_structured() is not supported: its tensors are a class of Python')
