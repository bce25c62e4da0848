# SPDX-License-Identifier: GPL-3.0-or-later
# Graphs as torch prints them are read by the command line: check_printed.py FORKED_CLI. Each graph is printed by print_readable,
# as code and as str(graph); what is read must have torch's str(graph) to the byte, and the values and places that were printed.
import collections
import json
import math
import operator
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import warnings

import torch
import torch.nn.functional as F
from torch import fx, nn
from torch._functorch.aot_autograd import aot_module_simplified
from torch.fx.graph import _parse_stack_trace, dtype_abbrs
from torch.fx.passes.shape_prop import ShapeProp

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
from commands import Commands

warnings.filterwarnings('ignore')
torch.manual_seed(0)
fxscope = Commands(sys.argv[1])
ONLY = sys.argv[2] if len(sys.argv) > 2 else ''
failures, counts = [], collections.Counter()
HERE = pathlib.Path(tempfile.mkdtemp())


def command(*args):
    done = fxscope(*args)
    if done.code:
        raise RuntimeError(' '.join(map(str, args)) + '\n' + done.err)
    return done.out


def equal(name, own, real):
    counts['compared'] += 1
    if own != real:
        pairs = [pair for pair in zip(own.split('\n'), real.split('\n')) if pair[0] != pair[1]] if isinstance(own, str) else [(own, real)]
        failures.append(f'{name}: differs\n    own  {pairs[0][0] if pairs else own[-200:]}\n    real {pairs[0][1] if pairs else real[-200:]}')


def value_of(node):
    value = node.meta.get('val', node.meta.get('tensor_meta', node.meta.get('example_value')))
    return value if isinstance(value, (torch.Tensor, torch.SymInt, torch.SymFloat, torch.SymBool)) or hasattr(value, 'dtype') else None


def code_order(text):
    """Code has placeholders before all else."""
    lines = text.split('\n')
    return '\n'.join(lines[:1] + sorted(lines[1:], key=lambda line: '] = placeholder[' not in line))


def listing(graph):
    """str(graph) as a readable print has it, without the types of values that it describes."""
    types = {node: node.type for node in graph.nodes if value_of(node) is not None}
    for node in types:
        node.type = None
    text = code_order(str(graph))
    for node, kept in types.items():
        node.type = kept
    return text


def sizes(values):
    return [str(value) for value in values]


def described(value, has_stride, has_device):
    """A printed value as read_value() gives it."""
    if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
        return str(value)
    own = [str(value.dtype), sizes(value.shape)]
    if not isinstance(value, torch.Tensor):  # ShapeProp's
        return own + [[], 'cpu']
    return own + [sizes(value.stride()) if has_stride else [], str(value.device) if has_device else 'cpu']


def read_value(value):
    """Of what `fxscope graph --format json` says."""
    if 'symbol' in value:
        return value['symbol'][1]
    if 'constant' in value:
        return str(value['constant'])
    tensor = value['tensor']
    size = lambda one: str(one[0] if isinstance(one, list) else one)
    return [tensor['dtype'], [size(one) for one in tensor['shape']], [size(one) for one in tensor['stride']], tensor['device']]


def check_meta(name, file, graph, has_stride, has_device):
    own = {node['name']: node['meta'] for node in json.loads(command('graph', '--format', 'json', file))['nodes']}
    for node in graph.nodes:
        if node.op == 'output':
            continue
        meta, value = own[node.name], value_of(node)
        counts['values'] += value is not None
        read = read_value(meta['val']['value']) if 'val' in meta else None
        equal(f'{name}: value of {node.name}', read, None if value is None else described(value, has_stride, has_device))
        if node.op == 'placeholder':
            continue
        place = _parse_stack_trace(node.stack_trace) if node.stack_trace else None
        read = _parse_stack_trace(meta['stack_trace']) if 'stack_trace' in meta else None
        counts['places'] += place is not None
        equal(f'{name}: place of {node.name}', read, place)


def check_nested(name, file, module):
    for path, child in module.named_modules():
        if path and isinstance(child, fx.GraphModule) and '.' not in path:
            counts['nested'] += 1
            equal(f'{name}: {path}', command('graph', '--module', path, file), listing(child.graph) + '\n')


