# SPDX-License-Identifier: GPL-3.0-or-later
# Functions that ask for overrides as those of torch.nn.functional do, and classes with `__torch_function__`.
# case: {"expr": "asked", "inputs": "torch.ones(2)"}
# case: {"expr": "handed", "inputs": "torch.ones(2), torch.ones(2)"}
# case: {"expr": "handed_keywords", "inputs": "torch.ones(2)"}
# case: {"expr": "wrapped", "inputs": "torch.ones(2), torch.ones(2)"}
# case: {"expr": "Wrapping()", "inputs": "torch.ones(2)"}
# case: {"expr": "ducks", "inputs": "torch.ones(2)"}
# case: {"expr": "duck_operators", "inputs": "torch.ones(2)"}
# case: {"expr": "registered", "inputs": "torch.ones(2)"}
# case: {"expr": "subclasses", "inputs": "torch.ones(2)"}
# case: {"expr": "precedence", "inputs": "torch.ones(2)"}
# case: {"expr": "mixed", "inputs": "torch.ones(2)"}
# case: {"expr": "names", "inputs": "torch.ones(2)"}
# case: {"expr": "disabled", "inputs": "torch.ones(2)"}
# case: {"expr": "refused", "fails": "error"}
# case: {"expr": "proxy_first", "fails": "error"}
# case: {"expr": "modes", "inputs": "torch.ones(2)"}

import functools

import torch
import torch.nn.functional as F
from torch import overrides
from torch.overrides import (handle_torch_function, has_torch_function, has_torch_function_unary,
                             has_torch_function_variadic, is_tensor_like, resolve_name, wrap_torch_function)


def asked(x):
    y = torch.ones(2)
    return (x, has_torch_function((x,)), has_torch_function([y, x]), has_torch_function([y, 1, None]),
            has_torch_function_unary(x), has_torch_function_unary(y), has_torch_function_unary(x.shape),
            has_torch_function_variadic(y, x), has_torch_function_variadic(y, torch.nn.Parameter(y), "text"),
            F.has_torch_function_unary(x), torch.functional.has_torch_function((x,)),
            torch._C._has_torch_function_variadic(1, x), has_torch_function(()), is_tensor_like(x),
            is_tensor_like(y), is_tensor_like(3), is_tensor_like(Duck()), has_torch_function_unary(Duck()))


def smooth(input, other=None, *, scale=2.0, inplace=False):
    if has_torch_function_variadic(input, other):
        return handle_torch_function(smooth, (input, other), input, other=other, scale=scale)
    return input * scale if other is None else input + other


def handed(x, y):
    plain = smooth(torch.ones(2))
    return smooth(x), smooth(x, y), smooth(torch.zeros(2), y, scale=3.0), plain


def handed_keywords(x):
    return smooth(input=x, scale=4.0) + smooth(other=x + 1, input=torch.ones(2))


@wrap_torch_function(lambda a, b=None, **rest: (a, b))
def weigh(a, b=None, *, by=1):
    return a * by if b is None else a * by + b


def wrapped(x, y):
    return weigh(x), weigh(x, by=2), weigh(torch.ones(2), y), weigh(torch.ones(2), by=3), weigh.__name__


class Wrapping(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(2))

    def forward(self, x):
        return weigh(self.weight, b=x)


class Duck:
    def __init__(self, number=7):
        self.number = number

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        name = func.__name__ if hasattr(func, "__name__") else str(func)
        return [name, [t.__name__ for t in types], len(args), sorted(kwargs or ())]


def ducks(x):
    d, t = Duck(), torch.ones(2)
    return (x, torch.add(d, 1), torch.add(t, other=d, alpha=2), t.add(d), torch.cat([t, d]), torch.stack((d,), 0),
            F.relu(d), F.max_pool2d(d, 2), F.linear(t, d), F.dropout(d), torch.einsum("i->i", d), torch.zeros_like(d),
            torch.where(d, 1, 2), torch.ops.aten.add(d, 1), torch.ops.aten.add.Tensor(d, 1), torch.norm(d),
            F.cross_entropy(t, d), torch.sum(t, dim=d), torch.is_tensor(d), torch.split(d, 1),
            torch.nn.functional.gelu(d), torch.fft.fft(d), torch.special.expit(d), torch.linalg.norm(d),
            F.softmax(d, dim=0), F.interpolate(d, scale_factor=2))


def duck_operators(x):
    d, t = Duck(), torch.ones(2)
    return (x, t + d, d + t, d - t, t - d, t < d, d < t, d @ t, t @ d, t[d], t ** d, d ** t, t / d, t == d, t & d)


