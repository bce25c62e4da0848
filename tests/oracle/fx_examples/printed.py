# SPDX-License-Identifier: GPL-3.0-or-later
# What the documentation says of debugging: print the module, its code and graph, compare with the original, paste the code.
# case: print_module M() show
# case: print_readable_code M() readable
# case: paste_code WithParameter() paste
# case: compare_by_equals WithBlock() compare_by_equals
# case: compare_by_allclose WithBlock() compare_by_allclose
# case: own_table WithBlock() own_table
# case: transform_like_documentation M() transform_graph
# case: state_of_result WithBlock() state
# case: set_order_pitfall WithBlock() deduplicate

import torch
import torch.fx as fx
from torch.fx import symbolic_trace


class M(torch.nn.Module):
    def forward(self, x, y):
        return x + y


class WithParameter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.x = torch.nn.Parameter(torch.tensor([1.0, 2.0]))

    def forward(self, y):
        return self.x + y


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.ReLU())

    def forward(self, x):
        return self.layers(x) + x


class WithBlock(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()
        self.norm = torch.nn.LayerNorm(3)
        self.register_buffer("offset", torch.ones(3))

    def forward(self, x):
        return self.norm(self.block(x) * self.offset)


def show(traced):
    print(traced)
    print(traced.graph)
    print(repr(traced.graph.nodes), repr(traced.graph)[:15])
    print(traced(torch.ones(2), torch.ones(2)), traced.training)


def readable(given):
    gm = symbolic_trace(WithBlock())
    text = gm.print_readable(print_output=False)
    print(text)
    gm.print_readable()
    print(type(text).__name__, text == gm.print_readable(False))


class SubclassM(WithParameter):
    def __init__(self):
        super().__init__()

    def forward(self, y):
        x = self.x
        add_1 = x + y;  x = y = None  # noqa: E702
        return add_1


def paste(traced):
    print(traced.code)
    pre_trace, post_trace = WithParameter(), SubclassM()
    value = torch.tensor([0.5, 0.25])
    print(torch.equal(pre_trace(value), post_trace(value)), torch.equal(traced(value), post_trace(value)))
    return symbolic_trace(post_trace)


def compare_by_equals(gm):
    input_image = torch.ones(5, 3)
    model = WithBlock()
    assert model(input_image) == symbolic_trace(model)(input_image)


def compare_by_allclose(gm):
    torch.manual_seed(0)
    model = WithBlock().eval()
    value = torch.arange(15.0).reshape(5, 3)
    print(torch.allclose(model(value), symbolic_trace(model)(value)), torch.allclose(model(value), gm(value)))
    torch.testing.assert_close(gm(value), model(value))


def own_table(gm):
    rows = [[n.op, n.name, str(n.target), str([str(i) for i in n.all_input_nodes]), str([str(u) for u in n.users])] for n in gm.graph.nodes]
    header = ["opcode", "name", "target", "inputs", "users"]
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    for row in [header, ["-" * width for width in widths], *rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def transform_graph(module: torch.nn.Module, tracer_class: type = fx.Tracer) -> torch.nn.Module:
    g = tracer_class().trace(module)
    for node in g.nodes:
        if node.op == "output":
            with g.inserting_before(node):
                node.args = (g.call_function(torch.neg, node.args),)
    transformed = fx.GraphModule(module, g)
    print(transformed)
    return transformed


def state(gm):
    print({key: tuple(value.shape) for key, value in gm.state_dict().items()})
    print([name for name, _ in gm.named_modules()], [type(m).__name__ for m in gm.children()])
    again = symbolic_trace(gm)
    again.load_state_dict({key: torch.zeros_like(value) for key, value in gm.state_dict().items()})
    print(again(torch.ones(1, 3)), sum(p.numel() for p in again.parameters()))
    print(gm.class_name if hasattr(gm, "class_name") else type(gm).__name__, gm.__class__.__mro__[1].__name__)


def deduplicate(gm):
    seen = {}
    for node in gm.graph.nodes:
        for used in node.all_input_nodes:
            seen[used] = None
    print(list(seen), len(set(seen)), set(seen) == set(list(gm.graph.nodes)[:-1]), {n: n.op for n in seen}[next(iter(seen))])
    for node in seen:
        with gm.graph.inserting_after(node):
            gm.graph.call_function(torch.detach, (node,))
    gm.recompile()
