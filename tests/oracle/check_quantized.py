# SPDX-License-Identifier: GPL-3.0-or-later
# Models that PyTorch has quantized, pruned, parametrized or hooked, saved as people save them, are opened and run by the
# command line: check_quantized.py FORKED_CLI. Graphs must be the same text, and results the same to the bit.
import copyreg
import importlib
import os
import pathlib
import sys
import tempfile
import warnings

import torch
from torch import nn
from torch.ao.quantization import (QConfigMapping, convert, default_dynamic_qconfig, float16_dynamic_qconfig,
                                   float_qparams_weight_only_qconfig, fuse_modules, get_default_qat_qconfig_mapping,
                                   get_default_qconfig, get_default_qconfig_mapping, prepare, quantize_dynamic)
from torch.ao.quantization.quantize_fx import convert_fx, prepare_fx, prepare_qat_fx
from torch.nn.utils import prune

SOURCE = pathlib.Path(__file__).resolve().parent / 'quantized_models.py'
sys.path.insert(0, str(SOURCE.parent))
import quantized_models as models

sys.path.insert(0, str(SOURCE.parents[1] / 'support'))
from commands import Commands

fxscope = Commands(sys.argv[1])
ONLY = sys.argv[2] if len(sys.argv) > 2 else ''
failures, counted = [], [0]


def command(*args):
    done = fxscope(*args)
    if done.code:
        raise RuntimeError(' '.join(map(str, args)) + '\n' + done.err)
    return done.out


def same(real, own):
    if isinstance(real, torch.Tensor):
        if real.is_quantized:
            real, own = real.dequantize(), own.dequantize()
        return isinstance(own, torch.Tensor) and real.dtype == own.dtype and torch.equal(real, own)
    return len(real) == len(own) and all(same(one, other) for one, other in zip(real, own))


def check(name, model, inputs, *options, graph=None, save=None, state=False):
    """`save`: writes the model into a folder and gives what to open; `graph`: the text that it has; `state`: also the buffers."""
    if ONLY not in name:
        return
    counted[0] += 1
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder)
        try:
            if save:
                opened = save(here)
            else:
                opened = here / 'model.pt'
                torch.save(model, opened)
            torch.save(tuple(inputs), here / 'in.pt')
            if graph is not None:
                own = command('graph', opened, *options).rstrip('\n')
                if own != graph:
                    failures.append(f'{name}: graph\n{graph}\n--- is\n{own}')
            command('run', opened, *options, '--inputs', here / 'in.pt', '--save', here / 'out.pt', '--threads', 1,
                    *(['--save-state', here / 'state.pt'] if state else []))
            with torch.no_grad():
                real = model(*inputs)
            own = torch.load(here / 'out.pt')
            if not same(real, own):
                failures.append(f'{name}: result\n{real}\n--- is\n{own}')
            if state:
                after = torch.load(here / 'state.pt')
                for key, value in model.state_dict().items():
                    if isinstance(value, torch.Tensor) and (key not in after or not same(value, after[key])):
                        failures.append(f'{name}: {key} after the run\n{value}\n--- is\n{after.get(key)}')
            # What fxscope itself writes is read back.
            command('apply', opened, 'lint', *options, '-o', here / 'again.fxg')
            command('run', here / 'again.fxg', '--inputs', here / 'in.pt', '--save', here / 'again.pt', '--threads', 1)
            if not state and not same(real, torch.load(here / 'again.pt')):
                failures.append(f'{name}: result of the .fxg')
            # What it exports runs in Python, and fxscope has compared it itself.
            package = here / f'package_{counted[0]}'
            said = command('export', opened, *options, package, '--name', 'Net', '--inputs', here / 'in.pt')
            if not said.rstrip().endswith('outputs equal bit for bit'):
                failures.append(f'{name}: {said}')
            sys.path.insert(0, folder)
            with torch.no_grad():
                exported = importlib.import_module(package.name).Net()(*inputs)
            sys.path.remove(folder)
            if not state and not same(real, exported):
                failures.append(f'{name}: result of the exported folder\n{real}\n--- is\n{exported}')
        except Exception as error:
            failures.append(f'{name}: {error}')


class KeepModules(torch.fx.Tracer):
    # As GraphModule traces its code when it is read back.
    def is_leaf_module(self, module, name):
        return True


