# SPDX-License-Identifier: GPL-3.0-or-later
# ExportedProgram.run_decompositions(): the lifted graph runs once on values of its shapes, and the operators of the core set that
# it calls are the new graph. What is written into an input comes out of it.
import copy

import torch
from torch.fx import GraphModule, Interpreter, _graphs
from torch.fx.experimental.proxy_tensor import trace_without_data

from .decomp_utils import CustomDecompTable
from .graph_signature import ExportGraphSignature, InputKind, OutputKind, OutputSpec, TensorArgument

_COPY = torch.ops.aten.copy_.default
_MUTATIONS = {InputKind.PARAMETER: OutputKind.PARAMETER_MUTATION, InputKind.BUFFER: OutputKind.BUFFER_MUTATION}


def _example(program, spec, node):
    known = node.meta.get('val')
    if known is None and spec.kind != InputKind.USER_INPUT:
        known = program._module
        for part in spec.target.split('.'):
            known = getattr(known, part)
    if not isinstance(known, torch.Tensor):
        return known
    return _graphs.fake_like(known, known.device)


def _merge_sizes(graph):
    """Symbols are read of the inputs, before all else, and what is computed of them is computed once."""
    known, inputs = {}, [node for node in graph.nodes if node.op == 'placeholder']
    first = inputs[-1].next if inputs else None
    places = {}
    for node in inputs:
        for dim, size in enumerate(node.meta['val'].shape if isinstance(node.meta.get('val'), torch.Tensor) else ()):
            places.setdefault(str(size), (node, dim, size))
    used = {str(node.meta['val']) for node in graph.nodes if node.users and isinstance(node.meta.get('val'), torch.SymInt)}
    for formula, (node, dim, size) in places.items():
        if isinstance(size, torch.SymInt) and formula in used and size.node.expr.is_symbol:
            with graph.inserting_before(first):
                known[formula] = graph.call_function(torch.ops.aten.sym_size.int, (node, dim))
            known[formula].meta['val'] = size
    for node in list(graph.nodes):
        if not isinstance(node.meta.get('val'), torch.SymInt) or node.op == 'placeholder':
            continue
        same = known.setdefault(str(node.meta['val']), node)
        if same is not node:
            node.replace_all_uses_with(same)
            graph.erase_node(node)


def _taken_out(graph, inputs):
    """The copies into inputs at the end of a traced graph: {input: what is written}."""
    written = {}
    for node in reversed([node for node in graph.nodes if node.op != 'output']):
        if node.target is not _COPY or node.args[0] not in inputs:
            break
        written[node.args[0]] = node.args[1]
        graph.erase_node(node)
    return written


def _without_aliases(graph):
    for node in list(graph.nodes):
        if node.target in (torch.ops.aten.detach.default, torch.ops.aten.alias.default):
            node.replace_all_uses_with(node.args[0])
            graph.erase_node(node)


def decomposed(program, table, argument_of):
    table = CustomDecompTable() if table is None else table
    old = [node for node in program.graph.nodes if node.op == 'placeholder']
    specs = program.graph_signature.input_specs
    run = Interpreter(program.graph_module).run
    values = [_example(program, spec, node) for spec, node in zip(specs, old)]
    with torch.no_grad():
        graph = trace_without_data(lambda *inputs: _graphs.run_functional(run, inputs), values, dict(table.items()),
                                   _graphs.symbols_of(program._module.graph), lambda op: op not in table).graph
    made = [node for node in graph.nodes if node.op == 'placeholder']
    _without_aliases(graph)
    written = _taken_out(graph, made)
    for node, before in zip(made, old):
        node.target = before.target
        node.name = before.name
        node.meta = dict(before.meta)
    _merge_sizes(graph)
    output = graph.output_node()
    results = output.args[0]
    output.args = (tuple(written[node] for node in made if node in written) + tuple(results),)
    graph.eliminate_dead_code()
    outputs = [OutputSpec(_MUTATIONS.get(spec.kind, OutputKind.USER_INPUT_MUTATION), TensorArgument(written[node].name),
                          spec.target or node.name) for spec, node in zip(specs, made) if node in written]
    outputs += [OutputSpec(spec.kind, argument_of(value), spec.target)
                for spec, value in zip(program.graph_signature.output_specs, results)]
    out = copy.copy(program)
    out._lifted = copy.copy(program._lifted)
    out._lifted.graph = graph
    origins = program._lifted.origins
    ends = {output: origins[program.graph.output_node()]}
    out._lifted.origins = {node: origins[before] for node, before in zip(made, old) if before in origins} | ends
    out._lifted.newly_written = [node for node in made if node in written]
    out._graph_signature = ExportGraphSignature(specs, outputs)
    out._graph_module = GraphModule(program._module, graph)
    return out
