# SPDX-License-Identifier: GPL-3.0-or-later
"""Quantizes the models of the folder quantize by the pass and by torch.ao, and compares.

    check_quantize.py FORKED_CLI [PART_OF_A_NAME]

Scales and zero points must be torch.ao's to the bit, in the order of the graph, for each observer that both have; where the same is
quantized, so must the results be. What is not the same is in OTHER, with the reason. Both are held against the model itself, too: ours may
not be worse. What was quantized is written in each form and runs in Python with equal values.
"""
import copy
import importlib
import json
import os
import pathlib
import re
import sys
import tempfile
import warnings

warnings.filterwarnings('ignore')
sys.dont_write_bytecode = True
os.environ['OMP_NUM_THREADS'] = '1'  # sums of several threads are others
import numpy
import torch
import torch.ao.quantization.fx._decomposed
from torch.ao.quantization import (HistogramObserver, MinMaxObserver, MovingAverageMinMaxObserver, PerChannelMinMaxObserver, QConfig,
                                   QConfigMapping, get_default_qconfig_mapping)
from torch.ao.quantization import observer as observers
from torch.ao.quantization.quantize_fx import _convert_to_reference_decomposed_fx, prepare_fx

sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / 'support'), str(pathlib.Path(__file__).parent / 'quantize')]
from commands import Commands
import models

ONLY = sys.argv[2] if len(sys.argv) > 2 else ''
OBSERVERS = {'histogram': HistogramObserver, 'min-max': MinMaxObserver, 'moving-average': MovingAverageMinMaxObserver}
# Where scales or results are not torch.ao's, and why.
OTHER_SCALES = {'Transformer': 'a product with a number has a range of its own here; there it has that of what is multiplied',
                'Twice': 'there the relu after one call of a layer becomes part of the layer, and so of its other call'}
OTHER_RESULTS = {**OTHER_SCALES, 'Upwards': 'each channel of a transposed convolution has a scale of its own here'}


def sqnr(real, own):
    real, own = (torch.cat([each.double().flatten() for each in (value if isinstance(value, tuple) else (value,))]) for value in (real, own))
    return (10 * torch.log10(real.square().sum() / (real - own).square().sum())).item()


def equal(one, other):
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(equal, one, other))
    return one.dtype == other.dtype and torch.equal(one, other)


