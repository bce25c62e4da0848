# SPDX-License-Identifier: GPL-3.0-or-later
# make_fx: the operators that a function calls when it runs, as a graph (core/capture/operator_recorder.h).
import contextlib
import functools
import hashlib
import inspect
import operator

import torch
import torch.utils._pytree as pytree
from torch.amp import autocast_mode
from torch.autograd import grad_mode
from torch.fx import GraphModule, Interpreter, Node, Proxy, Tracer, _graphs
from torch.fx._symbolic_trace import PH

_DATA_IS_READ = ("It appears that you're trying to get value out of a tracing tensor with {} - erroring out! It's likely that "
                 'this is caused by data-dependent control flow or similar.  It may be possible to trace this with dynamic '
                 "shapes; try setting tracing_mode='symbolic' in your make_fx call.")

_ON_NUMBERS = {operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow, operator.neg,
               operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge, operator.and_, operator.or_}

py_sym_types = (torch.SymInt, torch.SymFloat, torch.SymBool)
# The recordings that are at work, innermost last.
_running = []


def is_sym_node(node):
    assert hasattr(node, 'meta'), 'All nodes traced with proxy_tensor should have meta'
    return 'val' in node.meta and isinstance(node.meta['val'], py_sym_types)


def get_proxy_mode():
    return _running[-1] if _running else None


get_innermost_proxy_mode = get_proxy_mode

# Sizes are nodes as soon as they are computed.
maybe_enable_thunkify = maybe_disable_thunkify = contextlib.nullcontext


def handle_sym_dispatch(func, args, kwargs):
    # What is done with sizes is recorded by itself.
    assert get_proxy_mode()
    return func(*args, **kwargs)


def maybe_handle_decomp(proxy_mode, op, args, kwargs):
    rule = proxy_mode.decomposition_table.get(op)
    return NotImplemented if rule is None else rule(*args, **kwargs)


class PythonKeyTracer(Tracer):
    # Modules and attributes are what they are; only operators are recorded.
    def __init__(self):
        super().__init__(autowrap_modules=())
        self._autocast_regions = []

    def call_module(self, m, forward, args, kwargs):
        return forward(*args, **kwargs)

    def getattr(self, attr, attr_val, parameter_proxy_cache):
        return attr_val

    def _recorded_setting(self, function, args):
        node = self.create_node('call_function', function, args, {})
        node.meta['val'] = None
        return node

    def grad_mode_is_set(self, mode):
        self._recorded_setting(torch._C._set_grad_enabled, (mode,))

    def autocast_begins(self, *args):
        self._autocast_regions.append(self._recorded_setting(torch.amp.autocast_mode._enter_autocast, args))
        return self._autocast_regions[-1]

    def autocast_ends(self):
        return self._recorded_setting(torch.amp.autocast_mode._exit_autocast, (self._autocast_regions.pop(),))


class _Recording:
    # What the recorder asks.
    kept = None  # says of an operator that is made of others whether it is recorded itself

    def __init__(self, tracer, rules, reads_data):
        self.tracer = tracer
        self.rules = self.decomposition_table = rules
        self.reads_data = reads_data

    def name_of(self, tensor):
        parameter = _parameter_of(tensor)
        name = self.tracer.get_fresh_qualname('_tensor_constant' if parameter is None else '_param_constant')
        setattr(self.tracer.root, name, tensor if parameter is None else parameter)
        return name

    def rule_of(self, function, is_above_autograd):
        if not is_above_autograd:
            return self.decomposition_table.get(function)
        if self.kept is not None:
            return self.decomposition_table.get(function) if function._can_decompose() else None
        from torch.fx.experimental._symbolic_rules import rules
        return rules.get(function) if self.tracer.has_symbols else None

    def is_kept(self, function):
        return self.kept is not None and self.kept(function)

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


def _may_not_go(node):
    # Only what reads a size, or computes with such numbers, goes where nobody reads it.
    if node.is_impure():
        return True
    reads = node.target in (torch.ops.aten.sym_size.int, torch.ops.aten.sym_stride.int, torch.ops.aten.sym_numel.default,
                            torch.ops.aten.sym_storage_offset.default)
    computes = node.target in _ON_NUMBERS or (_is_number(node) and all(map(_is_number, node.all_input_nodes)))
    return not reads and not computes


def _is_number(node):
    return isinstance(node.meta.get('val'), py_sym_types)


def _merge_equal_numbers(graph):
    # What is computed of inputs that are numbers is computed once.
    known, of_inputs = {}, set()
    for node in list(graph.nodes):
        if not _is_number(node):
            continue
        formula = str(node.meta['val'])
        if node.op == 'placeholder':
            known[formula] = node
            of_inputs.add(node)
        elif formula in known:
            node.replace_all_uses_with(known[formula])
            graph.erase_node(node)
        elif all(each in of_inputs for each in node.all_input_nodes):
            known[formula] = node
            of_inputs.add(node)


def dispatch_trace(root, tracer, concrete_args=None):
    graph = tracer.trace(root, concrete_args)
    if getattr(tracer, 'sees_numbers', True):
        graph.eliminate_dead_code(_may_not_go)
    if getattr(tracer, 'has_symbols', False):
        _merge_equal_numbers(graph)
    return GraphModule(tracer.root, graph, getattr(root, '__name__', type(root).__name__))


