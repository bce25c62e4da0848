# SPDX-License-Identifier: GPL-3.0-or-later
# Tuples of sizes, and the texts that many modules print alike.


def _ntuple(n, name='parse'):
    def parse(x):
        return tuple(x) if hasattr(x, '__iter__') else (x,) * n

    parse.__name__ = name
    return parse


_single = _ntuple(1, '_single')
_pair = _ntuple(2, '_pair')
_triple = _ntuple(3, '_triple')
_quadruple = _ntuple(4, '_quadruple')


def _reverse_repeat_tuple(t, n):
    return tuple(value for value in reversed(t) for _ in range(n))


def _list_with_default(out_size, defaults):
    if isinstance(out_size, int):
        return out_size
    if len(defaults) <= len(out_size):
        raise ValueError(f'Input dimension should be at least {len(out_size) + 1}')
    return [default if size is None else size for size, default in zip(out_size, defaults[-len(out_size):])]


def consume_prefix_in_state_dict_if_present(state_dict, prefix):
    for key in list(state_dict.keys()):
        if key.startswith(prefix):
            state_dict[key[len(prefix):]] = state_dict.pop(key)
    if hasattr(state_dict, '_metadata'):
        told = state_dict._metadata
        for key in list(told.keys()):
            if key and (key == prefix.replace('.', '') or key.startswith(prefix)):
                told[key[len(prefix):]] = told.pop(key)


def _fields(module, *names):
    return ', '.join(f'{name}={getattr(module, name)}' for name in names)


def _fields_if(module, **usual):
    # The fields that differ from what is usual, each with a comma before it.
    return ''.join(f', {name}={getattr(module, name)}' for name, value in usual.items() if getattr(module, name) != value)


def _wanted_dims(input, *ranks):
    # Compares one by one: a traced input then fails at the first comparison, as it does in PyTorch.
    for rank in ranks:
        if input.dim() == rank:
            return
    words = ' or '.join(f'{rank}D' for rank in ranks)
    raise ValueError(f'expected {words} input (got {input.dim()}D input)')
