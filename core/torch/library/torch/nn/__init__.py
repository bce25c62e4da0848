# SPDX-License-Identifier: GPL-3.0-or-later
# What `torch.nn` offers.
from .parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter
from .modules import *
from . import functional, init, modules, parallel, parameter, utils
from .parallel import DataParallel


def factory_kwargs(kwargs):
    if kwargs is None:
        return {}
    known = {'device', 'dtype', 'memory_format'}
    strange = kwargs.keys() - (known | {'factory_kwargs'})
    if strange:
        raise TypeError(f'unexpected kwargs {strange}')
    result = dict(kwargs.get('factory_kwargs', {}))
    for name in known:
        if name in kwargs:
            if name in result:
                raise TypeError(f'{name} specified twice, in **kwargs and in factory_kwargs')
            result[name] = kwargs[name]
    return result
