# SPDX-License-Identifier: GPL-3.0-or-later
# The second half of graph_gradual_typechecker.py: Refine gives unknown sizes names, and says which of them are equal.
import itertools
import operator
import torch
from torch.fx.experimental._symbolic_sizes import Symbol
from torch.fx.experimental._gradual_types import (_REFINEMENT_RULES, _RULES, _flattened, _input, _types_of, broadcast_types,
                                                  calculate_out_dimension, register_algebraic_expressions_inference_rule,
                                                  register_refinement_rule)
from torch.fx.experimental.refinement_types import Equality
from torch.fx.experimental.unification import Var
from torch.fx.node import Node
from torch.fx.tensor_type import Dyn, TensorType
from torch.nn.modules.batchnorm import BatchNorm2d
from torch.nn.modules.conv import Conv2d


def _both(n):
    # The sizes of the input and of the result, where both are tensors.
    given = _input(n).type
    if isinstance(given, TensorType) and isinstance(n.type, TensorType):
        return given.dims, n.type.dims
    return None


def _equal(n, places):
    both = _both(n)
    return [Equality(both[0][i], both[1][i]) for i in places(both[0])] if both else []


@register_refinement_rule(Conv2d)
def conv_refinement_rule(n):
    return _equal(n, lambda sizes: [0]) or None


@register_refinement_rule(torch.nn.Linear)
def linear_refinement_rule(n):
    return _equal(n, lambda sizes: [0])


@register_refinement_rule(BatchNorm2d)
@register_refinement_rule(torch.nn.ReLU)
def all_eq(n):
    return _equal(n, lambda sizes: range(len(sizes)))


@register_refinement_rule(torch.nn.AdaptiveAvgPool2d)
@register_refinement_rule(torch.nn.MaxPool2d)
def first_two_eq(n):
    return _equal(n, lambda sizes: [0, 1])


@register_refinement_rule(torch.add)
@register_refinement_rule(operator.add)
def element_wise_eq(n):
    # Sizes of the operands that are known to be equal have not been broadcast, and the result has them.
    a, b = n.args[0], n.args[1]
    if not (isinstance(a, Node) and isinstance(b, Node)):
        return []
    if not all(isinstance(node.type, TensorType) for node in (a, b, n)):
        return []
    first, second = broadcast_types(a.type, b.type)
    return [Equality(x, z) for x, y, z in zip(first.dims, second.dims, n.type.dims) if x == y]


@register_refinement_rule(torch.flatten)
def flatten_refinement_rule(n):
    _input(n)
    start, end = _flattened(n)
    both = _both(n)
    if both is None:
        return []
    given, made = both
    start = len(made) if start == -1 else start
    end = len(made) + end + 1 if end < 0 else end + 1
    kept = list(zip(made[:start], given[:start])) + list(zip(made[end:], given[end:]))
    return [Equality(a, b) for a, b in kept]


@register_algebraic_expressions_inference_rule(Conv2d)
def conv_rule(n, module_instance):
    both = _both(n)
    if both is None:
        return None
    given, made = both
    height, width = (calculate_out_dimension(given[2 + i], module_instance, i) for i in (0, 1))
    n.type = TensorType((made[0], made[1], height, width))
    return n.type


class Refine:
    def __init__(self, traced):
        self.constraints = []
        self.traced = traced
        self.symbol_iter = itertools.count(start=0, step=1)

    def refine(self):
        for n in self.traced.graph.nodes:
            self.refine_node(n)
        return True

    def symbolic_relations(self):
        for n in self.traced.graph.nodes:
            self.infer_symbolic_relations(n)
        return True

    def _inside(self, typ, replace):
        if isinstance(typ, TensorType):
            return TensorType(tuple(replace(size) for size in typ.dims))
        if isinstance(typ, list):
            return [replace(part) for part in typ]
        if isinstance(typ, tuple):
            return (replace(part) for part in typ)
        return typ

    def replace_dyn_with_fresh_var(self, typ):
        if typ == Dyn:
            return Var(next(self.symbol_iter))
        return self._inside(typ, self.replace_dyn_with_fresh_var)

    def convert_to_sympy_symbols(self, typ):
        if isinstance(typ, Var):
            return Symbol(str(typ))
        return self._inside(typ, self.convert_to_sympy_symbols)

    def _rule(self, table, n):
        # The rule for the function or layer that n calls, with what it takes beside n.
        if n.op == 'call_function' and n.target in table:
            return table[n.target], ()
        if n.op == 'call_module':
            module = self.traced.get_submodule(n.target)
            if type(module) in table:
                return table[type(module)], (module,)
        return None, ()

    def refine_node(self, n):
        if n.type is None:
            n.type = Dyn
        n.type = self.replace_dyn_with_fresh_var(n.type)
        rule, _ = self._rule(_REFINEMENT_RULES, n)
        if rule is not None:
            self.constraints += rule(n)
        if n.op == 'output':
            n.type = _types_of(n.args[0])
            return n.type

    def infer_symbolic_relations(self, n):
        n.type = self.convert_to_sympy_symbols(n.type)
        rule, more = self._rule(_RULES, n)
        if rule is not None:
            return rule(n, *more)
        if n.op == 'output':
            n.type = _types_of(n.args[0])
            return n.type
