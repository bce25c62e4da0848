# SPDX-License-Identifier: GPL-3.0-or-later
# `fxscope compare` held against PyTorch: check_compare.py FORKED_CLI. torch.fx's Interpreter runs both models, and torch works out
# in double what each pair of values is apart; what fxscope tells of each node must be that.
import html.parser
import json
import logging
import math
import pathlib
import re
import sys
import tempfile
import warnings

warnings.filterwarnings('ignore')
import torch
from torch.utils import _pytree

logging.disable(logging.WARNING)
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / 'compare'), str(HERE.parent / 'support')]
import models
from commands import Commands

fxscope = Commands(sys.argv[1])
failures = []
SOURCE = HERE / 'compare' / 'models.py'


class Values(torch.fx.Interpreter):
    """The value of each node, as it was when the node had run."""

    def __init__(self, module):
        super().__init__(module)
        self.values = {}

    def run_node(self, node):
        result = super().run_node(node)
        if node.op not in ('placeholder', 'get_attr', 'output'):
            self.values[node.name] = _pytree.tree_map(lambda v: v.clone() if isinstance(v, torch.Tensor) else v, result)
        return result


def figures(a, b):
    """What core/compare/figures.h says, by torch. None for what has none."""
    if a.shape != b.shape:
        return None
    wide = torch.complex128 if a.is_complex() or b.is_complex() else torch.float64
    argmax = None
    if not a.is_complex() and a.dim() and a.shape[-1] > 1 and a.numel():
        argmax = (a.double().argmax(-1) == b.double().argmax(-1)).double().mean().item()
    a, b = a.to(wide).flatten(), b.to(wide).flatten()
    same = (a == b) | (a.isnan() & b.isnan())
    finite = torch.isfinite(a) & torch.isfinite(b)
    non_finite = int((~finite & ~same).sum())
    x, y = a[finite], b[finite]
    error = (x - y).abs()
    out = {'count': a.numel(), 'unequal': int((~same).sum()), 'nonFinite': non_finite, 'sameArgmax': argmax,
           'maxAbs': 0.0, 'meanAbs': 0.0, 'maxRelative': 0.0, 'quantile99': 0.0, 'neededTolerance': 0.0}
    if error.numel():
        relative = error / x.abs()
        out |= {'maxAbs': error.max().item(), 'meanAbs': error.mean().item(),
                'maxRelative': relative[error > 0].max().item() if (error > 0).any() else 0.0,
                'quantile99': torch.quantile(error, 0.99).item(), 'neededTolerance': (error / (1 + x.abs())).max().item()}
    if non_finite:
        out['neededTolerance'] = math.inf
    signal, noise = x.abs().square().sum().item(), error.square().sum().item()
    out['sqnr'] = math.inf if noise == 0 else 10 * math.log10(signal / noise) if signal else -math.inf
    if x.numel() and signal and y.abs().sum():
        out['cosine'] = ((x.conj() * y).real.sum() / (x.abs().square().sum().sqrt() * y.abs().square().sum().sqrt())).item()
    else:
        out['cosine'] = 1.0 if signal == y.abs().square().sum() else 0.0
    return out


EXACT = {'count', 'unequal', 'nonFinite', 'sameArgmax', 'maxAbs', 'quantile99', 'neededTolerance', 'maxRelative'}


def number(value):
    return {'Infinity': math.inf, '-Infinity': -math.inf, 'NaN': math.nan}.get(value, value)


def differing(got, want):
    """The figures that are not the same; sums may be added up in another order, and quotients are of sums."""
    for key, value in want.items():
        mine = number(got[key])
        is_same = mine == value or (None not in (mine, value) and abs(mine - value) <= (1e-15 if key in EXACT else 1e-11) * max(1, abs(value)))
        # torch divides complex absolute values by way of hypot, which may round another way.
        if not is_same and not (key in ('maxAbs', 'maxRelative', 'quantile99', 'neededTolerance') and math.isclose(mine, value, rel_tol=1e-14)):
            yield f'{key} {mine}, not {value}'


def worst_of(a, b):
    """Of all leaves, as fxscope tells the worst."""
    pairs = [(torch.as_tensor(x), torch.as_tensor(y)) for x, y in zip(_pytree.tree_leaves(a), _pytree.tree_leaves(b))]
    found = [figures(x, y) for x, y in pairs]
    found = [f for f in found if f]
    return max(found, key=lambda f: (f['neededTolerance'], f['nonFinite'], f['unequal'])) if found else None


