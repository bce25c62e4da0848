# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts fake quantization into models by the pass and by torch.ao, trains both in Python, and makes integers of both.

    check_quantized_training.py FORKED_CLI

What is trained is the exported folder, as it stands. Its weights must be torch.ao's to the bit after some steps, and so must the scales
that quantize finds in the trained state, and what the integers compute. Observers alone are run on the same inputs here and there.
"""
import copy
import importlib
import pathlib
import re
import sys
import tempfile
import warnings

warnings.filterwarnings('ignore')
sys.dont_write_bytecode = True
import torch
import torch.ao.quantization.fx._decomposed
from torch.ao.quantization import (FusedMovingAvgObsFakeQuantize, MovingAverageMinMaxObserver, MovingAveragePerChannelMinMaxObserver, QConfig,
                                   default_per_channel_weight_observer, disable_fake_quant, enable_fake_quant,
                                   get_default_qat_qconfig_mapping, get_default_qconfig_mapping)
from torch.ao.quantization.quantize_fx import _convert_to_reference_decomposed_fx, prepare_fx, prepare_qat_fx

sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / 'support'), str(pathlib.Path(__file__).parent / 'quantize')]
from commands import Commands
import models
import second_axis

VALUES = FusedMovingAvgObsFakeQuantize.with_args(observer=MovingAverageMinMaxObserver, quant_min=0, quant_max=127, dtype=torch.quint8)
WEIGHTS = FusedMovingAvgObsFakeQuantize.with_args(observer=MovingAveragePerChannelMinMaxObserver, quant_min=-128, quant_max=127,
                                                  dtype=torch.qint8, qscheme=torch.per_channel_symmetric, averaging_constant=1.0)
# Those that torch.ao trains as they stand: it has layers of its own for a convolution with a batch normalisation behind it.
MODELS = 'Layers', 'Branches', 'Functions'
NEARLY = {'Branches': 'a range that values share is averaged in another order there'}


def trained(model, example):
    """Three steps."""
    rates = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(3):
        rates.zero_grad()
        torch.manual_seed(step)
        out = model(*(torch.randn_like(each) for each in example))
        (out * torch.randn_like(out)).mean().backward()
        rates.step()
    with torch.no_grad():
        model(*example)  # what the weights are in the end has been seen, too
    return model


def observed(model, example):
    """Three runs."""
    with torch.no_grad():
        for step in range(3):
            torch.manual_seed(step)
            model(*(torch.randn_like(each) * (step + 1) for each in example))
    return model


def observed_by_torch(model, example):
    mapping = get_default_qconfig_mapping('x86')
    mapping.set_global(QConfig(activation=MovingAverageMinMaxObserver.with_args(quant_min=0, quant_max=127, dtype=torch.quint8),
                               weight=default_per_channel_weight_observer))
    prepared = prepare_fx(copy.deepcopy(model).eval(), mapping, example)
    with torch.no_grad():
        prepared(*example)
    return observed(prepared, example)


def theirs(model, example):
    mapping = get_default_qat_qconfig_mapping('x86')
    mapping.set_global(QConfig(activation=VALUES, weight=WEIGHTS))
    prepared = prepare_qat_fx(copy.deepcopy(model).train(), mapping, example)
    prepared.apply(disable_fake_quant)
    with torch.no_grad():
        prepared(*example)
    prepared.apply(enable_fake_quant)
    return trained(prepared, example)


def nearly(one, other):
    return torch.allclose(one, other, rtol=1e-5, atol=1e-6)


def weights(model):
    """By shape and order: the names of functions' parameters are others there."""
    return [parameter.detach() for _, parameter in sorted(model.named_parameters())]


def scales(graph):
    return [tuple(map(float, found)) for found in
            re.findall(r'\.quantize_per_tensor\.default\]\(args = \(%\w+, ([^,]+), ([^,]+), ([^,]+), ([^,]+), torch', graph)]


