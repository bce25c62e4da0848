# SPDX-License-Identifier: GPL-3.0-or-later
# FakeTensorProp runs a graph without data and notes the value of each node as its meta's 'val', a FakeTensor. While it runs all
# tensors are on the meta device, weights and inputs as well; which device each stands for is worked out beside it.
import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode, device_of
from torch.fx.interpreter import Interpreter
from torch.fx.node import map_aggregate, map_arg
from torch.fx.passes._on_meta import MetaInterpreter, to_meta

__all__ = ['FakeTensorProp']

_CPU = torch.device('cpu')


def _named_device(node):
    """The device that a call names."""
    named = node.kwargs.get('device')
    if named is None and node.op == 'call_method' and node.target == 'to' and len(node.args) > 1:
        named = node.args[1]
    if node.op == 'call_method' and node.target in ('cpu', 'cuda'):
        named = node.target
    return torch.device(named) if isinstance(named, (str, torch.device)) else None


def _detached(value):
    return value.detach() if isinstance(value, torch.Tensor) else value


def _noted(value):
    return value if isinstance(value, (torch.Tensor, int, float, bool)) else None


class FakeTensorProp(MetaInterpreter):
    def __init__(self, module, mode=None):
        super().__init__(module)
        self._mode = FakeTensorMode() if mode is None else mode
        self._mode.epoch += 1
        self._mode.reset_nt_tensor_id_counter()
        self.seen_subgraphs = set()
        self._devices = {}
        self._leave_data()

    def placeholder(self, target, args, kwargs):
        value = Interpreter.placeholder(self, target, args, kwargs)
        self._given = device_of(value) if isinstance(value, torch.Tensor) else _CPU
        return to_meta(value)

    def _device(self, node):
        """Where the node's tensors are: where it says itself, or else where those are that it reads."""
        if node.op == 'placeholder':
            return self._given
        if node.op in ('get_attr', 'call_module'):
            found = self.module
            for name in node.target.split('.'):
                found = getattr(found, name)
            weights = [found] if isinstance(found, torch.Tensor) else [*found.parameters(), *found.buffers()]
            if weights:
                return weights[0].device
        if (named := _named_device(node)) is not None:
            return named
        read = [self._devices[one] for one in node.all_input_nodes]
        # A number that is a tensor may be on the processor wherever the others are.
        return next((device for device in read if device != _CPU), _CPU)

    def _fake(self, value, device):
        return map_aggregate(value, lambda one: FakeTensor(self._mode, one, device) if isinstance(one, torch.Tensor) else one)

    def run_node(self, n):
        result = super().run_node(n)
        if n.op == 'output':
            result = map_arg(n.args[0], lambda node: self._fake(self.env[node], self._devices[node]))
            noted = map_arg(n.args[0], lambda node: node.meta['val'] if 'val' in node.meta else self.env[node])
        else:
            self._devices[n] = self._device(n)
            noted = self._fake(map_aggregate(result, _detached), self._devices[n])
        meta = map_aggregate(noted, _noted)
        if meta is not None:
            n.meta['val'] = meta
        return result

    def propagate(self, *args):
        fakes = [self._mode.from_tensor(value) if isinstance(value, torch.Tensor) else value for value in args]
        return self.propagate_dont_convert_inputs(*fakes)

    def propagate_dont_convert_inputs(self, *args):
        return super().run(*args)
