# SPDX-License-Identifier: GPL-3.0-or-later
# The code of a graph as its CodeGen wants it. What a plain one gives is core/codegen's; where a program has its own
# function definition, return statement or transformer of lines, its parts are put in place of ours.
import re

import torch

from . import _graphs
from .graph import CodeGen, PythonCode


def _is_own(codegen, name):
    return getattr(type(codegen), name) is not getattr(CodeGen, name)


def _head(src):
    """Lines before the definition, and the definition."""
    lines = src.split('\n')
    at = next(i for i, line in enumerate(lines) if line.startswith('def '))
    return lines[:at], lines[at]


def _free_vars(definition):
    inner = definition[definition.index('(') + 1:definition.rindex(')')]
    out, depth, word = [], 0, ''
    for letter in inner:
        depth += (letter in '([{') - (letter in ')]}')
        if letter == ',' and depth == 0:
            out.append(word.strip())
            word = ''
        else:
            word += letter
    return out + [word.strip()] if word.strip() else out


def _globals():
    import math

    from torch.fx import _pytree as fx_pytree
    from torch.utils import _pytree as pytree
    return {'NoneType': type(None), 'device': torch.device, 'fx_pytree': fx_pytree, 'inf': math.inf, 'nan': math.nan,
            'pytree': pytree, 'torch': torch}


def python_code(graph, verbose=False, include_stride=False, include_device=False):
    src, names = _graphs.code(graph)
    codegen = graph._codegen
    if verbose or _is_own(codegen, 'gen_fn_def') or _is_own(codegen, 'generate_output') or codegen._body_transformer:
        src = _rewritten(graph, codegen, src, verbose, include_stride, include_device)
    return PythonCode(src, {**_globals(), **dict(codegen.additional_globals()), **names})


def _summary(node):
    """Where the call comes from: the innermost frame of its stack trace."""
    text = 'No stacktrace found for following nodes'
    lines = (node.stack_trace or '').strip().split('\n')
    for at in range(len(lines) - 2, -1, -1):
        found = re.match(r'^File "(.+)", line (\d+), in (.+)$', lines[at].strip())
        if found:
            text = f'File: {found[1]}:{found[2]} in {found[3]}, code: {lines[at + 1].strip()}'
            break
    notes = {key: str(value)[:40] + '...' if len(str(value)) > 40 else value
             for key, value in (node.meta.get('custom') or {}).items()}
    return '#' + (f' Annotation: {notes}' if notes else '') + f' {text}'


def _annotation(node, include_stride, include_device):
    """': "f32[2, 3]"' where the tensor is known."""
    from torch.fx.passes.shape_prop import TensorMetadata
    from torch.utils._dtype_abbrs import dtype_abbrs
    value = node.meta.get('val', node.meta.get('tensor_meta', node.meta.get('example_value')))

    def sizes(shape):
        return f"[{', '.join([str(size) for size in shape])}]"

    if isinstance(value, TensorMetadata):
        return f': "{dtype_abbrs[value.dtype]}{sizes(value.shape)}"'
    if isinstance(value, torch.Tensor):
        return (f': "{dtype_abbrs[value.dtype]}{sizes(value.shape)}{sizes(value.stride()) if include_stride else ""}'
                f'{value.device if include_device else ""}"')
    return ''


def _body(graph, verbose, include_stride, include_device):
    """The body as torch.fx hands it to a transformer: for each node its number, its statement, and what ends the line."""
    lines = {}
    for node, line in _graphs.lines(graph):
        if node is not None and (node.op != 'placeholder' or not line.startswith('def ')):
            lines.setdefault(node, []).append(line[4:])
    out = []
    summary = None
    for number, node in enumerate(graph.nodes):
        is_told = verbose and node.op not in ('placeholder', 'output')
        if is_told and _summary(node) != summary:
            summary = _summary(node)
            out.append(f'\n{summary}\n')
        out.append(f'# COUNTER: {number}\n')
        for line in lines.get(node, ()):
            statement, semicolon, rest = line.partition(';  ')
            if is_told:
                left, sign, right = statement.partition(' = ')
                annotation = _annotation(node, include_stride, include_device)
                if annotation:
                    statement = left.partition(' : ')[0] + annotation + sign + right
            out += [statement, semicolon + rest + '\n']
    return out if any(not item.startswith('# COUNTER') for item in out) else out + ['pass\n']


def _annotated_definition(graph, definition, include_stride, include_device):
    annotations = {node.target: _annotation(node, include_stride, include_device)
                   for node in graph.nodes if node.op == 'placeholder'}
    out = []
    for name in _free_vars(definition):
        bare = name.split(':')[0].split('=')[0].strip()
        annotation = annotations.get(bare, '')
        default = name.partition('=')[2].strip()
        out.append(bare + annotation + (f' = {default}' if default else '') if annotation else name)
    head = definition[:definition.index('(') + 1]
    return head + ', '.join(out) + definition[definition.rindex(')'):]


def _rewritten(graph, codegen, src, verbose, include_stride, include_device):
    before, definition = _head(src)
    if verbose:
        definition = _annotated_definition(graph, definition, include_stride, include_device)
    if _is_own(codegen, 'gen_fn_def'):
        head = definition[:definition.rindex(':')]
        annotation = head[head.rindex(')') + 1:]
        definition = codegen.gen_fn_def([name for name in _free_vars(definition) if name != 'self'], annotation)
    body = _body(graph, verbose, include_stride, include_device)
    if _is_own(codegen, 'generate_output'):
        output = codegen.generate_output(graph.output_node().args[0])
        body = [output if item.startswith('return ') else item for item in body]
    if codegen._body_transformer:
        body = codegen._body_transformer(body)
    lines = [line for line in ''.join(body).split('\n') if not re.search(r'# COUNTER: (\d+)', line)]
    text = '\n'.join(lines).lstrip('\n')
    return '\n'.join(before) + '\n' + definition + '\n' + '\n'.join('    ' + line for line in text.split('\n'))
