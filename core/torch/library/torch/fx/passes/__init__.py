# SPDX-License-Identifier: GPL-3.0-or-later
# Passes over graphs. What a program names of this package is imported when it is asked for, as torch.fx.passes.x.
import importlib

_modules = ('dialect', 'fake_tensor_prop', 'graph_drawer', 'graph_manipulation', 'graph_transform_observer', 'infra',
            'net_min_base', 'operator_support', 'param_fetch', 'pass_manager', 'reinplace', 'shape_prop', 'split_module', 'split_utils',
            'splitter_base', 'tools_common', 'utils')


def __getattr__(name):
    if name in _modules:
        return importlib.import_module(f'{__name__}.{name}')
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