class Checker:
    def __init__(self, fxscope, folder):
        self.fxscope, self.folder, self.failures, self.count = fxscope, pathlib.Path(folder), [], 0

    def command(self, *words):
        done = self.fxscope(*words)
        if done.code:
            raise RuntimeError(' '.join(map(str, words)) + '\n' + done.err)
        return done

    def expect(self, what, holds):
        self.count += 1
        if not holds:
            self.failures.append(what)

    def folder_of(self, name, words, example, how='--qat'):
        """What is exported, made and trained."""
        self.command('apply', *words, '--inputs', example, 'quantize', how, '--observer', 'moving-average', '-o', self.folder / 'rounded.fxg')
        package = self.folder / f'{name}_{self.count}'
        said = self.command('export', self.folder / 'rounded.fxg', package, '--name', 'Net', '--inputs', example).out
        self.expect(f'{name}: {said}', said.rstrip().endswith('outputs equal bit for bit'))
        again = self.command('apply', self.folder / 'rounded.fxg', '--inputs', example, 'quantize', how)
        self.expect(f'{name}: rounded twice: {again.err}', 'no change' in again.err)
        return package, importlib.import_module(package.name).Net()

    def check(self, name):
        model = models.build(name)
        example = models.MODELS[name]()
        same = nearly if name in NEARLY else torch.equal
        torch.save(example, self.folder / 'example.pt')
        torch.save(model.state_dict(), self.folder / 'state.pt')
        words = [f'{models.__file__}:build("{name}")', '--state', self.folder / 'state.pt']
        real = theirs(model, example)
        package, net = self.folder_of(name, words, self.folder / 'example.pt')
        before = [weight.clone() for weight in weights(net)]
        trained(net, example)
        own, other = weights(net), weights(real)
        self.expect(f'{name}: nothing was learned', not all(map(torch.equal, before, own)))
        self.expect(f'{name}: other weights than torch.ao', len(own) == len(other) and all(map(same, own, other)))

        self.check_integers(name, package, net, real, example)

    def check_observers(self, name):
        """Torch.ao's prepare and convert: nothing is rounded in between."""
        model, example = models.build(name).eval(), models.MODELS[name]()
        torch.save(example, self.folder / 'example.pt')
        torch.save(model.state_dict(), self.folder / 'state.pt')
        words = [f'{models.__file__}:build("{name}")', '--eval', '--state', self.folder / 'state.pt']
        package, net = self.folder_of(f'{name}_observed', words, self.folder / 'example.pt', '--observe')
        with torch.no_grad():
            self.expect(f'{name}: observers round', torch.allclose(net(*example), model(*example), rtol=1e-5, atol=1e-6))
        self.check_integers(name, package, observed(net, example), observed_by_torch(model, example), example)

    def check_integers(self, name, package, net, real, example):
        """What came of the folder, and of torch.ao's."""
        same = nearly if name in NEARLY else torch.equal
        torch.save(net.state_dict(), self.folder / 'trained.pt')
        converted = _convert_to_reference_decomposed_fx(real.eval())
        with torch.no_grad():
            expected = converted(*example)
        said = self.command('apply', package, '--state', self.folder / 'trained.pt', 'quantize', '-o', self.folder / 'own.fxg').err
        self.expect(f'{name}: {said}', ' quantized (' in said)
        graph = self.command('graph', self.folder / 'own.fxg').out
        own, other = torch.tensor(scales(graph)), torch.tensor(scales(str(converted.graph)))
        self.expect(f'{name}: scales {own} here, {other} there', own.shape == other.shape and same(own, other))
        self.expect(f'{name}: something of it is left', 'fake' not in graph)
        self.command('run', self.folder / 'own.fxg', '--inputs', self.folder / 'example.pt', '--save', self.folder / 'out.pt', '--threads', 1)
        self.expect(f'{name}: other results than torch.ao', same(torch.load(self.folder / 'out.pt'), expected))

    def check_aten(self, name, source=models):
        """The calls of torch.export, by themselves."""
        model, example = source.build(name), source.MODELS[name]()
        torch.export.save(torch.export.export(model, example), self.folder / 'program.pt2')
        self.check_alone(f'{name} of aten', [self.folder / 'program.pt2'], example, isAten=True)

    def check_second_axis(self, name):
        """Where torch.ao has one range for all channels."""
        example = second_axis.MODELS[name]()
        self.check_alone(f'{name} along the second axis', [f'{second_axis.__file__}:build("{name}")'], example)
        self.check_aten(name, second_axis)

    def check_alone(self, name, words, example, isAten=False):
        """Trained, and made of integers that compute nearly the same."""
        torch.save(example, self.folder / 'example.pt')
        package, net = self.folder_of(name.replace(' ', '_'), words, self.folder / 'example.pt')
        before = [weight.clone() for weight in weights(net)]
        trained(net, example)
        self.expect(f'{name}: nothing was learned', not all(map(torch.equal, before, weights(net))))
        torch.save(net.state_dict(), self.folder / 'trained.pt')
        file = self.folder / ('own.pt2' if isAten else 'own.fxg')
        self.command('apply', package, '--state', self.folder / 'trained.pt', '--inputs', self.folder / 'example.pt', 'shape-prop', 'quantize', '-o', file)
        self.command('run', file, '--inputs', self.folder / 'example.pt', '--save', self.folder / 'out.pt')
        with torch.no_grad():
            rounded = net(*example)
            whole = torch.export.load(file).module()(*example) if isAten else torch.load(self.folder / 'out.pt')
        self.expect(f'{name}: integers compute something else', torch.allclose(rounded, whole, rtol=0.05, atol=0.05 * rounded.abs().max()))


def main():
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, folder)
        checker = Checker(Commands(sys.argv[1], OMP_NUM_THREADS="1"), folder)
        for check, names in (checker.check, MODELS), (checker.check_observers, [name for name in MODELS if name not in NEARLY]), (checker.check_aten, ('Layers', 'Residual', 'Signals')), (checker.check_second_axis, second_axis.MODELS):
            for name in names:
                try:
                    check(name)
                except Exception as error:
                    checker.failures.append(f'{name}: {type(error).__name__}: {error}')
    print('\n'.join(checker.failures))
    print(f'{checker.count} comparisons, {len(checker.failures)} failures')
    sys.exit(1 if checker.failures or not checker.count else 0)


if __name__ == '__main__':
    main()
