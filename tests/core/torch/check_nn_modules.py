# SPDX-License-Identifier: GPL-3.0-or-later
# Compares our text of torch.nn with the real one, on every module of PyTorch's own module database and on more:
# signatures, repr, state, initial values, outputs, recorded graphs, error texts.
# With --own-functional, torch.nn.functional is ours as well: everything is compared but the graphs, for its calls record nothing here,
# and outputs only nearly. Without it, what is left: graphs, outputs to the last bit, and warnings that running a module gives.
import builtins
import contextlib
import inspect
import sys
import types
import unittest
import warnings
from unittest import mock

import torch
import torch.fx
from torch.fx import _symbolic_trace

if 'expecttest' not in sys.modules:
    # PyTorch's own test helpers want this package for a base class alone.
    sys.modules['expecttest'] = types.ModuleType('expecttest')
    sys.modules['expecttest'].TestCase = unittest.TestCase
from torch.testing._internal.common_modules import module_db

from nn_cases import CASES, ERRORS, SCRIPTS
from nn_text import Library

OWN_FUNCTIONAL = '--own-functional' in sys.argv
library = Library(OWN_FUNCTIONAL)
ours = library.load('torch.nn')
failures = []
counts = {}


def differ(what, real, own):
    failures.append(f'{what}\n    real {real}\n    ours {own}')


def same(what, real, own):
    counts[what.split(' ')[0]] = counts.get(what.split(' ')[0], 0) + 1
    if real != own:
        differ(what, real, own)


def own_value(value):
    """A real module among arguments becomes one of ours with the same state."""
    if isinstance(value, torch.nn.Module):
        made = object.__new__(getattr(ours, type(value).__name__, None) or ours.modules.linear.NonDynamicallyQuantizableLinear)
        made.__dict__.update(value.__dict__)
        made.__dict__['_modules'] = {name: own_value(child) for name, child in value._modules.items()}
        return made
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return type(value)(own_value(item) for item in value)
    return value


def attempt(function):
    try:
        torch.default_generator.manual_seed(7)  # torch.manual_seed formats a stack for each kind of device
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter('always')
            return function(), None, [text for text in (str(each.message) for each in heard) if 'Triggered internally' not in text]
    except Exception as problem:
        return None, f'{type(problem).__name__}: {problem}', []


def plain(value):
    """Something that can be compared: tensors as values, tuples of any class as lists."""
    if isinstance(value, torch.Tensor) and value.is_meta:
        return ('meta', str(value.dtype), list(value.shape))
    if isinstance(value, torch.Tensor):
        return (str(value.dtype), list(value.shape), value.detach().double().nan_to_num(nan=-7.5).flatten().tolist()
                if not value.is_complex() else torch.view_as_real(value.detach()).flatten().tolist())
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (torch.nn.Module, ours.Module)):
        return repr(value)
    return value


def near(one, other):
    """Equal but for the last digits: our functions may add in another order."""
    if isinstance(one, float) and isinstance(other, float):
        return one == other or abs(one - other) <= 1e-5 * max(1, abs(one))
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(near, one, other))
    return one == other


def state(module):
    named = list(module.state_dict().items())
    named += [('param ' + name, value) for name, value in module.named_parameters()]
    named += [('buffer ' + name, value) for name, value in module.named_buffers()]
    return [(name, repr(value) if 'Uninit' in type(value).__name__ else plain(value)) for name, value in named]


def attributes(module):
    hidden = {'_flat_weights', '_flat_weight_refs', '_load_hook', '_initialize_hook', 'activation', '_modules', '_parameters',
              '_buffers', 'distance_function'}
    found = {}
    for name, value in vars(module).items():
        if name not in hidden and 'hooks' not in name:
            found[name] = str(plain(value))
    return found


class NothingLeaf(torch.fx.Tracer):
    def is_leaf_module(self, module, name):
        return False


@contextlib.contextmanager
def in_place_of_real():
    with mock.patch.object(torch.nn, 'Module', ours.Module), \
            mock.patch.object(_symbolic_trace, '_orig_module_call', ours.Module.__call__), \
            mock.patch.object(_symbolic_trace, '_orig_module_getattr', ours.Module.__getattr__):
        yield


def graph(module):
    place = in_place_of_real() if isinstance(module, ours.Module) else contextlib.nullcontext()
    with place:
        return str(NothingLeaf().trace(module))


