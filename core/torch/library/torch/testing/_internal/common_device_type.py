# SPDX-License-Identifier: GPL-3.0-or-later
# Tests by device: for the CPU alone here.
import functools
import inspect
import unittest

from torch.testing._internal.common_utils import dtype_name, instantiate_parametrized_tests


def _as_it_is(item):
    return item


onlyCPU = onlyNativeDeviceTypes = onlyOn = _as_it_is
onlyCUDA = onlyAccelerator = unittest.skip('CUDA is not here')


class dtypes:
    def __init__(self, *given, **options):
        self.given = given

    def __call__(self, function):
        function.dtypes = self.given
        return function


class ops:
    """A test for each of these operators, of which there are none."""

    def __init__(self, op_list, **options):
        self.op_list = list(op_list)

    def __call__(self, function):
        function.op_list = self.op_list
        return function


def skipCUDAIf(condition, reason):
    return _as_it_is


skipCPUIf = skipXLAIf = skipMetaIf = skipCUDAIf


def instantiate_device_type_tests(generic_test_class, scope, except_for=None, only_for=None, include_lazy=False, allow_mps=False,
                                  allow_xpu=False):
    """Puts a class for the CPU into the module, and takes the general one out."""
    scope.pop(generic_test_class.__name__, None)
    if only_for is not None and 'cpu' not in only_for or except_for is not None and 'cpu' in except_for:
        return
    name = generic_test_class.__name__ + 'CPU'
    made = type(name, (generic_test_class,), {'device_type': 'cpu', '__module__': generic_test_class.__module__})
    for kind in reversed(generic_test_class.__mro__):
        for key, function in list(vars(kind).items()):
            if not key.startswith('test') or not callable(function):
                continue
            setattr(made, key, None)
            if hasattr(function, 'op_list'):
                continue
            for dtype in getattr(function, 'dtypes', (None,)):
                suffix = '_cpu' + (f'_{dtype_name(dtype)}' if dtype is not None else '')
                setattr(made, key + suffix, _on_cpu(function, dtype))
    scope[name] = instantiate_parametrized_tests(made)


def _on_cpu(function, dtype):
    takes = inspect.signature(function).parameters
    given = {'device': 'cpu'} if 'device' in takes else {}
    if dtype is not None and 'dtype' in takes:
        given['dtype'] = dtype

    @functools.wraps(function)
    def test(self, **keywords):
        return function(self, **given, **keywords)
    return test
