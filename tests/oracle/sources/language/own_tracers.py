# SPDX-License-Identifier: GPL-3.0-or-later
# Tracers that the source defines: leaves by class and by path, modules that are skipped, attributes, arguments.
# case: {"expr": "Net()", "inputs": "torch.randn(2, 4)", "tracer_class": "BlocksAreLeaves"}
# case: {"expr": "Net()", "inputs": "torch.randn(2, 4)", "tracer_class": "ByPath"}
# case: {"expr": "Net()", "inputs": "torch.randn(2, 4)", "tracer_class": "NothingIsALeaf"}
# case: {"expr": "Net()", "inputs": "torch.randn(2, 4)", "tracer_class": "SkipsDropout"}
# case: {"expr": "Net()", "inputs": "torch.randn(2, 4)", "tracer_class": "Wraps"}
# case: {"expr": "scales", "inputs": "torch.randn(2, 4)", "tracer_class": "Rounds"}
# case: {"expr": "Net()", "inputs": "torch.randn(2, 4)", "tracer_class": "OneForAll"}
# case: {"expr": "mutates", "tracer_class": "Functional", "fails": "error"}
# case: {"expr": "writes_out", "tracer_class": "Functional", "fails": "error"}
# case: {"expr": "calls_overload", "tracer_class": "Functional", "fails": "error"}
# case: {"expr": "passes", "inputs": "torch.randn(2, 4)", "tracer_class": "Functional"}
# case: {"expr": "passes", "inputs": "torch.randn(2, 4)"}
import torch
import torch.fx
import torch.nn.functional as F
from torch import fx, nn
from torch.fx import Graph, GraphModule, Interpreter, Node, Transformer, symbolic_trace
from torch.fx.graph import CodeGen
from torch.fx.node import Argument, Target, map_arg
from torch.fx.passes.shape_prop import ShapeProp


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)
        self.drop = nn.Dropout(0.1)
        self.scale = nn.Parameter(torch.full((width,), 0.5))
        self.register_buffer("shift", torch.ones(width))

    def forward(self, x, by=1):
        return helper(self.drop(self.fc(x)) * self.scale + self.shift, by)


def helper(x, by):
    return torch.relu(x) * by


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(4, 4), nn.Tanh())
        self.blocks = nn.ModuleList([Block(4), Block(4)])

    def forward(self, x):
        x = self.stem(x)
        for i, block in enumerate(self.blocks):
            x = block(x, by=i + 0.25)
        return x


class BlocksAreLeaves(torch.fx.Tracer):
    proxy_buffer_attributes = True

    def is_leaf_module(self, m: nn.Module, qualname: str) -> bool:
        return isinstance(m, (Block, nn.Sequential))


class ByPath(fx.Tracer):
    def __init__(self, *args, names=("stem", "blocks.1"), **kwargs):
        super().__init__(*args, **kwargs)
        self.names = names

    def is_leaf_module(self, m, module_qualified_name):
        if module_qualified_name in self.names:
            return True
        return super().is_leaf_module(m, module_qualified_name)


class NothingIsALeaf(fx.Tracer):
    proxy_buffer_attributes = True

    def is_leaf_module(self, m, qualname):
        return False


class SkipsDropout(ByPath):
    def call_module(self, m, forward, args, kwargs):
        if isinstance(m, nn.Dropout):
            return args[0]
        if isinstance(m, Block):
            kwargs = {**kwargs, "by": 7}
        return super().call_module(m, forward, args, kwargs)


class Wraps(fx.Tracer):
    def __init__(self, **kwargs):
        super().__init__(autowrap_functions=(helper,), **kwargs)


class Rounds(fx.Tracer):
    param_shapes_constant = True

    def create_arg(self, a):
        if isinstance(a, float):
            return round(a, 1)
        return super().create_arg(a)


class OneForAll(fx.Tracer):
    def path_of_module(self, mod):
        return super().path_of_module(mod).replace("blocks.1", "blocks.0")


class Functional(fx.Tracer):
    check_mutable_operations = True


def scales(x):
    return torch.clamp(x * 0.26, min=-1.04, max=3), [x.sum(), (2.55, "kept")]


def mutates(x):
    return torch.relu_(x) + 1


def writes_out(x):
    return torch.sin(x, out=x)


def calls_overload(x):
    return torch.ops.aten.add_.Tensor(x, x, alpha=2)


def passes(x):
    y = torch.add(x, x) + F.relu(x, inplace=False)
    return torch.ops.aten.mul.Tensor(y, x), x.clone().add_(1), torch.sigmoid(y)


class Doubles(Interpreter):
    def call_function(self, target: Target, args: tuple, kwargs: dict):
        return super().call_function(target, args, kwargs) * 2


def prepared(m: nn.Module, tracer_class: type = torch.fx.Tracer) -> GraphModule:
    return GraphModule(m, tracer_class().trace(m))


if __name__ == "__main__":
    print(symbolic_trace(Net()).graph)
