# SPDX-License-Identifier: GPL-3.0-or-later
# Loads the text of core/torch/library/torch/nn into CPython, beside the real torch.nn: with the real torch.nn.functional,
# or with our text of that too.
# What the evaluator supplies to these files is supplied here: _make_parameter and _is_parameter.
import builtins
import pathlib
import types

import torch

ROOT = pathlib.Path(__file__).resolve().parents[3] / 'core/torch/library/torch/nn'


class Library:
    def __init__(self, own_functional=False):
        self.loaded = {} if own_functional else {'torch.nn.functional': torch.nn.functional}
        self.names = dict(vars(builtins))
        self.names['__import__'] = self.imported
        self.names['_make_parameter'] = lambda data, requires_grad: torch.nn.Parameter(data, requires_grad)
        self.names['_is_parameter'] = lambda value: isinstance(value, torch.nn.Parameter)

    def imported(self, name, scope=None, local=None, wanted=(), level=0):
        if level:
            package = scope['__package__'].split('.')
            name = '.'.join(package[:len(package) - level + 1] + ([name] if name else []))
        if name.split('.')[:2] != ['torch', 'nn'] or not wanted:
            return builtins.__import__(name, scope, local, wanted, 0)
        module = self.load(name)
        for item in wanted:
            if item != '*' and not hasattr(module, item):
                setattr(module, item, self.load(f'{name}.{item}'))
        return module

    def load(self, name):
        if name in self.loaded:
            return self.loaded[name]
        if name.count('.') > 1:
            self.load(name.rpartition('.')[0])
            if name in self.loaded:
                return self.loaded[name]
        path = ROOT.joinpath(*name.split('.')[2:])
        is_package = path.is_dir()
        path = path / '__init__.py' if is_package else path.with_suffix('.py')
        if not path.exists():
            raise ImportError(f'no text for {name}')
        module = types.ModuleType(name)
        module.__package__ = name if is_package else name.rpartition('.')[0]
        module.__dict__['__builtins__'] = self.names
        self.loaded[name] = module
        parent, _, child = name.rpartition('.')
        if parent in self.loaded:
            setattr(self.loaded[parent], child, module)
        exec(compile(path.read_text(), str(path), 'exec'), module.__dict__)
        return module
