# SPDX-License-Identifier: GPL-3.0-or-later
"""An attribute that is a number cannot be compared."""

import torch


def build(name):
    graph = torch.fx.Graph()
    graph.output(graph.call_function(torch.add, (graph.placeholder("x"), graph.get_attr(name))))
    module = torch.fx.GraphModule(torch.nn.Module(), torch.fx.Graph())
    setattr(module, name, 3)
    module.graph = graph
    return module


model, pattern = build("count"), build("number")


def replacement(x):
    return x