def make_fx(f, decomposition_table=None, tracing_mode='real', _allow_non_fake_inputs=False, *, pre_dispatch=False,
            record_module_stack=False, _allow_fake_constant=False, _error_on_data_dependent_ops=True,
            record_stack_traces=False, proxy_module_inputs=False, _disable_torch_fn_metadata_mode=False):
    if tracing_mode not in ('real', 'fake', 'symbolic'):
        raise AssertionError(f'tracing_mode must be real/fake/symbolic, got {tracing_mode}')

    @functools.wraps(f)
    def wrapped(*args):
        symbols = None if tracing_mode == 'real' else _Symbols(_allow_non_fake_inputs, tracing_mode == 'fake')
        traced = _trace(f, args, decomposition_table or {}, pre_dispatch, not _error_on_data_dependent_ops, symbols)
        if tracing_mode == 'symbolic':
            traced.shape_env = symbols.shape_env()
        return traced

    return wrapped


class _GivenSymbols:
    # Of inputs that have no data, and are as they are.
    takes_data = True
    are_numbers = False
    items = ()

    def __init__(self, known):
        self.known = known

    def input(self, value):
        return value


def _batch_norm(x, weight, bias, mean, var, training, momentum, eps):
    if mean is None:
        return torch.ops.aten._native_batch_norm_legit.no_stats(x, weight, bias, training, momentum, eps)
    if not training:
        return torch.ops.aten._native_batch_norm_legit_no_training.default(x, weight, bias, mean, var, momentum, eps)
    return torch.ops.aten._native_batch_norm_legit.default(x, weight, bias, mean, var, training, momentum, eps)


# What PyTorch does otherwise where sizes are symbols.
_SYMBOLIC_RULES = {torch.ops.aten.native_batch_norm.default: _batch_norm}


def trace_without_data(f, args, rules, known, kept=None):
    return _trace(f, args, rules, False, False, _GivenSymbols(known), kept)


class _Symbols:
    # The sizes of the inputs as symbols: equal ones are one symbol, and what is 0 or 1 stays a number, as all do where only
    # what depends on data is a symbol.
    def __init__(self, takes_data, are_numbers):
        self.known = _graphs.symbols_new()
        self.takes_data = takes_data
        self.are_numbers = are_numbers
        self.items = []
        self._names = {}
        self._numbers = set()
        self._count = 0

    def _name_of(self, value, source):
        if value in (0, 1) or self.are_numbers:
            return None
        if value not in self._names:
            number = int(hashlib.sha256(source.encode()).hexdigest(), 16) % 100
            while number in self._numbers:
                number += 1
            self._numbers.add(number)
            self._names[value] = f's{number}'
        return self._names[value]

    def shape_env(self):
        from torch.fx.experimental.symbolic_shapes import ShapeEnv
        return ShapeEnv(lambda: _graphs.symbols_guards(self.known))

    def input(self, value):
        source = f'input{self._count}'
        if isinstance(value, torch.Tensor):
            self._count += 1
            made = _graphs.fake_input(self.known, value, [self._name_of(size, f'{source}.size()[{dim}]')
                                                          for dim, size in enumerate(value.shape)])
            if value.dtype is torch.int64 and value.dim() == 0:
                number = value.item()
                name = self._name_of(number, f'{source}.item()')
                if name is not None:
                    self.items.append((made, _graphs.symbol(self.known, name, number)))
            return made
        if type(value) is not int:
            return value
        name = self._name_of(value, source)
        return value if name is None else _graphs.symbol(self.known, name, value)


@contextlib.contextmanager
def _recording_of(recording, is_composite):
    # Settings are recorded where they are above what is recorded. Casts of weights that are kept would be tensors that nobody knows.
    _running.append(recording)
    caches_casts = torch.is_autocast_cache_enabled()
    torch.set_autocast_cache_enabled(False)
    if is_composite:
        grad_mode._watchers.append(recording.tracer.grad_mode_is_set)
        autocast_mode._watchers.append(recording.tracer)
    try:
        yield
    finally:
        _running.pop()
        torch.set_autocast_cache_enabled(caches_casts)
        if is_composite:
            grad_mode._watchers.pop()
            autocast_mode._watchers.pop()


def _trace(f, args, rules, is_composite, reads_data, symbols=None, kept=None):
    tracer = PythonKeyTracer()
    tracer.sees_numbers = symbols is not None
    tracer.has_symbols = tracer.sees_numbers and not symbols.are_numbers
    if symbols is not None:
        rules = (_SYMBOLIC_RULES | rules) if tracer.has_symbols else rules
        args = pytree.tree_map(symbols.input, args)
    recording = _Recording(tracer, rules, reads_data)
    recording.kept = kept

    def body(*proxies):
        flat = pytree.tree_flatten(args)[0]
        placeholders = pytree.tree_flatten(proxies)[0]
        recorder = _graphs.recorder(tracer.graph, is_composite, recording)
        if symbols is not None:
            _graphs.recorder_symbolic(recorder, symbols.known, symbols.takes_data)
            for tensor, number in symbols.items:
                _graphs.recorder_item(recorder, tensor, number)
        for value, proxy in zip(flat, placeholders):
            _graphs.recorder_track(recorder, value, proxy.node)
        with _recording_of(recording, is_composite):
            out = _graphs.recorder_run(recorder, lambda: f(*args))

        def proxy_of(value):
            if isinstance(value, torch.Tensor):
                node = _graphs.recorder_node(recorder, value)
                return value if node is None else Proxy(node, tracer)
            if not isinstance(value, py_sym_types):
                return value
            found = _graphs.recorder_number(recorder, value)
            return Proxy(found, tracer) if isinstance(found, Node) else found

        return pytree.tree_map(proxy_of, out)

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
