# SPDX-License-Identifier: GPL-3.0-or-later
# Node: the attributes and edits of one call of a graph, which core/fxpython does; and mapping over arguments.
import typing

from . import _graphs

base_types = (str, int, float, bool, complex)
_legal_ops = dict.fromkeys(['placeholder', 'call_method', 'call_module', 'call_function', 'get_attr', 'output', 'root'])
Target = typing.Any
Argument = typing.Any
_side_effectful_functions = set()


def has_side_effect(fn):
    _side_effectful_functions.add(fn)
    return fn


def _get_qualified_name(func):
    return _graphs.qualified_name(func)


def _type_repr(obj):
    return repr(obj) if obj is None else _graphs.annotation(obj)


def _hooks(graph, name):
    return getattr(graph.owning_module, name, None) or () if graph.owning_module is not None else ()


def _format_arg(arg, max_list_len=float('inf')):
    """Nodes with a %, and of long lists the beginning."""
    if hasattr(arg, '_custom_fx_repr_fn'):
        return arg._custom_fx_repr_fn()
    if isinstance(arg, (list, tuple)):
        items = ', '.join([_format_arg(each) for at, each in enumerate(arg) if at < max_list_len])
        total = '' if len(arg) < max_list_len + 1 else f', ...[total_len={len(arg)}]'
        if isinstance(arg, list):
            return f'[{items}{total}]'
        return f"({items}{',' if len(arg) == 1 else ''}{total})"
    if isinstance(arg, dict):
        return f"{{{', '.join([f'{key}: {_format_arg(value)}' for key, value in arg.items()])}}}"
    return '%' + str(arg) if isinstance(arg, Node) else str(arg)


_NAMED = 'placeholder', 'get_attr', 'call_module', 'call_method', 'output'


