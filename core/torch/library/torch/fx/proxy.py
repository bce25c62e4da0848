# SPDX-License-Identifier: GPL-3.0-or-later
# Proxy, and what tracers have in common. Proxies themselves are core/trace/tracing_host.h's.
import collections

from .graph import inplace_methods, magic_methods, reflectable_magic_methods

TraceError = _fx_trace_error
Proxy = _fx_proxy
Attribute = _fx_attribute
ParameterProxy = _fx_parameter_proxy


class Scope:
    def __init__(self, module_path, module_type):
        self.module_path = module_path
        self.module_type = module_type


class ScopeContextManager:
    def __init__(self, scope, current_scope):
        self._scope = scope
        self._before = scope.module_path, scope.module_type
        scope.module_path, scope.module_type = current_scope.module_path, current_scope.module_type

    def __enter__(self):
        return self._scope

    def __exit__(self, *args):
        self._scope.module_path, self._scope.module_type = self._before


class TracerBase:
    record_stack_traces = False
    check_mutable_operations = False
    trace_asserts = False
    proxy_buffer_attributes = False
    traced_func_name = 'forward'

    def _native(self, name):
        return self.__dict__.get(name) or _fx_natives_of(self)[name]

    def create_node(self, kind, target, args, kwargs, name=None, type_expr=None):
        return self._native('_fx_create_node')(kind, target, args, kwargs, name, type_expr)

    def proxy(self, node):
        return Proxy(node, self)

    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, proxy_factory_fn=None):
        if proxy_factory_fn is None:
            return self._native('_fx_create_proxy')(kind, target, args, kwargs, name, type_expr)
        args = self.create_arg(args)
        kwargs = self.create_arg(kwargs)
        return proxy_factory_fn(self.create_node(kind, target, args, kwargs, name, type_expr))

    def create_arg(self, a):
        return self._native('_fx_create_arg')(a)

    def to_bool(self, obj):
        return self._native('_fx_to_bool')(obj)

    def iter(self, obj):
        return self._native('_fx_iter')(obj)

    def keys(self, obj):
        return self.create_proxy('call_method', 'keys', (obj,), {}, None, None)


class GraphAppendingTracer(TracerBase):
    def __init__(self, graph):
        super().__init__()
        self.graph = graph
        self.scope = Scope('', None)
        self.module_stack = collections.OrderedDict()
        self.node_name_to_scope = {}


def assert_fn(x):
    assert x, 'Assertion failed'
