# SPDX-License-Identifier: GPL-3.0-or-later
# The ExportedProgram of an opened .pt2. What is open is the module that it gives; here is its graph, where parameters,
# buffers and constants are inputs, and what is written comes out.
import copy
import dataclasses
import itertools
import re

import torch
from torch.fx import Graph, GraphModule, Node

from ._record import Record
from .graph_signature import (ConstantArgument, ExportGraphSignature, InputKind, InputSpec, OutputKind, OutputSpec,
                              SymIntArgument, TensorArgument)

_PREFIX = {InputKind.PARAMETER: 'p_', InputKind.BUFFER: 'b_', InputKind.CONSTANT_TENSOR: 'c_'}
_COPY = torch.ops.aten.copy_.default


def _argument_of(value):
    if not isinstance(value, Node):
        return ConstantArgument(name='', value=value)
    known = value.meta.get('val')
    if isinstance(known, torch.SymInt) or (isinstance(known, int) and not isinstance(known, bool)):
        return SymIntArgument(value.name)
    return TensorArgument(value.name)


def _attribute(module, path):
    for part in path.split('.'):
        module = getattr(module, part)
    return module


class _Lifted:
    """The graph of a module with its tensors as inputs; `origins` are the nodes of the module by those of the graph."""

    def __init__(self, module):
        self.graph = Graph()
        self.origins = {}
        self.inputs = []
        self._names = set()
        nodes = list(module.graph.nodes)
        read = {}
        for node in nodes:
            if node.op == 'get_attr':
                read.setdefault(node.target, []).append(node)
        parameters = dict(module.named_parameters(remove_duplicate=False))
        buffers = dict(module.named_buffers(remove_duplicate=False))
        unread = [path for path in itertools.chain(parameters, buffers) if path not in read]
        transient = {f'{path}.{name}' if path else name for path, each in module.named_modules()
                     for name in getattr(each, '_non_persistent_buffers_set', ())}
        kept = {}
        # module() reads them in the order of the inputs.
        for path in itertools.chain(read, unread):
            kind = (InputKind.PARAMETER if path in parameters else InputKind.BUFFER if path in buffers else
                    InputKind.CONSTANT_TENSOR)
            if not isinstance(_attribute(module, path), torch.Tensor):
                continue
            placeholder = self.graph.placeholder(self._fresh(_PREFIX[kind] + re.sub('[^a-zA-Z0-9]', '_', path.lower())))
            for node in read.get(path, ()):
                kept[node] = placeholder
                placeholder.meta = dict(node.meta)
                self.origins[placeholder] = node
            persistent = path not in transient if kind == InputKind.BUFFER else None
            self.inputs.append(InputSpec(kind, TensorArgument(placeholder.name), path, persistent))
        for node in nodes:
            if node.op == 'placeholder':
                kept[node] = self._copied(node, kept)
                self.inputs.append(InputSpec(InputKind.USER_INPUT, _argument_of(kept[node]), None))
        written = self._written(nodes)
        for node in nodes:
            if node not in kept and node not in written and node.op != 'output':
                kept[node] = self._copied(node, kept)
        self.outputs = []
        results = []
        for node in written:
            at, value = node.args
            target, kept[node] = at.target, kept[value]
            kind = (OutputKind.USER_INPUT_MUTATION if at.op == 'placeholder' else
                    OutputKind.BUFFER_MUTATION if target in buffers else OutputKind.PARAMETER_MUTATION)
            self.outputs.append(OutputSpec(kind, TensorArgument(kept[value].name), target))
            results.append(kept[value])
        self.written = written
        self.newly_written = []  # inputs that are written, but by no copy of the module yet
        for node in nodes:
            if node.op == 'output':
                given = node.args[0] if isinstance(node.args[0], (tuple, list)) else (node.args[0],)
                for value in torch.fx.map_arg(tuple(given), lambda each: kept[each]):
                    self.outputs.append(OutputSpec(OutputKind.USER_OUTPUT, _argument_of(value), None))
                    results.append(value)
                end = self.graph.output(tuple(results))
                end.meta['val'] = torch.fx.map_arg(tuple(results), lambda each: each.meta.get('val'))
                self.origins[end] = node

    def _copied(self, node, kept):
        made = self.graph.node_copy(node, lambda each: kept[each])
        self.origins[made] = node
        return made

    def _fresh(self, name):
        number, out = 0, name
        while out in self._names:
            number += 1
            out = f'{name}_{number}'
        self._names.add(out)
        return out

    @staticmethod
    def _written(nodes):
        # The copies that module() puts at the end; those that the program itself makes say where they come from.
        out = []
        for node in reversed([node for node in nodes if node.op != 'output']):
            at = node.args[0] if node.target == _COPY else None
            if not isinstance(at, Node) or at.op not in ('get_attr', 'placeholder') or 'stack_trace' in node.meta:
                break
            out.append(node)
        return out[::-1]


@dataclasses.dataclass
class CallSpec:
    in_spec: object
    out_spec: object


