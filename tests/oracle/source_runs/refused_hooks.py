# SPDX-License-Identifier: GPL-3.0-or-later
# Hooks that PyTorch runs, and that no model can hold: a run says why.
import torch
from hooks import net, plus_ten
from torch import nn
from torch.nn.modules.module import register_module_forward_hook


def object_of_a_local_class():
    class Local:
        factor = 3

    thing = Local()
    return net(lambda m, a, o: o * thing.factor)


def a_local_class():
    class Local(nn.ReLU):
        pass

    return net(lambda m, a, o: o + isinstance(m, Local))


def of_executed_text():
    names = {}
    exec("def hook(m, a, o):\n    return o + 1", names)
    return net(names["hook"])


def of_a_generator():
    numbers = (n for n in (1.0, 2.0))
    return net(lambda m, a, o: o + next(numbers))


def of_too_many_values():
    table = list(range(150000))
    return net(lambda m, a, o: o + table[3])


class Table:
    def __init__(self):
        self.numbers, self.factor = list(range(150000)), 3

    def hook(self, module, args, out):
        return out * self.factor


def of_an_object_with_too_many_values():
    return net(Table().hook)


def too_deep():
    held = [1.0]
    for _ in range(60):
        held = [held]
    return net(lambda m, a, o: o + len(held))


def of_a_module_with_a_graph():
    inner = torch.fx.symbolic_trace(nn.Sequential(nn.ReLU()))
    inner.register_forward_hook(plus_ten)
    g = torch.fx.Graph()
    g.output(g.call_module("inner", (g.placeholder("x"),)))
    return torch.fx.GraphModule({"inner": inner}, g)


def takes_one_of_all_modules_away():
    def hook(module, args, out):
        handle.remove()

    handle = register_module_forward_hook(hook)
    return net()


REFUSED = {object_of_a_local_class: "which is defined in a function", a_local_class: "which is defined in a function",
           of_executed_text: "which no source defines", of_a_generator: "a value of the type generator",
           of_too_many_values: "more than 100000 values", of_an_object_with_too_many_values: "more than 100000 values",
           too_deep: "values that are nested too deeply",
           of_a_module_with_a_graph: "the forward hooks of a module with a graph cannot be run here",
           takes_one_of_all_modules_away: "the hooks of all modules"}


def inputs():
    return [torch.tensor([1.0, -2.0])]
