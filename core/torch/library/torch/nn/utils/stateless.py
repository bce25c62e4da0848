# SPDX-License-Identifier: GPL-3.0-or-later
# Calling a module with other tensors in the place of its own.
import warnings

__all__ = ['functional_call']


def _place(module, name):
    path, _, last = name.rpartition('.')
    owner = module.get_submodule(path)
    return (owner._buffers if last in owner._buffers else owner._parameters), last


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
            table, last = _place(module, name)
            before.append((table, last, table.get(last)))
            table[last] = value
        return module(*args, **(kwargs or {}))
    finally:
        for table, last, value in reversed(before):
            table[last] = value


def functional_call(module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False):
    warnings.warn('`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 and will be removed in a future '
                  'version of PyTorch. Please use `torch.func.functional_call` instead which is a drop-in replacement.',
                  FutureWarning, stacklevel=2)
    return _functional_call(module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict)
