# SPDX-License-Identifier: GPL-3.0-or-later
# What PyTorch's own tests are made of: a TestCase that compares tensors, tests by parameters, and what machine this is.

import contextlib
import functools
import inspect
import itertools
import unittest

import torch
from torch.testing import make_tensor
from torch.testing._comparison import (BooleanPair, NonePair, NumberPair, ObjectPair, Pair, TensorLikePair, not_close_error_metas)

IS_LINUX, IS_WINDOWS, IS_MACOS, IS_PPC, IS_S390X, IS_ARM64, IS_FBCODE, IS_SANDCASTLE, IS_REMOTE_GPU, IS_CI, IS_JETSON = \
    True, False, False, False, False, False, False, False, False, False, False
TEST_CUDA = TEST_XPU = TEST_HPU = TEST_MPS = TEST_MULTIGPU = TEST_PRIVATEUSE1 = HAS_GPU = False
TEST_NUMPY = TEST_DILL = TEST_SCIPY = TEST_Z3 = TEST_WITH_ROCM = TEST_WITH_ASAN = TEST_WITH_TSAN = TEST_WITH_UBSAN = False
TEST_WITH_SLOW = TEST_WITH_TORCHDYNAMO = TEST_WITH_TORCHINDUCTOR = TEST_WITH_CROSSREF = TEST_MKL = TEST_CUDA_GRAPH = False
NO_MULTIPROCESSING_SPAWN = TEST_SKIP_FAST = False
GRAPH_EXECUTOR = 'legacy'


class RelaxedBooleanPair(BooleanPair):
    """A bool, and what has one value."""

    def __init__(self, actual, expected, *, id, **options):
        if not (isinstance(actual, bool) or isinstance(expected, bool)):
            self._inputs_not_supported()
        super().__init__(*(self._one(value) for value in (actual, expected)), id=id, **options)

    def _one(self, value):
        if isinstance(value, torch.Tensor) and value.numel() == 1:
            value = value.item()
        if not isinstance(value, (bool, int, float, complex)):
            self._inputs_not_supported()
        return bool(value)


class RelaxedNumberPair(NumberPair):
    """Numbers, one of which may be a tensor with one value."""

    def __init__(self, actual, expected, *, id=(), rtol_override=0.0, atol_override=0.0, check_dtype=None, **options):
        numbers = (int, float, complex)
        if not (isinstance(actual, numbers) or isinstance(expected, numbers)):
            self._inputs_not_supported()
        super().__init__(*(self._one(value) for value in (actual, expected)), id=id, check_dtype=False, **options)
        self.rtol, self.atol = max(self.rtol, rtol_override), max(self.atol, atol_override)

    def _one(self, value):
        if isinstance(value, torch.Tensor):
            if value.numel() != 1:
                self._inputs_not_supported()
            return value.item()
        return value


class TensorOrArrayPair(TensorLikePair):
    def __init__(self, actual, expected, *, id=(), rtol_override=0.0, atol_override=0.0, **options):
        if not all(isinstance(value, (torch.Tensor, list, tuple, int, float, complex)) for value in (actual, expected)):
            self._inputs_not_supported()
        if not any(isinstance(value, torch.Tensor) for value in (actual, expected)):
            self._inputs_not_supported()
        super().__init__(actual, expected, id=id, allow_subclasses=True, **options)
        self.rtol, self.atol = max(self.rtol, rtol_override), max(self.atol, atol_override)

    def _to_tensor(self, value):
        return value if isinstance(value, torch.Tensor) else torch.as_tensor(value)


class _KindPair(Pair):
    KIND = object

    def __init__(self, actual, expected, **options):
        self._check_inputs_isinstance(actual, expected, cls=self.KIND)
        super().__init__(actual, expected, **options)


class StringPair(_KindPair):
    KIND = (str, bytes)

    def compare(self):
        if self.actual != self.expected:
            self._fail(AssertionError, f'String comparison failed: {self.actual!r} != {self.expected!r}')


class SetPair(_KindPair):
    KIND = (set, frozenset)

    def compare(self):
        for more, less, which in (self.actual, self.expected, 'first'), (self.expected, self.actual, 'second'):
            if more - less:
                self._fail(AssertionError, f'Set comparison failed:\nItems in the {which} set but not the other: {more - less}')


class TypePair(_KindPair):
    KIND = type

    def compare(self):
        if self.actual is not self.expected:
            self._fail(AssertionError, f'Type comparison failed: {self.actual} != {self.expected}')


_PAIRS = NonePair, RelaxedBooleanPair, RelaxedNumberPair, TensorOrArrayPair, StringPair, SetPair, TypePair, ObjectPair


