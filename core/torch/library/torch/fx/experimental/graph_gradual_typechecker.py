# SPDX-License-Identifier: GPL-3.0-or-later
# Types of the nodes of a graph from the types of its inputs, which may be unknown in part: GraphTypeChecker finds and checks them by one
# rule for each function and layer. _gradual_refinement.py then says which unknown sizes are equal (unify_refinements.py solves that).
import operator
from functools import reduce
import torch
from torch.fx.experimental._gradual_refinement import (Refine, all_eq, conv_refinement_rule, conv_rule, element_wise_eq, first_two_eq,
                                                       flatten_refinement_rule, linear_refinement_rule)
from torch.fx.experimental._gradual_types import (_INFERENCE_RULES, _REFINEMENT_RULES, _RULES, _expect, _flattened, _input, _types_of,
                                                  broadcast_types, calculate_out_dimension, expand_to_tensor_dim,
                                                  get_greatest_upper_bound, register_algebraic_expressions_inference_rule,
                                                  register_inference_rule, register_refinement_rule)
from torch.fx.tensor_type import Dyn, TensorType, is_consistent, is_more_precise
from torch.nn.modules.batchnorm import BatchNorm2d
from torch.nn.modules.conv import Conv2d

__all__ = ['GraphTypeChecker', 'Refine', 'adaptiveavgpool2d_check', 'adaptiveavgpool2d_inference_rule', 'add_inference_rule', 'all_eq',
           'bn2d_inference_rule', 'broadcast_types', 'calculate_out_dimension', 'conv2d_inference_rule', 'conv_refinement_rule',
           'conv_rule', 'element_wise_eq', 'expand_to_tensor_dim', 'first_two_eq', 'flatten_check', 'flatten_inference_rule',
           'flatten_refinement_rule', 'get_attr_inference_rule', 'get_greatest_upper_bound', 'get_parameter', 'linear_check',
           'linear_inference_rule', 'linear_refinement_rule', 'maxpool2d_check', 'maxpool2d_inference_rule',
           'register_algebraic_expressions_inference_rule', 'register_inference_rule', 'register_refinement_rule',
           'relu_inference_rule', 'reshape_inference_rule', 'transpose_inference_rule']


@register_inference_rule(torch.add)
@register_inference_rule(operator.add)
def add_inference_rule(n):
    a, b = _input(n, 0), _input(n, 1)
    t1, t2 = a.type, b.type
    if t1 is int and isinstance(t2, TensorType):
        n.type = t2
        return n.type
    if t2 is int and isinstance(t1, TensorType):
        n.type = t1
        return n.type
    new_t1, new_t2 = broadcast_types(t1, t2)
    n.meta['broadcast'] = new_t1 != t1 or new_t2 != t2
    if n.meta['broadcast']:
        n.meta[str(a)] = new_t1
        n.meta[str(b)] = new_t2
    if not is_consistent(new_t1, new_t2):
        raise TypeError(f'Cannot add arguments {a} ({a.type}) and {b} ({b.type}) in node {n}. Types should match ')
    # A size that is unknown in one may have been broadcast: the result has it unknown.
    n.type = new_t2 if is_more_precise(new_t1, new_t2) else new_t1
    return n.type


@register_inference_rule(getattr)
def get_attr_inference_rule(n, traced):
    if n.args[1] != 'shape':
        raise TypeError('Not yet implemented')
    n.type = Dyn
    return n.type


@register_inference_rule(torch.transpose)
def transpose_inference_rule(n):
    if n.target is not torch.transpose:
        return None
    t = _input(n).type
    dim1, dim2 = _expect(n.args[1], int), _expect(n.args[2], int)
    if t == Dyn:
        n.type = Dyn
        return n.type
    if not (isinstance(t, TensorType) and 0 <= dim1 < len(t.dims) and 0 <= dim2 < len(t.dims)):
        raise TypeError(f'Cannot transpose {dim1} and {dim2} in type {t} for node {n}')
    sizes = list(t.dims)
    sizes[dim1], sizes[dim2] = sizes[dim2], sizes[dim1]
    n.type = get_greatest_upper_bound(n.type, TensorType(sizes))
    return n.type


@register_inference_rule(torch.reshape)
def reshape_inference_rule(n):
    given = _input(n).type
    sizes = _expect(n.args[1], list)
    wanted = TensorType([Dyn if size == -1 else size for size in sizes])
    if given != Dyn:
        # Unknown sizes count as one, and then the one number of elements divides the other.
        fits = False
        if isinstance(given, TensorType):
            old = reduce(operator.mul, [1 if size == Dyn else size for size in given.dims])
            new = reduce(operator.mul, sizes)
            fits = old % new == 0 or new % old == 0
        if not fits:
            raise TypeError(f'Cannot reshape in node {n} from {given} to {wanted}')
    n.type = wanted
    return wanted


def _misfit(module_instance, arg_type, n):
    return TypeError(f'Cannot apply {module_instance} with input type {arg_type} and existing type {n.type} on {n}')


@register_inference_rule(BatchNorm2d)
def bn2d_inference_rule(n, module_instance):
    source = _input(n)
    source.type = expand_to_tensor_dim(source.type, 4)
    arg_type = source.type
    n.type = expand_to_tensor_dim(n.type, 4)
    features = module_instance.num_features
    if not (is_consistent(arg_type.dims[1], features) and is_consistent(n.type.dims[1], features)
            and is_consistent(arg_type, n.type)):
        raise _misfit(module_instance, arg_type, n)
    n.type = get_greatest_upper_bound(arg_type, n.type)
    return n.type


