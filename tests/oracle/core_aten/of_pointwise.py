# SPDX-License-Identifier: GPL-3.0-or-later
# Cases of the pointwise rules: each case yields functions with their arguments.
import torch

aten = torch.ops.aten


def x(*shape, dtype=torch.float32):
    return torch.linspace(-3, 3, 24).reshape(shape or (4, 6)).to(dtype)


def unary(op, *args, **kwargs):
    for dtype in (torch.float32, torch.float16, torch.bfloat16, torch.float64):
        yield lambda a: op(a, *args, **kwargs), (x(dtype=dtype),)


def backward(op, *args, **kwargs):
    for dtype in (torch.float32, torch.bfloat16):
        yield lambda g, a: op(g, a, *args, **kwargs), (x(dtype=dtype), x(dtype=dtype))


def joined(op, *args, dtype=torch.float32, **kwargs):
    def f(a):
        out = op(a, *args, **kwargs)
        return out, torch.autograd.grad(out.sum(), [a])[0]
    return f, (x(dtype=dtype).requires_grad_(),)


def in_place(op, *args, **kwargs):
    def f(a):
        b = a.clone()
        op(b, *args, **kwargs)
        return b

    def returned(a):
        return op(a.clone(), *args, **kwargs)
    for dtype in (torch.float32, torch.bfloat16):
        yield f, (x(dtype=dtype),)
        yield returned, (x(dtype=dtype),)
    yield lambda a: op(a, *args, **kwargs), (x(),)


def case_softplus_by_one():
    yield torch.nn.Softplus(), (x(),)
    yield lambda a: torch.nn.functional.softplus(a, 1), (x(),)


def case_silu():
    yield from unary(aten.silu)
    yield from backward(aten.silu_backward)
    yield from in_place(aten.silu_)
    yield joined(torch.nn.functional.silu)
    yield joined(torch.nn.functional.silu, dtype=torch.bfloat16)


def case_hardswish():
    yield from unary(aten.hardswish)
    yield from backward(aten.hardswish_backward)
    yield from in_place(aten.hardswish_)
    yield joined(torch.nn.functional.hardswish)


def case_hardsigmoid():
    yield from unary(aten.hardsigmoid)
    yield from backward(aten.hardsigmoid_backward)
    yield from in_place(aten.hardsigmoid_)
    yield joined(torch.nn.functional.hardsigmoid)


def case_hardtanh():
    yield from unary(aten.hardtanh, -1, 1)
    yield from backward(aten.hardtanh_backward, -1.0, 1.0)
    yield from backward(aten.hardtanh_backward, 0, 6)
    yield from in_place(aten.hardtanh_)
    yield from in_place(aten.hardtanh_, 0, 6)
    yield from in_place(aten.hardtanh_, 0.0, 6.0)
    yield joined(torch.nn.functional.hardtanh)
    yield joined(torch.nn.functional.relu6)


def case_mish():
    yield from unary(aten.mish)
    yield from backward(aten.mish_backward)
    yield from in_place(aten.mish_)
    yield joined(torch.nn.functional.mish)


def case_softplus():
    yield from unary(aten.softplus)
    yield from unary(aten.softplus, 2, 10)
    yield from unary(aten.softplus, 0.5, 15.0)
    yield from backward(aten.softplus_backward, 1, 20)
    yield from backward(aten.softplus_backward, 0.5, 15.0)
    yield joined(torch.nn.functional.softplus)
    yield joined(torch.nn.functional.softplus, 2, 10)


def case_elu():
    yield from unary(aten.elu)
    yield from unary(aten.elu, 0.5)
    yield from in_place(aten.elu_)
    yield from in_place(aten.elu_, 0.5, 2.0, 3.0)
    for is_result in (False, True):
        yield from backward(lambda g, a: aten.elu_backward(g, 1.0, 1, 1, is_result, a))
        yield from backward(lambda g, a: aten.elu_backward(g, 0.5, 2.0, 3.0, is_result, a))
    yield joined(torch.nn.functional.elu)
    yield joined(torch.nn.functional.selu)


def case_celu():
    yield from unary(aten.celu)
    yield from unary(aten.celu, 0.5)
    yield from unary(aten.celu, 2)
    yield from in_place(aten.celu_)
    yield from in_place(aten.celu_, 0.5)
    yield joined(torch.nn.functional.celu)
    yield joined(torch.nn.functional.celu, 0.5)


