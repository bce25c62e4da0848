# SPDX-License-Identifier: GPL-3.0-or-later
"""Records calls of the modules in PyTorch's database: each is a leaf "m" of a graph that gives the result and the
buffers afterwards. The form "saved" reads the leaf from a file of torch.save."""

import copy

import torch
import torch.fx
from torch.testing._internal.common_modules import ModuleErrorEnum, module_db

from described import Tensors, Unrepresentable, encode
from recorder import Recorder, seed_all, with_leaves

# What Module.__init__ makes for its own bookkeeping, and what has a place of its own in a written module.
INTERNAL = set(torch.nn.Module().__dict__)


class Tree:
    """A module and those below it, as a model of ours holds them: the first is the module itself."""

    def __init__(self, module, tensors):
        self.tensors, self.written, self._index = tensors, [], {}
        self._add(module)

    def _add(self, module):
        if id(module) in self._index:
            return self._index[id(module)]
        place = self._index[id(module)] = len(self.written)
        self.written.append(None)
        kind = type(module)
        self.written[place] = {
            "type": f"{kind.__module__}.{kind.__qualname__}",
            "training": module.training,
            "tensors": list(self._tensors(module)),
            "values": list(self._values(module)),
            "children": [[name, self._add(child)] for name, child in module._modules.items() if child is not None],
        }
        return place

    def _tensors(self, module):
        for name, value in module._parameters.items():
            yield [name, None if value is None else self.tensors.index(value), "parameter"]
        for name, value in module._buffers.items():
            role = "transient_buffer" if name in module._non_persistent_buffers_set else "buffer"
            yield [name, None if value is None else self.tensors.index(value), role]
        for name, value in module.__dict__.items():
            if isinstance(value, torch.Tensor):
                yield [name, self.tensors.index(value), "constant"]

    @staticmethod
    def _values(module):
        for name, child in module._modules.items():
            if child is None:
                yield [name, None]
        for name, value in module.__dict__.items():
            if name in INTERNAL or isinstance(value, torch.Tensor):
                continue
            try:
                yield [name, encode(value, None)]
            except (Unrepresentable, TypeError):
                pass  # such as the list of weights that an LSTM keeps beside its parameters


def record_module(folder, info, dtypes):
    for name in dtypes:
        dtype = getattr(torch, name)
        if dtype not in info.dtypes:
            continue
        recorder = Recorder(folder, f"{info.name}.{name}", {"operator": info.name, "namespace": "modules", "dtype": name})
        for training in (True, False):
            seed_all()
            arguments = dict(device="cpu", dtype=dtype, requires_grad=False, training=training)
            samples = list(info.module_inputs_func(info, **arguments))
            for number, sample in enumerate(samples):
                record_call(recorder, number, info, dtype, training, sample)
                if number in (0, len(samples) - 1) and name == "float32":
                    path = folder / f"{info.name}.{'train' if training else 'eval'}.{number}.pt"
                    record_call(recorder, number, info, dtype, training, sample, "saved", path)
            if name == "float32" and info.module_error_inputs_func is not None:
                for number, case in enumerate(info.module_error_inputs_func(info, **arguments)):
                    if case.error_on == ModuleErrorEnum.FORWARD_ERROR:
                        record_call(recorder, number, info, dtype, training, case.module_error_input, "error")
        recorder.close()


def record_call(recorder, number, info, dtype, training, sample, form=None, path=None):
    made = sample.constructor_input
    module = info.module_cls(*made.args, **made.kwargs).to(dtype).train(training)
    values = sample.forward_input
    if values is None:
        recorder.skip("a module without a sample of its call")
        return
    if any(map(torch.nn.parameter.is_lazy, [*module.parameters(), *module.buffers()])):
        module(*copy.deepcopy(values.args), **copy.deepcopy(values.kwargs))  # now it has its shapes, and can be saved
    root = torch.nn.Module()
    root.m = copy.deepcopy(module)
    tensors = Tensors(recorder.bytes)
    graph = torch.fx.Graph()
    given = []

    def enter(tensor):
        index = tensors.index(tensor)
        if index not in nodes:
            nodes[index] = graph.placeholder(f"x{len(given)}")
            given.append(index)
        return nodes[index]

    nodes = {}
    try:
        args, kwargs = with_leaves(list(values.args), enter), with_leaves(values.kwargs, enter)
        call = graph.call_module("m", tuple(args), kwargs)
        buffers = [graph.get_attr(f"m.{name}") for name, _ in module.named_buffers()]
        graph.output((call, buffers))
        if path:
            torch.save(module, path)
        recorder.write(number, form or ("train" if training else "eval"), tensors, given, root, graph,
                       Tree(module, tensors).written, path)
    except Unrepresentable as reason:
        recorder.skip(str(reason))
