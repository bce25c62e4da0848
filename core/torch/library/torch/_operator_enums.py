# SPDX-License-Identifier: GPL-3.0-or-later
# The enumerations that speak of operators: the tags that PyTorch gives them, and the keys that its dispatcher goes by.
import enum


class Tag(enum.Enum):
    core = 0
    cudagraph_unsafe = 1
    data_dependent_output = 2
    dynamic_output_shape = 3
    flexible_layout = 4
    generated = 5
    inplace = 6
    inplace_view = 7
    maybe_aliasing_or_mutating = 8
    needs_contiguous_strides = 9
    needs_exact_strides = 10
    needs_fixed_stride_order = 11
    nondeterministic_bitwise = 12
    nondeterministic_seeded = 13
    out = 14
    out_variant = 15
    pointwise = 16
    pt2_compliant_tag = 17
    reduction = 18
    view_copy = 19

    def __int__(self):
        return self.value


Tag.__module__ = 'torch'
DispatchKey = enum.Enum('DispatchKey', _dispatch_keys(), module='torch._C')
