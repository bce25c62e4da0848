# SPDX-License-Identifier: GPL-3.0-or-later
# What the rules of graph_gradual_typechecker.py and of _gradual_refinement.py share: the tables that they are in, and how types of
# tensors go together.
import torch
from torch.fx.experimental._symbolic_sizes import Symbol
from torch.fx.experimental.unification import Var
from torch.fx.node import Node
from torch.fx.tensor_type import Dyn, TensorType, is_consistent, is_more_precise

_INFERENCE_RULES = {}
_REFINEMENT_RULES = {}
_RULES = {}


def _registration(table, call_target, kind):
    def register(fn):
        if call_target in table:
            raise RuntimeError(f'{kind} already registered for {call_target}!')
        table[call_target] = fn
        return fn
    return register


def register_inference_rule(call_target):
    return _registration(_INFERENCE_RULES, call_target, 'Inference rule')


def register_refinement_rule(call_target):
    return _registration(_REFINEMENT_RULES, call_target, 'Refinement rule')


def register_algebraic_expressions_inference_rule(call_target):
    return _registration(_RULES, call_target, 'Rule')


def _expect(value, kind):
    if not isinstance(value, kind):
        raise AssertionError(f'Expected {kind.__name__}, got {type(value)}')
    return value


def _input(n, place=0):
    return _expect(n.args[place], Node)


def expand_to_tensor_dim(t, n):
    if t == Dyn:
        return TensorType((Dyn,) * n)
    if not isinstance(t, TensorType):
        raise TypeError(f'Cannot match the type {t}')
    if len(t.dims) != n:
        raise TypeError(f'Cannot extend tensor. Tensor {t} has rank {len(t.dims)}. It should have rank {n}')
    return t


def broadcast_types(t1, t2):
    if t1 == Dyn or t2 == Dyn or isinstance(t1, Var) or isinstance(t2, Var):
        return t1, t2
    if not (isinstance(t1, TensorType) and isinstance(t2, TensorType)):
        raise TypeError(f'Cannot broadcast types {t1} and {t2}')
    rank = max(len(t1.dims), len(t2.dims))
    first, second = ([1] * (rank - len(t.dims)) + list(t.dims) for t in (t1, t2))
    for i, (x, y) in enumerate(zip(first, second)):
        if x == 1:
            first[i] = y
        elif y == 1:
            second[i] = x
    return TensorType(tuple(first)), TensorType(tuple(second))


def get_greatest_upper_bound(type1, type2):
    # What is known of either.
    if type1 == Dyn:
        return type2
    if type2 == Dyn:
        return type1
    if isinstance(type1, TensorType) and isinstance(type2, TensorType):
        if not is_consistent(type1, type2):
            raise TypeError(f'Inconsistent types {type1}, {type2}')
        return TensorType(tuple(a if is_more_precise(a, b) else b for a, b in zip(type1.dims, type2.dims)))


def calculate_out_dimension(d_in, module_instance, index):
    def pair(name):
        value = getattr(module_instance, name)
        return (value, value) if isinstance(value, int) else value

    padding, kernel, stride, dilation = map(pair, ('padding', 'kernel_size', 'stride', 'dilation'))
    if d_in == Dyn:
        return Dyn
    if not isinstance(d_in, (int, Symbol)):
        raise TypeError(f'{d_in} in {module_instance} must be a number or Dyn. Received {type(d_in)}')
    return (d_in + 2 * padding[index] - dilation[index] * (kernel[index] - 1) - 1) // stride[0] + 1


def _flattened(n):
    start = _expect(n.args[1], int) if len(n.args) > 1 else 1
    end = _expect(n.args[2], int) if len(n.args) > 2 else -1
    return start, end


def _types_of(value):
    return torch.fx.node.map_arg(value, lambda node: node.type)
