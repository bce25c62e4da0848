# SPDX-License-Identifier: GPL-3.0-or-later
# A program as the documentation shows it, which traces and prints at the top of the file.
# run: top_level_program

import torch
import torch.fx
from torch.fx import symbolic_trace


def my_func(x):
    return torch.relu(x).neg()


traced: torch.fx.GraphModule = symbolic_trace(my_func)
for n in traced.graph.nodes:
    print(f"{n.name} = {n.op} args={n.args}")
print(traced.code)

for node in traced.graph.nodes:
    if node.target == torch.relu:
        with traced.graph.inserting_after(node):
            new_node = traced.graph.call_function(torch.tanh, node.args)
            node.replace_all_uses_with(new_node)
        traced.graph.erase_node(node)
traced.graph.lint()
traced.recompile()
print(traced.graph)
print(traced(torch.tensor([0.0, 1.0])))

try:
    symbolic_trace(lambda x: x if x else -x)
except torch.fx.proxy.TraceError as error:
    print(error)
else:
    raise SystemExit("traced")