def compare(name, *arguments, code=None):
    done = fxscope('compare', *arguments, '--json')
    if not done.out or (code is not None and done.code != code):
        failures.append(f'{name}: exit status {done.code}, not {code}: {done.err}')
    return json.loads(done.out) if done.out else None


def check_pair(name, got, a, b):
    if (want := worst_of(a, b)) is None:
        return
    if got['figures'] is None:
        failures.append(f'{name}: no figures: {got}')
        return
    failures.extend(f'{name}: {text}' for text in differing(got['figures'], want))


def run(model, x, seed=0):
    values = Values(torch.fx.symbolic_trace(model))
    torch.manual_seed(seed)
    with torch.no_grad():
        result = values.run(x.clone())
    return values.values, result


def check_models(folder):
    for kind in models.PAIRS:
        name = kind.__name__
        torch.manual_seed(3)
        x = torch.randn(40, 8)
        inputs = folder / f'{name}.pt'
        torch.save([x], inputs)
        pair = [f'{SOURCE}:{name}()', f'{SOURCE}:{name}(True)', '--inputs', inputs, '--seed', '0']
        first, second = run(kind(False), x), run(kind(True), x)
        code = 0 if kind in models.SAME else 1
        got = compare(name, *pair, '--any-dtype', code=code)
        if not got:
            continue
        if len(got['nodes']) < len(set(first[0]) & set(second[0])):
            failures.append(f'{name}: {len(got["nodes"])} pairs of nodes')
        for row in got['nodes']:
            check_pair(f'{name}: {row["a"]} and {row["b"]}', row, first[0][row['a']], second[0][row['b']])
        for row, a, b in zip(got['results'], _pytree.tree_leaves(first[1]), _pytree.tree_leaves(second[1])):
            check_pair(f'{name}: {row["name"]}', row, a, b)
        same = compare(name, pair[0], pair[0], *pair[2:], code=0)
        if same and (same['verdict'] != 'equal' or same['onlyA'] or same['onlyB'] or not all(row['equal'] for row in same['nodes'])):
            failures.append(f'{name}: is not equal to itself')
        saved = folder / f'{name}.reference.pt'
        fxscope('run', *pair[:1], *pair[2:], '--save-reference', saved)
        check_saved(name, saved, first, x)
        compare(name + ' and its file', pair[0], '--reference', saved, '--seed', '0', code=0)
        compare(name + ' and the file of the other', pair[1], '--reference', saved, '--any-dtype', '--seed', '0', code=code)
        plain = {key: tuple(value) if isinstance(value, tuple) else value for key, value in first[0].items()}
        torch.save(plain, saved)
        compare(name + " and Python's file", pair[0], '--reference', saved, *pair[2:], code=0)


def check_saved(name, path, real, x):
    read = torch.load(path, weights_only=True)
    if set(read['nodes']) != set(real[0]) or set(read) != {'inputs', 'nodes', 'results'} or not torch.equal(read['inputs']['x'], x):
        failures.append(f'{name}: the file has {sorted(read["nodes"])}, not {sorted(real[0])}')
        return
    for node, value in read['nodes'].items():
        if worst_of(value, real[0][node]) and worst_of(value, real[0][node])['unequal']:
            failures.append(f'{name}: the file has another value of {node}')


def check_isolated(folder):
    """With the reference's inputs, only what is itself another operation differs."""
    for name, own in ('Gelu', {'gelu'}), ('Mutating', {'exp'}), ('Zeros', {'log'}), ('Split', {'mul', 'tanh'}), ('Named', {'mul', 'sin'}):
        torch.manual_seed(3)
        torch.save([torch.randn(40, 8)], folder / 'x.pt')
        got = compare(name + ' isolated', f'{SOURCE}:{name}()', f'{SOURCE}:{name}(True)', '--inputs', folder / 'x.pt', '--isolated')
        differ = {row['b'] for row in got['nodes'] if not row['equal']}
        if not differ <= own:
            failures.append(f'{name}: isolated, {differ} differ')
        if got['results']:
            failures.append(f'{name}: isolated results')


