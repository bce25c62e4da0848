# SPDX-License-Identifier: GPL-3.0-or-later
# Passes over what a .pt2 holds: the module that it gives, and the ExportedProgram itself.
import torch
import torch.fx
from torch._subclasses.fake_tensor import FakeTensor
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, OutputKind, TensorArgument


def metadata(gm):
    for node in gm.graph.nodes:
        print(node.name, node.meta.get('torch_fn'), [name for name, _ in node.meta.get('source_fn_stack', [])],
              list(node.meta.get('nn_module_stack', {}).values()))
    print(list(gm.state_dict()), [name for name, _ in gm.named_children()])


def partitions(gm: torch.fx.GraphModule):
    from torch.fx.passes.utils.source_matcher_utils import get_source_partitions
    found = get_source_partitions(gm.graph, [torch.nn.Linear, torch.nn.ReLU, torch.relu, 'linear'])
    print(len(found))
    for kind, places in found.items():
        print(kind, [[node.name for node in place.nodes] for place in places])


def signature(ep):
    print(ep.graph_signature)
    told = ep.graph_signature
    for name in ('parameters', 'buffers', 'non_persistent_buffers', 'lifted_tensor_constants', 'user_inputs', 'user_outputs',
                 'inputs_to_parameters', 'inputs_to_buffers', 'inputs_to_lifted_tensor_constants', 'buffers_to_mutate',
                 'user_inputs_to_mutate', 'backward_signature', 'input_tokens'):
        value = getattr(told, name)
        print(name, dict(value) if hasattr(value, 'keys') else value and list(value))
    print([(spec.kind == InputKind.PARAMETER, isinstance(spec.arg, TensorArgument)) for spec in told.input_specs])
    print([spec.kind == OutputKind.USER_OUTPUT for spec in told.output_specs])


def state(exported_program: 'ExportedProgram'):
    for name, value in sorted(exported_program.state_dict.items()):
        print(name, tuple(value.shape), type(value).__name__)
    for name, value in sorted(exported_program.constants.items()):
        print(name, value)
    print([name for name, _ in exported_program.named_parameters()], [name for name, _ in exported_program.named_buffers()])
    print(len(list(exported_program.parameters())), len(list(exported_program.buffers())))
    try:
        exported_program(torch.ones(1))
    except RuntimeError as error:
        print(error)


def lifted_graph(ep: ExportedProgram):
    print(ep.graph)
    print(ep.graph_module.graph is ep.graph, isinstance(ep.graph_module, torch.fx.GraphModule))


def swapped(ep: ExportedProgram) -> ExportedProgram:
    for node in list(ep.graph.nodes):
        if node.target == torch.ops.aten.relu.default:
            with ep.graph.inserting_after(node):
                new = ep.graph.call_function(torch.ops.aten.gelu.default, node.args)
                new.meta = dict(node.meta)
            node.replace_all_uses_with(new)
            ep.graph.erase_node(node)
    ep.graph_module.recompile()
    print(ep.graph)
    return ep


def scaled(ep: ExportedProgram):
    for node in list(ep.graph.nodes):
        if node.target in (torch.ops.aten.linear.default, torch.ops.aten.mul.Tensor):
            with ep.graph.inserting_after(node):
                new = ep.graph.call_function(torch.ops.aten.mul.Tensor, (node, 0.5))
            node.replace_all_uses_with(new, delete_user_cb=lambda user: user is not new)
    ep.graph.lint()


def told_beside_the_graph(ep):
    print(ep.range_constraints, ep.dialect)
    for symbol, ends in ep.range_constraints.items():
        print(type(symbol).__name__, symbol, symbol.name, ends, ends.lower, ends.upper, ends.is_int, 4 in ends)
    for entry in ep.module_call_graph:
        print(entry, entry.fqn, entry.signature is None or entry.signature.forward_arg_names)
    print(ep.call_spec.in_spec, ep.call_spec.out_spec, ep.call_spec == ep.call_spec)
    args, kwargs = ep.example_inputs
    print(torch.utils._pytree.tree_map(lambda each: tuple(each.shape), (args, kwargs)), torch.utils._pytree.tree_leaves((args, kwargs)))
    print(ep)


def examples_set(ep: ExportedProgram):
    args, kwargs = ep.example_inputs
    ep.example_inputs = (tuple(args), {name: value for name, value in kwargs.items()})
    for wrong in (((), {'other': 1}), ((), kwargs), [args, kwargs]):
        try:
            ep.example_inputs = wrong
        except ValueError as error:
            print(error)
    print(len(ep.example_inputs[0]))


def values(ep):
    for node in ep.graph.nodes:
        value = node.meta.get('val')
        print(node.name, value, isinstance(value, torch.SymInt), isinstance(value, FakeTensor))
        if isinstance(value, torch.Tensor):
            print(value.shape, value.size(), value.stride(), value.numel(), value.dim(), value.dtype, value.device, value.requires_grad,
                  [type(size).__name__ for size in value.shape], isinstance(value.shape, torch.Size), len(value.shape))


