# SPDX-License-Identifier: GPL-3.0-or-later
# GraphModule.to_folder: a module as a package of Python text, with its tensors beside it. The folder is one that the program has
# in memory; `fxscope export` writes packages to the disk.
import pathlib
import warnings

import torch
import torch.nn as nn

_HEAD = """
import torch
from math import inf
from math import nan
NoneType = type(None)
import torch
from torch import device
import torch.fx._pytree as fx_pytree
import torch.utils._pytree as pytree

from torch.nn import *
"""
# Whose repr is the call that makes them.
_PLAIN = nn.Linear, nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d


def write_folder(module, folder, module_name):
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    torch.save(module.state_dict(), folder / 'state_dict.pt')
    lines = [f'class {module_name}(torch.nn.Module):', '    def __init__(self):', '        super().__init__()']
    pickled = []
    for name, child in module.named_children():
        if type(child) in _PLAIN:
            lines.append(f"        setattr(self, '{name}', {child!r})")
            continue
        torch.save(child, folder / f'{name}.pt')
        pickled.append(name)
        comment = repr(child).replace('\r', ' ').replace('\n', ' ')
        lines.append(f"        setattr(self, '{name}', torch.load(r'{folder / f'{name}.pt'}', weights_only=False)) # {comment}")
    for name, buffer in module._buffers.items():
        if buffer is not None:
            lines.append(f"        self.register_buffer('{name}', torch.empty({list(buffer.shape)}, dtype={buffer.dtype}))")
    for name, parameter in module._parameters.items():
        if parameter is not None:
            lines.append(f"        setattr(self, '{name}', torch.nn.Parameter(torch.empty({list(parameter.shape)}, "
                         f'dtype={parameter.dtype})))')
    lines.append(f"        self.load_state_dict(torch.load(r'{folder}/state_dict.pt'))")
    first, *others = module.code.split('\n')
    code = '\n'.join([first] + ['    ' + line if line.strip() else '' for line in others])
    (folder / 'module.py').write_text(_HEAD + '\n'.join(lines) + f'\n{code}\n')
    (folder / '__init__.py').write_text('from .module import *')
    if pickled:
        warnings.warn('Was not able to save the following children modules as reprs -'
                      f'saved as pickled files instead: {pickled}')
