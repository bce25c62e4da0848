# SPDX-License-Identifier: GPL-3.0-or-later
# What in a user's file is a pass, what options it takes, and how each kind is called. core/userpasses asks.
import ast
import inspect
import re

import torch
from torch.fx.graph import Graph
from torch.fx.graph_module import GraphModule, _LateForward

_WORDS = {bool: 'bool', int: 'int', float: 'float', str: 'string'}


def _bases():
    from torch.fx.interpreter import Interpreter, Transformer
    from torch.fx.passes.infra.pass_base import PassBase
    return Transformer, Interpreter, PassBase


def is_pass(name, value, module_name):
    if name.startswith('_'):
        return False
    if isinstance(value, type):
        return issubclass(value, _bases()) and value.__module__ == module_name
    if inspect.isfunction(value):
        parameters = list(inspect.signature(value).parameters.values())
        return value.__module__ == module_name and bool(parameters) and _takes_graph(parameters[0])
    return False


def _takes_graph(parameter):
    kind = parameter.annotation
    names = 'gm', 'graph_module', 'graph', 'g', 'm', 'mod', 'module', 'model', 'traced'
    if kind is inspect.Parameter.empty:
        return parameter.name in names or _takes_program(parameter)
    if isinstance(kind, str):
        return kind.split('.')[-1] in ('GraphModule', 'Graph', 'Module', 'ExportedProgram')
    return kind in (GraphModule, Graph, torch.nn.Module, torch.export.ExportedProgram)


def _takes_program(parameter):
    kind = parameter.annotation
    if kind is inspect.Parameter.empty:
        return parameter.name in ('ep', 'exported_program')
    return kind is torch.export.ExportedProgram or (isinstance(kind, str) and kind.split('.')[-1] == 'ExportedProgram')


def _takes_bare_graph(parameter):
    kind = parameter.annotation
    if kind is inspect.Parameter.empty:
        return parameter.name == 'graph'
    return kind is Graph or (isinstance(kind, str) and kind.split('.')[-1] == 'Graph')


def _own_parameters(target):
    """The parameters that are options: all but the graph, or the module of an interpreter."""
    if isinstance(target, type) and target.__init__ is object.__init__:
        return []
    if not isinstance(target, type):
        if not inspect.isfunction(target):
            return []
        return list(inspect.signature(target).parameters.values())[1:]
    transformer, interpreter, _ = _bases()
    skipped = 2 if issubclass(target, interpreter) else 1
    return list(inspect.signature(target.__init__).parameters.values())[skipped:]


def _descriptions(target):
    """What the docstring says of each option: after `NAME:` at the start of a line or sentence, or `:param NAME:`."""
    names = '|'.join(parameter.name for parameter in _own_parameters(target))
    texts = [target.__doc__] + ([target.__init__.__doc__] if isinstance(target, type) else [])
    out = {}
    for text in texts if names else []:
        # A blank line ends a description, and so does the next heading.
        for part in re.split(r'\n[ \t]*\n|\n[ \t]*[A-Z]\w*:[ \t]*\n', text or ''):
            words = re.split(r'(?:\n[ \t]*|[.;][ \t]+)(?::param[ \t]+(?:\S+[ \t]+)?)?(' + names + r')(?:[ \t]*\([^)]*\))?[ \t]*:', '\n' + part)
            for name, said in zip(words[1::2], words[2::2]):
                out.setdefault(name, ' '.join(re.split(r'\n[ \t]*:', said)[0].split()).rstrip('.'))
    return out


def options_of(target):
    """(name, type, default as text or None, whether it must be given, description) of each."""
    described = _descriptions(target)
    out = []
    for parameter in _own_parameters(target):
        if parameter.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
            continue
        is_given = parameter.default is not inspect.Parameter.empty
        word = _WORDS.get(parameter.annotation)
        if word is None and is_given:
            word = _WORDS.get(type(parameter.default))
        text = None
        if is_given and isinstance(parameter.default, (bool, int, float, str)) and parameter.default is not False:
            text = 'true' if parameter.default is True else str(parameter.default)
        out.append((parameter.name, word or 'string', text, not is_given and word != 'bool',
                    described.get(parameter.name, '')))
    return out


def _value(parameter, given):
    kind = parameter.annotation
    is_text = kind is str or (kind is inspect.Parameter.empty and isinstance(parameter.default, str))
    if not isinstance(given, str) or is_text:
        return given
    try:
        return ast.literal_eval(given)
    except (ValueError, SyntaxError):
        return given