def case_leaky_relu():
    yield from unary(aten.leaky_relu)
    yield from in_place(aten.leaky_relu_)
    yield from in_place(aten.leaky_relu_, 0.2)
    for is_result in (False, True):
        yield from backward(aten.leaky_relu_backward, 0.1, is_result)
    yield joined(torch.nn.functional.leaky_relu)


def case_gelu():
    yield from unary(aten.gelu)
    yield from in_place(aten.gelu_)
    yield from in_place(aten.gelu_, approximate='tanh')
    yield from backward(aten.gelu_backward)
    yield from backward(aten.gelu_backward, approximate='tanh')
    yield joined(torch.nn.functional.gelu)
    yield joined(torch.nn.functional.gelu, approximate='tanh')
    yield joined(torch.nn.functional.gelu, dtype=torch.bfloat16)


def case_threshold():
    yield from unary(aten.threshold, 0, 0)
    yield from unary(aten.threshold, 0.1, 20)
    yield from unary(aten.threshold, 0.1, 2.5)
    yield from in_place(aten.threshold_, 0.1, 20)
    yield from backward(aten.threshold_backward, 0)
    yield from backward(aten.threshold_backward, 0.5)
    yield joined(torch.nn.functional.relu)
    yield joined(torch.nn.functional.threshold, 0.1, 20)


def case_sigmoid():
    yield from unary(aten.sigmoid)
    yield from backward(aten.sigmoid_backward)
    yield joined(torch.sigmoid)


def case_tanh():
    yield from unary(aten.tanh)
    yield from backward(aten.tanh_backward)
    yield joined(torch.tanh)


def case_log_sigmoid():
    yield from unary(aten.log_sigmoid_forward)
    yield from backward(lambda g, a: aten.log_sigmoid_backward(g, a, a.exp()))
    yield joined(torch.nn.functional.logsigmoid)


def case_softshrink():
    yield from unary(aten.softshrink)
    yield from unary(aten.softshrink, 0.2)
    yield from unary(aten.hardshrink)
    yield from unary(aten.hardshrink, 0.2)
    yield joined(torch.nn.functional.softshrink)
    yield joined(torch.nn.functional.hardshrink)
    yield joined(torch.nn.functional.tanhshrink)


def case_prelu():
    w = torch.tensor([0.25])
    yield lambda a, b: aten._prelu_kernel(a, b), (x(), w.reshape(1, 1))
    yield lambda a, b: torch.nn.functional.prelu(a, b), (x(), w)
    yield lambda g, a, b: aten._prelu_kernel_backward(g, a, b), (x(), x(), w.reshape(1, 1))

    def f(a, b):
        return torch.autograd.grad(torch.nn.functional.prelu(a, b).sum(), [a, b])
    yield f, (x().requires_grad_(), torch.ones(1, requires_grad=True))
    yield f, (x().requires_grad_(), torch.ones(6, requires_grad=True))


def case_glu():
    for dim in (-1, 0, 1):
        yield lambda a: aten.glu(a, dim), (x(),)
        yield lambda a: aten.glu(a, dim), (x(dtype=torch.bfloat16),)
        yield lambda g, a: aten.glu_backward(g, a, dim), (aten.glu(x(), dim), x())
        yield lambda g, a: aten.glu_backward(g, a, dim), (aten.glu(x(), dim).bfloat16(), x(dtype=torch.bfloat16))
        yield joined(torch.nn.functional.glu, dim)


def case_addcmul():
    for dtype in (torch.float32, torch.bfloat16, torch.int64):
        a = x(dtype=dtype)
        for op in (aten.addcmul, aten.addcdiv):
            if op is aten.addcdiv and dtype == torch.int64:
                continue
            yield lambda a, b, c: op(a, b, c), (a, a, a)
            yield lambda a, b, c: op(a, b, c, value=1), (a, a, a)
            yield lambda a, b, c: op(a, b, c, value=2), (a, a, a)
            yield lambda a, b, c: op(a, b, c), (a, a[0], a[:, :1])
    for value in (1, -0.1, 2):
        yield lambda a, b, c: op(a, b, c, value=value), (x(), x(), x())
        yield lambda a, b, c: aten.addcmul_(a.clone(), b, c, value=value), (x(), x(), x())
        yield lambda a, b, c: aten.addcdiv_(a.clone(), b, c, value=value), (x(), x(), x())


