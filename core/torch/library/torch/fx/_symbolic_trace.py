# SPDX-License-Identifier: GPL-3.0-or-later
# Tracer: what a program says of how modules are traced. core/trace/source_tracer.cpp traces, and asks the methods that a
# class of the program has of its own.
import collections
import inspect
import math

import torch

from ._patcher import (_maybe_revert_all_patches, _new_patcher, _PatchedFn, _PatchedFnDel, _PatchedFnSetAttr,
                       _PatchedFnSetItem, _Patcher)
from .graph import Graph
from .graph_module import GraphModule
from .node import Node
from .proxy import ParameterProxy, Proxy, Scope, ScopeContextManager, TracerBase

# (class, name) of methods whose calls with traced values are call_method nodes.
_wrapped_methods_to_patch = []


class PHBase:
    def __repr__(self):
        return 'PH'


PH = PHBase()


class PHWithMeta(PHBase):
    def __init__(self, ph_key=None):
        super().__init__()
        self.ph_key = ph_key


class ProxyableClassMeta(type):
    # Instances made from traced values are calls of the class in the graph.
    def __call__(cls, *args, **kwargs):
        if _fx_holds_proxy(args, kwargs):
            return _fx_record(cls, args, kwargs)
        return super().__call__(*args, **kwargs)


def wrap(fn_or_name):
    return _fx_wrap(fn_or_name)


def is_fx_tracing():
    return _fx_is_tracing()


def is_fx_symbolic_tracing():
    return _fx_is_tracing()


class Tracer(TracerBase):
    def __init__(self, autowrap_modules=(math,), autowrap_functions=(), param_shapes_constant=False):
        super().__init__()
        self._autowrap_modules = tuple([module for module in autowrap_modules if module is not math])
        self._autowrap_functions = tuple(autowrap_functions)
        self._autowrap_search = list(autowrap_modules)
        self.param_shapes_constant = param_shapes_constant
        self.submodule_paths = None
        self.root_module_name = ''
        self.scope = Scope('', None)
        self.module_stack = collections.OrderedDict()
        self.num_calls = {}

    @property
    def node_name_to_scope(self):
        def scope(node):
            frames = list(node.meta.get('nn_module_stack', {}).values())
            return frames[-1] if frames else ('', None)

        return {node.name: scope(node) for node in self.graph.nodes} if 'graph' in self.__dict__ else {}

    def is_leaf_module(self, m, module_qualified_name):
        is_torch = type(m).__module__.startswith(('torch.nn', 'torch.ao.nn'))
        return is_torch and not isinstance(m, torch.nn.Sequential)

    def path_of_module(self, mod):
        return self._native('_fx_path_of_module')(mod)

    def call_module(self, m, forward, args, kwargs):
        return self._native('_fx_call_module')(m, forward, args, kwargs)

    def getattr(self, attr, attr_val, parameter_proxy_cache):
        return self._native('_fx_getattr')(attr, attr_val)

    def get_fresh_qualname(self, prefix):
        # Of a function the root is made here, and the tracer below knows nothing of what a program puts there.
        next_numbers = self.__dict__.setdefault('_next_numbers', {})
        number = max(int(self._native('_fx_fresh_name')(prefix)[len(prefix):]), next_numbers.get(prefix, 0))
        while hasattr(self.root, f'{prefix}{number}'):
            number += 1
        next_numbers[prefix] = number
        return f'{prefix}{number}'

    def create_args_for_root(self, root_fn, is_module, concrete_args=None):
        native = None if self.__dict__.get('_is_by_hand') else self.__dict__.get('_fx_create_args_for_root')
        return native(root_fn, is_module, concrete_args) if native else self._args_by_hand(root_fn, is_module, concrete_args or {})

    def _args_by_hand(self, root_fn, is_module, concrete_args):
        # Where a program calls it by itself, in no trace: an input for each parameter.
        self._is_by_hand = True
        parameters = list(inspect.signature(root_fn).parameters.values())
        if isinstance(concrete_args, tuple):
            if len(concrete_args) != len(parameters):
                raise RuntimeError(f'Tracing expected {len(parameters)} arguments but got {len(concrete_args)} concrete arguments')
            concrete_args = {each.name: given for each, given in zip(parameters, concrete_args)}
        made = []
        for each in parameters:
            given = concrete_args.get(each.name, PH)
            if not isinstance(given, PHBase):
                made.append(given)
                continue
            stars = {each.VAR_POSITIONAL: '*', each.VAR_KEYWORD: '**'}.get(each.kind, '')
            default = () if stars or each.default is each.empty else (each.default,)
            made.append(self.create_proxy('placeholder', stars + each.name, default, {},
                                          type_expr=None if each.annotation is each.empty else each.annotation))
        return root_fn, ([self.root] if is_module else []) + made

    def trace(self, root, concrete_args=None):
        self._is_by_hand = False
        self.root = root if isinstance(root, torch.nn.Module) else torch.nn.Module()
        self.root_module_name = type(root).__name__ if isinstance(root, torch.nn.Module) else ''
        graph = _fx_trace(self, root, concrete_args)
        graph._ask_signature()
        graph._tracer_cls = type(self)
        graph._fx_root = self.root
        traced = getattr(type(root), self.traced_func_name) if isinstance(root, torch.nn.Module) else root
        if hasattr(traced, '__code__'):
            code = traced.__code__
            graph._co_fields = {name: getattr(code, name) for name in ('co_name', 'co_filename', 'co_firstlineno')}
        return graph


def symbolic_trace(root, concrete_args=None):
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    return GraphModule(tracer.root, graph, type(root).__name__ if isinstance(root, torch.nn.Module) else root.__name__)


@wrap
def _assert_is_none(value, msg):
    assert value is None, msg
