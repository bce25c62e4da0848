# SPDX-License-Identifier: GPL-3.0-or-later
# torch.func's gradients: each call is a level of LibTorch's interpreters (core/torch/host/gradient_levels.cpp), on which its
# arguments are wrapped and the engine of autograd runs.
import contextlib
import functools

import torch
from torch.utils._pytree import tree_flatten, tree_leaves, tree_map, tree_unflatten

from .functionalize import functionalize
from .vmap import vmap

_JVP = 'jvp(f, primals, tangents)'
_VJP = 'vjp(f, *primals)'
_GRAD = 'grad_and_value(f)(*args)'
# How many levels of forward gradients there are: autograd itself has one.
_forward_levels = 0


@contextlib.contextmanager
def _backward_level():
    level = _grad_increment_nesting()
    try:
        with torch.enable_grad():
            yield level
    finally:
        _grad_decrement_nesting()


@contextlib.contextmanager
def _forward_level():
    global _forward_levels
    level = _jvp_increment_nesting()
    _forward_levels += 1
    try:
        with _forward_gradients(), _dual_level() if _forward_levels == 1 else contextlib.nullcontext():
            yield level
    finally:
        _forward_levels -= 1
        _jvp_decrement_nesting()


@contextlib.contextmanager
def _forward_gradients():
    before = _set_fwd_grad_enabled(True)
    try:
        yield
    finally:
        _set_fwd_grad_enabled(before)


@contextlib.contextmanager
def _dual_level():
    level = _enter_dual_level()
    try:
        yield
    finally:
        _exit_dual_level(level)


def _wrapped(tree, level):
    return tree_map(lambda leaf: _wrap_for_grad(leaf, level) if isinstance(leaf, torch.Tensor) else leaf, tree)


def _unwrapped(tree, level):
    def of(value):
        if isinstance(value, torch.Tensor):
            return _unwrap_for_grad(value, level)
        if isinstance(value, tuple):
            return tree_map(of, tuple(value))
        raise RuntimeError(f'Expected tensors, got unsupported type {type(value)}')

    return tree_map(of, tree)


def _require_gradients(tree):
    for leaf in tree_leaves(tree):
        if not isinstance(leaf, torch.Tensor):
            raise ValueError(f'Thing passed to transform API must be Tensor, got {type(leaf)}')
        leaf.requires_grad_()


def _chosen(args, argnums):
    """Those of the arguments that `argnums` names: one, or a tuple."""
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(f'argnums must be int or Tuple[int, ...], got: {type(argnums)}')
    places = _places(args, argnums)
    if isinstance(argnums, int):
        return args[places[0]]
    if not places:
        raise RuntimeError('argnums must be non-empty')
    if len(set(places)) != len(places):
        raise RuntimeError(f'argnums elements must be unique, got {places}')
    return tuple(args[place] for place in places)


def _places(args, argnums):
    places = []
    for place in argnums if isinstance(argnums, tuple) else (argnums,):
        if not isinstance(place, int):
            raise RuntimeError(f'argnum must be int, got: {type(place)}')
        if not -len(args) <= place < len(args):
            raise RuntimeError(f'Got argnum={place}, but only {len(args)} positional inputs')
        places.append(place % len(args))
    return tuple(places)


def _gradients(outputs, inputs, given=None, retain_graph=False, create_graph=True):
    """Zeros where an output does not depend on an input."""
    pairs = [(output, gradient) for output, gradient in zip(outputs, given or [None] * len(outputs)) if output.requires_grad]
    if not pairs:
        return tuple(torch.zeros_like(each) for each in inputs)
    found = torch.autograd.grad(tuple(output for output, _ in pairs), inputs,
                                None if given is None else tuple(gradient for _, gradient in pairs),
                                retain_graph=retain_graph, create_graph=create_graph, allow_unused=True)
    return tuple(torch.zeros_like(each) if gradient is None else gradient for gradient, each in zip(found, inputs))


def _with_aux(call, out):
    if not (isinstance(out, tuple) and len(out) == 2):
        raise RuntimeError(f'{call}: output of function f should be a tuple: (output, aux) if has_aux is True')
    return out


def _require_tensors(call, outputs):
    if not outputs or (len(outputs) == 1 and outputs[0] is None):
        raise RuntimeError(f'{call}: Expected f to be a function that has non-empty output (got output = {outputs})')
    for output in outputs:
        if not isinstance(output, torch.Tensor):
            raise RuntimeError(f'{call}: expected f(*primals) to return only tensors, got unsupported type {type(output)}')


