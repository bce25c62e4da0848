# SPDX-License-Identifier: GPL-3.0-or-later
# Solves what Refine found to be equal, and puts the solution into the types of a graph's nodes.
import torch
import torch.fx
from torch.fx.experimental.graph_gradual_typechecker import Refine
from torch.fx.experimental.refinement_types import Equality
from torch.fx.experimental.unification import Var, unify
from torch.fx.tensor_type import TensorType

__all__ = ['check_for_type_equality', 'convert_eq', 'infer_symbolic_types', 'infer_symbolic_types_single_pass',
           'substitute_all_types', 'substitute_solution_one_type', 'unify_eq']


def _refined(traced):
    refine = Refine(traced)
    refine.refine()
    substitute_all_types(traced.graph, unify_eq(refine.constraints))
    return refine


def infer_symbolic_types_single_pass(traced):
    _refined(traced)


def infer_symbolic_types(traced):
    # What is known of the operands after the first time tells more of broadcast results the second time.
    _refined(traced)
    _refined(traced).symbolic_relations()


def convert_eq(list_of_eq):
    return tuple(eq.lhs for eq in list_of_eq), tuple(eq.rhs for eq in list_of_eq)


def unify_eq(list_of_eq):
    lhs, rhs = convert_eq(list_of_eq)
    return unify(lhs, rhs)


def substitute_solution_one_type(mapping, t):
    if isinstance(t, Var):
        return mapping[t] if t in mapping else t
    if isinstance(t, TensorType):
        return TensorType(tuple(mapping[size] if size in mapping else size for size in t.dims))
    if isinstance(t, (list, tuple)):
        parts = [substitute_solution_one_type(mapping, part) for part in t]
        return parts if isinstance(t, list) else tuple(parts)
    return t


def substitute_all_types(graph, mapping):
    # Variables that stand for variables are followed first, until there is no change.
    changed = True
    while changed:
        changed = False
        for key in mapping:
            old = mapping[key]
            if old in mapping:
                mapping[key] = mapping[old]
            changed = changed or old != mapping[key]
    for node in graph.nodes:
        node.type = substitute_solution_one_type(mapping, node.type)


def check_for_type_equality(g1, g2):
    return not any(n.type != m.type for n, m in zip(g1.nodes, g2.nodes))
