# SPDX-License-Identifier: GPL-3.0-or-later
# Parts of torch.fx that passes reach for beside Graph and Node: namespaces, lookups, size nodes, order, formats, helpers.
# case: parts_names f names
# case: parts_nodes f nodes
# case: parts_missing f missing
# case: parts_texts f texts
# case: parts_autocast f autocast
# case: parts_annotated f annotated
# case: parts_imports f imports
# case: parts_decomposed f decomposed
# case: parts_copied f copied
# case: parts_signatures f signatures
# case: parts_functional_signatures f functional_signatures

import copy
import inspect
import io

import torch
import torch.fx
import torch.nn as nn
import torch.nn.functional as F
from torch.fx import Graph, GraphModule
from torch.fx.graph import _Namespace
from torch.fx.node import _format_arg

INPUTS = (torch.tensor([1.0, -2.0]),)


def f(x):
    return torch.relu(x) + 1


def told(work):
    try:
        print(work())
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0], str(error).splitlines()[-1])


def names(gm):
    space = _Namespace()
    print([space.create_name(name, None) for name in ("add", "add", "add_1", "for", "sum", "1a", "a.b", "x_5", "x", "*args", "", "Foo",
                                                       "inf", "_", "__init__", "a-b", "a_b_1")])
    key = object()
    print(space.create_name("q", key), space.create_name("other", key), space.create_name("len", len), "q" in space._used_names)
    told(lambda: space.associate_name_with_obj("z", key))
    space._rename_object(key, "renamed")
    print(space.create_name("q", key))
    graph = gm.graph
    print(graph._graph_namespace.create_name("relu", None), "add" in graph._graph_namespace._used_names, graph._used_names)
    with graph.inserting_before(graph.output_node()):
        print(graph.call_function(torch.relu, (next(iter(graph.nodes)),)).name)
    told(lambda: graph.create_node("call_function", "text"))
    told(lambda: graph.create_node("call_method", torch.relu, name="named"))
    told(lambda: graph.create_node("call_method", torch.relu, name="named"))
    print(graph.create_node("placeholder", "named").name, len(graph.nodes))
    graph.erase_node(list(graph.nodes)[-1])
    graph.eliminate_dead_code()


def nodes(gm):
    graph = Graph()
    x = graph.placeholder("x")
    x.meta["val"] = torch.empty(2, 3)
    size, stride, offset = graph.create_size_node(x, 0), graph.create_stride_node(x, 1), graph.create_storage_offset_node(x)
    print(graph, size.meta, stride.meta, offset.meta, graph.create_size_node(size, 0).meta if False else "")
    last = graph.call_function(torch.relu, (x,))
    with graph.inserting_before(last):
        first = graph.call_function(torch.relu, (x,))
    print(graph.find_nodes(op="call_function", target=torch.relu, sort=False), graph.find_nodes(op="call_function", target=torch.relu))
    print(last in graph._find_nodes_lookup_table, graph._find_nodes_lookup_table.find_nodes(op="placeholder"))
    print(x < first, first < last, last <= last, x._sort_key < last._sort_key, sorted([last, x, first]))
    told(lambda: x < 3)
    other = Graph().placeholder("y")
    told(lambda: last.replace_all_uses_with(other))
    print(torch.fx.symbolic_trace(f).graph._tracer_cls.__name__)


def missing(gm):
    graph = Graph()
    graph.output(graph.get_attr("foo.bar"))
    told(lambda: GraphModule(nn.Module(), graph))
    graph = Graph()
    graph.output(graph.get_attr("a"))
    told(lambda: GraphModule(nn.Module(), graph))
    graph = Graph()
    graph.output(graph.call_module("sub.inner"))
    root = nn.Module()
    root.sub = nn.Module()
    told(lambda: GraphModule(root, graph))
    root.sub.inner = nn.Identity()
    made = GraphModule(root, graph)
    print(made.sub is root.sub, made.sub.inner is root.sub.inner, type(made.sub).__name__)


def texts(gm):
    gm = copy.deepcopy(gm)
    for node in gm.graph.nodes:
        node.meta["val"] = torch.empty(2, 3)
        print(node.format_node(include_tensor_metadata=True), _format_arg(node.args), _format_arg([node, (1,), {"k": node}], 2))
    from torch.fx._utils import get_node_context, lazy_format_graph_code
    print(get_node_context(gm.graph.output_node(), 3))
    print(str(lazy_format_graph_code("title", gm, 4)).splitlines()[1].split()[:4])
    from torch.fx import config
    from torch.fx._compatibility import compatibility
    from torch.fx._lazy_graph_module import _LazyGraphModule, _make_graph_module, _use_lazy_graph_module
    with _use_lazy_graph_module(True):
        lazy = _make_graph_module(gm, gm.graph)
    _LazyGraphModule.force_recompile(lazy)
    print(config.disable_progress, compatibility(is_backward_compatible=False)(f) is f, isinstance(lazy, _LazyGraphModule), lazy(INPUTS[0]))
    gm.recompile()