def case_lerp():
    for dtype in (torch.float32, torch.bfloat16):
        a = x(dtype=dtype)
        yield lambda a, b: aten.lerp(a, b, 0.3), (a, a)
        yield lambda a, b: aten.lerp(a, b, 0.7), (a, a)
        yield lambda a, b: aten.lerp(a, b, 1), (a, a)
        yield lambda a, b, w: torch.lerp(a, b, w), (a, a, a)
        yield lambda a, b, w: torch.lerp(a, b, w), (a, a[0], a)
        yield lambda a, b, w: torch.lerp(a, b, w), (a[0], a, a[0, 0])
        yield lambda a, b: aten.lerp_(a.clone(), b, 0.7), (a, a)
        yield lambda a, b, w: a.clone().lerp_(b, w), (a, a, a)


def case_rsub():
    for dtype in (torch.float32, torch.bfloat16, torch.int64):
        a = x(dtype=dtype)
        yield lambda a: aten.rsub(a, 1), (a,)
        yield lambda a: aten.rsub(a, 2.5), (a,)
        yield lambda a: aten.rsub(a, 1, alpha=2), (a,)
        yield lambda a: aten.rsub(a, 1, 2), (a,)
        yield lambda a: 1 - a, (a,)
        yield lambda a: torch.rsub(a, 1.5), (a,)
        yield lambda a, b: aten.rsub(a, b), (a, a[0])
        yield lambda a, b: aten.rsub(a, b, alpha=2), (a, a)
        yield lambda a, b: torch.rsub(a, b), (a, a)
        yield lambda a, b: aten.rsub(a, b), (x(), a)


def case_logaddexp():
    yield lambda a, b: aten.logaddexp(a, b), (x(), x())
    yield lambda a, b: aten.logaddexp(a, b), (x(), x()[0])
    yield lambda a, b: aten.logaddexp2(a, b), (x(), x())
    yield lambda a, b: aten.logaddexp(a, b), (x(dtype=torch.bfloat16), x(dtype=torch.bfloat16))


def case_nan_to_num():
    yield from unary(aten.nan_to_num)
    yield from unary(aten.nan_to_num, 1.0, 2.0, -3.0)
    yield from unary(aten.nan_to_num, 1.0, 2.0)
    yield lambda a: aten.nan_to_num(a), (x(dtype=torch.int64),)
    yield from in_place(aten.nan_to_num_)
    yield from in_place(aten.nan_to_num_, 0.5)
    yield joined(torch.nan_to_num)


def case_masked_fill():
    for dtype in (torch.float32, torch.bfloat16, torch.int64):
        a = x(dtype=dtype)
        for op in (torch.masked_fill, torch.Tensor.masked_fill_):
            yield lambda a, m: op(a + 1, m, 0), (a, x() > 0)
            yield lambda a, m: op(a + 1, m, 2.0), (a, x() > 0)
            yield lambda a, m: op(a + 1, m, torch.tensor(2)), (a, x() > 0)
            yield lambda a, m: op(a + 1, m, a.sum()), (a, x() > 0)
            yield lambda a, m: op(a + 1, m, 0), (a, x()[0] > 0)
    yield lambda a, m: aten.masked_fill(a, m, float('-inf')), (x(), x() > 0)
    yield lambda a, m: a.masked_fill(m, -1e9), (x(), x() > 0)
    yield lambda a, m: aten.masked_fill(a, m, 0), (x()[0], x() > 0)
    yield joined(lambda a: a.masked_fill(torch.ones(4, 6, dtype=torch.bool), 0))


def case_clamps():
    for dtype in (torch.float32, torch.bfloat16, torch.int64):
        for op in (torch.clamp_min, torch.clamp_max):
            yield lambda a: op(a, 1), (x(dtype=dtype),)
            yield lambda a: op(a, 0.5), (x(dtype=dtype),)
            yield lambda a, b: op(a, b), (x(dtype=dtype), x(dtype=dtype))
            yield lambda a, b: op(a, b), (x(dtype=dtype), x())
            yield lambda a, b: op(a, b), (x(dtype=dtype), x()[0])
    yield joined(torch.clamp_min, 0.5)
    yield joined(torch.clamp, 0.5)


def case_float_functions():
    for op in (aten.frac, aten.sgn, aten.sinc, aten.deg2rad, aten.rad2deg, aten.isneginf, aten.isposinf, aten.isfinite,
               aten.isnan, aten.isinf, aten.special_entr, aten.special_log_ndtr, aten.square, aten.logit):
        yield from unary(op)
    for op in (aten.sgn, aten.sinc, aten.deg2rad, aten.rad2deg, aten.isneginf, aten.isposinf, aten.special_entr,
               aten.special_log_ndtr, aten.logit):
        yield lambda a: op(a), (x(dtype=torch.int64),)
    yield from unary(aten.logit, 0.1)
    yield from backward(aten.logit_backward)
    yield from backward(aten.logit_backward, 0.1)
    for op in (aten.frac_, aten.sgn_, aten.sinc_, aten.deg2rad_, aten.rad2deg_, aten.logit_):
        yield from in_place(op)


