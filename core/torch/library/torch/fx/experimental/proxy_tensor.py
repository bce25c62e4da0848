# SPDX-License-Identifier: GPL-3.0-or-later
# make_fx: the operators that a function calls when it runs, as a graph (core/capture/operator_recorder.h).
import functools
import inspect

import torch
import torch.utils._pytree as pytree
from torch.autograd import grad_mode
from torch.fx import GraphModule, Interpreter, Proxy, Tracer, _graphs
from torch.fx._symbolic_trace import PH

_DATA_IS_READ = ("It appears that you're trying to get value out of a tracing tensor with {} - erroring out! It's likely that "
                 'this is caused by data-dependent control flow or similar.  It may be possible to trace this with dynamic '
                 "shapes; try setting tracing_mode='symbolic' in your make_fx call.")

py_sym_types = (torch.SymInt, torch.SymFloat, torch.SymBool)
# The recordings that are at work, innermost last.
_running = []


def is_sym_node(node):
    assert hasattr(node, 'meta'), 'All nodes traced with proxy_tensor should have meta'
    return 'val' in node.meta and isinstance(node.meta['val'], py_sym_types)


def get_proxy_mode():
    return _running[-1] if _running else None


get_innermost_proxy_mode = get_proxy_mode


def maybe_handle_decomp(proxy_mode, op, args, kwargs):
    rule = proxy_mode.decomposition_table.get(op)
    return NotImplemented if rule is None else rule(*args, **kwargs)


class PythonKeyTracer(Tracer):
    # Modules and attributes are what they are; only operators are recorded.
    def __init__(self):
        super().__init__(autowrap_modules=())

    def call_module(self, m, forward, args, kwargs):
        return forward(*args, **kwargs)

    def getattr(self, attr, attr_val, parameter_proxy_cache):
        return attr_val

    def grad_mode_is_set(self, mode):
        node = self.create_node('call_function', torch._C._set_grad_enabled, (mode,), {})
        node.meta['val'] = None


class _Recording:
    # What the recorder asks.
    def __init__(self, tracer, rules, reads_data):
        self.tracer = tracer
        self.rules = self.decomposition_table = rules
        self.reads_data = reads_data

    def name_of(self, tensor):
        parameter = _parameter_of(tensor)
        name = self.tracer.get_fresh_qualname('_tensor_constant' if parameter is None else '_param_constant')
        setattr(self.tracer.root, name, tensor if parameter is None else parameter)
        return name

    def has_rule(self, function):
        return function in self.decomposition_table

    def decompose(self, function, args, kwargs):
        return self.decomposition_table[function](*args, **kwargs)

    def data_is_read(self, function):
        if not self.reads_data:
            raise RuntimeError(_DATA_IS_READ.format(function))


def _with_parameters(body, function, count):
    # A function of the parameters by which Python names the placeholders: those of the function, or numbered ones where it
    # takes any number of them or has no code of its own.
    inner = inspect.unwrap(function)
    parameters = list(inspect.signature(inner).parameters.values()) if hasattr(inner, '__code__') else None
    is_numbered = parameters is None or any(each.kind == inspect.Parameter.VAR_POSITIONAL for each in parameters)
    if is_numbered:
        names, defaults = [f'arg{number}' for number in range(count)], {}
    else:
        names = [parameter.name for parameter in parameters]
        defaults = {parameter.name: parameter.default for parameter in parameters
                    if parameter.default is not inspect.Parameter.empty}
    written = [f'{name}=defaults[{name!r}]' if name in defaults else name for name in names]
    scope = {'__name__': __name__, 'body': body, 'defaults': defaults}
    _graphs.run(f"def traced({', '.join(written)}):\n    return body({', '.join(names)})\n", '<make_fx>', scope)
    scope['traced'].__name__ = '<lambda>' if is_numbered else function.__name__
    return scope['traced']


def dispatch_trace(root, tracer, concrete_args=None):
    graph = tracer.trace(root, concrete_args)
    graph.eliminate_dead_code(lambda node: True)
    return GraphModule(tracer.root, graph, getattr(root, '__name__', type(root).__name__))