def text_of(model):
    return str(KeepModules().trace(model))


def folder_of(model):
    def save(here):
        model.to_folder(here / 'folder', 'Saved')
        return here / 'folder'
    return save


def from_state(name, model, inputs, *options):
    with tempfile.TemporaryDirectory() as folder:
        state = pathlib.Path(folder) / 'state.pt'
        torch.save(model.state_dict(), state)
        check(name, model, inputs, *options, '--state', state, save=lambda here: f'{SOURCE}:{type(model).__name__}()')


def calibrated(kind, mapping, inputs, train=False):
    torch.manual_seed(3)
    model = kind().train(train)
    prepared = (prepare_qat_fx if train else prepare_fx)(model, mapping, inputs)
    for _ in range(2):
        prepared(*inputs)
    return convert_fx(prepared.eval())


def graph_modules():
    x = torch.randn(2, 3, 8, 8, generator=torch.Generator().manual_seed(1))
    for engine in ('x86', 'fbgemm', 'qnnpack'):
        model = calibrated(models.Layers, get_default_qconfig_mapping(engine), (x,))
        check(f'fx {engine}', model, (x,), graph=text_of(model))
        check(f'fx folder {engine}', model, (x,), save=folder_of(model))
    model = calibrated(models.Layers, get_default_qat_qconfig_mapping('x86'), (x,), train=True)
    check('fx qat', model, (x,), graph=text_of(model))
    model = calibrated(models.Functions, get_default_qconfig_mapping('x86'), (x,))
    check('fx functions', model, (x,), graph=text_of(model))
    check_exported(model, x)
    dynamic = QConfigMapping().set_global(default_dynamic_qconfig)
    steps = torch.randn(3, 2, 4, generator=torch.Generator().manual_seed(2))
    check('fx dynamic', calibrated(models.Recurrent, dynamic, (steps,)), (steps,))
    rows = QConfigMapping().set_global(float_qparams_weight_only_qconfig)
    given = torch.tensor([1, 7, 3]), torch.tensor([0, 2, 3])
    model = calibrated(models.Embedded, rows, given)
    check('fx embeddings', model, given, graph=text_of(model))


def check_exported(model, x):
    """The folder that `export` writes of a model with packed weights runs in Python."""
    if ONLY not in 'exported':
        return
    counted[0] += 1
    with tempfile.TemporaryDirectory() as folder:
        torch.save(model, f'{folder}/model.pt')
        sys.path.insert(0, folder)
        try:
            command('export', f'{folder}/model.pt', f'{folder}/exported_quantized', '--name', 'Exported')
            made = importlib.import_module('exported_quantized').Exported()
            if not same(model(x), made(x)):
                failures.append('exported: result')
        except Exception as error:
            failures.append(f'exported: {error}')
        sys.path.remove(folder)


class Forged:
    # An object of torch.classes with a state of our own, as it lies in a pickle.
    __class__ = property(lambda self: torch.ScriptObject)

    def __init__(self, state, name):
        self.record = state, '__torch__.torch.classes.quantized.' + name

    def __reduce_ex__(self, protocol):
        return copyreg.__newobj__, (torch.ScriptObject,), self.record


def forged_objects():
    x = torch.randn(2, 3, 8, 8, generator=torch.Generator().manual_seed(1))
    weight = torch.quantize_per_tensor(torch.randn(4, 3, 3, 3), 0.1, 0, torch.qint8)

    def sizes(*numbers):
        return torch.tensor(numbers, dtype=torch.int16)

    states = {'short': (('2', [sizes(2, 1, 1), weight], [None]), 'Conv2dPackedParamsBase'),
              'deep': (('2', [sizes(3, *[1] * 14), weight], [None]), 'Conv2dPackedParamsBase'),
              'text': ('weights', 'Conv2dPackedParamsBase'),
              'flat': ((torch.randn(3), None), 'LinearPackedParamsBase'),
              'none': (None, 'EmbeddingPackedParamsBase'),
              'unknown': ((weight, None), 'NoSuchClass')}
    for name, (state, kind) in states.items():
        if ONLY not in f'forged {name}':
            continue
        counted[0] += 1
        model = calibrated(models.Functions, get_default_qconfig_mapping('x86'), (x,))
        model._packed_weight_0 = Forged(state, kind)
        with tempfile.TemporaryDirectory() as folder:
            torch.save(model, f'{folder}/model.pt')
            done = fxscope('run', f'{folder}/model.pt', '--input', 'x=randn(2, 3, 8, 8)')
            if done.code != 1 or 'torch.classes.quantized.' + kind not in done.err:
                failures.append(f'forged {name}: {done.code} {done.err}')


