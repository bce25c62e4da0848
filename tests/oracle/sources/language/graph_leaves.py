# SPDX-License-Identifier: GPL-3.0-or-later
# GraphModules among the submodules: traced through by torch.fx's own tracer, and leaves of one that says so.
# case: {"expr": "Outer()", "inputs": "torch.randn(2, 4)", "inlines": true}
# case: {"expr": "Outer()", "inputs": "torch.randn(2, 4)", "tracer_class": "GraphsAreLeaves"}
# case: {"expr": "Nested()", "inputs": "torch.randn(2, 4)", "tracer_class": "GraphsAreLeaves"}
# case: {"expr": "Nested()", "inputs": "torch.randn(2, 4)", "tracer_class": "GraphsAreLeaves", "train": true}
import torch
from torch import fx, nn


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.register_buffer("shift", torch.ones(4))

    def forward(self, x, by: float = 2.0):
        return torch.relu(self.fc(x)) * by + self.shift, x


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = fx.symbolic_trace(Inner())
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        a, b = self.inner(self.fc(x))
        return a - b


class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.outer = fx.symbolic_trace(Outer())
        inner = Inner()
        self.inner = fx.GraphModule(inner, fx.Tracer().trace(inner))

    def forward(self, x):
        return self.outer(x) + self.inner(x, by=3.0)[0]


class GraphsAreLeaves(fx.Tracer):
    def is_leaf_module(self, m, module_qualified_name):
        return isinstance(m, fx.GraphModule) or super().is_leaf_module(m, module_qualified_name)