def autocast(gm):
    graph = Graph()
    x = graph.placeholder("x")
    mode = graph.call_function(torch.amp._enter_autocast, ("cpu", torch.bfloat16, True, False))
    product = graph.call_function(torch.mm, (x, x))
    graph.call_function(torch.amp._exit_autocast, (mode,))
    graph.output(product)
    made = GraphModule({}, graph)
    print(made.code, made(torch.ones(2, 2)).dtype, torch.mm(torch.ones(2, 2), torch.ones(2, 2)).dtype, graph)
    graph.eliminate_dead_code()
    print(len(graph.nodes))


def annotated(gm):
    graph = Graph()
    x = graph.placeholder("x", type_expr="fwd")
    graph.output(graph.call_method("sum", (x,), {"dim": 0}, type_expr="torch.Tensor"))
    print(graph, graph.python_code("self").src, repr(x.type), [n.type for n in graph.nodes])


def imports(gm):
    for text in ("from torch.fx.graph import no_such_name", "from torch.fx.node import _nothing", "from torch.fx import Nothing"):
        try:
            module, name = text.split()[1], text.split()[3]
            if module == "torch.fx.graph":
                from torch.fx.graph import no_such_name
            elif module == "torch.fx":
                from torch.fx import Nothing
            else:
                from torch.fx.node import _nothing
            print("imported")
        except ImportError as error:
            print(str(error).partition(" (")[0])
    print(hasattr(torch.fx.graph, "no_such_name"), hasattr(torch.fx, "Nothing"), hasattr(torch.fx, "experimental"))
    told(lambda: torch.fx.node.absent)


def decomposed(gm):
    from torch.fx.experimental.proxy_tensor import DecompositionInterpreter, get_isolated_graphmodule
    x = torch.tensor([1.0, -2.0])
    graph = Graph()
    print(DecompositionInterpreter(gm, graph, {}).run(x))
    graph.eliminate_dead_code()
    print(graph)
    graph = Graph()
    rule = {torch.ops.aten.relu.default: lambda value: torch.clamp_min(value, 0)}
    print(DecompositionInterpreter(gm, graph, rule).run(x))
    graph.eliminate_dead_code()
    print(graph)
    isolated = get_isolated_graphmodule(lambda a, b: {"sum": a + b["c"]}, (x,), {"b": {"c": x + 1}})
    print(isolated.code, isolated([x, x]))


class Marked(GraphModule):
    def __init__(self, root, graph, class_name="Marked"):
        super().__init__(root, graph, class_name)

    def _deepcopy_init(self):
        return Marked.__init__


def copied(gm):
    print(gm._deepcopy_init().__qualname__, type(copy.deepcopy(Marked(gm, copy.deepcopy(gm.graph)))).__mro__[1].__name__)
    buffer = io.BytesIO(b"abc").getbuffer()
    print(buffer.nbytes, len(buffer), bytes(buffer), buffer.tobytes())
    print(copy.deepcopy({"kind": Marked, "module": nn.Linear})["kind"] is Marked)


def signatures(gm):
    print(inspect.signature(gm.forward), inspect.signature(type(gm).forward))
    for function in (F.relu, F.dropout, F.layer_norm, F.cross_entropy):
        print([(each.name, each.default) for each in inspect.signature(function).parameters.values()])
    told(lambda: inspect.signature(torch.relu))
    from torch.fx.experimental.normalize import NormalizeOperators
    from torch.fx.experimental.schema_type_annotation import AnnotateTypesWithSchema
    graph = Graph()
    x = graph.placeholder("x")
    graph.output(graph.call_function(F.dropout, (x,), {"p": 0.5, "training": False, "inplace": False}))
    made = GraphModule({}, graph)
    for kind in (AnnotateTypesWithSchema, NormalizeOperators):
        made = kind(made).transform()
        print([(node.name, node.type) for node in made.graph.nodes], made(torch.ones(2)))
    for function in (F.relu, F.max_pool2d_with_indices, F.cross_entropy, F.softsign, F.multi_head_attention_forward):
        print(inspect.signature(function).return_annotation)


def functional_signatures(gm):
    for name, function in sorted(vars(F).items()):
        # What PyTorch wraps has the signature of what it is wrapped in; some take types of its own.
        skipped = "_", "boolean", "linear_cross", "max_pool", "adaptive_max", "fractional", "lp_pool", "scaled_", "triplet_margin_with"
        if inspect.isfunction(function) and function.__module__ == F.__name__ and not name.startswith(skipped):
            print(name, inspect.signature(function))
