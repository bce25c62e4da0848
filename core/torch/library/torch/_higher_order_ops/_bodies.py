# SPDX-License-Identifier: GPL-3.0-or-later
# What the operators of torch.ops.higher_order compute: functions over functions, called as they stand.
import torch


def cond(pred, true_fn, false_fn, operands=()):
    return true_fn(*operands) if pred else false_fn(*operands)


def while_loop(cond_fn, body_fn, carried_inputs, additional_inputs=()):
    carried = tuple(carried_inputs)
    while cond_fn(*carried, *additional_inputs):
        carried = tuple(body_fn(*carried, *additional_inputs))
    return carried


def _stacked(rows):
    return [torch.stack(column) for column in zip(*rows)]


def map_impl(f, xs, pos_args):
    rows = [f(*[x[i] for x in xs], *pos_args) for i in range(xs[0].shape[0])]
    return tuple(_stacked(rows))


def scan(combine_fn, init, xs, additional_inputs=()):
    carried, rows = list(init), []
    for i in range(xs[0].shape[0] if xs else 0):
        results = list(combine_fn(*carried, *[x[i] for x in xs], *additional_inputs))
        carried = results[:len(init)]
        rows.append(results[len(init):])
    return (*carried, *_stacked(rows))


def wrap(func, *args, **kwargs):
    return func(*args, **kwargs)


wrap_activation_checkpoint = wrap
tag_activation_checkpoint = wrap


def wrap_with_set_grad_enabled(enable_grad, wrapped_func, *args, **kwargs):
    with torch.set_grad_enabled(enable_grad):
        return wrapped_func(*args, **kwargs)


def wrap_with_autocast(device_type, dtype, enabled, cache_enabled, wrapped_func, *args, **kwargs):
    with torch.autocast(device_type, dtype, enabled, cache_enabled):
        return wrapped_func(*args, **kwargs)


def invoke_subgraph(subgraph, identifier, *operands):
    return subgraph(*operands)


def strict_mode(callable, operands):
    return callable(*operands)


def run_const_graph(graph, args):
    return graph(*args)


def hints_wrapper(body_fn, args, kwargs, hints):
    return body_fn(*args, **kwargs)


# Operators that write into their arguments, as operators that do not.

def _written(op):
    return [argument for argument in op._schema.arguments if argument.alias_info is not None and argument.alias_info.is_write]


def _copied(tensor):
    # With the strides and the offset, and with the elements between.
    if tensor is None:
        return None
    if isinstance(tensor, (list, tuple)):
        return [_copied(one) for one in tensor]
    if tensor.numel() == 0:
        return tensor.clone()
    sizes, strides, offset = tensor.size(), tensor.stride(), tensor.storage_offset()
    length = offset + 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides))
    return torch.as_strided(torch.as_strided(tensor, (length,), (1,), 0).clone(), sizes, strides, offset)


def _and(result, more):
    return (*result, *more) if isinstance(result, tuple) else (result, *more)


def auto_functionalized(_mutable_op, /, **kwargs):
    names = [argument.name for argument in _written(_mutable_op)]
    copies = {name: _copied(kwargs[name]) for name in names}
    return _and(_mutable_op(**{**kwargs, **copies}), copies.values())


def auto_functionalized_v2(_mutable_op, /, *, _only_clone_these_bases=None, _all_bases=(), **kwargs):
    # Each argument is a view of a base; one that the operator only writes (torch.Tag.out) is made here.
    copies = _only_clone_these_bases is None
    bases = [_copied(base) if copies or i in _only_clone_these_bases else base for i, base in enumerate(_all_bases)]

    def view(name):
        index = kwargs.pop(f'{name}_base_index')
        if index is None:
            return None
        if kwargs.pop(f'{name}_alias', False):
            return torch.ops.aten.alias.default(bases[index])
        if f'{name}_storage_offset' in kwargs:
            return torch.as_strided(bases[index], *[kwargs.pop(name + part) for part in ('_size', '_stride', '_storage_offset')])
        if f'{name}_slice_dim' in kwargs:
            return torch.ops.aten.slice.Tensor(bases[index], *[kwargs.pop(name + part) for part in ('_slice_dim', '_slice_start', '_slice_end')])
        return bases[index]

    given, is_out = {}, False
    for argument in _written(_mutable_op):
        name = '_' + argument.name
        if f'{name}_dtype' in kwargs:
            is_out = True
            size, stride, dtype, device = [kwargs.pop(name + part) for part in ('_size', '_stride', '_dtype', '_device')]
            given[argument.name] = torch.empty_strided(size, stride, dtype=dtype, device=device)
        elif f'{name}_length' in kwargs:
            length = kwargs.pop(f'{name}_length')
            given[argument.name] = None if length is None else [view(f'{name}_{i}') for i in range(length)]
        else:
            given[argument.name] = view(name)
    result = _mutable_op(**kwargs, **given)
    return result if is_out else _and(result, bases)