def case_xlogy():
    for op in (aten.xlogy, aten.special_xlog1py):
        yield lambda a, b: op(a, b), (x(), x())
        yield lambda a, b: op(a, b), (x(), x()[0])
        yield lambda a, b: op(a, b), (x(dtype=torch.bfloat16), x(dtype=torch.bfloat16))
        yield lambda a, b: op(a, b), (x(dtype=torch.int64), x(dtype=torch.int64))
        yield lambda a, b: op(a, b), (x(), x(dtype=torch.int64))
    yield lambda a, b: aten.xlogy_(a.clone(), b), (x(), x())


def case_heaviside():
    yield lambda a, b: aten.heaviside(a, b), (x(), x())
    yield lambda a, b: aten.heaviside(a, b), (x(), torch.tensor(0.5))
    yield lambda a, b: aten.heaviside(a, b), (x(dtype=torch.int64), x(dtype=torch.int64))
    yield lambda a, b: aten.heaviside_(a.clone(), b), (x(), x())


def case_floor_divide():
    for dtype in (torch.float32, torch.int64):
        yield lambda a, b: aten.floor_divide(a, b), (x(dtype=dtype), x(dtype=dtype) + 5)
        yield lambda a: aten.floor_divide(a, 2), (x(dtype=dtype),)
        yield lambda a: a // 2, (x(dtype=dtype),)
        yield lambda a: a // 2.5, (x(dtype=dtype),)
        yield lambda a, b: a // b, (x(dtype=dtype), x() + 5)


def case_copies():
    yield lambda a: a.detach(), (x(),)
    yield lambda a: aten.detach(a), (x(),)
    yield lambda a: aten.alias_copy(a), (x(),)
    yield lambda a: aten.expand_copy(a, [2, 4, 6]), (x(),)
    yield lambda a: aten.unsqueeze_copy(a, 1), (x(),)
    yield lambda a: aten.squeeze_copy(a), (x(),)
    yield lambda a: aten.squeeze_copy(a, 0), (x()[:1],)
    yield lambda a: aten.squeeze_copy(a, [0]), (x()[:1],)
    yield lambda a: aten.t_copy(a), (x(),)
    yield lambda a: aten.transpose_copy(a, 0, 1), (x(),)
    yield lambda a: aten.diagonal_copy(a), (x(),)
    yield lambda a: aten.unfold_copy(a, 0, 2, 1), (x(),)
    yield lambda a: aten.split_with_sizes_copy(a, [1, 3]), (x(),)
    yield lambda a: aten._reshape_alias(a, [24], [1]), (x(),)
    yield lambda a: aten._unsafe_view(a, [24]), (x(),)
    yield lambda a: aten._to_copy(a, dtype=torch.float64), (x(),)
    yield lambda a: a.to(torch.bool), (x(),)


def case_in_place_arithmetic():
    for name in ('add_', 'mul_', 'sub_', 'div_'):
        yield lambda a, b: getattr(a.clone(), name)(b), (x(), x())
        yield lambda a: getattr(a.clone(), name)(2), (x(),)
    for name in ('relu_', 'sigmoid_', 'tanh_', 'exp_', 'zero_', 'abs_', 'sqrt_'):
        yield lambda a: getattr(a.clone(), name)(), (x(),)
        yield lambda a: getattr(a, name)(), (x(),)
    yield lambda a: a.clone().fill_(2), (x(),)
    yield lambda a: a.clone().fill_(2.5), (x(),)
    yield lambda a: a.clone().fill_(a.sum()), (x(),)
    yield lambda a: a.fill_(a.sum()), (x(),)
    yield lambda a: a.clone().fill_(torch.tensor(1)), (x(),)
    yield lambda a: aten.fill(a, 2), (x(),)
    yield lambda a: aten.fill.Tensor(a, a.sum()), (x(),)
    yield lambda a: aten.zero(a), (x(),)
    yield lambda a: aten.fill(a, 2), (x(dtype=torch.int64),)
    yield lambda a: a[0].zero_(), (x(),)
    yield lambda a: a[0].fill_(1), (x(),)
    yield lambda a: a.clone().clamp_(0, 1), (x(),)