def grad_and_value_impl(func, argnums, has_aux, args, kwargs):
    with _backward_level() as level:
        args, kwargs = _wrapped(args, level), _wrapped(kwargs, level)
        inputs = _chosen(args, argnums)
        _require_gradients(inputs)
        output, aux = func(*args, **kwargs), None
        if has_aux:
            output, aux = _with_aux(_GRAD, output)
        if not isinstance(output, torch.Tensor):
            raise RuntimeError(f'{_GRAD}: Expected f(*args) to return a Tensor, got {type(output)}')
        if output.dim() != 0:
            raise RuntimeError(f'{_GRAD}: Expected f(*args) to return a scalar Tensor, got tensor with {output.dim()} dims. '
                               'Maybe you wanted to use the vjp or jacrev APIs instead?')
        flat, spec = tree_flatten(inputs)
        found = _unwrapped(tree_unflatten(_gradients((output,), flat), spec), level)
        output = _unwrapped(output, level)
        return (found, (output, _unwrapped(aux, level))) if has_aux else (found, output)


def grad_impl(func, argnums, has_aux, args, kwargs):
    found, value = grad_and_value_impl(func, argnums, has_aux, args, kwargs)
    return (found, value[1]) if has_aux else found


def _as_func(func, wrapped):
    return functools.wraps(func)(wrapped) if hasattr(func, '__name__') else wrapped


def grad(func, argnums=0, has_aux=False):
    return _as_func(func, lambda *args, **kwargs: grad_impl(func, argnums, has_aux, args, kwargs))


def grad_and_value(func, argnums=0, has_aux=False):
    return _as_func(func, lambda *args, **kwargs: grad_and_value_impl(func, argnums, has_aux, args, kwargs))


class _Leaf:
    def __repr__(self):
        return '*'


def _shape_of(spec):
    return repr(tree_unflatten([_Leaf()] * spec.num_leaves, spec))


def vjp(func, *primals, has_aux=False):
    return _vjp(func, primals, None, has_aux)


def _vjp(func, primals, argnums, has_aux):
    with _backward_level() as level:
        primals = _wrapped(primals, level)
        inputs = primals if argnums is None else _chosen(primals, argnums)
        _require_gradients(inputs)
        outputs, aux = func(*primals), None
        if has_aux:
            outputs, aux = _with_aux(_VJP, outputs)
            aux = _unwrapped(aux, level)
        flat_outputs, output_spec = tree_flatten(outputs)
        _require_tensors(_VJP, flat_outputs)
        flat_inputs, input_spec = tree_flatten(inputs)
        results = _unwrapped(outputs, level)
        for output in flat_outputs:
            if not (output.is_floating_point() or output.is_complex()):
                raise RuntimeError('vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor with '
                                   f'dtype {output.dtype}')

    def pulled_back(cotangents, retain_graph=True, create_graph=None):
        flat, spec = tree_flatten(cotangents)
        if spec != output_spec:
            raise RuntimeError('Expected pytree structure of cotangents to be the same as pytree structure of outputs to the '
                               f'function. cotangents: {_shape_of(spec)}, primal output: {_shape_of(output_spec)}')
        creates = torch.is_grad_enabled() if create_graph is None else create_graph
        return tree_unflatten(_gradients(flat_outputs, flat_inputs, flat, retain_graph, creates), input_spec)

    return (results, pulled_back, aux) if has_aux else (results, pulled_back)


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    return _jvp(func, primals, tangents, None, strict, has_aux)


def _require_list(name, tensors):
    if not tensors:
        raise RuntimeError(f'{_JVP}: Expected {name} to contain at least one Tensor.')
    for each in tensors:
        if not isinstance(each, torch.Tensor):
            raise RuntimeError(f'{_JVP}: Expected {name} to only contain Tensors, got {type(each)}')


def _jvp(func, primals, tangents, argnums, strict, has_aux):
    if not isinstance(primals, tuple):
        raise RuntimeError(f'{_JVP}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals).')
    inputs = primals if argnums is None else _chosen(primals, argnums)
    if isinstance(argnums, int):
        inputs = (inputs,)
    flat_inputs, input_spec = tree_flatten(inputs)
    flat_tangents, tangent_spec = tree_flatten(tangents)
    if input_spec != tangent_spec:
        raise RuntimeError(f'{_JVP}: Expected primals and tangents to have the same python structure. For example, if primals is '
                           'a tuple of 3 tensors, tangents also must be. Got primals with structure '
                           f'{input_spec} and tangents with structure {tangent_spec}')
    _require_list('primals', flat_inputs)
    _require_list('tangents', flat_tangents)
    with _forward_level() as level:
        duals = tree_unflatten([torch._make_dual(primal, tangent, 0)
                                for primal, tangent in zip(flat_inputs, flat_tangents)], input_spec)
        if argnums is not None:
            replaced = dict(zip(_places(primals, argnums), duals))
            duals = tuple(replaced.get(place, value) for place, value in enumerate(_wrapped(primals, level)))
        outputs, aux = func(*duals), None
        if has_aux:
            outputs, aux = _with_aux(_JVP, outputs)
            aux = _unwrapped(aux, level)
        flat, spec = tree_flatten(outputs)
        _require_tensors(_JVP, flat)
        pairs = [_unpacked(dual, strict) for dual in flat]
        values, derivatives = ([_unwrapped(each, level) for each in part] for part in zip(*pairs))
        out = tree_unflatten(values, spec), tree_unflatten(derivatives, spec)
        return (*out, aux) if has_aux else out


