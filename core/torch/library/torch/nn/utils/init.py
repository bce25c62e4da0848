# SPDX-License-Identifier: GPL-3.0-or-later
# Modules made without filling their parameters.
from torch.nn.modules.module import Module


def skip_init(module_cls, *args, **kwargs):
    if not issubclass(module_cls, Module):
        raise RuntimeError(f'Expected a Module; got {module_cls}')
    device = kwargs.pop('device', 'cpu')
    return module_cls(*args, **kwargs, device='meta').to_empty(device=device)
