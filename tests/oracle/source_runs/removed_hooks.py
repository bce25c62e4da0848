# SPDX-License-Identifier: GPL-3.0-or-later
# Hooks that take hooks away, or register some, while the model runs.
import torch
from torch import nn


class Twice(nn.Module):
    def __init__(self, leaf=nn.ReLU):
        super().__init__()
        self.r, self.other = leaf(), nn.Tanh()

    def forward(self, x):
        return self.other(self.r(self.other(self.r(x))))


def once():
    model = Twice()

    def hook(module, args, out):
        handle.remove()
        return out + 1

    handle = model.r.register_forward_hook(hook)
    return model


def once_before():
    model = Twice()

    def hook(module, args):
        handle.remove()
        return args[0] + 1

    handle = model.r.register_forward_pre_hook(hook)
    return model


def once_with_options():
    model = Twice()

    def hook(module, args, kwargs, out):
        handle.remove()
        return out + len(kwargs) + 3

    handle = model.r.register_forward_hook(hook, with_kwargs=True, always_call=True)
    return model


def one_of_three():
    model = Twice()
    model.r.register_forward_hook(lambda m, a, o: o + 1)
    handle = model.r.register_forward_hook(lambda m, a, o: o * 2)
    model.r.register_forward_hook(lambda m, a, o: o - 3)
    model.other.register_forward_hook(lambda m, a, o: handle.remove())
    return model


def by_a_context():
    model = Twice()

    def hook(module, args, out):
        with handle:
            return out + 1

    handle = model.r.register_forward_hook(hook)
    return model


class Counted:
    def __init__(self, model):
        self.calls = 0
        self.handles = [model.r.register_forward_hook(self.hook), model.other.register_forward_hook(self.hook)]

    def hook(self, module, args, out):
        self.calls += 1
        if self.calls == 2:
            for handle in self.handles:
                handle.remove()
        return out + self.calls


def after_two_calls():
    model = Twice()
    Counted(model)
    return model


def by_its_table():
    model = Twice()
    table = model.r._forward_hooks
    model.r.register_forward_hook(lambda m, a, o: (table.clear(), o + 1)[1])
    return model


def registers_another():
    model = Twice()

    def hook(module, args, out):
        handle.remove()
        model.other.register_forward_hook(lambda m, a, o: o * 10)
        return out + 1

    handle = model.r.register_forward_hook(hook)
    return model


def removed_before():
    model = Twice()
    gone = model.r.register_forward_hook(lambda m, a, o: o * 100)
    model.r.register_forward_hook(lambda m, a, o: o + 2 if gone.id in m._forward_hooks else o + 3)
    gone.remove()
    return model


CASES = [once, once_before, once_with_options, one_of_three, by_a_context, after_two_calls, by_its_table, registers_another, removed_before]


def inputs():
    return [torch.zeros(2)]
