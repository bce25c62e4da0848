# SPDX-License-Identifier: GPL-3.0-or-later
# Tracer, for sources that say by a class of their own how they are traced; and what stands for a graph that a source
# traces itself: the model, to be traced when the source is read. core/trace/source_tracer.cpp asks the methods.
import inspect
import math

import torch


class TracerBase:
    record_stack_traces = False
    check_mutable_operations = False
    trace_asserts = False
    proxy_buffer_attributes = False
    traced_func_name = 'forward'


class Tracer(TracerBase):
    param_shapes_constant = False
    _autowrap_modules = ()
    _autowrap_functions = ()

    def __init__(self, autowrap_modules=(math,), autowrap_functions=(), param_shapes_constant=False):
        self._autowrap_modules = tuple([module for module in autowrap_modules if module is not math])
        self._autowrap_functions = tuple(autowrap_functions)
        self.param_shapes_constant = param_shapes_constant

    def is_leaf_module(self, m, module_qualified_name):
        is_torch = type(m).__module__.startswith(('torch.nn', 'torch.ao.nn'))
        return is_torch and not isinstance(m, torch.nn.Sequential)

    def path_of_module(self, mod):
        return self._fx_path_of_module(mod)

    def call_module(self, m, forward, args, kwargs):
        return self._fx_call_module(m, forward, args, kwargs)

    def create_arg(self, a):
        return a

    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, proxy_factory_fn=None):
        if proxy_factory_fn is not None:
            raise NotImplementedError('not supported: proxy_factory_fn')
        return self._fx_create_proxy(kind, target, args, kwargs, name, type_expr)

    def to_bool(self, obj):
        return self._fx_to_bool(obj)

    def iter(self, obj):
        return self._fx_iter(obj)

    def keys(self, obj):
        return self._fx_create_proxy('call_method', 'keys', (obj,), {}, None, None)

    def trace(self, root, concrete_args=None):
        return Graph(root, concrete_args, self)


class _Refuses:
    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(f'{type(self).__name__!r} object has no attribute {name!r}')
        raise NotImplementedError(f'not supported: {name} of a graph while its source is read; trace the model, then change the graph')


class Graph(_Refuses):
    def __init__(self, root=None, concrete_args=None, tracer=None):
        if root is None:
            raise NotImplementedError('not supported: a graph made by hand while a source is read')
        self._fx_parts = root, concrete_args, tracer  # core/trace/trace_source.cpp traces them

    def lint(self):
        return None


class GraphModule(torch.nn.Module):
    def __init__(self, root, graph, class_name='GraphModule'):
        super().__init__()
        if not isinstance(graph, Graph):
            raise TypeError(f'GraphModule() needs a Graph, not {type(graph).__name__}')
        self._fx_parts = graph._fx_parts
        self.__dict__['graph'] = graph
        traced = graph._fx_parts[0]
        if isinstance(traced, torch.nn.Module):  # it holds what the root holds
            for table in ('_parameters', '_buffers', '_modules'):
                getattr(self, table).update(getattr(traced, table))
            self._non_persistent_buffers_set |= traced._non_persistent_buffers_set
            self.training = traced.training

    def recompile(self):
        return None

    def forward(self, *args, **kwargs):
        traced, concrete = self._fx_parts[0], self._fx_parts[1]
        if not isinstance(traced, torch.nn.Module):
            return traced(*args, **kwargs)
        if isinstance(concrete, dict):
            given = list(inspect.signature(type(traced).forward).parameters)[1:][:len(args)]
            kwargs = {**{name: value for name, value in concrete.items()
                         if name not in given and not isinstance(value, torch.fx.PHBase)}, **kwargs}
        return type(traced).forward(traced, *args, **kwargs)


def symbolic_trace(root, concrete_args=None):
    return GraphModule(root, Tracer().trace(root, concrete_args))