def _unpacked(dual, strict):
    primal, tangent = torch._unpack_dual(dual, 0)
    if tangent is None and strict:
        raise RuntimeError('jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. This is not '
                           'allowed with strict=True.')
    return primal, torch.zeros_like(primal) if tangent is None else tangent


def _require_real(name, tree, what):
    for place, value in enumerate(tree_leaves(tree)):
        if isinstance(value, torch.Tensor) and value.dtype.is_complex:
            raise RuntimeError(f'{name}: Expected all {what} to be real but received complex tensor at flattened input idx: '
                               f'{place}')


def _unit_vectors(tensors, chunk_size=None):
    """The rows of the identity matrix over all elements of the tensors, each row cut into their shapes; so many at a time."""
    counts = [tensor.numel() for tensor in tensors]
    total = sum(counts)
    chunk_size = min(chunk_size or total, total)
    for start in range(0, total, chunk_size) if total else (0,):
        rows, before, out = min(chunk_size, total - start), 0, []
        for tensor, count in zip(tensors, counts):
            part = tensor.new_zeros(rows, count)
            part.diagonal(start - before).fill_(1)
            out.append(part.view(rows, *tensor.shape))
            before += count
        yield out


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None, _preallocate_and_copy=False):
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError('jacrev: `chunk_size` should be greater than 0.')

    def wrapped(*args):
        _require_real('jacrev', args, 'inputs')
        output, pull_back, *aux = _vjp(func, args, argnums, has_aux)
        flat, output_spec = tree_flatten(output)
        _require_real('jacrev', flat, 'outputs')
        counts = [each.numel() for each in flat]
        chosen = _chosen(args, argnums)
        primals, primal_spec = tree_flatten((chosen,) if isinstance(argnums, int) else chosen)
        chunks = []
        for basis in _unit_vectors(flat, chunk_size):
            if chunk_size == 1:
                rows = tree_leaves(pull_back(tree_unflatten([each.squeeze(0) for each in basis], output_spec)))
                chunks.append([row.unsqueeze(0) for row in rows])
            else:
                chunks.append(tree_leaves(vmap(pull_back)(tree_unflatten(basis, output_spec))))
        stacked = chunks[0] if len(chunks) == 1 else [torch.cat(parts, 0) for parts in zip(*chunks)]
        by_input = [[part.view(out.shape + primal.shape) for part, out in zip(rows.split(counts, dim=0), flat)]
                    for rows, primal in zip(stacked, primals)]
        by_output = [tree_unflatten(list(parts), primal_spec) for parts in zip(*by_input)]
        if isinstance(argnums, int):
            by_output = [parts[0] for parts in by_output]
        found = tree_unflatten(by_output, output_spec)
        return (found, *aux) if has_aux else found

    return _as_func(func, wrapped)


def jacfwd(func, argnums=0, has_aux=False, *, randomness='error'):
    def wrapped(*args):
        _require_real('jacfwd', args, 'inputs')
        chosen = _chosen(args, argnums)
        primals, spec = tree_flatten((chosen,) if isinstance(argnums, int) else chosen)
        counts = [primal.numel() for primal in primals]
        basis = tree_unflatten(next(_unit_vectors(primals)), spec)

        def pushed_forward(tangents):
            output = _jvp(func, args, tangents, argnums, False, has_aux)
            _require_real('jacfwd', output[0], 'outputs')
            return output[1:] if has_aux else output[1]

        results, aux = vmap(pushed_forward, randomness=randomness)(basis), None
        if has_aux:
            results, aux = results
            aux = tree_map(lambda value: value[0], aux)
        flat, output_spec = tree_flatten(results)
        found = []
        for rows in flat:
            parts = rows.movedim(0, -1).split(counts, dim=-1)
            parts = [part.unflatten(-1, primal.shape) if primal.shape else part.squeeze(-1)
                     for part, primal in zip(parts, primals)]
            parts = tree_unflatten(parts, spec)
            found.append(parts[0] if isinstance(argnums, int) else parts)
        found = tree_unflatten(found, output_spec)
        return (found, aux) if has_aux else found

    return _as_func(func, wrapped)


def hessian(func, argnums=0):
    return jacfwd(jacrev(func, argnums), argnums)
