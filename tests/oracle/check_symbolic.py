# SPDX-License-Identifier: GPL-3.0-or-later
# `fxscope shapes --symbolic` held against torch.export's dynamic shapes: check_symbolic.py FORKED_CLI [NAME]. For numbers that
# torch.export allows, the formulas of both give the same sizes at every node, and what is asked of the symbols holds.
import itertools
import logging
import pathlib
import random
import re
import sys
import tempfile
import warnings

warnings.filterwarnings('ignore')
import sympy
import torch

logging.disable(logging.CRITICAL)
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / 'costs'), str(HERE.parent / 'support')]
import models
from commands import Commands

fxscope = Commands(sys.argv[1])
ONLY = sys.argv[2] if len(sys.argv) > 2 else ''
failures, sizes_compared, points_compared, refused_points = [], 0, 0, 0


def parts(text):
    """Of "a, b" at the outermost brackets."""
    out, depth = [''], 0
    for letter in text:
        depth += (letter in '[(') - (letter in ')]')
        if letter == ',' and depth == 0:
            out.append('')
        else:
            out[-1] += letter
    return [part.strip() for part in out if part.strip()]


def shapes(text):
    """All shapes of a value as it is printed: "(f32[N, 2], i64[3])"."""
    out, rest = [], text
    while found := re.search(r'\b[a-z]+\d+(?:_?\w+)?\[', rest):
        depth, end = 1, found.end()
        while depth:
            depth += (rest[end] in '[(') - (rest[end] in ')]')
            end += 1
        out.append(parts(rest[found.end():end - 1]))
        rest = rest[end:]
    return out


def own(path, specs):
    done = fxscope('shapes', path, *itertools.chain(*(('--symbolic', f'{name}={spec}') for name, spec in specs.items())))
    if done.code:
        raise RuntimeError(done.err)
    table, _, notes = done.out.partition('\n\nsymbols')
    nodes = {}
    for line in table.splitlines()[1:]:
        name, _, value = line.partition(' ')
        nodes[name] = shapes(value)
    constraints = [line.partition(', for node')[0] for line in notes.splitlines()[1:] if ', for node' in line]
    return nodes, constraints, 'depends on data' in notes


def number(size, point):
    if isinstance(size, int):
        return size
    value = size.node.expr.subs(point)
    return int(value)


def runs(make, inputs, point):
    with torch.no_grad():
        try:
            make().eval().to('meta')(*[torch.empty([point.get(size, size) for size in sizes], dtype=dtype, device='meta')
                                       for sizes, dtype in map(models.sizes, inputs.values())])
            return True
        except RuntimeError:
            return False


def check(name, make, inputs):
    global sizes_compared, points_compared, refused_points
    torch.manual_seed(0)
    exported = torch.export.export(make().eval(), models.example(inputs), dynamic_shapes=[
        {i: torch.export.Dim.AUTO for i, size in enumerate(models.sizes(text)[0]) if isinstance(size, str)}
        for text in inputs.values()])
    real = {}
    for node in exported.graph.nodes:
        values = node.meta.get('val')
        values = values if isinstance(values, (tuple, list)) else [values]
        real[node.name] = [list(value.shape) for value in values if isinstance(value, torch.Tensor)]
    specs = {}
    for arg, text in inputs.items():
        sizes, dtype = models.sizes(text)
        specs[arg] = f'[{",".join(map(str, sizes))}]:{str(dtype)[6:]}'
    with tempfile.TemporaryDirectory() as folder:
        torch.export.save(exported, f'{folder}/m.pt2')
        nodes, constraints, is_fresh = own(f'{folder}/m.pt2', specs)
    if is_fresh:
        failures.append(f'{name}: a size is said to depend on data')
    symbols = sorted({s for shape in itertools.chain(*real.values()) for size in shape if not isinstance(size, int)
                      for s in size.node.expr.free_symbols}, key=str)
    # The names of our symbols are sizes of the inputs there.
    names, same = {}, {}
    for arg, text in inputs.items():
        for i, letter in enumerate(models.sizes(text)[0]):
            if isinstance(letter, str):
                size = real[arg][0][i]
                if letter in names and not isinstance(size, int) and size.node.expr.is_Symbol:
                    same[size.node.expr] = names[letter]  # which we ask to be the same
                names.setdefault(letter, size)
    draw, tried = random.Random(name), 0
    while tried < 25:
        point = {}
        for symbol in symbols:
            limits = exported.range_constraints.get(symbol)
            low = max(2, int(limits.lower)) if limits else 2
            high = int(limits.upper) if limits and limits.upper < 10**6 else low + 90
            point[symbol] = draw.randint(low, high)
        point.update({symbol: number(size, point) for symbol, size in same.items()})
        own_point = {letter: number(size, point) for letter, size in names.items()}
        tried += 1
        if not all(eval(text, {}, own_point) for text in constraints):
            refused_points += 1
            if runs(make, inputs, own_point):
                failures.append(f'{name}: runs at {own_point}, but not for {constraints}')
                break
            continue
        points_compared += 1
        for node, expected in real.items():
            if node not in nodes or not expected:
                continue
            wanted = [[number(size, point) for size in shape] for shape in expected]
            got = [[eval(size, {}, own_point) for size in shape] for shape in nodes[node]]
            sizes_compared += sum(map(len, wanted))
            if got != wanted:
                failures.append(f'{name}: {node} at {own_point}: {nodes[node]} is {got}, not {wanted}')
                return
    return symbols


done = 0
for name, (make, inputs) in models.CASES.items():
    if ONLY in name:
        try:
            check(name, make, inputs)
            done += 1
        except Exception as error:
            failures.append(f'{name}: {type(error).__name__}: {error}')
print('\n'.join(failures))
print(f'{done} models, {points_compared} points, {refused_points} for which the model fails, {sizes_compared} sizes, {len(failures)} differences')
sys.exit(bool(failures) or not sizes_compared)
