# SPDX-License-Identifier: GPL-3.0-or-later
# Nodes that a program makes by itself, and what of nodes and graphs is seldom asked.
# case: loose_nodes plain loose
# case: loose_nodes_refused plain refused
# case: tensor_types Typed() types
# case: seldom_of_graphs plain seldom
# case: numbers_as_nodes plain numbers
# case: marks_of_arguments plain marks

import operator

import torch
import torch.fx
from torch.fx import Graph, Node
from torch.fx._symbolic_trace import PHBase
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.tensor_type import Dyn, TensorType


def plain(x):
    return torch.relu(x) + 1


class Typed(torch.nn.Module):
    def forward(self, x: TensorType((1, Dyn, 4)), y: Dyn, z: TensorType((3,))):
        return torch.relu(x) + y + z


def attempt(work):
    try:
        print(work())
    except Exception as error:
        print(type(error).__name__, error)


def loose(gm):
    graph = Graph()
    x = graph.placeholder('x')
    made = Node(graph, 'made', 'call_function', torch.relu, (x, [x]), {'inplace': False})
    print(made, made.name, made.op, made.target is torch.relu, made.args, made.kwargs, made.type, made.meta, list(graph.nodes))
    print(made.all_input_nodes, made.next is made, made.prev is made, made.graph is graph, made._erased, made.format_node())
    made.meta['kept'] = 1
    made.args = (x,)
    made.kwargs = {}
    x.append(made)
    print(type(made) is Node, list(graph.nodes), list(x.users), made.next, made.prev, made.meta, isinstance(made, Node))
    out = graph.output(made)
    typed = Node(graph, 'typed', 'call_method', 'neg', (made,), {}, torch.Tensor)
    typed.replace_input_with(made, x)
    out.prepend(typed)
    out.args = (typed,)
    first = Node(graph, 'first', 'placeholder', 'first', (), {})
    x.prepend(first)
    print(graph, typed.format_node(), graph.python_code('self').src)
    attempt(lambda: graph.lint())
    for node in made, typed, first:
        graph._find_nodes_lookup_table.insert(node)
    attempt(lambda: graph.lint())
    print(sorted([typed, first, made]), made in graph._find_nodes_lookup_table)
    print(torch.fx.GraphModule(torch.nn.Module(), graph)(1, torch.tensor([2.0])))


def refused(gm):
    graph = Graph()
    other = Graph().placeholder('other')
    attempt(lambda: Node(graph, 'a', 'none', 'x', (), {}))
    attempt(lambda: Node(graph, 'a', 'call_function', 'x', (), {}))
    attempt(lambda: Node(graph, 'a', 'placeholder', torch.relu, (), {}))
    attempt(lambda: other.append(Node(graph, 'a', 'placeholder', 'a', (), {})))


def types(gm):
    print(gm.graph, gm.code)
    for node in gm.graph.nodes:
        print(node.format_node(), node.type)
        node.type = TensorType((2, Dyn))
    gm.recompile()
    print(gm.graph)


def seldom(gm):
    attempt(lambda: Graph().output_node())
    graph = gm.graph
    print(torch.fx.graph._format_target('self', 'a.0.b'), torch.fx.graph._is_from_torch(torch.relu), sorted(torch.fx.graph._custom_builtins))
    first, second, *_ = graph.nodes
    second._prepend(first)
    print(list(graph.nodes), graph.materialize_symint(3), graph.materialize_symints([4, 5]))
    print(torch.accelerator.is_available(), torch.accelerator.current_accelerator())
    tracer = torch.fx.Tracer()
    tracer.root, tracer.graph = torch.nn.Linear(2, 2), Graph()
    function, args = tracer.create_args_for_root(lambda a, b=2, *c, **d: a, False)
    print(args, tracer.graph)
    print(tracer.create_args_for_root(tracer.root.forward, True)[1][1:], tracer.graph)


def numbers(gm):
    def made(x, y):
        return torch.cat([x, y]).view(-1)

    graph = make_fx(made, tracing_mode='symbolic')(torch.ones(3, 4), torch.ones(5, 4)).graph
    size, = [node for node in graph.nodes if node.name == 'cat']
    with graph.inserting_before(graph.output_node()):
        found = graph.materialize_symints([size.meta['val'].shape[1], size.meta['val'].shape[0], 7])
    print(found[2], [node.format_node() for node in found[:1]], found[1].target is operator.add)
    print(found[0].meta['val'], found[1].meta['val'])


class Marked(PHBase):
    def __init__(self, tag):
        self.tag, self.other = tag, 1


def marks(gm):
    class Tagging(torch.fx.Tracer):
        def create_node(self, *args, **kwargs):
            node = super().create_node(*args, **kwargs)
            node.tag = 'own'
            return node

    graph = Tagging().trace(lambda a, b: a + b, concrete_args={'a': Marked('mark'), 'b': Marked('mark')})
    print([(node.name, node.tag, getattr(node, 'other', None)) for node in graph.nodes])