def _sizes(ep):
    found = {}
    for node in ep.graph.nodes:
        value = node.meta.get('val')
        for size in value.shape if isinstance(value, torch.Tensor) else [value]:
            if isinstance(size, torch.SymInt):
                found.setdefault(str(size), size)
    return [found[name] for name in sorted(found)]


def sizes(ep: ExportedProgram):
    from torch.fx.experimental.symbolic_shapes import free_symbols
    print(len(_sizes(ep)))
    for s in _sizes(ep):
        print(s, repr(s), f'{s}', '%s' % s, type(s), isinstance(s, torch.SymInt), isinstance(s, int))
        print(s.node, s.node.expr, str(s.node.expr), s.node.hint, s.node.has_hint(), s.node.maybe_as_int(), s.node.is_symbolic(),
              s.node.pytype, sorted(str(each) for each in s.node.expr.free_symbols), s.node.expr == s.node.expr)
        print(s + 1, 1 + s, s - 1, 1 - s, s * 2, 2 * s, s + s, s - s + s, -s, s * 3 + 2)
        print(s == s, s == 'word', str(s) == 'word', s < 3, s >= 3, s != 7, type(s == 7).__name__)
        print(torch.sym_int(s), sorted(str(each) for each in free_symbols(s)))
        try:
            hash(s)
        except TypeError as error:
            print(error)
    for a, b in zip(_sizes(ep), _sizes(ep)[1:]):
        print(a + b, b * 2 + a * 3 - 1)
    symbols = [s for s in _sizes(ep) if s.node.expr.is_symbol]
    for a, b in zip(symbols, symbols[1:]):
        print(a * b, a * b + a, a * a, b ** 2 * a)
    for s in _sizes(ep):
        if s.node.expr in ep.range_constraints:
            print(s, ep.range_constraints[s.node.expr], s // 2, (s + 1) // 2, s % 2, s // 2 * 2, (s * 4) // 2)


def decided(ep: ExportedProgram):
    """A number that is asked for is one from then on."""
    symbols = [s for s in _sizes(ep) if s.node.expr in ep.range_constraints]
    print(len(symbols))
    for s in symbols:
        print(s, bool(s > 1), s, int(s), s, s + 1, list(range(s)), [0] * s, float(s), s.node.maybe_as_int())
    for node in ep.graph.nodes:
        if isinstance(node.meta.get('val'), torch.Tensor):
            print(node.name, node.meta['val'].shape)


def modules(ep):
    made = ep.module(check_guards=False)
    print(made is not ep.module(check_guards=False))
    print(made.graph)


def decomposed(ep: ExportedProgram) -> ExportedProgram:
    out = ep.run_decompositions()
    if ep.range_constraints:
        _numbered(out)
        return ep
    print(out.graph)
    for spec in out.graph_signature.output_specs:
        print(spec)
    print(out.graph_signature.buffers_to_mutate, out.graph_signature.user_inputs_to_mutate, list(out.state_dict))
    print([tuple(node.meta['val'].shape) for node in out.graph.nodes if isinstance(node.meta.get('val'), torch.Tensor)])
    print(out.module(check_guards=False).graph)
    return out


def by_a_table(ep: ExportedProgram) -> ExportedProgram:
    """By rules of one's own: what is in no table stays, also what is made of other operators."""
    aten = torch.ops.aten
    for table in ({}, {aten.relu.default: lambda x: x * (x > 0)}, {aten.linear.default: lambda x, w, b=None: x.matmul(w.t())}):
        out = ep.run_decompositions(table)
        _targets(out)
    return ep if ep.range_constraints else out


def by_the_default_table(ep: ExportedProgram) -> ExportedProgram:
    aten = torch.ops.aten
    table = torch.export.default_decompositions()
    print(aten.linear.default in table, aten.addmm.default in table, aten.t.default in table)
    table.pop(aten.linear.default)
    print(aten.linear.default in table, table.pop(aten.linear.default, None))
    table.update({aten.relu.default: lambda x: x.clamp(min=0)})
    own = table.copy()
    del own[aten.relu.default]
    own[aten.embedding.default] = lambda weight, indices, *others: weight[indices]
    for each in table, own, torch._decomp.get_decompositions([aten.t, aten.addmm]):
        out = ep.run_decompositions(each)
        _targets(out)
    return ep if ep.range_constraints else out


def _targets(program):
    print([node._pretty_print_target(node.target) for node in program.graph.nodes
           if node.op == 'call_function' and 'sym_' not in str(node.target)])


def _numbered(program):
    """Nodes by their numbers: how often torch.export has computed with a symbol is in their names."""
    for graph in (program.graph, program.module(check_guards=False).graph):
        numbers = {node: number for number, node in enumerate(graph.nodes)}
        for node, number in numbers.items():
            args = torch.fx.map_arg((node.args, node.kwargs), lambda each: f'%{numbers[each]}')
            value = node.meta.get('val')
            print(number, node.op, node._pretty_print_target(node.target), args,
                  value.shape if isinstance(value, torch.Tensor) else value if isinstance(value, torch.SymInt) else '')
    print([(spec.kind, type(spec.arg).__name__) for spec in program.graph_signature.output_specs], program.range_constraints)