class Checker:
    def __init__(self, fxscope, folder):
        self.fxscope, self.folder, self.failures, self.count, self.lines = fxscope, pathlib.Path(folder), [], 0, []

    def command(self, *words):
        done = self.fxscope(*words)
        if done.code:
            raise RuntimeError(' '.join(map(str, words)) + '\n' + done.err)
        return done

    def expect(self, what, holds):
        self.count += 1
        if not holds:
            self.failures.append(what)

    def run(self, opened):
        self.command('run', opened, '--inputs', self.example, '--save', self.folder / 'out.pt', '--threads', 1)
        return torch.load(self.folder / 'out.pt')

    def parameters(self, graph):
        """Scale, zero point and bounds of each value that becomes integers, by the text of the graph."""
        return [tuple(map(float, found)) for found in
                re.findall(r'\.quantize_per_tensor\.default\]\(args = \(%\w+, ([^,]+), ([^,]+), ([^,]+), ([^,]+), torch', graph)]

    def check(self, name):
        model = models.build(name)
        examples = [models.MODELS[name]() for _ in range(3)]
        data = self.folder / name
        data.mkdir()
        torch.save(model.state_dict(), self.folder / 'state.pt')
        for i, example in enumerate(examples):
            torch.save(example, data / f'{i}.pt')
        self.example = data / '0.pt'
        self.real = model(*examples[0])
        self.words = [f'{models.__file__}:build("{name}")', '--state', self.folder / 'state.pt']
        for kind in OBSERVERS:
            self.check_static(name, kind, model, examples, data)
        self.check_dynamic(name, model, examples)
        self.check_forms(name, model, examples, data)

    def theirs(self, model, mapping, examples):
        prepared = prepare_fx(copy.deepcopy(model), mapping, examples[0])
        for example in examples:
            prepared(*example)
        return _convert_to_reference_decomposed_fx(prepared)

    def check_static(self, name, kind, model, examples, data):
        mapping = get_default_qconfig_mapping('x86')
        if kind != 'histogram':
            own = QConfig(activation=OBSERVERS[kind].with_args(reduce_range=True),
                          weight=PerChannelMinMaxObserver.with_args(dtype=torch.qint8, qscheme=torch.per_channel_symmetric))
            default, mapping = mapping, QConfigMapping().set_global(own)
            for of, config in default.object_type_qconfigs.items():
                if 'ranspose' in str(of):
                    mapping.set_object_type(of, QConfig(activation=own.activation, weight=config.weight))
                elif config and 'FixedQParams' in str(config.activation):
                    mapping.set_object_type(of, config)
        theirs = self.theirs(model, mapping, examples)
        self.command('apply', *self.words, 'quantize', '--observer', kind, '--calibration', data, '--no-measure', '-o',
                     self.folder / 'own.fxg')
        own = self.parameters(self.command('graph', self.folder / 'own.fxg').out)
        real = self.parameters(str(theirs.graph))
        ours, result = self.run(self.folder / 'own.fxg'), theirs(*examples[0])
        gain = sqnr(self.real, ours) - sqnr(self.real, result)
        self.lines.append(f'{name} {kind}: {len(own)} values here, {len(real)} there, {sqnr(self.real, ours):.2f} dB here, '
                          f'{sqnr(self.real, result):.2f} dB there')
        differing = next((f'{a} here, {b} there' for a, b in zip(own, real) if a != b), f'{len(own)} here, {len(real)} there')
        self.expect(f'{name} {kind}: parameters {differing}', (own != real) == (name in OTHER_SCALES))
        self.expect(f'{name} {kind}: results, {gain:.2f} dB', equal(ours, result) != (name in OTHER_RESULTS))
        self.expect(f'{name} {kind}: as many values, no worse, {gain:.2f} dB', len(own) == len(real) and gain > -0.5)

    def check_dynamic(self, name, model, examples):
        if name == 'Twice':  # there it fails: the layer and the relu that became one have other configurations
            return
        per_channel = PerChannelMinMaxObserver.with_args(dtype=torch.qint8, qscheme=torch.per_channel_symmetric)
        dynamic = QConfig(activation=observers.default_dynamic_quant_observer, weight=per_channel)
        theirs = self.theirs(model, QConfigMapping().set_object_type(torch.nn.Linear, dynamic).set_object_type(
            torch.nn.functional.linear, dynamic), examples)
        done = self.command('apply', *self.words, '--inputs', self.example, 'quantize', '--mode', 'dynamic', '-o', self.folder / 'own.fxg')
        if 'nothing quantized' in done.err:
            return self.expect(f'{name} dynamic: nothing here', 'choose_qparams' not in str(theirs.graph))
        ours, result = self.run(self.folder / 'own.fxg'), theirs(*examples[0])
        # torch.ao folds batch normalisations then, too.
        folds = any(isinstance(module, torch.nn.modules.batchnorm._BatchNorm) for module in model.modules())
        self.expect(f'{name} dynamic: {sqnr(result, ours):.1f} dB from torch.ao', equal(ours, result) or folds and sqnr(result, ours) > 100)

    def check_generator(self):
        """What a Python function yields does as files of the same do."""
        data = self.folder / 'yielded'
        data.mkdir()
        for seed in range(3):
            torch.manual_seed(seed)
            torch.save((torch.rand(8, 200),), data / f'{seed}.pt')
        source = self.folder / 'yielding.py'
        source.write_text('''import torch
def each(form):
    for seed in range(3):
        torch.manual_seed(seed)
        yield form(torch.rand(8, 200))
def tensors():
    return each(lambda x: x)
def rows():
    return each(lambda x: (x,))
def names():
    return each(lambda x: {"x": x})
ready = [form for form in rows()]
def nothing():
    return iter(())
def fails():
    yield torch.rand(8, 200)
    raise ValueError("no more")
def misfit():
    yield torch.rand(8, 200), torch.rand(1)
''')
        model = f'{models.__file__}:build("Layers")'

        def graph(calibration):
            self.command('apply', model, 'quantize', '--calibration', calibration, '--no-measure', '-o', self.folder / 'own.fxg')
            return self.command('graph', self.folder / 'own.fxg').out

        expected = graph(data)
        for name in 'tensors', 'rows', 'names', 'ready':
            self.expect(f'a generator, {name}: other ranges than of files', graph(f'{source}:{name}') == expected)
        for name, message in (('nothing', 'holds no inputs'), ('fails', 'ValueError: no more'), ('misfit', "example 1: has 2 values, the model takes 1 input"),
                              ('other', "has no 'other'")):
            done = self.fxscope('apply', model, 'quantize', '--calibration', f'{source}:{name}')
            self.expect(f'a generator, {name}: {done.err}', done.code == 1 and message in done.err)

    def check_files(self):
        """Inputs in other files, one file alone, none, and those that a .pt2 has recorded."""
        torch.manual_seed(0)
        values = [torch.rand(8, 200) for _ in range(3)]
        model = f'{models.__file__}:build("Layers")'

        def graph(*words):
            self.command('apply', *words, '--no-measure', '-o', self.folder / 'own.fxg')
            return self.command('graph', self.folder / 'own.fxg').out

        def folder(name, save, count=3):
            made = self.folder / name
            made.mkdir()
            for i, value in enumerate(values[:count]):
                save(made / str(i), value)
            return made

        def safetensors(path, x):
            header = json.dumps({'x': {'dtype': 'F32', 'shape': list(x.shape), 'data_offsets': [0, x.nbytes]}}).encode()
            path.with_suffix('.safetensors').write_bytes(len(header).to_bytes(8, 'little') + header + x.numpy().tobytes())

        pt = lambda path, x: torch.save((x,), path.with_suffix('.pt'))
        expected = graph(model, 'quantize', '--calibration', folder('pt', pt))
        for name, save in ('npz', lambda path, x: numpy.savez(path.with_suffix('.npz'), x=x.numpy())), ('safetensors', safetensors):
            self.expect(f'{name}: other ranges', graph(model, 'quantize', '--calibration', folder(name, save)) == expected)
        alone = graph(model, 'quantize', '--calibration', folder('alone', pt, 1))
        self.expect('one file: other ranges', graph(model, 'quantize', '--calibration', self.folder / 'alone' / '0.pt') == alone != expected)
        done = self.fxscope('apply', model, 'quantize', '--calibration', folder('empty', pt, 0))
        self.expect(f'no file: {done.err}', done.code == 1 and 'holds no files with inputs' in done.err)
        program = self.folder / 'recorded.pt2'
        torch.export.save(torch.export.export(models.build('Layers'), (values[0],)), program)
        recorded, given = graph(program, 'quantize'), graph(program, '--inputs', self.folder / 'alone' / '0.pt', 'quantize')
        self.expect('recorded inputs: other ranges', recorded == given and 'quantize_per_tensor' in given)

    def check_metric(self):
        """What a Python function of the model says decides, as it says it in Python."""
        source = self.folder / 'metrics.py'
        source.write_text('''import torch
torch.manual_seed(5)
X = torch.rand(8, 200)
def spread(model):
    """How far the results are apart."""
    with torch.no_grad():
        return model(X).std()
def count(model):
    return sum('quantize_per_tensor' in str(node.target) for node in model.graph.nodes)
def text(model):
    return '1'
def fails(model):
    raise ValueError('no data')
''')
        model = f'{models.__file__}:build("Layers")'
        torch.save((torch.rand(8, 200),), self.folder / 'x.pt')

        def quantize(budget, *words):
            return self.fxscope('apply', model, '--inputs', self.folder / 'x.pt', 'quantize', '--no-measure', '--budget', budget, *words)

        done = quantize(f'{source}:spread >= 0', '-o', self.folder / 'own.pt')
        said = [float(line.split(' is ')[1].split()[0]) for line in done.err.splitlines() if ' is ' in line]
        sys.path.insert(0, str(self.folder))
        metrics = importlib.import_module('metrics')
        sys.path.pop(0)
        loaded = torch.load(self.folder / 'own.pt', weights_only=False)
        self.expect(f'metric: {said}', len(said) == 2 and abs(said[0] - float(metrics.spread(models.build('Layers')))) < 1e-5
                    and abs(said[1] - float(metrics.spread(loaded))) < 1e-5)
        done = quantize(f'{source}:count <= 2')
        self.expect(f'metric, fewer: {done.err}', ' left in float32 to keep ' in done.err and f'{source}:count is ' in done.err)
        for name, message in ('text', 'gives text, and no number'), ('fails', 'ValueError: no data'), ('other', "has no 'other'"):
            done = quantize(f'{source}:{name} >= 1')
            self.expect(f'metric {name}: {done.err}', done.code == 1 and message in done.err)

    def check_forms(self, name, model, examples, data):
        """What is written runs in Python as it does here, in both dialects and in each mode."""
        program = self.folder / 'program.pt2'
        torch.export.save(torch.export.export(model, examples[0]), program)
        modes = [['static', '--calibration', data], ['dynamic'], ['weight-only'], ['weight-only', '--weights', 'float16'],
                 ['weight-only', '--weights', 'int4', '--group-size', 4]]
        for mode in modes if name in ('Layers', 'Twice', 'Functions') else modes[:1]:
            what = f'{name} {" ".join(map(str, mode[:3:2]))}'
            done = self.command('apply', program, '--inputs', self.example, 'quantize', '--mode', *mode, '-o', self.folder / 'own.pt2')
            if 'nothing quantized' not in done.err:
                ours = self.run(self.folder / 'own.pt2')
                loaded = torch.export.load(self.folder / 'own.pt2').module()
                self.expect(f'{what}: the .pt2 computes something else', equal(ours, loaded(*examples[0])))
                self.expect(f'{what}: {sqnr(self.real, ours):.1f} dB of a .pt2', sqnr(self.real, ours) > (8 if 'int4' in mode else 20))
                again = self.command('apply', self.folder / 'own.pt2', '--inputs', self.example, 'quantize', '--mode', *mode)
                self.expect(f'{what}: quantized twice: {again.err}', 'no change' in again.err)
            done = self.command('apply', *self.words, '--inputs', self.example, 'quantize', '--mode', *mode, '-o', self.folder / 'own.pt')
            if 'nothing quantized' in done.err:
                continue
            loaded = torch.load(self.folder / 'own.pt', weights_only=False)
            ours = self.run(self.folder / 'own.pt')
            self.expect(f'{what}: the .pt computes something else', equal(ours, loaded(*examples[0])))
            package = self.folder / f'package_{self.count}'
            said = self.command('export', self.folder / 'own.pt', package, '--name', 'Net', '--inputs', self.example).out
            self.expect(f'{what}: {said}', said.rstrip().endswith('outputs equal bit for bit'))
            sys.path.insert(0, str(self.folder))
            with torch.no_grad():
                self.expect(f'{what}: the folder computes something else', equal(ours, importlib.import_module(package.name).Net()(*examples[0])))
            sys.path.pop(0)


    def check_sizes(self):
        """What was exported for any batch is quantized by one and runs with another, as the reference form and lowered."""
        for name in 'Residual', 'Layers', 'Transformer':
            model, (x,) = models.build(name), models.MODELS[name]()
            more = torch.cat([x, x.flip(0), x])
            torch.export.save(torch.export.export(model, (x,), dynamic_shapes=({0: torch.export.Dim('n', max=99)},)), self.folder / 'any.pt2')
            torch.save([x], self.folder / 'one.pt')
            torch.save([more], self.folder / 'more.pt')
            self.example, real = self.folder / 'more.pt', model(more)
            for mode in 'static', 'dynamic', 'weight-only':
                for lowered in [], ['lower', '--always']:
                    self.command('apply', self.folder / 'any.pt2', '--inputs', self.folder / 'one.pt', 'quantize', '--mode', mode, *lowered, '-o',
                                 self.folder / 'own.fxg')
                    ours = self.run(self.folder / 'own.fxg')
                    self.expect(f'{name} {mode} {lowered} of other sizes: {sqnr(real, ours):.1f} dB', sqnr(real, ours) > 18)


def main():
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(Commands(sys.argv[1]), folder)
        for name in models.MODELS:
            if ONLY in name:
                try:
                    checker.check(name)
                except Exception as error:
                    checker.failures.append(f'{name}: {type(error).__name__}: {error}')
        if ONLY in 'generator':
            checker.check_generator()
        if ONLY in 'files':
            checker.check_files()
        if ONLY in 'metric':
            checker.check_metric()
        if ONLY in 'sizes':
            checker.check_sizes()
    print('\n'.join(checker.lines))
    for failure in checker.failures:
        print(failure)
    print(f'{checker.count} comparisons, {len(checker.failures)} failures')
    sys.exit(1 if checker.failures or not checker.count else 0)


if __name__ == '__main__':
    main()
