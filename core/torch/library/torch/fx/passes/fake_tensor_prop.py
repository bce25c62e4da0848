# SPDX-License-Identifier: GPL-3.0-or-later
# FakeTensorProp runs a graph without data and notes the value of each node as its meta's 'val'. The values are tensors on
# the meta device, weights and inputs as well, so nothing is computed and devices are not told apart.
import torch
from torch.fx.node import map_aggregate
from torch.fx.passes._on_meta import MetaInterpreter, to_meta

__all__ = ['FakeTensorProp']


def _noted(value):
    if isinstance(value, torch.Tensor):
        return value.detach()
    return value if isinstance(value, (int, float, bool)) else None


class FakeTensorProp(MetaInterpreter):
    def __init__(self, module, mode=None):
        super().__init__(module)
        self._mode = mode
        self.seen_subgraphs = set()
        self._leave_data()

    def run_node(self, n):
        result = super().run_node(n)
        meta = map_aggregate(result, _noted)
        if meta is not None:
            n.meta['val'] = meta
        return result

    def propagate(self, *args):
        return self.propagate_dont_convert_inputs(*map(to_meta, args))

    def propagate_dont_convert_inputs(self, *args):
        return super().run(*args)
