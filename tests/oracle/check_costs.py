# SPDX-License-Identifier: GPL-3.0-or-later
# What `fxscope analyze` counts, held against PyTorch: check_costs.py FORKED_CLI [NAME]. FLOPs of models and of their modules are
# those of torch.utils.flop_counter; the memory of values at each node is what torch.fx's Interpreter holds there in a real run.
import csv
import io
import json
import logging
import pathlib
import sys
import tempfile
import warnings

warnings.filterwarnings('ignore')
import torch
from torch.utils import _pytree
from torch.utils.flop_counter import FlopCounterMode

logging.disable(logging.WARNING)
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / 'costs'), str(HERE.parent / 'support')]
import models
from commands import Commands

fxscope = Commands(sys.argv[1])
ONLY = sys.argv[2] if len(sys.argv) > 2 else ''
failures = []


class Live(torch.fx.Interpreter):
    """The bytes of what is there after each node, without the model's tensors and inputs."""

    def __init__(self, module, inputs):
        super().__init__(module)
        kept = [*inputs, *module.parameters(), *module.buffers()]
        self.kept, self.bytes = {t.untyped_storage()._cdata for t in kept}, {}
        self.held = kept

    def run_node(self, node):
        result = super().run_node(node)
        storages = {}
        for value in _pytree.tree_leaves([list(self.env.values()), result]):
            if isinstance(value, torch.Tensor):
                storages[value.untyped_storage()._cdata] = value.untyped_storage().nbytes()
        if node.op == 'get_attr':
            self.kept |= set(storages) if len(storages) == 1 else set()
        self.bytes[node.name] = sum(size for key, size in storages.items() if key not in self.kept)
        return result


def analyze(*arguments):
    done = fxscope('analyze', *arguments)
    if done.code:
        raise RuntimeError(done.err)
    return done.out


def flops_of(model, inputs):
    """On the device meta, where attention is counted, too. By module."""
    model = model.to('meta')
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        model(*[t.to('meta') for t in inputs])
    return {name.partition('.')[2]: sum(counts.values()) for name, counts in counter.get_flop_counts().items()
            if name != 'Global'}, counter.get_total_flops()


def check(name, level, what, module, inputs, real):
    got = json.loads(analyze(*what, '--json'))
    scopes = json.loads(analyze(*what, '--json', '--by', 'scope'))['scopes']
    modules, total = real
    if got['flops'] != total or sum(row['flops'] for row in got['nodes']) != total:
        failures.append(f'{name} ({level}): {got["flops"]} FLOPs, not {total}')
    calls = {}  # of a module, each a scope of its own
    for row in scopes[1:]:
        calls[row['name'].partition('@')[0]] = calls.get(row['name'].partition('@')[0], 0) + row['flops']
    for path, flops in calls.items():
        if flops != modules.get(path, 0):
            failures.append(f'{name} ({level}): {path} {flops} FLOPs, not {modules.get(path)}')
    count = sum(parameter.numel() for parameter in module.parameters())
    if got['parameters'] != count or (scopes[0]['parameters'] != count and name != 'nothing'):
        failures.append(f'{name} ({level}): {got["parameters"]} and {scopes[0]["parameters"]} parameters, not {count}')
    live = Live(module, inputs)
    with torch.no_grad():
        live.run(*inputs)
    for row in got['nodes']:
        if row['live_bytes'] != live.bytes[row['name']]:
            failures.append(f'{name} ({level}): at {row["name"]} {row["live_bytes"]} bytes live, not {live.bytes[row["name"]]}')
    if got['peak_bytes'] != max(live.bytes.values()):
        failures.append(f'{name} ({level}): {got["peak_bytes"]} bytes at most, not {max(live.bytes.values())}')
    rows = list(csv.DictReader(io.StringIO(analyze(*what, '--csv'))))
    if [(row['name'], row['flops']) for row in rows] != [(row['name'], str(row['flops'])) for row in got['nodes']]:
        failures.append(f'{name} ({level}): the CSV differs')
    return total


checked = 0
for name, (make, shapes) in models.CASES.items():
    if ONLY not in name:
        continue
    torch.manual_seed(0)
    model, inputs = make().eval(), models.example(shapes)
    source = models.SOURCE.get(name, f'{getattr(make, "__name__", "")}()')
    with tempfile.TemporaryDirectory() as folder:
        torch.save(inputs, f'{folder}/in.pt')
        try:
            real = flops_of(make().eval(), inputs)
            traced = torch.fx.symbolic_trace(model)
            check(name, 'module level', (f'{HERE}/costs/models.py:{source}', '--eval', '--inputs', f'{folder}/in.pt'), traced,
                  inputs, real)
            exported = torch.export.export(model, inputs)
            torch.export.save(exported, f'{folder}/m.pt2')
            check(name, 'aten', (f'{folder}/m.pt2',), exported.module(), inputs, real)
            checked += 1
        except Exception as error:
            failures.append(f'{name}: {type(error).__name__}: {error}')
print('\n'.join(failures))
print(f'{checked} models, {len(failures)} differences')
sys.exit(bool(failures) or not checked)
