# SPDX-License-Identifier: GPL-3.0-or-later
# Passes over what a .pt2 holds: the module that it gives, and the ExportedProgram itself.
import torch
import torch.fx
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


def modules(ep):
    made = ep.module(check_guards=False)
    print(made is not ep.module(check_guards=False))
    print(made.graph)


def decomposed(ep: ExportedProgram) -> ExportedProgram:
    if any(node.target == torch.ops.aten.conv2d.default for node in ep.graph.nodes):
        print('of dynamic shapes')
        return ep
    out = ep.run_decompositions()
    print(out.graph)
    for spec in out.graph_signature.output_specs:
        print(spec)
    print(out.graph_signature.buffers_to_mutate, out.graph_signature.user_inputs_to_mutate, list(out.state_dict))
    print([tuple(node.meta['val'].shape) for node in out.graph.nodes if isinstance(node.meta.get('val'), torch.Tensor)])
    print(out.module(check_guards=False).graph)
    return out

