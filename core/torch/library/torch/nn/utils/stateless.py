# SPDX-License-Identifier: GPL-3.0-or-later
# Calling a module with other tensors in the place of its own.
import warnings

import torch

__all__ = ['functional_call']


def _put(module, name, value):
    """Puts a tensor in the place of the one of that name, and gives what puts that back."""
    path, _, last = name.rpartition('.')
    owner = module.get_submodule(path)
    if value is not None and not isinstance(value, torch.Tensor):
        raise TypeError(f'{value} is not an instance of torch.Tensor')
    if last == '':
        raise KeyError('tensor name can\'t be empty string ""')
    for table in (owner._parameters, owner._buffers):
        if last in table:
            before, table[last] = table[last], value
            return lambda: table.__setitem__(last, before)
    if not hasattr(owner, last):
        setattr(owner, last, value)
        return lambda: delattr(owner, last)
    before = getattr(owner, last)
    if before is not None and not isinstance(before, torch.Tensor):
        raise TypeError(f'attribute `{last}`: {before} is not an instance of torch.Tensor')
    setattr(owner, last, value)
    return lambda: setattr(owner, last, before)


def _functional_call(module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False):
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    own = dict(module.named_parameters(remove_duplicate=False))
    own.update(module.named_buffers(remove_duplicate=False))
    given = dict(parameters_and_buffers)
    if strict:
        said = []
        for word, names in (('Unexpected', [name for name in given if name not in own]),
                            ('Missing', [name for name in own if name not in given])):
            if names:
                said.append(f'{word} key(s): {", ".join(map(repr, sorted(names)))}.')
        if said:
            lines = '\n\t'.join(said)
            raise RuntimeError(f'Error(s) in reparametrizing for {module._get_name()}:\n\t{lines}')
    if tie_weights:
        for name, value in list(given.items()):
            for other, tensor in own.items():
                if name in own and tensor is own[name] and other not in parameters_and_buffers:
                    given[other] = value
    before = []
    try:
        for name, value in given.items():
            before.append(_put(module, name, value))
        return module(*args, **(kwargs or {}))
    finally:
        for put_back in reversed(before):
            put_back()


def functional_call(module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False):
    warnings.warn('`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 and will be removed in a future '
                  'version of PyTorch. Please use `torch.func.functional_call` instead which is a drop-in replacement.',
                  FutureWarning, stacklevel=2)
    return _functional_call(module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict)