class ExportedProgram:
    def __init__(self, module, record=None):
        self._module = module
        self._record = record or Record('', None)
        self._lifted = _Lifted(module)
        self._graph_signature = ExportGraphSignature(self._lifted.inputs, self._lifted.outputs)
        self._graph_module = GraphModule(module, self._lifted.graph)
        self._graph_module.meta.update(module.meta)

    @property
    def graph_module(self):
        return self._graph_module

    @property
    def graph(self):
        return self._graph_module.graph

    @property
    def graph_signature(self):
        return self._graph_signature

    @property
    def state_dict(self):
        told = self._graph_signature
        transient = told.non_persistent_buffers
        return {name: _attribute(self._module, name) for name in told.parameters + told.buffers if name not in transient}

    @property
    def constants(self):
        names = self._graph_signature.non_persistent_buffers + self._graph_signature.lifted_tensor_constants
        return {name: _attribute(self._module, name) for name in names}

    @property
    def tensor_constants(self):
        return self.constants

    def named_parameters(self):
        for name in self._graph_signature.parameters:
            yield name, _attribute(self._module, name)

    def parameters(self):
        for _, parameter in self.named_parameters():
            yield parameter

    def named_buffers(self):
        for name in self._graph_signature.buffers:
            yield name, _attribute(self._module, name)

    def buffers(self):
        for _, buffer in self.named_buffers():
            yield buffer

    def __call__(self, *args, **kwargs):
        raise RuntimeError('Unable to call ExportedProgram directly. You should use `exported_program.module()` instead.')

    @property
    def range_constraints(self):
        return self._record.range_constraints

    @property
    def example_inputs(self):
        return self._record.example_inputs

    @example_inputs.setter
    def example_inputs(self, value):
        self._record.set_example_inputs(value)

    @property
    def module_call_graph(self):
        return self._record.module_call_graph

    @property
    def call_spec(self):
        return CallSpec(self._record.in_spec, self._record.out_spec)

    @property
    def dialect(self):
        return self._record.dialect

    def __getattr__(self, name):
        if name in ('verifier', 'verifiers'):
            raise NotImplementedError(f'ExportedProgram.{name} is not supported here: `fxscope lint` says what is wrong with a graph')
        raise AttributeError(f"'ExportedProgram' object has no attribute '{name}'")

    def __str__(self):
        text = self._graph_module.print_readable(print_output=False).replace('\n', '\n    ')
        signature = str(self._graph_signature).replace('\n', '\n    ')
        return f'ExportedProgram:\n    {text}\nGraph signature: {signature}\nRange constraints: {self.range_constraints}\n'

    def run_decompositions(self, decomp_table=None, decompose_custom_triton_ops=False):
        from ._decompose import decomposed
        return decomposed(self, decomp_table, _argument_of)

    def module(self, check_guards=True):
        """A module that holds its tensors; its graph is this one, as it is now."""
        out = copy.copy(self._module)
        graph = copy.deepcopy(self._module.graph)
        _unlift(self, graph, dict(zip(self._module.graph.nodes, graph.nodes)))
        out.graph = graph
        return out

    def _put_back(self):
        """What was changed here becomes a change of the module that is open."""
        _unlift(self, self._module.graph, {node: node for node in self._module.graph.nodes})
        self._module.recompile()
        return self._module


def _unlift(program, graph, own):
    """Brings the graph, whose nodes are `own` by those of the module that is open, to what the program's is."""
    lifted = program._lifted
    inputs = {spec.arg.name: spec for spec in program._graph_signature.input_specs}
    known = {node: own[origin] for node, origin in lifted.origins.items()}
    results = [own[node] for node in lifted.written]
    values, last, copied = {}, None, {}
    for node in program.graph.nodes:
        if node.op == 'output':
            continue
        spec = inputs.get(node.name) if node.op == 'placeholder' else None
        is_state = spec is not None and spec.kind != InputKind.USER_INPUT
        mine = known.get(node)
        if is_state and mine is None and not node.users:
            continue
        if is_state:
            if mine is None:
                with graph.inserting_before():
                    mine = graph.get_attr(spec.target)
        elif mine is None:
            with graph.inserting_after(last) if last is not None else graph.inserting_before():
                mine = copied[node] = graph.node_copy(node, lambda each: values[each])
        else:
            _make_like(mine, node, values)
            if last is not None and mine.prev is not last and node.op != 'placeholder':
                last.append(mine)
        values[node] = mine
        if not is_state and (last is None or node.op != 'placeholder' or last.op == 'placeholder'):
            last = mine
    output = next(node for node in program.graph.nodes if node.op == 'output')
    given = [values[value] if isinstance(value, Node) else value for value in output.args[0]]
    with graph.inserting_before(known[output]):
        results = [graph.call_function(_COPY, (values[node], value))
                   for node, value in zip(lifted.newly_written, given)] + results
    for write, value in zip(results, given):
        if write.args[1] is not value:
            write.args = (write.args[0], value)
    mine = known[output]
    writes = dict(zip(given[:len(results)], results))
    user = [writes.get(value, value) if isinstance(value, Node) else value for value in given[len(results):]]
    now = type(mine.args[0])(user) if isinstance(mine.args[0], (tuple, list)) else user[0]
    if tuple(user) != (tuple(mine.args[0]) if isinstance(mine.args[0], (tuple, list)) else (mine.args[0],)):
        mine.args = (now,)
    kept = set(values.values()) | set(results) | {mine}
    for node in reversed(list(graph.nodes)):
        if node not in kept:
            graph.erase_node(node)
    for node, mine in copied.items():  # now that nobody else is called so
        if mine.name != node.name:
            mine.name = node.name


def _make_like(mine, node, values):
    args, kwargs = torch.fx.map_arg((node.args, node.kwargs), lambda each: values[each])
    if mine.op != node.op:
        mine.op = node.op
    if mine.target != node.target:
        mine.target = node.target
    if mine.args != args:
        mine.args = args
    if mine.kwargs != kwargs:
        mine.kwargs = kwargs
    if mine.name != node.name and node.op != 'placeholder':
        mine.name = node.name
    mine.meta = dict(node.meta)
