# SPDX-License-Identifier: GPL-3.0-or-later
# Interpreter runs a graph node by node; Transformer does so with proxies, and what it records is a new module.
# A subclass changes what a kind of node does by its method of that name.
import contextlib
import inspect

import torch.fx.traceback as fx_traceback
from torch.fx import _graphs
from torch.fx._symbolic_trace import Tracer
from torch.fx.graph import Graph
from torch.fx.graph_module import GraphModule
from torch.fx.node import Node, map_aggregate, map_arg
from torch.fx.proxy import Proxy

__all__ = ['Interpreter', 'Transformer']

_LOG_HINT = ('Use tlparse to see full graph. '
             '(https://github.com/pytorch/tlparse?tab=readme-ov-file#tlparse-parse-structured-pt2-logs)')


def _check(value, kind, what):
    if not isinstance(value, kind):
        raise AssertionError(f'Expected {what} to be {kind.__name__}, got {type(value)}')


class Interpreter:
    _takes_plainly = False

    def __init__(self, module, garbage_collect_values=True, graph=None):
        self.module = module
        self.submodules = dict(module.named_modules())
        self.graph = module.graph if graph is None else graph
        self.env = {}
        self.name = 'Interpreter'
        self.garbage_collect_values = garbage_collect_values
        self.extra_traceback = True
        # Whether no method of a subclass has a say in how arguments get their values.
        self._takes_plainly = all(getattr(type(self), name) is getattr(Interpreter, name) for name in
                                  ('_set_current_node', 'fetch_args_kwargs_from_env', 'map_nodes_to_values'))
        if garbage_collect_values:
            self.user_to_last_uses = _graphs.last_uses(self.graph)

    def run(self, *args, initial_env=None, enable_io_processing=True):
        self.env = {} if initial_env is None else initial_env
        if enable_io_processing:
            args = self.graph.process_inputs(*args)
        self.args_iter = iter(args)
        self._failed = None
        try:
            end = _graphs.run_nodes(self)
        except Exception as error:
            if self.extra_traceback and self._failed is not None:
                self._tell_where(error, self._failed)
                if isinstance(error, KeyError):
                    # the text of a KeyError is shown quoted
                    raise RuntimeError(*error.args) from error
            raise
        if end is not None:
            result = self.env[end]
            return self.graph.process_outputs(result) if enable_io_processing else result

    def _tell_where(self, error, node):
        lines = [f'While executing {node.format_node()}', f'Original traceback:\n{node.stack_trace}', _LOG_HINT]
        text = '\n'.join(lines)
        if error.args:
            text = f'{error.args[0]}\n\n{text}'
        error.args = (text, *error.args[1:])

    def boxed_run(self, args_list):
        inputs = [node for node in self.graph.nodes if node.op == 'placeholder']
        given, wanted = len(args_list), len(inputs)
        if given != wanted:
            fault = 'extra arguments' if given > wanted else 'missing arguments'
            raise RuntimeError(f'Interpreter.boxed_run expected {wanted} arguments for placeholders '
                               f'but received {given} ({fault})')
        values = dict(zip(inputs, args_list))
        args_list.clear()
        return self.run(initial_env=values)

    @contextlib.contextmanager
    def _set_current_node(self, node):
        with fx_traceback.set_current_meta(node, f'Interpreter_{type(self).__name__}'):
            yield

    def run_node(self, n):
        if self._takes_plainly and not fx_traceback.should_preserve_node_meta:
            return _graphs.run_node(self, n, self.env)
        return self._run_node(n)

    def _run_node(self, n):
        with self._set_current_node(n):
            args, kwargs = self.fetch_args_kwargs_from_env(n)
            _check(args, tuple, 'args')
            _check(kwargs, dict, 'kwargs')
            return getattr(self, n.op)(n.target, args, kwargs)

    def placeholder(self, target, args, kwargs):
        _check(target, str, 'target')
        if target.startswith('*'):
            return list(self.args_iter)
        try:
            return next(self.args_iter)
        except StopIteration as end:
            if args:
                return args[0]
            raise RuntimeError(f'Expected positional argument for parameter {target}, '
                               'but one was not passed in!') from end

    def get_attr(self, target, args, kwargs):
        _check(target, str, 'target')
        return self.fetch_attr(target)

    def call_function(self, target, args, kwargs):
        if isinstance(target, str):
            raise AssertionError('target should not be a string for call_function')
        return target(*args, **kwargs)

    def call_method(self, target, args, kwargs):
        owner, *rest = args
        _check(target, str, 'target')
        return getattr(owner, target)(*rest, **kwargs)

    def call_module(self, target, args, kwargs):
        _check(target, str, 'target')
        return self.fetch_attr(target)(*args, **kwargs)

    def output(self, target, args, kwargs):
        return args[0]

    def fetch_attr(self, target):
        value = self.module
        path = []
        for name in target.split('.'):
            path.append(name)
            if not hasattr(value, name):
                raise RuntimeError(f"Node referenced nonexistent target {'.'.join(path)}")
            value = getattr(value, name)
        return value

    def fetch_args_kwargs_from_env(self, n):
        args = self.map_nodes_to_values(n.args, n)
        _check(args, tuple, 'args')
        kwargs = self.map_nodes_to_values(n.kwargs, n)
        _check(kwargs, dict, 'kwargs')
        return args, kwargs

    def map_nodes_to_values(self, args, n):
        def value_of(read):
            if read not in self.env:
                raise RuntimeError(f'Node {n} referenced nonexistent value {read}! '
                                   'Run Graph.lint() to diagnose such issues')
            return self.env[read]

        return map_arg(args, value_of)


class Transformer(Interpreter):
    def __init__(self, module):
        super().__init__(module)
        self.new_graph = Graph()
        self.new_graph.set_codegen(module.graph._codegen)

        class TransformerTracer(Tracer):
            def __init__(self, graph):
                super().__init__()
                self.graph = graph
                self.tensor_attrs = {}

            def is_leaf_module(self, _, __):
                return True

        self.tracer = TransformerTracer(self.new_graph)
        self.tracer.root = module

    def placeholder(self, target, args, kwargs):
        _check(target, str, 'target')
        default = args[0] if args else inspect.Signature.empty
        return Proxy(self.new_graph.placeholder(target, default_value=default), self.tracer)

    def get_attr(self, target, args, kwargs):
        _check(target, str, 'target')
        return self.tracer.create_proxy('get_attr', target, args, kwargs)

    def call_module(self, target, args, kwargs):
        _check(target, str, 'target')
        module = self.fetch_attr(target)
        return self.tracer.call_module(module, module.forward, args, kwargs)

    def call_function(self, target, args, kwargs):
        # recorded as it stands: a wrapped function stays one node
        return self.tracer.create_proxy('call_function', target, args, kwargs)

    def transform(self):
        with fx_traceback.preserve_node_meta():
            result = super().run(enable_io_processing=False)
        if result is not None:
            output = self.new_graph.output(map_aggregate(result, lambda a: a.node if isinstance(a, Proxy) else a))
            old = list(self.graph.nodes)[-1]
            if old.op != 'output':
                raise AssertionError(f'Expected output node, got op={old.op}')
            for key, value in old.meta.items():
                output.meta[key] = value
        return GraphModule(self.module, self.new_graph)