def check(name, module):
    if ONLY not in name:
        return
    counts['graphs'] += 1
    prints = {
        'plain': (dict(), False, False),
        'full': (dict(include_stride=True, include_device=True), True, True),
        'expanded': (dict(include_stride=True, include_device=True, expanded_def=True), True, True),
        'coloured': (dict(include_stride=True, include_device=True, colored=True), True, True),
    }
    for kind, (options, has_stride, has_device) in prints.items():
        file = HERE / f'{name}.{kind}.txt'
        file.write_text(module.print_readable(print_output=False, **options))
        try:
            equal(f'{name} {kind}', command('graph', file), listing(module.graph) + '\n')
            check_meta(f'{name} {kind}', file, module.graph, has_stride, has_device)
            check_nested(f'{name} {kind}', file, module)
        except (RuntimeError, KeyError) as error:
            failures.append(f'{name} {kind}: {error!r}')
    # What depyf and vLLM leave in their folders: the print under a head, and comments after it.
    file = HERE / f'{name}.dump.py'
    comments = ''.join(f'# {line}\n' for line in str(module.graph).splitlines())
    file.write_text(f'from __future__ import annotations\nimport torch\n{module.print_readable(print_output=False)}\n\n\n{comments}')
    try:
        equal(f'{name} dump', command('graph', file), listing(module.graph) + '\n')
        check_nested(f'{name} dump', file, module)
    except RuntimeError as error:
        failures.append(f'{name} dump: {error!r}')
    for kind, text in {'code': module.code, 'listing': str(module.graph)}.items():
        file = HERE / f'{name}.{kind}.txt'
        file.write_text(text)
        try:
            text = str(module.graph) if kind == 'listing' else code_order(str(module.graph))
            equal(f'{name} {kind}', command('graph', file), text + '\n')
            command('code', file)
        except RuntimeError as error:
            failures.append(f'{name} {kind}: {error}')


# --- Models


