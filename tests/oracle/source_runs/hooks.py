# SPDX-License-Identifier: GPL-3.0-or-later
# Forward hooks of leaves: what Python can register, in all kinds. Each case is a function that makes a model.
import functools

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, *leaves):
        super().__init__()
        self.leaves = nn.ModuleList(leaves)

    def forward(self, x):
        for leaf in self.leaves:
            x = leaf(x)
        return x


def net(*hooks, leaf=nn.ReLU):
    made = leaf()
    for hook in hooks:
        made.register_forward_hook(hook)
    return Net(made)


def plus_ten(module, args, out):
    return out + 10


def a_function():
    return net(plus_ten)


def a_lambda():
    return net(lambda module, args, out: out + 10)


def several_lambdas_of_one_line():
    return net(lambda m, a, o: o * 2, lambda m, a, o: o + 1, lambda m, a, o: o * 3)


def closure_over_numbers(scale=3):
    shift = 0.5

    def hook(module, args, out):
        return out * scale + shift

    return net(hook)


def closure_over_a_tensor():
    offset = torch.arange(2.0)
    return net(lambda module, args, out: out + offset)


def closure_over_a_parameter():
    model = Net(nn.Linear(2, 2, bias=False), nn.ReLU())
    with torch.no_grad():
        model.leaves[0].weight.copy_(torch.tensor([[1.0, -2.0], [-3.0, -4.0]]))
    weight = model.leaves[0].weight
    model.leaves[1].register_forward_hook(lambda module, args, out: out @ weight)
    return model


def defaults_of_a_loop():
    model = Net(nn.ReLU(), nn.Tanh(), nn.ReLU())
    for i, leaf in enumerate(model.leaves):
        leaf.register_forward_hook(lambda module, args, out, i=i, *, by=i + 1: out * by + i)
    return model


def skip_by_a_dict():
    saved, order = {}, []
    model = Net(nn.ReLU(), nn.Tanh(), nn.Sigmoid())
    model.leaves[0].register_forward_hook(lambda module, args, out: saved.update(first=out))
    model.leaves[1].register_forward_hook(lambda module, args, out: order.append(len(order)))
    model.leaves[2].register_forward_hook(lambda module, args, out: out + saved["first"] + len(order))
    return model


def a_shared_variable():
    count = 0

    def counted(module, args):
        nonlocal count
        count += 1

    def told(module, args, out):
        return out + count

    model = Net(nn.ReLU(), nn.Tanh())
    for leaf in model.leaves:
        leaf.register_forward_pre_hook(counted)
        leaf.register_forward_hook(told)
    return model


class Hooked(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.ReLU(), nn.Tanh()
        self.scale = 2.5
        self.register_buffer("shift", torch.tensor([1.0, -1.0]))
        self.calls = []
        self.handle = self.first.register_forward_hook(self.scaled)
        self.second.register_forward_pre_hook(self.noted)
        self.second.register_forward_hook(self.told)
        self.second.register_forward_hook(Hooked.static)
        self.second.register_forward_hook(self.of_class)

    def scaled(self, module, args, out):
        return out * self.scale + self.shift

    def noted(self, module, args):
        self.calls.append(args[0] * 2)

    def told(self, module, args, out):
        return out + self.calls[-1] + len(self.calls) + self.first(args[0])

    @staticmethod
    def static(module, args, out):
        return out - 1

    @classmethod
    def of_class(cls, module, args, out):
        return out * len(cls.__name__)

    def forward(self, x):
        return self.second(self.first(x))


def bound_methods():
    return Hooked()


def by(factor, module, args, out, *, plus=0):
    return out * factor + plus


def a_partial():
    return net(functools.partial(by, 3, plus=torch.tensor(0.25)), functools.partial(by, 2))


class Scale:
    def __init__(self, factor):
        self.factor = factor
        self.seen = 0

    def __call__(self, module, args, out):
        self.seen += 1
        return out * self.factor + self.seen


def an_object():
    scale = Scale(4)
    model = Net(nn.ReLU(), nn.Tanh())
    for leaf in model.leaves:
        leaf.register_forward_hook(scale)
    return model


class HookModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)
        with torch.no_grad():
            self.linear.weight.copy_(torch.tensor([[0.5, 1.0], [-1.0, 2.0]]))
            self.linear.bias.fill_(0.75)

    def forward(self, module, args, out):
        return self.linear(out)


def a_module():
    return net(HookModule())


def a_decorated_function():
    def doubled(function):
        @functools.wraps(function)
        def wrapper(module, args, out):
            return function(module, args, out) * 2
        return wrapper

    return net(doubled(plus_ten))


def order_of_hooks():
    model = net(lambda m, a, o: o + 1)
    leaf = model.leaves[0]
    leaf.register_forward_hook(lambda m, a, o: o * 2)
    leaf.register_forward_hook(lambda m, a, o: o - 5, prepend=True)
    leaf.register_forward_pre_hook(lambda m, a: (a[0] * 3,))
    leaf.register_forward_pre_hook(lambda m, a: a[0] + 7, prepend=True)
    leaf.register_forward_hook(lambda m, a, o: o * 100).remove()
    return model


