# SPDX-License-Identifier: GPL-3.0-or-later
"""An attribute that is not there."""

import torch


class Empty(torch.nn.Module):
    pass


def build(name):
    graph = torch.fx.Graph()
    graph.output(graph.call_function(torch.add, (graph.placeholder("x"), graph.get_attr(name))))
    module = torch.fx.GraphModule(torch.nn.Module(), torch.fx.Graph(), "Empty")
    module.graph = graph
    return module


model, pattern = build("gone"), build("gone.deep")


def replacement(x):
    return x
