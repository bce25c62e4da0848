# SPDX-License-Identifier: GPL-3.0-or-later
# NormalizeArgs spells the arguments of all calls the same way, NormalizeOperators the functions that are operators.
import operator
import torch
import torch.fx
from torch.fx import Node, Transformer
from torch.fx.node import map_aggregate
from .schema_type_annotation import AnnotateTypesWithSchema


class NormalizeArgs(Transformer):
    def __init__(self, module, normalize_to_only_use_kwargs=True):
        super().__init__(module)
        self.node_map = {}
        self.normalize_to_only_use_kwargs = normalize_to_only_use_kwargs

    def run_node(self, n):
        from torch.fx.operator_schemas import create_type_hint
        args, kwargs = self.fetch_args_kwargs_from_env(n)

        def get_type(arg):
            return n.meta.get('type') if isinstance(arg, Node) else type(arg)

        arg_types = map_aggregate(n.args, get_type)
        if not isinstance(arg_types, tuple):
            raise AssertionError(f'Expected tuple, got {type(arg_types)}')
        arg_types = tuple(create_type_hint(kind) for kind in arg_types)
        kwarg_types = {name: get_type(value) for name, value in kwargs.items()}
        if n.op == 'call_function':
            out = self.call_function(n.target, args, kwargs, arg_types, kwarg_types)
        else:
            out = super().run_node(n)
        if n.op != 'output':
            self.node_map[out] = n
            out.node.meta = n.meta
            out.node.type = n.type
        return out

    def call_function(self, target, args, kwargs, arg_types=None, kwarg_types=None):
        from torch.fx.operator_schemas import normalize_function
        if not callable(target):
            raise AssertionError(f'Expected callable target, got {type(target)}')
        normal = normalize_function(target, args, kwargs, arg_types, kwarg_types, self.normalize_to_only_use_kwargs)
        if normal:
            return self.tracer.create_proxy('call_function', target, *normal)
        return super().call_function(target, args, kwargs)

    def call_module(self, target, args, kwargs):
        from torch.fx.operator_schemas import normalize_module
        if not isinstance(target, str):
            raise AssertionError(f'Expected str target, got {type(target)}')
        normal = normalize_module(self.module, target, args, kwargs, self.normalize_to_only_use_kwargs)
        return super().call_module(target, *(normal or (args, kwargs)))


class NormalizeOperators(AnnotateTypesWithSchema):
    binary_magic_method_remap = {
        torch.add: operator.add, torch.mul: operator.mul, torch.sub: operator.sub, torch.div: operator.truediv,
        torch.floor_divide: operator.floordiv, torch.remainder: operator.mod, torch.eq: operator.eq, torch.ne: operator.ne,
        torch.lt: operator.lt, torch.le: operator.le, torch.gt: operator.gt, torch.ge: operator.ge,
    }

    def call_function(self, target, args, kwargs):
        if not callable(target):
            raise AssertionError(f'Expected callable target, got {type(target)}')
        if target in self.binary_magic_method_remap and len(args) == 2:
            target, kwargs = self.binary_magic_method_remap[target], {}
        return super().call_function(target, args, kwargs)