class Named(nn.Module):
    def __init__(self):
        super().__init__()
        self.r = nn.Upsample(scale_factor=2)
        self.r.register_forward_pre_hook(lambda m, a, k: (a, {"input": k["input"] + 1}), with_kwargs=True)
        self.r.register_forward_hook(lambda m, a, k, o: o + k["input"].sum(), with_kwargs=True)
        self.r.register_forward_hook(lambda m, a, o: o * (len(a) + 2), always_call=True)

    def forward(self, x):
        return self.r(input=x[None, None])


def with_keywords():
    return Named()


def writes_in_place():
    return net(lambda module, args, out: out.add_(5) and None if out.numel() == 1 else out.mul_(2))


def attributes_of_the_module():
    def before(module, args):
        module.kept = args[0] + 1

    model = net(lambda module, args, out: out + module.kept)
    model.leaves[0].register_forward_pre_hook(before)
    return model


def inside_of_a_leaf():
    torch.manual_seed(0)
    model = Net(nn.Unflatten(0, (1, 1, 2)), nn.TransformerEncoderLayer(2, 1, 4, dropout=0.0, batch_first=True))
    model.leaves[1].linear1.register_forward_hook(lambda module, args, out: out + 3)
    model.leaves[1].norm2.register_forward_pre_hook(lambda module, args: (args[0] * 2,))
    return model


def recursive():
    def hook(module, args, out, depth=3):
        return out if depth == 0 else hook(module, args, out + depth, depth - 1)

    return net(hook)


def containers():
    table = {"a": [1, 2, {3, 4}], ("b", 1): (torch.ones(2), "x"), "by": plus_ten, "type": nn.ReLU}
    table["self"] = table
    return net(lambda m, a, o: table["self"]["by"](m, a, o) * sum(table["a"][2]) + table["b", 1][0] + isinstance(m, table["type"]))


def many_called_backwards():
    model = torch.fx.symbolic_trace(many_with_one_object())
    g = torch.fx.Graph()
    x = g.placeholder("x")
    for i in reversed(range(300)):
        x = g.call_module(f"leaves.{i}", (x,))
    g.output(x)
    model.graph = g
    return model


class Gate:
    def __init__(self):
        self.kept, self.seen = None, []

    def before(self, module, args):
        self.kept = args[0] + 1

    def after(self, module, args, out):
        self.seen.append(out)
        return out + self.kept * len(self.seen)

    def __call__(self, module, args, out):
        return out - len(self.seen)


def one_object_in_two_hooks():
    model, gate = Net(nn.ReLU()), Gate()
    model.leaves[0].register_forward_pre_hook(gate.before)
    model.leaves[0].register_forward_hook(gate.after)
    return model


def one_object_in_hooks_of_several():
    model, gate = Net(nn.ReLU(), nn.Tanh(), nn.Sigmoid()), Gate()
    model.leaves[0].register_forward_pre_hook(gate.before)
    model.leaves[1].register_forward_hook(gate.after)
    model.leaves[2].register_forward_hook(gate.after)
    model.leaves[2].register_forward_hook(gate)
    return model


def two_objects_with_one_list():
    first, second = Gate(), Gate()
    second.seen = first.seen
    model = Net(nn.ReLU(), nn.Tanh())
    for leaf, gate in zip(model.leaves, (first, second)):
        leaf.register_forward_pre_hook(gate.before)
        leaf.register_forward_hook(gate.after)
    return model


def partial_of_numbers():
    return net(functools.partial(by, 3, plus=0.25), functools.partial(by, 2))


def partial_of_a_method():
    gate = Gate()
    model = net(functools.partial(gate.after), gate.after)
    model.leaves[0].register_forward_pre_hook(functools.partial(gate.before))
    return model


def nested_in_itself_twice():
    held = [1.0]
    for _ in range(18):
        held = [held, held]
    return net(lambda m, a, o: o + len(held) + (held[0] is held[1]))


class Noting:
    def __init__(self):
        self.total, self.handles = 0.0, []

    def hook(self, module, args, out):
        self.total += 0.5
        return out + self.total + len(self.handles)


def many_with_one_object():
    noting = Noting()
    model = Net(*[nn.ReLU() for _ in range(300)])
    for leaf in model.leaves:
        noting.handles.append(leaf.register_forward_hook(noting.hook))
    return model


CASES = [a_function, a_lambda, several_lambdas_of_one_line, closure_over_numbers, closure_over_a_tensor, closure_over_a_parameter,
         defaults_of_a_loop, skip_by_a_dict, a_shared_variable, bound_methods, a_partial, an_object, a_module, a_decorated_function,
         order_of_hooks, with_keywords, writes_in_place, attributes_of_the_module, inside_of_a_leaf, recursive, containers, nested_in_itself_twice, many_with_one_object, many_called_backwards, one_object_in_two_hooks,
         one_object_in_hooks_of_several, two_objects_with_one_list, partial_of_numbers, partial_of_a_method]
WRITTEN = [a_function, an_object, one_object_in_two_hooks, one_object_in_hooks_of_several, two_objects_with_one_list, partial_of_numbers,
           partial_of_a_method]


def inputs():
    return [torch.tensor([1.0, -2.0])]