class TestCase(unittest.TestCase):
    precision = rel_tol = 0
    longMessage = True
    maxDiff = None

    def assertEqual(self, x, y, msg=None, *, atol=None, rtol=None, equal_nan=True, exact_dtype=True, exact_device=False,
                    exact_layout=False, exact_stride=False, exact_is_coalesced=False):
        found = not_close_error_metas(
            x, y, pair_types=_PAIRS, sequence_types=(list, tuple, torch.nn.ParameterList), mapping_types=(dict, torch.nn.ParameterDict),
            rtol=rtol, rtol_override=self.rel_tol, atol=atol, atol_override=self.precision, equal_nan=equal_nan,
            check_device=exact_device, check_dtype=exact_dtype, check_layout=exact_layout, check_stride=exact_stride,
            check_is_coalesced=exact_is_coalesced)
        if found:
            raise found[0].to_error((lambda text: f'{text}\n{msg}') if self.longMessage and isinstance(msg, str) else msg)

    assertEquals = assertEqual

    def assertNotEqual(self, x, y, msg=None, *, atol=None, rtol=None, **kwargs):
        with self.assertRaises(AssertionError, msg=msg):
            self.assertEqual(x, y, msg, atol=atol, rtol=rtol, **kwargs)

    def assertEqualIgnoreType(self, *args, **kwargs):
        return self.assertEqual(*args, exact_dtype=False, **kwargs)

    def assertEqualIgnoringNestedInts(self, a, b):
        return self.assertEqual(a, b)

    def assertExpectedInline(self, actual, expect, skip=0, normalize_fn=lambda text: text):
        lines = expect.split('\n')
        lines = lines[1:] if lines and not lines[0].strip() else lines
        self.assertMultiLineEqual('\n'.join(lines), normalize_fn(actual).rstrip('\n') if not expect.endswith('\n') else normalize_fn(actual))

    def assertExpectedRaisesInline(self, kind, callable, expect, *args, **kwargs):
        try:
            callable(*args, **kwargs)
        except kind as error:
            self.assertExpectedInline(str(error), expect)
            return
        self.fail(f'Expected {kind.__name__}, but nothing was raised')

    def assertRaisesRegexIgnoreStack(self, *args, **kwargs):
        return self.assertRaisesRegex(*args, **kwargs)

    def assertNotWarn(self, callable, msg=''):
        import warnings
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter('always')
            callable()
        self.assertTrue(len(told) == 0, msg)

    @contextlib.contextmanager
    def assertWarnsOnceRegex(self, category, regex=''):
        with self.assertWarnsRegex(category, regex):
            yield

    def compare_with_numpy(self, torch_fn, np_fn, tensor_like, device=None, dtype=None, **kwargs):
        raise unittest.SkipTest('numpy is not here')


def run_tests(argv=None):
    unittest.main(argv=['tests'] if argv is None else argv)


def raise_on_run_directly(file_to_call):
    raise RuntimeError(f'This test file is not meant to be run directly, use:\n\n\tpython {file_to_call} TESTNAME\n\ninstead.')


def _as_it_is(*given, **options):
    """A decorator about what is not here: the compiler, other devices."""
    if len(given) == 1 and not options and callable(given[0]):
        return given[0]
    return lambda item: item


skipIfTorchDynamo = skipIfTorchInductor = skipIfCrossRef = skipIfRocm = skipIfMPS = skipIfXpu = skipIfHpu = skipIfTBB = _as_it_is
skipIfLegacySerialization = skipIfNoLapack = skipIfNoQNNPACK = xfailIfTorchDynamo = xpassIfTorchDynamo_np = _as_it_is
markDynamoStrictTest = wrapDeterministicFlagAPITest = suppress_warnings = decorateIf = serialTest = _as_it_is
dontGenerateOpCheckTests = skipIfWindows = xfailIfS390X = xfailIfLinux = scoped_load_inline = _as_it_is
slowTest = unittest.skip('test is slow; run with PYTORCH_TEST_WITH_SLOW to enable test')
skipCUDAIf = skipIfNoCuda = lambda *a, **k: unittest.skip('CUDA is not here')


def find_library_location(name):
    import pathlib
    return pathlib.Path('/nonexistent') / name


@contextlib.contextmanager
def freeze_rng_state():
    state = torch.get_rng_state()
    try:
        yield
    finally:
        torch.set_rng_state(state)


def set_rng_seed(seed=1234):
    import random
    torch.manual_seed(seed)
    random.seed(seed)


@contextlib.contextmanager
def set_default_dtype(dtype):
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


class subtest:
    def __init__(self, arg_values, name=None, decorators=None):
        self.arg_values, self.name, self.decorators = arg_values, name, decorators or []


def dtype_name(dtype):
    return str(dtype).split('.')[1]


class parametrize:
    """One test for each of these values."""

    def __init__(self, arg_str, arg_values, name_fn=None):
        self.names = [name.strip() for name in arg_str.split(',') if name.strip()]
        self.values, self.name_fn = list(arg_values), name_fn

    def __call__(self, function):
        function.parametrize_fns = getattr(function, 'parametrize_fns', []) + [self]
        return function

    def cases(self):
        """(name, keywords, decorators) of each."""
        for index, given in enumerate(self.values):
            values, name, decorators = given, None, []
            if isinstance(given, subtest):
                values, name, decorators = given.arg_values, given.name, given.decorators
            if len(self.names) == 1 and not (isinstance(given, subtest) and isinstance(values, (list, tuple)) and len(values) == 1):
                values = (values,)
            if name is None:
                name = self.name_fn(*values) if self.name_fn else '_'.join(
                    f'{key}_{self._text(value, index)}' for key, value in zip(self.names, values))
            yield name, dict(zip(self.names, values)), decorators

    @staticmethod
    def _text(value, index):
        if isinstance(value, torch.dtype):
            return dtype_name(value)
        if isinstance(value, (type, torch.device)) or callable(value):
            return getattr(value, '__name__', str(value))
        return str(value).replace('.', '_') if isinstance(value, (bool, int, float, str)) else str(index)


def instantiate_parametrized_tests(generic_cls):
    for name, function in list(vars(generic_cls).items()):
        decorators = getattr(function, 'parametrize_fns', None)
        if not decorators:
            continue
        delattr(generic_cls, name)
        for chosen in itertools.product(*(decorator.cases() for decorator in decorators)):
            keywords = {key: value for _, given, _ in chosen for key, value in given.items()}
            setattr(generic_cls, '_'.join([name, *(suffix for suffix, _, _ in chosen if suffix)]),
                    _case_of(function, keywords, [more for _, _, some in chosen for more in some]))
    return generic_cls


def _case_of(function, keywords, decorators):
    @functools.wraps(function)
    def test(self):
        return function(self, **keywords)
    for decorator in decorators:
        test = decorator(test)
    return test
