# SPDX-License-Identifier: GPL-3.0-or-later
"""The same computation, written better: nothing twice, in place where that is safe, in an order that holds."""
import operator

import torch
from torch.fx import Interpreter
from torch.fx.experimental.const_fold import split_const_subgraphs
from torch.fx.experimental.merge_matmul import merge_matmul as _merge_matmul
from torch.fx.passes.dialect.common.cse_pass import CSEPass
from torch.fx.passes.graph_manipulation import replace_target_nodes_with
from torch.fx.passes.reinplace import reinplace
from torch.fx.passes.tools_common import legalize_graph, stable_topological_sort


def common_subexpressions(gm: torch.fx.GraphModule):
    """Compute once what operators of aten compute twice from the same values."""
    before = len(gm.graph.nodes)
    result = CSEPass()(gm).graph_module
    print(f"{before - len(result.graph.nodes)} removed")
    return result


class Reinplace(Interpreter):
    """Let operators of aten write into their arguments where nobody reads those later; runs the model to know what shares memory."""

    def run(self, *args):
        before = [node.target for node in self.module.graph.nodes]
        result = reinplace(self.module, *args)
        print(f"{sum(node.target not in before for node in result.graph.nodes if node.op == 'call_function')} in place")
        return result


def sort_nodes(gm: torch.fx.GraphModule, stable: bool = True):
    """Bring the nodes into an order in which each comes after what it reads; stable: as near to the one they have as can be."""
    before = [node.name for node in gm.graph.nodes]
    result = stable_topological_sort(gm) if stable else legalize_graph(gm)
    print(f"{sum(name != node.name for name, node in zip(before, result.graph.nodes))} are at another place")
    return result


def fold_constants(gm: torch.fx.GraphModule):
    """Compute now what depends on weights and constants alone, and keep the results as weights."""
    folded = split_const_subgraphs(gm)
    if folded.const_subgraph_module is None:
        print("nothing to fold")
        return gm
    print(f"{sum(node.op.startswith('call') for node in folded.const_subgraph_module.graph.nodes)} folded")
    folded.run_folding()
    return torch.fx.GraphModule(folded, folded.graph, type(gm).__name__)


def merge_matmul(gm: torch.fx.GraphModule):
    """Make one multiplication of several by the same right side that do not depend on each other."""
    return _merge_matmul(gm)


def _function(path):
    """The function that a name such as torch.nn.functional.relu or operator.add means."""
    root, _, rest = path.partition(".")
    found = {"torch": torch, "operator": operator}.get(root)
    for part in rest.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        raise ValueError(f"{path} is no function of torch or operator")
    return found


def replace_target(gm: torch.fx.GraphModule, old: str, new: str):
    """Call another function, such as torch.nn.functional.silu, wherever the model calls one; the arguments stay."""
    replace_target_nodes_with(gm, "call_function", _function(old), "call_function", _function(new))
    gm.recompile()
    return gm