class Block(nn.Module):
    def __init__(self, width, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(width, width, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.down = nn.Sequential(nn.Conv2d(width, width, 1, stride), nn.BatchNorm2d(width)) if stride > 1 else None

    def forward(self, x):
        out = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(out + (x if self.down is None else self.down(x)))


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3)
        self.layers = nn.Sequential(Block(8), Block(8, 2), Block(8))
        self.fc = nn.Linear(8, 5)

    def forward(self, x):
        return self.fc(self.layers(F.max_pool2d(self.stem(x), 2)).mean((2, 3)).flatten(1))


class Odd(nn.Module):
    """Indices, keywords, constants and names of all kinds."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4))
        self.register_buffer('scale', torch.ones(()))
        self.parts = nn.ModuleDict({'0': nn.Linear(4, 4), 'in proj': nn.ReLU()})

    def forward(self, x, y=None, *, flag=True, factor=1e-5, dim=-1):
        a = x[..., 1:3] + x[:, 0, None, ::2][:, :, :2]
        b = torch.full((2,), float('inf')), torch.tensor(float('nan')), -math.inf
        c = self.parts['0'](x) * self.weight[None] * -1
        c = self.parts['in proj'](c).to(device=torch.device('cpu'), dtype=torch.float64, memory_format=torch.contiguous_format)
        d = -c, ~(c > 0), c @ c.transpose(-1, -2), 2 ** c, c // 3, c % 2, c <= 1, (-2) ** c, c ** -1.5
        e = torch.einsum('bij,bkj->bik', x, x), x.shape[0], x.size(1), getattr(x, 'dtype')
        c += 1
        f = {'out': c.sum(dim, keepdim=flag), 'list': [a, (b,)], 3: None, 'text': "it's \"so\""}
        return f, d, e, torch.cat([a, a], dim=1), x.max(dim=1).values, operator.matmul(x, x), slice(1, x.size(0), None), factor, y


class Dynamic(nn.Module):
    def forward(self, x):  # not "input": code calls that node input_1
        return x.flatten().repeat(2) * x.shape[0], torch.full([], 1.0), x.split([1, 3], 1)


class Keywords(nn.Module):
    def forward(self, one, two, *, k, settings):
        out = one['a'] * two[0] + two[1][0] - k
        return {'sum': out, 'rest': [settings['s'], (out, one['b'])]}, out.argmax(), (1, None, 'text')


class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 4), nn.LayerNorm(4)

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda v: self.a(v).sin(), lambda v: self.b(v).cos(), (x,)) + 1


def traced():
    check('residual', fx.symbolic_trace(Residual()))
    shaped = fx.symbolic_trace(Residual())
    ShapeProp(shaped).propagate(torch.randn(2, 3, 20, 20))
    check('shaped', shaped)
    check('odd', fx.symbolic_trace(Odd()))
    check('leaves', fx.symbolic_trace(nn.Sequential(nn.Embedding(10, 8), nn.GRU(8, 8))))
    check('pytree', fx.symbolic_trace(Keywords(), concrete_args={'one': {'a': fx.PH, 'b': fx.PH}, 'two': (fx.PH, [fx.PH])}))

    check('stars', fx.GraphModule({}, starred()))
    graph = fx.Graph()
    x, y = graph.placeholder('x'), graph.placeholder('y', type_expr=torch.Tensor)
    added = graph.create_node('call_function', torch.add, (x, y), {'alpha': 2}, name='select_backward_1_2')
    same = graph.create_node('call_function', operator.iadd, (added, 1))
    graph.call_function(operator.setitem, (same, (0, slice(1, 2, None)), 0.5))
    method = graph.create_node('call_method', 'clamp', (same,), {'min': -1.5, 'max': complex(0, 1)}, type_expr=torch.Tensor)
    functions = [graph.call_function(f, (method, x)) for f in (operator.contains, operator.is_, torch.ops.aten.add.Tensor, torch.ops.aten.mul, math.fmod, torch.special.zeta)]
    consts = graph.call_function(torch.ops.aten.full.default, ([], 1.0), {'dtype': torch.bfloat16, 'layout': torch.strided, 'pin_memory': False})
    graph.output(((method, consts), functions, {'k': [x, slice(None, method, 2)]}))
    check('built', fx.GraphModule({}, graph))


def starred():
    graph = fx.Graph()
    args, kwargs = graph.placeholder('*args'), graph.placeholder('**kwargs')
    item = graph.call_function(operator.getitem, (args, 0))
    root = graph.call_function(math.sqrt, (item,))
    count = graph.call_function(len, (kwargs,))
    graph.output([root, count])
    return graph


def exported():
    cases = {
        'residual': (Residual().eval(), (torch.randn(2, 3, 20, 20),), {}, None),
        'nested': (Nested(), (torch.randn(3, 4),), {}, None),
        'keywords': (Keywords(), ({'a': torch.randn(2), 'b': torch.randn(3)}, (torch.ones(1), [torch.ones(2)])), {'k': torch.ones(()), 'settings': {'s': torch.zeros(1)}}, None),
        'dynamic': (Dynamic(), (torch.randn(3, 4),), {}, ({0: torch.export.Dim('batch')},)),
    }
    for name, (model, args, kwargs, shapes) in cases.items():
        program = torch.export.export(model, args, kwargs, dynamic_shapes={'x': shapes[0]} if shapes else None)
        check(f'export_{name}', program.graph_module)
        check(f'decomposed_{name}', program.run_decompositions().graph_module)
        check(f'unlifted_{name}', program.module())


def compiled():
    met = []

    def backend(module, inputs):
        met.append(module)
        return module

    def trains(module, inputs):
        met.append(module)

        def keep(graph, _):
            met.append(graph)
            return graph.forward

        return aot_module_simplified(module, inputs, fw_compiler=keep, bw_compiler=keep)

    def f(x, settings, n):
        y = torch.cond(x.sum() > 0, lambda v: v.sin(), lambda v: v.cos(), (x,))
        z = (y + settings['k']).view(-1, n) * torch.ones(3, dtype=torch.float64).sum()
        x.add_(1)
        return z, x.shape[0], torch.full([], 0.5)

    torch.compile(f, backend=backend, dynamic=True)(torch.randn(4, 6), {'k': torch.ones(6)}, 3)
    torch.compile(Residual(), backend=trains)(torch.randn(2, 3, 20, 20)).sum().backward()
    torch.compile(Odd().parts['0'], backend=trains)(torch.randn(2, 4)).sum().backward()
    for number, module in enumerate(met):
        if isinstance(module, fx.GraphModule):
            check(f'compile_{number}', module)


# --- Logs

LOGGED = '''
import torch
@torch.compile(backend='aot_eager')
def f(x, w):
    y = torch.nn.functional.linear(x, w).relu()
    torch._dynamo.graph_break()
    return (y + torch.full([], 1.0)).sum()
f(torch.randn(2, 4), torch.randn(4, 4, requires_grad=True)).backward()
'''


def logs():
    if ONLY not in 'logs':
        return
    traces = HERE / 'trace'
    done = subprocess.run([sys.executable, '-c', LOGGED], env={**os.environ, 'TORCH_LOGS': 'graph_code,aot_graphs,aot_joint_graph', 'TORCH_TRACE': str(traces)},
                          capture_output=True, text=True, check=True)
    (HERE / 'logs.log').write_text(done.stderr)
    trace = next(traces.glob('*.log'))
    for file, least, named in ((HERE / 'logs.log', 6, 'Backward graph 0'), (trace, 6, 'aot_joint_graph')):
        note = fxscope('graph', file).err
        count = int(re.search(r'holds (\d+) graphs', note).group(1)) if 'holds' in note else 0
        if count < least or named not in note:
            failures.append(f'{file.name}: {count} graphs are told: {note}')
        for number in [*range(1, count + 1), named]:
            counts['logged'] += 1
            text = command('graph', f'{file}:{number}')
            lines = text.split('\n')
            if 'return' not in text or not all(re.match(r'graph\(\):|    (%\w+ : |return )|$', line) for line in lines):
                failures.append(f'{file.name}:{number}: {text}')
        refused = fxscope('graph', f'{file}:{count + 1}')
        if refused.code != 1 or 'holds no graph' not in refused.err:
            failures.append(f'{file.name}: a graph that is not there: {refused.err}')


# --- What cannot be read, and what cannot be done


def refusals():
    if ONLY not in 'refusals':
        return
    head = 'class GraphModule(torch.nn.Module):\n    def forward(self, x):\n'
    cases = {
        head + '        y = torch.relu(torch.abs(x))\n        return y\n': ':3:',
        head + '        y = relu(z)\n        return y\n': ':3:',
        head + '        for y in x:\n            pass\n        return x\n': ':3:',
        head + '        y = x +\n        return y\n': ':3:',
        head + '        a, b = x.split(1)\n        return a\n': ':3:',
        'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %y : [num_users=1] = nothing[target=y](args = (%x,), kwargs = {})\n': ':3:',
        'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %y : [num_users=1] = call_function[target=torch.relu](args = (%z,), kwargs = {})\n': ':3:',
        'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %y : [num_users=1] = call_function[target=torch.relu](args = ((((%x\n': ':3:',
        'graph():\n    %x : [num_users=1] = call_function[target=f](args = ' + '(' * 100000 + '\n': ':2:',
    }
    for number, (text, place) in enumerate(cases.items()):
        file = HERE / f'bad{number}.txt'
        file.write_text(text)
        done = fxscope('graph', file)
        counts['refused'] += 1
        if done.code != 1 or str(file) + place not in done.err or not done.err.startswith('error: ') or 'printed' not in done.err and 'listing' not in done.err and 'Syntax' not in done.err:
            failures.append(f'{text[:200]}: {done.code} {done.err[:300]}')
    # A source that somebody wrote is traced as before, and a printed one is read.
    file = HERE / 'net.py'
    file.write_text('import torch\n' + head + '        # File: ours, code: x\n        return torch.relu(x)\n    def __init__(self):\n        super().__init__()\n')
    equal('written source', 'Python source' in command('info', file), True)
    file.write_text(head + '        # File: /a.py:1 in f, code: x\n        y = torch.relu(x);  x = None\n        return y\n')
    equal('printed source', 'printed graph' in command('info', file), True)
    weight = HERE / 'weight.txt'
    weight.write_text(head + '        w: "f32[2, 3]" = self.layer.w\n        y = x * w\n        return y\n')
    done = fxscope('run', weight, '--input', 'x=ones(3)')
    equal('a run without weights', (done.code, 'holds no weights' in done.err), (1, True))
    equal('code', 'w = self.layer.w' in command('code', weight), True)
    command('apply', weight, 'dead-code', '-o', HERE / 'out.py')
    saved = fxscope('apply', weight, 'dead-code', '-o', HERE / 'out.fxg')
    equal('saving without weights', (saved.code, 'holds no weights' in saved.err), (1, True))


traced()
exported()
compiled()
logs()
refusals()
print(', '.join(f'{count} {name}' for name, count in counts.items()))
if failures:
    sys.exit('\n'.join(failures[:40]) + f'\n{len(failures)} failures')
