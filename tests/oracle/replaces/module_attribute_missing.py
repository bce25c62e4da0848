# SPDX-License-Identifier: GPL-3.0-or-later
"""A replacement with a path that leads nowhere in it."""

import torch


def model(x):
    return torch.relu(x)


def pattern(x):
    return torch.relu(x)


replacement = torch.fx.GraphModule(torch.nn.Module(), torch.fx.Graph())
replacement.graph.placeholder("x")
replacement.graph.output(replacement.graph.get_attr("gone"))
replacement.graph = replacement.graph
