# SPDX-License-Identifier: GPL-3.0-or-later
# Passes of torch.fx's own framework: PassBase, PassResult, PassManager, decorators, options of all kinds, and what is returned.
# case: pass_base_counts f ReplaceAdds
# case: pass_base_requires f Picky
# case: pass_base_chain f in_a_chain
# case: pass_manager f managed
# case: pass_manager_constraint f constrained
# case: returns_tuple f returns_tuple
# case: returns_graph f returns_graph
# case: returns_result f returns_result
# case: takes_graph f takes_graph
# case: typed_options f with_options --count 3 --rate 0.5 --function tanh --flag True
# case: default_options f with_options
# case: option_as_text f needs_option --target 3
# case: decorated_pass f decorated
# case: partial_pass f partial_pass
# case: callable_object f callable_object
# case: raises_own_error f raises_own
# case: raises_chained f raises_chained
# case: asserts f asserts
# case: lambda_pass f as_lambda
# case: dataclass_state f with_dataclass

import dataclasses
import functools
import operator

import torch
import torch.fx
from torch.fx.passes.infra.pass_base import PassBase, PassResult
from torch.fx.passes.infra.pass_manager import PassManager, pass_result_wrapper, this_before_that_pass_constraint

INPUTS = (torch.tensor([1.0, -1.0]),)


def f(x):
    y = x + 1
    return torch.relu(y) + y


class ReplaceAdds(PassBase):
    def call(self, graph_module):
        modified = False
        for node in graph_module.graph.nodes:
            if node.op == "call_function" and node.target is operator.add:
                node.target = operator.mul
                modified = True
        return PassResult(graph_module, modified)

    def ensures(self, graph_module):
        print("left:", len(graph_module.graph.find_nodes(op="call_function", target=operator.add)))


class Picky(PassBase):
    def requires(self, graph_module):
        if any(node.target is torch.relu for node in graph_module.graph.nodes):
            raise ValueError("no relu, please")

    def call(self, graph_module):
        return PassResult(graph_module, False)


def in_a_chain(gm):
    first = ReplaceAdds()(gm)
    second = ReplaceAdds()(first.graph_module)
    print(first.modified, second.modified, second.graph_module is gm, isinstance(first, tuple), first._fields)
    return second.graph_module


def neg_for_relu(gm):
    for node in gm.graph.find_nodes(op="call_function", target=torch.relu):
        node.target = torch.neg


def abs_for_neg(gm):
    for node in gm.graph.find_nodes(op="call_function", target=torch.neg):
        node.target = torch.abs


def managed(gm):
    manager = PassManager(passes=[pass_result_wrapper(neg_for_relu), ReplaceAdds(), pass_result_wrapper(abs_for_neg)])
    result = manager(gm)
    print(result.modified, type(result).__name__)
    return result.graph_module


def constrained(gm):
    first, second = pass_result_wrapper(abs_for_neg), pass_result_wrapper(neg_for_relu)
    manager = PassManager(passes=[first, second], constraints=[this_before_that_pass_constraint(second, first)])
    return manager(gm)


def returns_tuple(gm):
    new = torch.fx.GraphModule(gm, gm.graph)
    new.graph.find_nodes(op="call_function", target=torch.relu)[0].target = torch.tanh
    new.recompile()
    return new, True, {"changed": 1}


def returns_graph(gm):
    new = torch.fx.Graph()
    new.output(new.call_function(torch.square, (new.placeholder("x"),)))
    return new


def returns_result(gm: torch.fx.GraphModule) -> PassResult:
    neg_for_relu(gm)
    return PassResult(gm, True)


def takes_graph(graph: torch.fx.Graph) -> None:
    print(type(graph).__name__, graph.owning_module is not None)
    graph.find_nodes(op="call_function", target=torch.relu)[0].target = torch.exp


def with_options(gm, count=1, rate=1.0, function="relu", flag=False):
    print(count, rate, function, flag)
    node = gm.graph.find_nodes(op="call_function", target=torch.relu)[0]
    node.target = getattr(torch, function)
    for _ in range(count):
        with gm.graph.inserting_after(node):
            new = gm.graph.call_function(torch.mul, (node, rate))
        node.replace_all_uses_with(new, lambda user, new=new: user is not new)
    gm.recompile()


def needs_option(gm, target):
    print(repr(target))


def logged(function):
    @functools.wraps(function)
    def wrapper(gm, *args, **kwargs):
        before = len(gm.graph.nodes)
        result = function(gm, *args, **kwargs)
        print(f"{function.__name__}: {before} -> {len(gm.graph.nodes)} nodes, {function.__doc__}")
        return result

    return wrapper


@logged
def decorated(gm):
    """Takes the square root at the end."""
    output = gm.graph.output_node()
    with gm.graph.inserting_before(output):
        output.args = (gm.graph.call_function(torch.sqrt, output.args),)
    gm.recompile()


partial_pass = functools.partial(with_options, count=2, rate=3.0)


class Replacer:
    def __init__(self, table):
        self.table = table

    def __call__(self, gm):
        for node in gm.graph.nodes:
            node.target = self.table.get(node.target, node.target)
        print(self.table.keys() & {torch.relu} == {torch.relu})
        return gm


callable_object = Replacer({torch.relu: torch.sin, operator.add: operator.sub})


class PassFailed(Exception):
    def __init__(self, node, reason):
        super().__init__(f"{node.name}: {reason}")
        self.node = node


def raises_own(gm):
    for node in gm.graph.nodes:
        if node.target is torch.relu:
            raise PassFailed(node, f"is read by {list(node.users)}")


def raises_chained(gm):
    try:
        raises_own(gm)
    except PassFailed as error:
        print("failed at", error.node, error.args)
        raise RuntimeError("the pass does not apply") from error


def asserts(gm):
    assert all(node.op != "call_method" for node in gm.graph.nodes), "no methods"
    assert not any(node.target is torch.relu for node in gm.graph.nodes), [str(n) for n in gm.graph.nodes]


as_lambda = lambda gm: print(len(gm.graph.nodes)) or setattr(list(gm.graph.nodes)[2], "target", torch.sinh)  # noqa: E731


@dataclasses.dataclass
class Found:
    name: str
    users: int
    inputs: list = dataclasses.field(default_factory=list)


def with_dataclass(gm):
    found = [Found(n.name, len(n.users), [i.name for i in n.all_input_nodes]) for n in gm.graph.nodes]
    for each in sorted(found, key=lambda each: (-each.users, each.name)):
        print(each)
    print(max(found, key=operator.attrgetter("users")), dataclasses.asdict(found[1]))
