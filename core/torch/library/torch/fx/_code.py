# SPDX-License-Identifier: GPL-3.0-or-later
# The code of a graph as its CodeGen wants it. What a plain one gives is core/codegen's; where a program has its own
# function definition, return statement or transformer of lines, its parts are put in place of ours.
import inspect
import re

import torch

from . import _graphs
from ._codegen import CodeGen, PythonCode, _PyTreeCodeGen

_COUNTER = re.compile(r'# COUNTER: (\d+)')
_OWN = CodeGen, _PyTreeCodeGen


def _is_own(codegen, name):
    return all(getattr(type(codegen), name) is not getattr(known, name) for known in _OWN)


def _head(src):
    """Lines before the definition, and the definition."""
    lines = src.split('\n')
    at = next(i for i, line in enumerate(lines) if line.startswith('def '))
    return lines[:at], lines[at]


def _globals():
    from .graph import _custom_builtins
    return {name: known.obj for name, known in sorted(_custom_builtins.items())}


def python_code(graph, verbose=False, include_stride=False, include_device=False, expanded_def=False, additional_meta=None,
                as_opened=False):
    graph._tell_signature()
    src, names, told_lines = _graphs.opened_code(graph) if as_opened else _graphs.code(graph)
    codegen = graph._codegen
    names = {**_globals(), **dict(codegen.additional_globals()), **names}
    if (verbose or expanded_def or codegen._body_transformer or _is_own(codegen, 'gen_fn_def')
            or _is_own(codegen, 'generate_output')):
        told = _Told(include_stride, include_device, additional_meta) if verbose else None
        src, line_map, start = _rewritten(graph, codegen, src, told, expanded_def)
        return PythonCode(src, names, line_map, start)
    before = src[:src.index('\ndef ') + 1].count('\n')
    return PythonCode(src, names, lambda: _line_map(_graphs.line_numbers(told_lines), before), before + 1)


def _line_map(numbers, before):
    begin = next((at for at, number in enumerate(numbers) if number is not None), len(numbers) - 1)
    if not any(number is not None for number in numbers):
        begin = before + 1
    last = None
    out = {}
    for at in range(begin, len(numbers)):
        last = numbers[at] if numbers[at] is not None else last
        out[at - before] = last
    return out


class _Told:
    """What readable code says beside the statements."""

    def __init__(self, include_stride, include_device, additional_meta):
        self.include_stride = include_stride
        self.include_device = include_device
        self.additional_meta = additional_meta or ()

    def summary(self, node):
        """What a user asked of the metadata, and where the call comes from: the innermost frame of its stack trace."""
        text = 'No stacktrace found for following nodes'
        lines = (node.stack_trace or '').strip().split('\n')
        for at in range(len(lines) - 2, -1, -1):
            found = re.match(r'^File "(.+)", line (\d+), in (.+)$', lines[at].strip())
            if found:
                text = f'File: {found[1]}:{found[2]} in {found[3]}, code: {lines[at + 1].strip()}'
                break
        asked = [f'{key}: {node.meta[key]}' for key in self.additional_meta if key in node.meta]
        notes = {key: str(value)[:40] + '...' if len(str(value)) > 40 else value
                 for key, value in (node.meta.get('custom') or {}).items()}
        return (f"# {', '.join(asked)} " if asked else '') + '#' + (f' Annotation: {notes}' if notes else '') + f' {text}'

    def annotation(self, node):
        """': "f32[2, 3]"' where the tensor is known."""
        from torch.fx.passes.shape_prop import TensorMetadata
        from torch.utils._dtype_abbrs import dtype_abbrs
        value = node.meta.get('val', node.meta.get('tensor_meta', node.meta.get('example_value')))

        def sizes(shape):
            return f"[{', '.join([str(size) for size in shape])}]"

        if isinstance(value, TensorMetadata):
            return f': "{dtype_abbrs[value.dtype]}{sizes(value.shape)}"'
        if isinstance(value, torch.Tensor):
            return (f': "{dtype_abbrs[value.dtype]}{sizes(value.shape)}{sizes(value.stride()) if self.include_stride else ""}'
                    f'{value.device if self.include_device else ""}"')
        if isinstance(value, torch.SymInt):
            return f': "Sym({value})"'
        return ''


def _body(graph, told):
    """The body as torch.fx hands it to a transformer: for each node its number, its statement, and what ends the line."""
    lines = {}
    for node, line in _graphs.lines(graph):
        if node is not None:
            lines.setdefault(node, []).append(line[4:])
    out = []
    summary = None
    for number, node in enumerate(graph.nodes):
        is_told = told is not None and node.op not in ('placeholder', 'output')
        if is_told and told.summary(node) != summary:
            summary = told.summary(node)
            out.append(f'\n{summary}\n')
        out.append(f'# COUNTER: {number}\n')
        for line in lines.get(node, ()):
            statement, semicolon, rest = line.partition(';  ')
            if is_told:
                left, sign, right = statement.partition(' = ')
                annotation = told.annotation(node)
                if annotation:
                    statement = left.partition(' : ')[0] + annotation + sign + right
            out += [statement, semicolon + rest + '\n']
    return out if any(not item.startswith('# COUNTER') for item in out) else out + ['pass\n']


def _parameters(graph, told, expanded_def):
    out = []
    for node, text in zip(graph.find_nodes(op='placeholder'), _graphs.parameters(graph)):
        annotation = told.annotation(node) if told is not None else ''
        if annotation:
            default = text.partition(' = ')[2]
            text = node.target + annotation + (f' = {default}' if default else '')
        description = node.meta.get('desc') if expanded_def else None
        out.append(text if description is None else f'{text}  # {description}')
    return out


def _asked(method, *args, **kwargs):
    """Called with those of the keywords that it knows."""
    known = inspect.signature(method).parameters
    return method(*args, **{name: value for name, value in kwargs.items() if name in known})


def _rewritten(graph, codegen, src, told, expanded_def):
    """The text, its names, of each line the number of its node, and where the definition begins."""
    before, definition = _head(src)
    head = definition[:definition.rindex(':')]
    annotation = head[head.rindex(')') + 1:]
    body = _body(graph, told)
    output = graph._root.prev
    described = output.meta.get('desc') if expanded_def else None
    if output.op == 'output' and (described is not None or _is_own(codegen, 'generate_output')):
        text = _asked(codegen.generate_output, output.args[0], descs=described, repr_fn=repr)
        body = [text if item.startswith('return ') else item for item in body]
    if codegen._body_transformer:
        body = codegen._body_transformer(body)
    definition = _asked(codegen.gen_fn_def, _parameters(graph, told, expanded_def), annotation, expanded_def=expanded_def)
    lines, line_map, number = [], {}, None
    begin = definition.count('\n') + 1
    for line in ''.join(body).split('\n'):
        counter = _COUNTER.search(line)
        if counter is not None:
            number = int(counter[1])
        else:
            line_map[begin + len(lines)] = number
            lines.append(line)
    text = '\n'.join(lines).lstrip('\n')
    src = '\n'.join(before) + '\n' + definition + '\n' + '\n'.join(['    ' + line for line in text.split('\n')])
    return src, line_map, len(before) + 1