@register_inference_rule(Conv2d)
def conv2d_inference_rule(n, module_instance):
    source = _input(n)
    source.type = expand_to_tensor_dim(source.type, 4)
    arg_type = source.type
    known = expand_to_tensor_dim(n.type, 4)
    batch, channels, height, width = arg_type.dims
    if not is_consistent(channels, module_instance.in_channels):
        raise _misfit(module_instance, arg_type, n)
    made = TensorType((batch, module_instance.out_channels, calculate_out_dimension(height, module_instance, 0),
                       calculate_out_dimension(width, module_instance, 1)))
    n.type = get_greatest_upper_bound(made, known)
    return n.type


def _infer(n, check):
    # A type of the result that is known tells the rank of an input of which nothing is.
    source = _input(n)
    if source.type == Dyn and isinstance(n.type, TensorType):
        source.type = expand_to_tensor_dim(source.type, len(n.type.dims))
    if isinstance(source.type, TensorType):
        n.type = get_greatest_upper_bound(check(source.type), n.type)
    return n.type


@register_inference_rule(torch.nn.ReLU)
def relu_inference_rule(n, module_instance):
    return _infer(n, lambda given: given)


def _last_two(typ, height, width):
    return TensorType(tuple(typ.dims[:-2]) + (height, width))


def maxpool2d_check(typ, module_instance):
    if len(typ.dims) not in (3, 4):
        raise TypeError(f'Wrong size {typ} for {module_instance}')
    height, width = typ.dims[-2:]
    return _last_two(typ, calculate_out_dimension(height, module_instance, 0), calculate_out_dimension(width, module_instance, 1))


@register_inference_rule(torch.nn.MaxPool2d)
def maxpool2d_inference_rule(n, module_instance):
    return _infer(n, lambda given: maxpool2d_check(given, module_instance))


def linear_check(tensor_type, module_instance):
    sizes = list(tensor_type.dims)
    if len(sizes) < 2:
        raise TypeError(f'Type {tensor_type} must have rank 2 or more.')
    if not is_consistent(module_instance.in_features, sizes[-1]):
        raise TypeError(f'Inconsistent {module_instance.in_features} and {sizes[-1]} in {module_instance}')
    return TensorType(tuple(sizes[:-1]) + (module_instance.out_features,))


@register_inference_rule(torch.nn.Linear)
def linear_inference_rule(n, module_instance):
    return _infer(n, lambda given: linear_check(given, module_instance))


def adaptiveavgpool2d_check(tensor_type, module_instance):
    size = module_instance.output_size
    if isinstance(size, int):
        size = (size, size)
    elif isinstance(size, tuple):
        height = size[1] if size[0] is None else size[0]
        size = (height, height if size[1] is None else size[1])
    if len(tensor_type.dims) not in (3, 4):
        raise TypeError(f'Tensor ranks must be 3 or 4. Got {tensor_type}')
    return _last_two(tensor_type, size[0], size[1])


@register_inference_rule(torch.nn.AdaptiveAvgPool2d)
def adaptiveavgpool2d_inference_rule(n, module_instance):
    # The other way round than the rest: where both are as precise, the type that n had stays.
    source = _input(n)
    if source.type == Dyn and isinstance(n.type, TensorType):
        source.type = expand_to_tensor_dim(source.type, len(n.type.dims))
    if isinstance(source.type, TensorType):
        n.type = get_greatest_upper_bound(n.type, adaptiveavgpool2d_check(source.type, module_instance))
    return n.type


def flatten_check(tensor_type, start_dim, end_dim):
    sizes = list(tensor_type.dims)
    rank = len(sizes)
    start = rank if start_dim == -1 else abs(start_dim)
    end = rank + end_dim + 1 if end_dim < 0 else end_dim + 1
    if not (0 <= start <= rank - 1 and 0 <= end <= rank and start < end):
        raise TypeError(f'Incompatible dimensions {start}, {end - 1} in type {tensor_type}')
    inner = sizes[start:end]
    product = Dyn if Dyn in inner else reduce(operator.mul, inner)
    return TensorType(tuple(sizes[:start] + [product] + sizes[end:]))


@register_inference_rule(torch.flatten)
def flatten_inference_rule(n):
    _input(n)
    start, end = _flattened(n)
    return _infer(n, lambda given: flatten_check(given, start, end))


class GraphTypeChecker:
    def __init__(self, env, traced):
        self.env = env
        self.traced = traced

    def type_check(self):
        for n in self.traced.graph.nodes:
            self.type_check_node(n)
        return True

    def type_check_node(self, n):
        if n.type is None:
            n.type = Dyn
        if n.op == 'placeholder':
            return n.type
        if n.op == 'get_attr':
            value = get_parameter(self.traced, n.target)
            if isinstance(value.data, torch.Tensor):
                n.type = TensorType(value.data.shape)
            return n.type
        if n.op == 'call_function':
            if n.target not in _INFERENCE_RULES:
                raise RuntimeError(f'No inference rule registered for target {n.target}!')
            more = (self.traced,) if n.target is getattr else ()
            return _INFERENCE_RULES[n.target](n, *more)
        if n.op == 'call_module':
            module = self.traced.get_submodule(n.target)
            if type(module) not in _INFERENCE_RULES:
                raise RuntimeError(f'No inference rule registered for class {type(module)}!')
            return _INFERENCE_RULES[type(module)](n, module)
        if n.op == 'output':
            n.type = _types_of(n.args[0])
            return n.type
        raise NotImplementedError(f'Method {n.op} not yet implemented')


def get_parameter(traced, target):
    path, _, name = target.rpartition('.')
    module = traced.get_submodule(path)
    if not hasattr(module, name):
        raise AttributeError(f'{module._get_name()} has no attribute `{name}`')
    return getattr(module, name)
