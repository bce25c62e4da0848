# SPDX-License-Identifier: GPL-3.0-or-later
# The attributes of layers that another compiler asks for, laid on the nodes that call them.
import torch
from torch import nn
from torch.fx.graph_module import GraphModule

__all__ = ['default_matching', 'extract_attrs_for_lowering', 'lift_lowering_attrs_to_nodes']


def default_matching(name, target_version):
    return name


def _row(version, names):
    return version, names.split(), default_matching


# For a class: the newest version of it that the names are known to fit, the names, and what finds a name in a version.
module_fetch_book = {
    nn.modules.linear.Linear: _row(1, 'weight bias'),
    nn.modules.conv.Conv2d: _row(1, 'weight bias kernel_size stride padding dilation groups padding_mode'),
    nn.modules.batchnorm.BatchNorm2d: _row(2, 'weight bias running_mean running_var eps'),
    nn.modules.pooling.AdaptiveAvgPool2d: _row(1, ''),
    nn.modules.pooling.MaxPool2d: _row(1, 'kernel_size stride padding dilation return_indices ceil_mode'),
    nn.modules.activation.ReLU: _row(1, 'inplace'),
}

_ADVICE = 'open an issue and @842974287 or report a bug to AIACC team directly.'


def extract_attrs_for_lowering(mod):
    name = torch.typename(mod)
    if type(mod) not in module_fetch_book:
        raise RuntimeError(f'{name} is not in the module_fetch_book yet, please add it to the module_fetch_book, {_ADVICE}')
    version, names, matching = module_fetch_book[type(mod)]
    if mod._version > version:
        raise RuntimeError(f'Fetcher version {version} try to fetch {name} version {mod._version}, '
                           f'please upgrade the module_fetch_book, {_ADVICE}')
    return {'name': name, **{attr: getattr(mod, matching(attr, mod._version)) for attr in names}}


def lift_lowering_attrs_to_nodes(fx_module):
    modules = dict(fx_module.named_modules())
    for node in fx_module.graph.nodes:
        if node.op != 'call_module':
            continue
        called = modules[node.target]
        if isinstance(called, GraphModule):
            lift_lowering_attrs_to_nodes(called)
        else:
            node.attrs_for_lowering = extract_attrs_for_lowering(called)