HANDLED = {}


def implements(*functions):
    def decorate(function):
        HANDLED.update({each: function for each in functions})
        return function

    return decorate


class Diagonal:
    def __init__(self, size, value):
        self.size, self.value = size, value

    def tensor(self):
        return self.value * torch.eye(self.size)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func not in HANDLED or not all(issubclass(t, (torch.Tensor, Diagonal, torch.fx.Proxy)) for t in types):
            return NotImplemented
        return HANDLED[func](*args, **(kwargs or {}))


@implements(torch.mean)
def mean(input):
    return input.value / input.size


@implements(torch.matmul, torch.Tensor.matmul)
def matmul(a, b):
    return torch.matmul(*(each.tensor() if isinstance(each, Diagonal) else each for each in (a, b)))


@implements(torch.add, torch.Tensor.add)
def add(a, b):
    if isinstance(a, Diagonal) and isinstance(b, Diagonal):
        return Diagonal(a.size, a.value + b.value).value
    return a + b.tensor() if isinstance(b, Diagonal) else a.tensor() + b


def registered(x):
    d = Diagonal(2, 3)
    try:
        torch.mul(d, 2)
    except TypeError as error:
        fault = str(error).splitlines()[0]
    return (x * torch.mean(d), torch.matmul(d, x), torch.add(d, Diagonal(2, 1)), torch.add(d, torch.ones(2)),
            torch.ones(2) + d, fault)


class Logging(torch.Tensor):
    seen = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.seen.append(func.__name__)
        return super().__torch_function__(func, types, args, kwargs)


class Metadata(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        with torch._C.DisableTorchFunctionSubclass():
            result = func(*args, **(kwargs or {}))
        return result.as_subclass(cls) if isinstance(result, torch.Tensor) else result


def subclasses(x):
    Logging.seen.clear()
    t = torch.ones(2).as_subclass(Logging)
    u = torch.add(t, 1)
    v = (u + t).sum()
    w = F.relu(t)
    m = torch.ones(2).as_subclass(Metadata) * 2
    return (x, Logging.seen[:], type(u).__name__, type(v).__name__, type(w).__name__, type(m).__name__,
            isinstance(m, torch.Tensor), has_torch_function_unary(t), is_tensor_like(m))


class Small(Duck):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return NotImplemented if kwargs else "small"


class Other:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return "other"


def precedence(x):
    return (x, torch.add(Duck(), Small()), torch.add(Duck(), other=Small()), torch.add(Other(), Small()),
            torch.cat([Duck(), Other(), Small()]), torch.cat([Other(), Duck()]))


class Recording:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        args = [torch.ones(2) if isinstance(arg, Recording) else arg for arg in args]
        return func(*args, **(kwargs or {}))


def mixed(x):
    r = Recording()
    return torch.add(r, x), torch.mul(r, other=x), F.mse_loss(r, x), r @ torch.ones(2), torch.ones(2) + r


def names(x):
    return (x, resolve_name(torch.add), resolve_name(F.relu), resolve_name(torch.relu), resolve_name(torch.einsum),
            resolve_name(torch.special.expit), resolve_name(torch.fft.fft), resolve_name(torch.Tensor.add),
            resolve_name(torch.linalg.norm), resolve_name(len), resolve_name(torch.ops.aten.add.Tensor),
            resolve_name(torch.ops.aten.add), resolve_name(torch.cat), resolve_name(F.softmax),
            resolve_name(torch.Tensor.split), overrides.is_tensor_method_or_property(torch.Tensor.add),
            overrides.is_tensor_method_or_property(torch.add), resolve_name(torch.tanh))


class Off:
    __torch_function__ = torch._C._disabled_torch_function_impl


def disabled(x):
    d = Duck()
    with torch._C.DisableTorchFunctionSubclass():
        off = has_torch_function_unary(d)
    return x, off, has_torch_function_unary(d), has_torch_function_unary(Off())


def refused(x):
    return torch.add(Small(), other=x)


def proxy_first(x):
    return torch.add(x, Recording())


class Mode(overrides.TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.seen.append((func.__name__, [t.__name__ for t in types]))
        return func(*args, **(kwargs or {}))


@wrap_torch_function(lambda a: (a,))
def doubled(a):
    return a * 2


def modes(x):
    with Mode() as mode:
        a = torch.add(Duck(), 1)
        b = doubled(torch.ones(2))
        c = 2 < torch.ones(2)
        d = has_torch_function(())
    return x, a, mode.seen, d
