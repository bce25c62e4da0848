# Passes for check_compare.py: of three changes one is wrong.
import torch


def swap(module: torch.fx.GraphModule):
    for node in module.graph.nodes:
        if node.target is torch.abs:
            node.target = torch.relu  # harmless: what it is given has no sign
        elif node.target is torch.sin:
            node.target = torch.cos
        elif node.target is torch.relu:
            node.target = torch.nn.functional.relu
    module.recompile()


def harmless(module: torch.fx.GraphModule):
    for node in module.graph.nodes:
        if node.target is torch.abs:
            node.target = torch.relu
    module.recompile()