class Node:
    def __init__(self, graph, name, op, target, args, kwargs, return_type=None):
        if op == 'call_function' and not callable(target) or op in _NAMED and not isinstance(target, str):
            import torch
            raise ValueError(f"Node [graph = {graph}, name = '{name}'] target {target} has type {torch.typename(target)} but "
                             f"a {'Callable' if op == 'call_function' else 'str'} is expected")
        from ._loose_node import LooseNode
        LooseNode.begin(self, graph, name, op, target, args, kwargs, return_type)

    op = property(_graphs.op, _graphs.set_op)
    target = property(_graphs.target, _graphs.set_target)
    args = property(_graphs.args, _graphs.set_args)
    kwargs = property(_graphs.kwargs, _graphs.set_kwargs)
    _args = property(_graphs.args)
    _kwargs = property(_graphs.kwargs)
    graph = property(_graphs.graph)
    users = property(_graphs.users)
    next = property(_graphs.next)
    prev = property(_graphs.previous)
    _next = property(_graphs.next)
    _prev = property(_graphs.previous)
    all_input_nodes = property(_graphs.inputs)
    _erased = property(_graphs.is_erased)
    _repr_fn = None

    @property
    def name(self):
        return _graphs.name(self)

    @name.setter
    def name(self, name):
        for hook in _hooks(self.graph, '_replace_hooks'):
            for user in self.users:
                hook(old=self, new=name, user=user)
        _graphs.set_name(self, name)

    @property
    def type(self):
        own = self.__dict__
        return own['_fx_type'] if '_fx_type' in own else _graphs.type(self)

    @type.setter
    def type(self, type):
        self.__dict__['_fx_type'] = type
        _graphs.set_type(self, type)

    @property
    def meta(self):
        return _graphs.meta(self)

    @meta.setter
    def meta(self, meta):
        self.__dict__['_fx_meta'] = meta

    @property
    def _input_nodes(self):
        return dict.fromkeys(_graphs.inputs(self))

    @property
    def stack_trace(self):
        return self.meta.get('stack_trace')

    @stack_trace.setter
    def stack_trace(self, trace):
        self.meta['stack_trace'] = trace

    def prepend(self, x):
        self._take(x, False)

    def append(self, x):
        self._take(x, True)

    _prepend = prepend

    def _take(self, x, is_after):
        # A node of the graph, or one that stands nowhere yet.
        if type(x) is Node:
            _graphs.move(x, self, is_after)
        else:
            x.put(self, is_after)

    def update_arg(self, idx, arg):
        args = list(self.args)
        args[idx] = arg
        self.args = tuple(args)

    def insert_arg(self, idx, arg):
        args = self.args
        assert 0 <= idx <= len(args), f'insert_args index must be between 0 and len(self.args), got {idx}'
        self.args = args[:idx] + (arg,) + args[idx:]

    def update_kwarg(self, key, arg):
        self.kwargs = {**self.kwargs, key: arg}

    def _update_args_kwargs(self, args, kwargs):
        self.args = args
        self.kwargs = kwargs

    def replace_input_with(self, old_input, new_input):
        for hook in _hooks(self.graph, '_replace_hooks'):
            hook(old=old_input, new=new_input.name, user=self)
        _graphs.replace_input(self, old_input, new_input)

    def replace_all_uses_with(self, replace_with, delete_user_cb=None, *, propagate_meta=False):
        if propagate_meta:
            assert len(replace_with.meta) == 0, (
                'Called node.replace_all_uses_with(replace_with, propagate_meta=True), '
                'but replace_with already has .meta keys')
            replace_with.meta.update(self.meta)
        hooks = _hooks(self.graph, '_replace_hooks')
        if not self.users:
            return []
        if not isinstance(replace_with, Node):
            # A constant, or a tuple of nodes.
            users = [user for user in self.users if delete_user_cb is None or delete_user_cb(user)]
            for user in users:
                user.args, user.kwargs = (map_arg(given, lambda node: replace_with if node is self else node)
                                          for given in (user.args, user.kwargs))
            return users
        if delete_user_cb is None and not hooks:
            return _graphs.replace_all(self, replace_with)
        changed = []
        for user in list(self.users):
            if delete_user_cb is not None and not delete_user_cb(user):
                continue
            changed.append(user)
            for hook in hooks:
                hook(old=self, new=replace_with.name, user=user)
            _graphs.replace_input(user, self, replace_with)
        return changed

    def is_impure(self, impure_random=True):
        if self.op in ('placeholder', 'output'):
            return True
        if self.op == 'call_module':
            assert self.graph.owning_module is not None, 'self.graph.owning_module not set for purity check'
            return getattr(self.graph.owning_module.get_submodule(self.target), '_is_impure', False)
        if self.op == 'call_function':
            return self.target in _side_effectful_functions or _graphs.is_impure(self, impure_random)
        return False

    def normalized_arguments(self, root, arg_types=None, kwarg_types=None, normalize_to_only_use_kwargs=False):
        from .operator_schemas import normalize_function, normalize_module
        if self.op == 'call_function':
            return normalize_function(self.target, self.args, self.kwargs, arg_types, kwarg_types,
                                      normalize_to_only_use_kwargs=normalize_to_only_use_kwargs)
        if self.op == 'call_module':
            return normalize_module(root, self.target, self.args, self.kwargs,
                                    normalize_to_only_use_kwargs=normalize_to_only_use_kwargs)
        return None

    def format_node(self, placeholder_names=None, maybe_return_typename=None, *, include_tensor_metadata=False):
        if self.op == 'placeholder' and placeholder_names:
            placeholder_names.append(self.target + (f'{self.target}: {_type_repr(self.type)}' if self.type else ''))
            return None
        if self.op == 'output' and self.type and maybe_return_typename:
            maybe_return_typename[0] = f' -> {_type_repr(self.type)}'
        text = _graphs.format(self, include_tensor_metadata)
        if include_tensor_metadata and self.op not in ('placeholder', 'get_attr', 'output'):
            import torch
            from torch.utils._dtype_abbrs import dtype_abbrs
            value = self.meta.get('val', self.meta.get('tensor_meta', self.meta.get('example_value')))
            if isinstance(value, torch.Tensor) and value.layout not in (torch.sparse_csc, torch.sparse_csr):
                sizes, strides = [f"[{', '.join([str(each) for each in parts])}]" for parts in (value.shape, value.stride())]
                told = f'Tensor "{dtype_abbrs[value.dtype]}{sizes}{strides}{value.device}"'
                return f'%{self.name} : {told}' + text[text.index('[num_users='):]
        return text

    @staticmethod
    def _pretty_print_target(target):
        if isinstance(target, str):
            return target
        name = getattr(target, '__name__', None)
        if name is not None and getattr(target, '__module__', None) == 'builtins':
            return f'builtins.{name}'
        if name is not None and getattr(target, '__module__', None) == '_operator':
            return f'operator.{name}'
        return _get_qualified_name(target)

    def _rename(self, candidate):
        _graphs.rename(self, candidate)

    def __repr__(self):
        return self._repr_fn(self) if self._repr_fn else _graphs.name(self)

    @property
    def _sort_key(self):
        return (_graphs.order(self),)

    def __lt__(self, other):
        return _graphs.precedes(self, other) if isinstance(other, Node) else NotImplemented

    def __gt__(self, other):
        return _graphs.precedes(other, self) if isinstance(other, Node) else NotImplemented

    def __le__(self, other):
        return self is other or self < other if isinstance(other, Node) else NotImplemented

    def __ge__(self, other):
        return self is other or self > other if isinstance(other, Node) else NotImplemented


def map_arg(a, fn):
    assert callable(fn), 'torch.fx.map_arg(a, fn): fn must be a callable'
    return _graphs.map_arg(a, fn)


def map_aggregate(a, fn):
    return _graphs.map_aggregate(a, fn)


_fx_map_arg = map_arg
_fx_map_aggregate = map_aggregate
