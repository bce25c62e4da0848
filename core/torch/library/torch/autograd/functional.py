# SPDX-License-Identifier: GPL-3.0-or-later
# torch.autograd.functional: products with the jacobian and the hessian of a function, and these themselves, by the engine of
# autograd run once or twice.
import torch


def _tensors(value, what, function):
    """(whether it is a tuple, as a tuple)"""
    is_tuple = isinstance(value, tuple)
    for place, each in enumerate(value if is_tuple else (value,)):
        if not isinstance(each, torch.Tensor):
            told = f'the value at index {place} has type {type(each)}' if is_tuple else f'the given {what} has type {type(each)}'
            raise TypeError(f'The {what} given to {function} must be either a Tensor or a tuple of Tensors but {told}.')
    return is_tuple, value if is_tuple else (value,)


def _prepared(tensors, create_graph, need_graph):
    return tuple(tensor.view_as(tensor) if create_graph and tensor.requires_grad else tensor.detach().requires_grad_(need_graph)
                 for tensor in tensors)


def _finished(tensors, create_graph):
    return tuple(tensors) if create_graph else tuple(tensor.detach() for tensor in tensors)


def _alone(tensors, is_tuple):
    return tensors if is_tuple else tensors[0]


def _require_same_sizes(v, others, is_tuple):
    if len(v) != len(others):
        raise RuntimeError(f'v is a tuple of invalid length: should be {len(others)} but got {len(v)}.' if is_tuple else
                           'The given v should contain a single Tensor.')
    for place, (mine, other) in enumerate(zip(v, others)):
        if mine.size() != other.size():
            where = f'Entry {place} in ' if is_tuple else ''
            raise RuntimeError(f'{where}v has invalid size: should be {other.size()} but got {mine.size()}.')


def _gradients(outputs, inputs, given=None, create_graph=False, retain_graph=None):
    pairs = [(output, gradient) for output, gradient in zip(outputs, given or (None,) * len(outputs))
             if output is not None and output.requires_grad]
    if not pairs:
        return (None,) * len(inputs)
    return torch.autograd.grad(tuple(output for output, _ in pairs), inputs, tuple(gradient for _, gradient in pairs),
                               allow_unused=True, create_graph=create_graph, retain_graph=retain_graph)


def _refuse_strict(strict, function):
    if strict:
        raise NotImplementedError(f'torch.autograd.functional.{function}() of strict=True is not supported here')


def _filled(gradients, like):
    return tuple(torch.zeros_like(each) if gradient is None else gradient for gradient, each in zip(gradients, like))


def _vector(v, function, others, is_tuple, create_graph, missing):
    if v is None:
        if len(others) != 1 or others[0].nelement() != 1:
            raise RuntimeError(f'The vector v can only be None if {missing}.')
        return None
    v = _prepared(_tensors(v, 'v', function)[1], create_graph, False)
    _require_same_sizes(v, others, is_tuple)
    return v


_ONE_INPUT = 'the input to the user-provided function is a single Tensor with a single element'


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    _refuse_strict(strict, 'vjp')
    with torch.enable_grad():
        is_tuple, inputs = _tensors(inputs, 'inputs', 'vjp')
        inputs = _prepared(inputs, create_graph, True)
        are_many, outputs = _tensors(func(*inputs), 'outputs of the user-provided function', 'vjp')
        v = _vector(v, 'vjp', outputs, are_many, create_graph,
                    'the user-provided function returns a single Tensor with a single element')
    with torch.set_grad_enabled(create_graph or torch.is_grad_enabled()):
        found = _filled(_gradients(outputs, inputs, v, create_graph), inputs)
    return _alone(_finished(outputs, create_graph), are_many), _alone(_finished(found, create_graph), is_tuple)


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    _refuse_strict(strict, 'jvp')
    with torch.enable_grad():
        is_tuple, inputs = _tensors(inputs, 'inputs', 'jvp')
        inputs = _prepared(inputs, create_graph, True)
        v = _vector(v, 'jvp', inputs, is_tuple, create_graph, _ONE_INPUT)
        are_many, outputs = _tensors(func(*inputs), 'outputs of the user-provided function', 'jvp')
        # The gradients are linear in what they are asked for, so that its gradient is the product.
        given = tuple(torch.zeros_like(output, requires_grad=True) for output in outputs)
        back = _gradients(outputs, inputs, given, True)
    with torch.set_grad_enabled(create_graph or torch.is_grad_enabled()):
        found = _filled(_gradients(back, given, v, create_graph), outputs)
    return _alone(_finished(outputs, create_graph), are_many), _alone(_finished(found, create_graph), are_many)


