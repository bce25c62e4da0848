# SPDX-License-Identifier: GPL-3.0-or-later
# Passes whose results are written as .pt2.
import operator

import torch
from torch.export import ExportedProgram


def halve(gm: torch.fx.GraphModule):
    with torch.no_grad():
        for _, parameter in gm.named_parameters():
            parameter.mul_(0.5)


def wider(ep: ExportedProgram):
    """Each relu gives its value twice: sizes behind it are others."""
    for node in list(ep.graph.nodes):
        if node.target == torch.ops.aten.relu.default:
            with ep.graph.inserting_after(node):
                new = ep.graph.call_function(torch.ops.aten.cat.default, ([node, node], 1))
            node.replace_all_uses_with(new, delete_user_cb=lambda user: user is not new)


def shifted(gm: torch.fx.GraphModule, by: float = 1.0):
    """A constant of a name that is taken, and a buffer that comes along."""
    gm.register_buffer('extra', torch.full((3,), by))
    output = next(node for node in gm.graph.nodes if node.op == 'output')
    with gm.graph.inserting_before(output):
        read = gm.graph.get_attr('extra')
        added = gm.graph.call_function(torch.ops.aten.add.Tensor, (output.args[0][0], read))
    output.args = ((added, *output.args[0][1:]),)


def split_in_parts(gm: torch.fx.GraphModule):
    """A call of several values, of which one is read."""
    output = next(node for node in gm.graph.nodes if node.op == 'output')
    with gm.graph.inserting_before(output):
        parts = gm.graph.call_function(torch.ops.aten.split.Tensor, (output.args[0][0], 1, -1))
        part = gm.graph.call_function(torch.ops.aten.relu.default, (gm.graph.call_function(operator.getitem, (parts, 1)),))
    output.args = ((part, *output.args[0][1:]),)


def no_second_input(gm: torch.fx.GraphModule):
    placeholders = [node for node in gm.graph.nodes if node.op == 'placeholder']
    placeholders[1].replace_all_uses_with(placeholders[0])
    gm.graph.erase_node(placeholders[1])
