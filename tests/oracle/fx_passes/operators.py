# SPDX-License-Identifier: GPL-3.0-or-later
# The operators of torch.ops as values that passes ask: packets, overloads, their schemas and tags; those that take graphs.
# case: operator_packets plain packets
# case: operator_overloads plain overloads
# case: operator_schemas plain schemas
# case: operator_targets plain targets
# case: operator_missing plain missing
# case: operator_partials plain partials

import copy
import functools

import torch
import torch.fx
from torch._ops import HigherOrderOperator, OperatorBase, OpOverload, OpOverloadPacket

INPUTS = (torch.linspace(-1, 1, 4),)
aten = torch.ops.aten


def plain(x):
    return x + 1


def packets(gm):
    for packet in (aten.add, aten.relu_, aten.mm, aten.convolution, aten.sum, aten.index_put_):
        print(packet, repr(packet), packet.__name__, packet.__module__, packet._qualified_op_name, packet.overloads()[:4], type(packet).__name__)
        print(isinstance(packet, OpOverloadPacket), isinstance(packet, OpOverload), isinstance(packet, OperatorBase), callable(packet))
    print([str(getattr(aten.add, name)) for name in aten.add.overloads()][:3], len(aten.mm.op_overloads()), aten.mm._overload_names)
    print(aten.add is torch.ops.aten.add, aten.add == aten.sub, aten.add in {aten.add}, aten.add.Tensor.overloadpacket is aten.add)
    print(copy.deepcopy(aten.add) is aten.add, copy.deepcopy({"op": aten.add.Tensor}), OpOverloadPacket.__name__, OpOverload.__module__)
    print(aten, torch.ops.nowhere, torch.ops, aten.__name__)
    print(sorted(aten.add._schemas)[:3], aten.add._schemas["Tensor"])


def overloads(gm):
    for op in (aten.add.Tensor, aten.add_.Tensor, aten.view.default, aten.split.Tensor, aten.relu.default, aten.linear.default, aten.rand.default,
               aten.add.out):
        print(op, repr(op), op.name(), op._name, op.__name__, op.__qualname__, op.__module__, op.namespace, op._namespace, op._opname, op._overloadname)
        print(op.overloadpacket, op._overloadpacket, op.is_view, op.tags, torch.Tag.pointwise in op.tags, op._can_decompose(), type(op).__name__)
        print(isinstance(op, OpOverload), isinstance(op, OpOverloadPacket), isinstance(op, OperatorBase), isinstance(op, HigherOrderOperator))
    for key in ("CPU", "CUDA", "CompositeImplicitAutograd", "CompositeExplicitAutograd", "Autograd", "AutogradCPU"):
        key = getattr(torch._C.DispatchKey, key)
        print(key, repr(key), [op.has_kernel_for_dispatch_key(key) for op in (aten.mm.default, aten.linear.default, aten.relu.default)])
    print(torch.Tag.core, repr(torch.Tag.core), torch.Tag.core.name, int(torch.Tag.pointwise), torch.Tag.core == torch.Tag.core, torch.Tag.inplace_view)
    x = torch.ones(2, 3)
    print(aten.linear.default.decompose(x, x), aten.relu.default.decompose(x), aten.add.Tensor(x, 1), aten.add.Tensor._schema)
    print(isinstance(torch.relu, OpOverload), isinstance(torch.add, OpOverloadPacket))


def schemas(gm):
    for op in (aten.split.Tensor, aten.add_.Tensor, aten.sum.dim_IntList, aten.index.Tensor, aten.empty.memory_format, aten.add.out, aten.clamp.Tensor):
        schema = op._schema
        print(schema, schema.name, repr(schema.overload_name), schema.is_mutable)
        for argument in list(schema.arguments) + list(schema.returns):
            alias = argument.alias_info
            print(repr(argument.name), argument.type, repr(argument.type), argument.real_type, argument.default_value, argument.has_default_value(),
                  argument.kwarg_only, argument.is_out, argument.is_write, argument.N,
                  alias and (alias.is_write, sorted(alias.before_set), sorted(alias.after_set)))
            print(argument.type.kind(), argument.type.str(), argument.type.annotation_str)
    split = aten.split.Tensor._schema.arguments
    print(split[0].type == aten.add.Tensor._schema.arguments[0].type, split[1].type == split[2].type, split[0].type == split[1].type)


def targets(gm):
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    packet = graph.call_function(aten.add, (x, 1))
    overload = graph.call_function(aten.add.Tensor, (packet, 2))
    graph.output(graph.call_function(aten.mul.Tensor, (overload, overload), {}))
    for node in graph.nodes:
        if node.op == "call_function":
            print(node.name, node.target, repr(node.target), type(node.target).__name__, isinstance(node.target, OpOverloadPacket), node.format_node())
            print(node.target is aten.add, node.target == aten.add.Tensor, node._pretty_print_target(node.target), torch.fx.node._get_qualified_name(node.target))
    for node in graph.find_nodes(op="call_function", target=aten.add.Tensor):
        node.target = getattr(node.target.overloadpacket, node.target._overloadname.replace("Tensor", "Scalar"))
    made = torch.fx.GraphModule(torch.nn.Module(), graph)
    print(graph, made.code, made(torch.ones(2)))
    print({node.target: node.name for node in made.graph.nodes if node.op == "call_function"})


def missing(gm):
    for read in (lambda: aten.nope, lambda: aten.add.nope, lambda: torch.ops.nowhere.other, lambda: torch.ops.higher_order.nope, lambda: aten.add.Tensor.nope):
        try:
            print(read())
        except AttributeError as error:
            print(error)
    print(hasattr(aten, "nope"), hasattr(aten, "add"), hasattr(aten.add, "Tensor"), hasattr(aten.add, "nope"), getattr(aten, "nope_", None))


def scaled(x, by):
    return x * by


def partials(gm):
    """An object without a name is a target, too."""
    triple = functools.partial(scaled, by=3)
    for node in gm.graph.find_nodes(op="call_function", target=torch.ops.aten.add.Tensor) or list(gm.graph.nodes)[1:2]:
        before = node.target
        node.target, node.args = triple, node.args[:1]
        print(node.target is triple, node.target == triple, node.target in {triple, len}, torch.fx.Interpreter(gm).run(torch.ones(2)))
        try:
            gm.graph.call_function(triple, node.args)
        except AttributeError as error:
            print(type(error).__name__)
        node.target, node.args = before, (node.args[0], 1)
    gm.recompile()