def _one_number(func, inputs, function):
    are_many, outputs = _tensors(func(*inputs), 'outputs of the user-provided function', function)
    if are_many:
        raise RuntimeError(f'The function given to {function} should return a single Tensor')
    if outputs[0].nelement() != 1:
        raise RuntimeError(f'The Tensor returned by the function given to {function} should contain a single element')
    return outputs


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    _refuse_strict(strict, 'vhp')
    with torch.enable_grad():
        is_tuple, inputs = _tensors(inputs, 'inputs', 'vhp')
        inputs = _prepared(inputs, create_graph, True)
        v = _vector(v, 'vhp', inputs, is_tuple, create_graph, _ONE_INPUT)
        outputs = _one_number(func, inputs, 'vhp')
        first = _gradients(outputs, inputs, None, True)
    with torch.set_grad_enabled(create_graph or torch.is_grad_enabled()):
        found = _filled(_gradients(first, inputs, v, create_graph), inputs)
    return _finished(outputs, create_graph)[0], _alone(_finished(found, create_graph), is_tuple)


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    _refuse_strict(strict, 'hvp')
    with torch.enable_grad():
        is_tuple, inputs = _tensors(inputs, 'inputs', 'hvp')
        inputs = _prepared(inputs, create_graph, True)
        v = _vector(v, 'hvp', inputs, is_tuple, create_graph, _ONE_INPUT)
        outputs = _one_number(func, inputs, 'hvp')
        first = _gradients(outputs, inputs, None, True)
        given = tuple(torch.zeros_like(each, requires_grad=True) for each in inputs)
        second = _gradients(first, inputs, given, True)
    with torch.set_grad_enabled(create_graph or torch.is_grad_enabled()):
        found = _filled(_gradients(second, given, v, create_graph), inputs)
    return _finished(outputs, create_graph)[0], _alone(_finished(found, create_graph), is_tuple)


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy='reverse-mode'):
    _refuse_strict(strict, 'jacobian')
    if strategy not in ('forward-mode', 'reverse-mode'):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has more '
                             'outputs than inputs, "forward-mode" tends to be more performant. Otherwise, prefer to use '
                             '"reverse-mode".')
    if strategy == 'forward-mode':
        raise NotImplementedError("torch.autograd.functional.jacobian() of strategy='forward-mode' is not supported here; "
                                  'torch.func.jacfwd() gives the same values')
    with torch.enable_grad():
        is_tuple, inputs = _tensors(inputs, 'inputs', 'jacobian')
        inputs = _prepared(inputs, create_graph, True)
        are_many, outputs = _tensors(func(*inputs), 'outputs of the user-provided function', 'jacobian')
        rows = []
        for output in outputs:
            found = [_filled(_gradients((each,), inputs, None, create_graph, True), inputs) for each in output.reshape(-1)]
            stacked = zip(*found) if found else [[]] * len(inputs)
            rows.append(tuple(torch.stack(list(parts), 0).view(output.size() + each.size()) if parts else
                              each.new_zeros(output.size() + each.size()) for parts, each in zip(stacked, inputs)))
    rows = [_alone(_finished(row, create_graph), is_tuple) for row in rows]
    return tuple(rows) if are_many else rows[0]


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy='reverse-mode'):
    _refuse_strict(strict, 'hessian')
    is_tuple, inputs = _tensors(inputs, 'inputs', 'hessian')
    if outer_jacobian_strategy not in ('forward-mode', 'reverse-mode'):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')

    def number(*given):
        return _one_number(func, given, 'hessian')[0].squeeze()

    def first(*given):
        return jacobian(number, given, create_graph=True)

    found = jacobian(first, inputs, create_graph=create_graph, vectorize=vectorize, strategy=outer_jacobian_strategy)
    return found if is_tuple else found[0][0]