def apply(target, gm, given, inputs, exported):
    """Calls it; the GraphModule that it leaves, and what else it returned as text."""
    options = {parameter.name: _value(parameter, given[parameter.name])
               for parameter in _own_parameters(target) if parameter.name in given}
    transformer, interpreter, pass_base = _bases()
    if isinstance(target, type) and issubclass(target, transformer):
        return target(gm, **options).transform(), None
    if isinstance(target, type) and issubclass(target, interpreter):
        positional, keywords = inputs()
        result = target(gm, **options).run(*positional, **keywords)
        # One that needs the inputs to make another module gives that one.
        return (result, None) if isinstance(result, GraphModule) else (gm, _shown(result))
    if isinstance(target, type) and issubclass(target, pass_base):
        return _result(gm, target(**options)(gm))
    if inspect.isfunction(target):
        first = list(inspect.signature(target).parameters.values())[0]
        if _takes_bare_graph(first):
            return _result(gm, target(gm.graph, **options))
        if _takes_program(first):
            from torch.export._record import Record
            program = torch.export.ExportedProgram(gm, Record(*exported()))
            result = target(program, **options)
            if result is None or isinstance(result, torch.export.ExportedProgram):
                return (program if result is None else result)._put_back(), None
            return _result(program._put_back(), result)
    return _result(gm, target(gm, **options))


def _result(gm, result):
    if isinstance(result, GraphModule):
        return result, None
    if isinstance(result, Graph):
        return GraphModule(gm, result, type(gm).__name__), None
    if hasattr(result, 'graph_module'):
        return result.graph_module, None
    if isinstance(result, tuple) and result and isinstance(result[0], GraphModule):
        return result[0], _shown(result[1:] if len(result) > 2 else result[1] if len(result) == 2 else None)
    return gm, _shown(result)


def _shown(result):
    return None if result is None else repr(result)


def refused_nodes(support, gm):
    """(name, why) of each call that is refused by an OperatorSupport, its class, or a function."""
    if isinstance(support, type):
        support = support()
    ask = getattr(support, 'is_node_supported', support)
    takes_modules = len(inspect.signature(ask).parameters) > 1
    modules = dict(gm.named_modules())
    refused = []
    for node in gm.graph.nodes:
        if node.op.startswith('call_'):
            answer = ask(modules, node) if takes_modules else ask(node)
            if isinstance(answer, str):
                refused.append((node.name, answer))
            elif not answer:
                refused.append((node.name, 'is refused by ' + getattr(support, '__name__', type(support).__name__)))
    return refused


def metric_of(metric, gm):
    number = metric(gm)
    if isinstance(number, str):
        raise TypeError(f'{metric.__name__} gives text, and no number')
    return float(number)


def adopt(module, graph, class_name, training):
    """An opened module becomes a GraphModule; its code is made when it is asked for."""
    module._graph = graph
    graph._owning_module = module
    module._set_up()
    type(module).__name__ = class_name
    module._written = None
    type(module).forward = _LateForward(lambda: module._last_code)
    module.training = training


class _Nodes:
    """The nodes of a graph: by name, by number, and one after the other."""

    def __init__(self, graph):
        self._graph = graph

    def __getitem__(self, key):
        if not isinstance(key, str):
            return list(self._graph.nodes)[key]
        for node in self._graph.nodes:
            if node.name == key:
                return node
        raise KeyError(key)

    def __contains__(self, key):
        return any(node is key or node.name == key for node in self._graph.nodes)

    def __iter__(self):
        return iter(self._graph.nodes)

    def __len__(self):
        return len(self._graph.nodes)

    def __repr__(self):
        return repr(list(self._graph.nodes))


def fill_console(names, gm, selected):
    """What a line of the console finds; `selected`: names with commas between them."""
    import math
    import operator
    chosen = selected.split(',')
    names.update(gm=gm, graph=gm.graph, nodes=_Nodes(gm.graph), selection=[node for node in gm.graph.nodes if node.name in chosen],
                 torch=torch, fx=torch.fx, nn=torch.nn, F=torch.nn.functional, math=math, operator=operator)


def console_result(named, gm):
    """The GraphModule that a line leaves: the name may have been given to another."""
    return named if isinstance(named, GraphModule) else gm
