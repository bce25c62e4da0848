# SPDX-License-Identifier: GPL-3.0-or-later
# Writes programs about torch.nn, and what they print under the real PyTorch: make_nn_programs.py FILE.
# They are the cases of nn_cases.py, tensor_cases.py, state_cases.py, import_cases.py, quantized_cases.py and numpy_cases.py, and samples of
# PyTorch's module database. In FILE each is a name, a source, the output, and the error that ends it or null. Numbers are
# printed with four digits. The builtin `seed` is torch.manual_seed.
import contextlib
import io
import json
import sys
import types
import unittest
import warnings

import torch

if 'expecttest' not in sys.modules:
    sys.modules['expecttest'] = types.ModuleType('expecttest')
    sys.modules['expecttest'].TestCase = unittest.TestCase
from torch.testing._internal.common_modules import module_db

import import_cases
import numpy_cases
import quantized_cases
import state_cases
import tensor_cases
from nn_cases import CASES, ERRORS, SCRIPTS

SAMPLES = 6  # of each module of the database

PRELUDE = '''
import torch
import torch.nn as nn

def plain(value):
    if isinstance(value, torch.Tensor):
        about = [str(value.dtype), list(value.shape)]
        if value.is_meta:
            return ['meta'] + about
        if value.is_complex():
            value = torch.view_as_real(value)
        return about + [['%.4g' % number for number in value.detach().double().flatten().tolist()]]
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, nn.Module):
        return repr(value)
    return value

def show(*values):
    print(plain(list(values)))

x = torch.linspace(-2, 3, 96).reshape(2, 3, 4, 4)
seed(7)
'''

DESCRIBE = '''
print(m)
print(type(m).__module__, type(m).__qualname__, m.training)
lazy = any(nn.parameter.is_lazy(value) for value in [*m.parameters(), *m.buffers()])
if not lazy:
    for name, value in m.state_dict().items():
        print(name, plain(value))
for name, value in m.named_parameters():
    print('parameter', name, value.requires_grad)
for name, value in m.named_buffers():
    print('buffer', name)
'''

RUN = '''
for training in (True, False):
    m.train(training)
    seed(1)
    with torch.no_grad():
        show(CALL)
print(m)
print(type(m).__qualname__, list(m.state_dict()))
'''


def source_of(value):
    """An expression that makes the value again; none where there is no short one."""
    if isinstance(value, torch.Tensor):
        if value.numel() > 400 or value.is_complex():
            raise ValueError('too long')
        numbers = str(value.tolist()).replace('nan', "float('nan')").replace('inf', "float('inf')")
        return f'torch.tensor({numbers}, dtype={value.dtype}).reshape({tuple(value.shape)})'
    if type(value) in (tuple, list):
        inside = ', '.join(source_of(item) for item in value)
        return f'[{inside}]' if type(value) is list else f'({inside},)' if len(value) == 1 else f'({inside})'
    if value is None or type(value) in (bool, int, float, str, torch.dtype):
        return repr(value)
    if isinstance(value, torch.Size):
        return f'torch.Size({list(value)})'
    raise ValueError(type(value).__name__)


def arguments(sample):
    return ', '.join([source_of(value) for value in sample.args]
                     + [f'{name}={source_of(value)}' for name, value in sample.kwargs.items()])


def programs():
    for text, call in CASES:
        yield f'case {text}', f'm = {text}' + DESCRIBE + (RUN.replace('CALL', call) if call else '')
    for text in ERRORS:
        yield f'error {text}', text
    for number, text in enumerate(SCRIPTS):
        if '.backward()' not in text:  # the evaluator runs, and does not train
            yield f'script {number}', text.replace('torch.manual_seed', 'seed')
    yield from tensor_cases.scripts()
    yield from state_cases.scripts()
    yield from import_cases.scripts()
    yield from quantized_cases.scripts()
    yield from numpy_cases.scripts()
    for info in module_db:
        torch.manual_seed(0)
        samples = info.module_inputs_func(info, device='cpu', dtype=torch.float32, requires_grad=False, training=True)
        step = max(1, len(samples) // SAMPLES)
        for place, sample in list(enumerate(samples))[::step][:SAMPLES]:
            try:
                made = f'm = {info.name}({arguments(sample.constructor_input)})'
                call = f'm({arguments(sample.forward_input)})'
            except ValueError:
                continue
            yield f'database {info.name} {place}', made + DESCRIBE + RUN.replace('CALL', call)


def run(source):
    output, error = io.StringIO(), None
    with contextlib.redirect_stdout(output), warnings.catch_warnings():
        warnings.simplefilter('ignore')
        try:
            exec(compile(source, 'program.py', 'exec'), {'__name__': '__main__', 'seed': torch.manual_seed})
        except Exception as raised:
            error = f'{type(raised).__name__}: {raised}'
    return output.getvalue(), error


def main():
    torch.set_num_threads(1)
    written = []
    for name, source in programs():
        source = PRELUDE + source.strip('\n') + '\n'
        output, error = run(source)
        written.append({'name': name, 'source': source, 'output': output, 'error': error})
    with open(sys.argv[1], 'w') as file:
        json.dump(written, file, indent=1)
    return 0 if len(written) > 400 else 1


if __name__ == '__main__':
    sys.exit(main())
