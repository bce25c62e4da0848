# SPDX-License-Identifier: GPL-3.0-or-later
"""An attribute that the model lacks."""

import torch


def build(name, value):
    graph = torch.fx.Graph()
    graph.output(graph.call_function(torch.add, (graph.placeholder("x"), graph.get_attr(name))))
    module = torch.fx.GraphModule(torch.nn.Module(), torch.fx.Graph(), "Built")
    if value is not None:
        setattr(module, name, value)
    module.graph = graph
    return module


model, pattern = build("gone", None), build("there", torch.nn.Parameter(torch.zeros(1)))


def replacement(x):
    return x