def check_exported(folder):
    """A program and what run_decompositions makes of it: several nodes for one, by provenance."""
    torch.manual_seed(0)
    net = models.Gelu().eval()
    program = torch.export.export(net, (torch.randn(3, 8),))
    lowered = program.run_decompositions()
    torch.export.save(program, folder / 'a.pt2')
    torch.export.save(lowered, folder / 'b.pt2')
    got = compare('exported', folder / 'a.pt2', folder / 'b.pt2', '--seed', '5')
    pairs = {row['a']: row for row in got['nodes']}
    if not {'linear', 'layer_norm', 'gelu', 'linear_1', 'softmax'} <= set(pairs):
        failures.append(f'exported: pairs {sorted(pairs)}')
    if pairs['linear']['b'] != 'addmm' or pairs['linear']['matched'] != 'by provenance':
        failures.append(f'exported: linear is {pairs["linear"]["b"]}, {pairs["linear"]["matched"]}')
    if got['verdict'] not in ('equal', 'within') or got['firstBeyond']:
        failures.append(f'exported: {got["verdict"]}')


def check_diffs(folder):
    """Exported programs of a model and of one with another weight and another call."""
    torch.manual_seed(0)
    first, second = models.Gelu().eval(), models.Gelu(True).eval()
    with torch.no_grad():
        second.b.bias += torch.arange(4.) / 7
    for name, net in ('a', first), ('b', second):
        torch.export.save(torch.export.export(net, (torch.randn(3, 8),)), folder / f'diff_{name}.pt2')
    done = fxscope('diff', folder / 'diff_a.pt2', folder / 'diff_b.pt2', '--json')
    got = json.loads(done.out)
    if done.code != 1 or got['removed'] or got['added'] or [row['b'] for row in got['changed']] != ['gelu'] or got['sameWeights'] != 5:
        failures.append(f'diff: {done}')
    [weight] = got['weights']
    check_pair('diff: b.bias', weight['difference'], first.b.bias.detach(), second.b.bias.detach())
    if weight['path'] != 'b.bias' or "approximate = 'tanh'" not in got['code']:
        failures.append(f'diff: {weight["path"]}, {got["code"]}')
    done = fxscope('diff', folder / 'diff_a.pt2', folder / 'diff_a.pt2')
    if done.code != 0 or done.out:
        failures.append(f'diff with itself: {done}')


def check_applied(folder):
    """Passes that are proven, and one that is not what it says; recipes."""
    model, passes, x = f'{SOURCE}:Chain()', HERE / 'compare' / 'broken_pass.py', ['--input', 'x=randn(5, 6)', '--seed', '1']
    well = fxscope('apply', model, *x, '--verify', '-o', folder / 'well.fxg', '--save-recipe', folder / 'a.fxrecipe', f'{passes}:harmless')
    if well.code != 0 or 'verdict: equal' not in well.out or not (folder / 'well.fxg').exists():
        failures.append(f'apply --verify: {well}')
    bad = fxscope('apply', model, *x, '--verify', '--bisect', '-o', folder / 'bad.fxg', f'{passes}:swap')
    if bad.code != 1 or 'verdict: different' not in bad.out or (folder / 'bad.fxg').exists() or not bad.out.rstrip().endswith(': sin'):
        failures.append(f'apply --verify --bisect: {bad}')
    loose = fxscope('apply', model, *x, '--verify', '--tolerance', '10', f'{passes}:swap')
    if loose.code != 0 or 'within the tolerance' not in loose.out:
        failures.append(f'apply --tolerance: {loose}')
    again = fxscope('apply', model, '--recipe', folder / 'a.fxrecipe', '-o', folder / 'again.fxg')
    same = fxscope('diff', folder / 'well.fxg', folder / 'again.fxg')
    if again.code != 0 or same.code != 0:
        failures.append(f'apply --recipe: {again}, {same}')
    (folder / 'no.fxrecipe').write_text('{"fxrecipe": 1, "steps": [{"pass": 3}]}')
    wrong = fxscope('apply', model, '--recipe', folder / 'no.fxrecipe')
    if wrong.code == 0 or 'no.fxrecipe' not in wrong.err:
        failures.append(f'a recipe that is none: {wrong}')


