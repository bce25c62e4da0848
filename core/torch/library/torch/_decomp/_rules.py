# SPDX-License-Identifier: GPL-3.0-or-later
# The table of decompositions: how a rule enters it, and what many rules need.
import functools

import torch

aten = torch.ops.aten
table = {}
table_beyond_core = {}  # of operators in the core set
_COMPUTED_AS = {torch.float16: torch.float32, torch.bfloat16: torch.float32, torch.complex32: torch.complex64}


def _entering(table, overloads):
    def register(function):
        for overload in overloads:
            table[overload] = function
        return function
    return register


def rule(*overloads):
    return _entering(table, overloads)


def beyond_core(*overloads):
    return _entering(table_beyond_core, overloads)


def in_place(overload, functional):
    # An operator that changes its first argument: what the functional one gives, copied there.
    def function(x, *args, **kwargs):
        return x.copy_(functional(x, *args, **kwargs))
    table[overload] = function


def computation_dtype(dtype):
    return _COMPUTED_AS.get(dtype, dtype)


def _kind(dtype):
    if dtype.is_complex:
        return 3
    return 2 if dtype.is_floating_point else int(dtype != torch.bool)


def _promoted(tensors):
    # As for an operator of these tensors: one without dimensions counts only where its kind of number is a higher one.
    sized = [x.dtype for x in tensors if x.dim() > 0]
    single = [x.dtype for x in tensors if x.dim() == 0]
    if not sized:
        return functools.reduce(torch.promote_types, single)
    dtype = functools.reduce(torch.promote_types, sized)
    higher = [each for each in single if _kind(each) > _kind(dtype)]
    return functools.reduce(torch.promote_types, higher, dtype)


def computed(function, integers_as_floats=False, is_back=True):
    # The function with tensors of 16-bit numbers computed in 32 bits, and its results brought back.
    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        dtype = _promoted([arg for arg in args if isinstance(arg, torch.Tensor)])
        if integers_as_floats and _kind(dtype) < 2:
            dtype = torch.get_default_dtype()
        wide = computation_dtype(dtype)
        out = function(*[arg.to(wide) if isinstance(arg, torch.Tensor) else arg for arg in args], **kwargs)
        if not is_back:
            return out
        if isinstance(out, tuple):
            return tuple(each.to(dtype) if isinstance(each, torch.Tensor) else each for each in out)
        return out.to(dtype)
    return wrapped


def computed_as_float(function):
    return computed(function, integers_as_floats=True)


def compared(function):
    # For a function whose result is true or false.
    return computed(function, is_back=False)


def reduced(loss, reduction):
    # A loss by ATen's number of a reduction: none, mean, sum.
    if reduction == 1:
        return torch.mean(loss)
    return torch.sum(loss) if reduction == 2 else loss


def wrapped_dim(dim, count):
    return dim + max(count, 1) if dim < 0 else dim


def product(sizes):
    out = 1
    for size in sizes:
        out *= size
    return out


def unsqueezed(x, count):
    # As many dimensions of size 1 at the end.
    for _ in range(count):
        x = x.unsqueeze(-1)
    return x


def moments(x, dims, eps):
    # x moved and scaled to mean 0 and variance 1 over these, and by what.
    var, mean = torch.var_mean(x, dims, correction=0, keepdim=True)
    scale = torch.rsqrt(var + eps)
    return (x - mean) * scale, mean, scale, var