def make_fx(f, decomposition_table=None, tracing_mode='real', _allow_non_fake_inputs=False, *, pre_dispatch=False,
            record_module_stack=False, _allow_fake_constant=False, _error_on_data_dependent_ops=True,
            record_stack_traces=False, proxy_module_inputs=False, _disable_torch_fn_metadata_mode=False):
    if tracing_mode not in ('real', 'fake', 'symbolic'):
        raise AssertionError(f'tracing_mode must be real/fake/symbolic, got {tracing_mode}')
    if tracing_mode == 'symbolic':
        raise NotImplementedError("make_fx(tracing_mode='symbolic') is not supported here: sizes are recorded as numbers")

    @functools.wraps(f)
    def wrapped(*args):
        return _trace(f, args, decomposition_table or {}, pre_dispatch, not _error_on_data_dependent_ops)

    return wrapped


def _trace(f, args, rules, is_composite, reads_data):
    tracer = PythonKeyTracer()
    recording = _Recording(tracer, rules, reads_data)

    def body(*proxies):
        flat = pytree.tree_flatten(args)[0]
        placeholders = pytree.tree_flatten(proxies)[0]
        recorder = _graphs.recorder(tracer.graph, is_composite, recording)
        for value, proxy in zip(flat, placeholders):
            _graphs.recorder_track(recorder, value, proxy.node)
        _running.append(recording)
        watchers = [tracer.grad_mode_is_set] if is_composite else []
        grad_mode._watchers.extend(watchers)
        try:
            out = _graphs.recorder_run(recorder, lambda: f(*args))
        finally:
            _running.pop()
            for watcher in watchers:
                grad_mode._watchers.remove(watcher)

        def proxy_of(tensor):
            node = _graphs.recorder_node(recorder, tensor)
            return tensor if node is None else Proxy(node, tracer)

        return pytree.tree_map(lambda value: proxy_of(value) if isinstance(value, torch.Tensor) else value, out)

    placeholders = pytree.tree_map(lambda _: PH, args)
    traced = _with_parameters(body, f, len(args))
    return dispatch_trace(traced, tracer, tuple(placeholders))


def wrapper_and_args_for_make_fx(func, args, kwargs):
    flat_args, spec = pytree.tree_flatten((args, kwargs))

    def wrapped(flat_args):
        fn_args, fn_kwargs = pytree.tree_unflatten(flat_args, spec)
        return func(*fn_args, **fn_kwargs)

    return wrapped, flat_args


def get_isolated_graphmodule(func, args, kwargs, tracing_mode='real', decomposition_table=None):
    wrapped, all_args = wrapper_and_args_for_make_fx(func, args, kwargs)
    return make_fx(wrapped, decomposition_table=decomposition_table, tracing_mode=tracing_mode)(all_args)


class DecompositionInterpreter(Interpreter):
    # What a graph computes, operator by operator, as nodes of another graph; what is in the table by its rule.
    def __init__(self, module, new_graph, decomposition_table=None, **kwargs):
        super().__init__(module, **kwargs)
        self.new_graph = new_graph
        self.tracer = PythonKeyTracer()
        self.tracer.graph, self.tracer.root = new_graph, torch.nn.Module()
        self.decomposition_table = decomposition_table or {}
        self._recorder = _graphs.recorder(new_graph, False, _Recording(self.tracer, self.decomposition_table, True))

    def _kept(self, value, node):
        if isinstance(value, torch.Tensor):
            _graphs.recorder_track(self._recorder, value, node)
        return value

    def placeholder(self, target, args, kwargs):
        return self._kept(super().placeholder(target, args, kwargs), self.new_graph.placeholder(target))

    def get_attr(self, target, args, kwargs):
        return self._kept(super().get_attr(target, args, kwargs), self.new_graph.get_attr(target))

    def output(self, target, args, kwargs):
        out = super().output(target, args, kwargs)

        def node_of(value):
            node = _graphs.recorder_node(self._recorder, value) if isinstance(value, torch.Tensor) else None
            return value if node is None else node

        self.new_graph.output(pytree.tree_map(node_of, out))
        return out

    def run(self, *args, **kwargs):
        run = super().run
        return _graphs.recorder_run(self._recorder, lambda: run(*args, **kwargs))