def check_reduced(folder):
    torch.save([torch.randn(40, 8)], folder / 'x.pt')
    given = ['--inputs', folder / 'x.pt']
    small, good = folder / 'small.fxg', folder / 'good.fxg'
    done = fxscope('reduce', f'{SOURCE}:Failing()', *given, '--failing', "(out['z'] if isinstance(out, dict) else out).isnan().any()",
                   '-o', small, '-o', folder / 'small.py', '--passing', good)
    if done.code or "to 1, to the value of 'log'" not in done.err or 'torch.log(' not in (folder / 'small.py').read_text():
        failures.append(f'reduce: {done}')
        return
    if 'nan' not in fxscope('run', small).out or 'nan' in fxscope('run', good).out:
        failures.append('reduce: what it has written does not do what it says')
    done = fxscope('reduce', f'{SOURCE}:Failing(True)', *given, '--failing', "'shapes cannot be multiplied' in error", '-o', small)
    if done.code or "to 1, to the value of 'matmul'" not in done.err or 'cannot be multiplied' not in fxscope('run', small).err:
        failures.append(f'reduce of an error: {done}')
    done = fxscope('reduce', f'{SOURCE}:Failing()', *given, '--failing', "out['y'].isnan().any()")
    if done.code != 1 or 'does not hold' not in done.err:
        failures.append(f'reduce of what does not fail: {done}')


class Page(html.parser.HTMLParser):
    """Whether tags are closed, and what the page would fetch."""

    def __init__(self):
        super().__init__()
        self.open, self.faults, self.text = [], [], ''

    def handle_starttag(self, tag, attributes):
        if tag not in ('meta',):
            self.open.append(tag)
        self.faults += [f'fetches {value}' for name, value in attributes if name in ('src', 'href')]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f'</{tag}> closes another tag')

    def handle_data(self, text):
        self.text += text


def check_page(folder):
    torch.save([torch.randn(40, 8)], folder / 'x.pt')
    page = folder / 'page.html'
    done = fxscope('compare', f'{SOURCE}:Gelu()', f'{SOURCE}:Gelu(True)', '--inputs', folder / 'x.pt', '--html', page)
    for words, code in (['--tolerance', '10'], 0), (['--tolerance', '1e-9'], 1):
        loose = fxscope('compare', f'{SOURCE}:Gelu()', f'{SOURCE}:Gelu(True)', '--inputs', folder / 'x.pt', *words)
        if loose.code != code or ('within the tolerance' in loose.out.splitlines()[-1]) != (code == 0):
            failures.append(f'{words}: {loose.code} {loose.out}')
    same = fxscope('compare', f'{SOURCE}:Gelu()', '--other-device', 'cpu', '--inputs', folder / 'x.pt')
    if same.code != 0:
        failures.append(f'another device: {same.code} {same.out} {same.err}')
    parser = Page()
    parser.feed(page.read_text())
    if done.code != 1 or parser.faults or parser.open:
        failures.append(f'page: {done.code}, {parser.faults}, {parser.open}')
    missing = [text for text in ('different', 'gelu', 'softmax', 'output', "approximate = 'tanh'") if text not in parser.text]
    if missing:
        failures.append(f'page: without {missing}')
    # The graph: what differs is marked so, what does not is not, and all boxes are in the picture.
    picture = page.read_text().split('<svg class=graph')[1].split('</svg>')[0]
    boxes = {name: mark for mark, name in re.findall(r'<g class=(\w+)><title>(\w+): ', picture)}
    if boxes.get('gelu') != 'beyond' or boxes.get('a') != 'equal' or picture.count('<path') < 2:
        failures.append(f'page: the graph has {boxes}')
    width, height = (float(re.match(rf'.*?{side}=(\d+)', picture)[1]) for side in ('width', 'height'))
    for x, y, w, h in re.findall(r'<rect x=([-\d.]+) y=([-\d.]+) width=([\d.]+) height=([\d.]+)', picture):
        if float(x) < -1 or float(y) < -1 or float(x) + float(w) > width + 1 or float(y) + float(h) > height + 1:
            failures.append('page: a box is outside of the picture')


with tempfile.TemporaryDirectory() as made:
    folder = pathlib.Path(made)
    for check in check_models, check_isolated, check_exported, check_diffs, check_applied, check_reduced, check_page:
        check(folder)
print('\n'.join(failures) or 'all figures are those of torch')
sys.exit(bool(failures))