def compare(name, make_real, make_own, run=None):
    real, real_error, real_heard = attempt(make_real)
    own, own_error, own_heard = attempt(make_own)
    same(f'error {name}', real_error, own_error)
    same(f'warning {name}', real_heard, own_heard)
    if real_error or own_error:
        return
    if OWN_FUNCTIONAL:
        same(f'class {name}', (type(real).__module__, type(real).__qualname__), (type(own).__module__, type(own).__qualname__))
        same(f'repr {name}', repr(real), repr(own))
        same(f'initial {name}', state(real), state(own))
        same(f'attributes {name}', attributes(real), attributes(own))
    if run is None:
        return
    for training in (True, False):
        real.train(training)
        own.train(training)
        if 'Lazy' not in name and not OWN_FUNCTIONAL:
            same(f'graph {name}', attempt(lambda: graph(real))[:2], attempt(lambda: graph(own))[:2])
        for grad in (True, False):
            with torch.set_grad_enabled(grad):
                wanted, got = attempt(lambda: run(real)), attempt(lambda: run(own))
            if not OWN_FUNCTIONAL or not near(plain(wanted[:2]), plain(got[:2])):
                same(f'output {name} training={training}', plain(wanted), plain(got))
            if OWN_FUNCTIONAL:
                same(f'state {name}', state(real), state(own))
        if OWN_FUNCTIONAL:
            same(f'class-after {name}', type(real).__qualname__, type(own).__qualname__)
            same(f'repr-after {name}', repr(real), repr(own))
    if OWN_FUNCTIONAL:
        own.load_state_dict(real.state_dict())
        same(f'loaded {name}', state(real), state(own))


def database():
    for info in module_db:
        for training in (True, False) if info.train_and_eval_differ else (True,):
            inputs = info.module_inputs_func(info, device='cpu', dtype=torch.float32, requires_grad=False, training=training)
            for place, sample in enumerate(inputs):
                made, given = sample.constructor_input, sample.forward_input
                own_class = getattr(ours, info.module_cls.__name__, None)
                if own_class is None:
                    continue

                def run(module):
                    import copy
                    args, kwargs = copy.deepcopy((given.args, given.kwargs))
                    return module(*args, **kwargs)

                compare(f'{info.name}[{place}]', lambda: info.module_cls(*made.args, **made.kwargs),
                        lambda: own_class(*own_value(made.args), **{key: own_value(value) for key, value in made.kwargs.items()}),
                        run if given is not None else None)


def parameters_of(function):
    return [(each.name, each.kind, 'none' if each.default is each.empty else str(each.default).partition(' at 0x')[0])
            for each in inspect.signature(function).parameters.values()]


def signatures():
    same('class names', torch.nn.modules.__all__, ours.modules.__all__)
    for name in torch.nn.modules.__all__:
        real, own = getattr(torch.nn, name), getattr(ours, name, None)
        if own is None:
            differ(f'signature {name}', 'there', 'missing')
            continue
        same(f'class {name}', (real.__module__, real.__qualname__), (own.__module__, own.__qualname__))
        for method, function in inspect.getmembers(real, inspect.isfunction):
            if method.startswith('_') and method not in ('__init__', '_conv_forward', '_load_from_state_dict'):
                continue
            if method in UNSUPPORTED or method == '_conv_forward' and 'Transpose' in name:
                continue
            if not hasattr(own, method):
                differ(f'signature {name}.{method}', 'there', 'missing')
                continue
            same(f'signature {name}.{method}', parameters_of(function), parameters_of(getattr(own, method)))
            if method == 'forward' and function.__name__ == 'forward':
                same(f'annotations {name}', {key: str(value) for key, value in function.__annotations__.items()},
                     {key: str(value) for key, value in own.forward.__annotations__.items()})
            if method == '__init__':
                same(f'signature {name}.{method}', function.__qualname__.split('.<')[0], own.__init__.__qualname__)
    for name in torch.nn.init.__all__:
        same(f'signature init.{name}', parameters_of(getattr(torch.nn.init, name)), parameters_of(getattr(ours.init, name)))


UNSUPPORTED = {'ipu', 'mtia'}


def expression(text, nn):
    return eval(text, {'nn': nn, 'torch': torch, 'x': torch.linspace(-2, 3, 96).reshape(2, 3, 4, 4)})


def script(text, nn):
    lines = []
    scope = {'__builtins__': library.names if nn is ours else builtins, 'nn': nn, 'torch': torch, '__name__': '__main__', 'show': lambda *values: lines.append(str(plain(list(values))))}
    try:
        exec(text, scope)
    except Exception as problem:
        lines.append(f'{type(problem).__name__}: {problem}')
    return lines


def errors_and_scripts():
    for text in ERRORS:
        real, own = attempt(lambda: expression(text, torch.nn)), attempt(lambda: expression(text, ours))
        if real[1] is None:
            failures.append(f'not an error in PyTorch: {text}')
        same(f'error {text}', real[1], own[1])
    for text in SCRIPTS:
        warnings.simplefilter('ignore')
        torch.default_generator.manual_seed(3)
        real = script(text, torch.nn)
        torch.default_generator.manual_seed(3)
        same(f'script {text}', real, script(text, ours))


def main():
    torch.set_num_threads(1)
    database()
    for text, call in CASES:
        run = None if call is None else lambda module: eval(call, {
            'm': module, 'torch': torch, 'x': torch.linspace(-2, 3, 96).reshape(2, 3, 4, 4)})
        compare(text, lambda: expression(text, torch.nn), lambda: expression(text, ours), run)
    if OWN_FUNCTIONAL:
        signatures()
        errors_and_scripts()
    for line in failures:
        print(line if '-v' in sys.argv else line[:1200])
    print(len(failures), 'differences;', counts)
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
