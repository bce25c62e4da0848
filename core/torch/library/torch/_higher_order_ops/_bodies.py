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