def eager_modules():
    x = torch.randn(2, 3, 8, 8, generator=torch.Generator().manual_seed(1))
    steps = torch.randn(3, 2, 4, generator=torch.Generator().manual_seed(2))
    source = ('--source', SOURCE)
    torch.manual_seed(3)
    model = models.Stubs().eval()
    model.qconfig = get_default_qconfig('x86')
    fuse_modules(model, [['conv', 'relu']], inplace=True)
    prepared = prepare(model)
    prepared(x)
    check('eager', convert(prepared), (x,), *source)
    plain = nn.Sequential(nn.Linear(8, 6), nn.ReLU(), nn.Linear(6, 3)).eval()
    check('dynamic', quantize_dynamic(plain), (x,))
    former = quantize_dynamic(plain)

    def with_former_name(here):
        kind = type(former[0])
        now, kind.__module__ = kind.__module__, 'torch.nn.quantized.dynamic.modules.linear'
        torch.save(former, here / 'model.pt')
        kind.__module__ = now
        return here / 'model.pt'

    check('dynamic by its former name', former, (x,), save=with_former_name)
    check('dynamic half', quantize_dynamic(plain, dtype=torch.float16), (x,))
    kinds = {nn.LSTM, nn.GRU, nn.LSTMCell, nn.GRUCell, nn.Linear}
    for dtype in (torch.qint8, torch.float16):
        check(f'dynamic recurrent {dtype}', quantize_dynamic(models.Recurrent().eval(), kinds, dtype=dtype), (steps,), *source)
    packed = models.Packed()
    packed.enter = torch.ao.nn.quantized.Quantize(0.02, 100, torch.quint8)
    for layer in (packed.conv, packed.fc):
        weight = torch.randn(layer.weight().shape)
        layer.set_weight_bias(torch.quantize_per_tensor(weight, 0.02, 0, torch.qint8), torch.randn(layer.bias().shape))
        layer.scale, layer.zero_point = 0.1, 90

    from_state('state_dict', packed, (x,))
    for training in (True, False):
        torch.manual_seed(4)
        model = models.Rounded().train(training)
        check(f'qat modules training={training}', model, (x,), *source, state=True)


def kept_hooks():
    x = torch.randn(2, 3, 8, 8, generator=torch.Generator().manual_seed(1))
    source = ('--source', SOURCE)

    def case(name, change):
        torch.manual_seed(5)
        model = models.Plain().eval()
        change(model)
        check(name, model, (x,), *source)

    case('prune', lambda m: prune.l1_unstructured(m.fc, 'weight', 0.4))
    case('prune twice', lambda m: (prune.random_unstructured(m.conv, 'weight', 0.3), prune.ln_structured(m.conv, 'weight', 0.5, 2, 0),
                                   prune.random_unstructured(m.conv, 'bias', 1)))
    case('weight_norm', lambda m: nn.utils.weight_norm(m.fc, dim=1))
    case('spectral_norm', lambda m: nn.utils.spectral_norm(m.fc, n_power_iterations=2, eps=1e-3, dim=1))
    case('forward hooks', lambda m: (m.fc.register_forward_pre_hook(models.doubled), m.fc.register_forward_hook(models.shifted),
                                     m.back.register_forward_pre_hook(models.scaled, with_kwargs=True)))
    torch.manual_seed(6)
    from_state('parametrized', models.Parametrized().eval(), (x,), '--eval')


if __name__ == '__main__':
    warnings.simplefilter('ignore')
    os.environ['TORCH_CPP_LOG_LEVEL'] = 'ERROR'
    torch.set_num_threads(1)
    graph_modules()
    eager_modules()
    kept_hooks()
    forged_objects()
    print(f'{counted[0]} models, {len(failures)} failures')
    for failure in failures:
        print(failure[:3000] + '\n')
    sys.exit(bool(failures))
