# SPDX-License-Identifier: GPL-3.0-or-later
# torch.testing.assert_close: pairs of values that are compared each in the way of its kind.
import abc
import collections.abc
import contextlib
import warnings

import numpy as np
import torch

_REPORT = ('If you are a user and see this message during normal operation please file an issue at '
           'https://github.com/pytorch/pytorch/issues. If you are a developer and working on the comparison functions, please ')


class ErrorMeta(Exception):
    """The error to raise, as long as it is not known which message the caller wants."""

    def __init__(self, type, msg, *, id=()):
        super().__init__(_REPORT + '`raise ErrorMeta.to_error()` for user facing errors.')
        self.type, self.msg, self.id = type, msg, id

    def to_error(self, msg=None):
        if not isinstance(msg, str):
            made = self.msg
            if self.id:
                made += f'\n\nThe failure occurred for item {_place(self.id)}'
            msg = msg(made) if callable(msg) else made
        return self.type(msg)


def _place(id):
    return ''.join(str([item]) for item in id)


_DTYPE_PRECISIONS = {
    torch.float16: (0.001, 1e-5), torch.bfloat16: (0.016, 1e-5), torch.float32: (1.3e-6, 1e-5), torch.float64: (1e-7, 1e-7),
    torch.complex32: (0.001, 1e-5), torch.complex64: (1.3e-6, 1e-5), torch.complex128: (1e-7, 1e-7)}
_DTYPE_PRECISIONS.update(dict.fromkeys((torch.quint8, torch.quint2x4, torch.quint4x2, torch.qint8, torch.qint32),
                                       _DTYPE_PRECISIONS[torch.float32]))


def default_tolerances(*inputs, dtype_precisions=None):
    known = dtype_precisions or _DTYPE_PRECISIONS
    found = []
    for input in inputs:
        if not isinstance(input, (torch.Tensor, torch.dtype)):
            raise TypeError(f'Expected a torch.Tensor or a torch.dtype, but got {type(input)} instead.')
        found.append(known.get(input.dtype if isinstance(input, torch.Tensor) else input, (0.0, 0.0)))
    return max(rtol for rtol, atol in found), max(atol for rtol, atol in found)


def get_tolerances(*inputs, rtol, atol, id=()):
    if (rtol is None) != (atol is None):
        raise ErrorMeta(ValueError, "Both 'rtol' and 'atol' must be either specified or omitted, "
                                    f"but got no {'rtol' if rtol is None else 'atol'}.", id=id)
    return default_tolerances(*inputs) if rtol is None else (rtol, atol)


def _named(identifier, default):
    return default if identifier is None else identifier(default) if callable(identifier) else identifier


def _difference(type, diff, idx, tol, is_equality):
    text = f'{type.title()} difference: {diff}' if idx is None else f'Greatest {type} difference: {diff} at index {idx}'
    return text if is_equality else f'{text} (up to {tol} allowed)'


def _make_mismatch_msg(*, default_identifier, identifier=None, extra=None, abs_diff, abs_diff_idx=None, atol, rel_diff,
                       rel_diff_idx=None, rtol):
    is_equality = rtol == 0 and atol == 0
    lines = [f"{_named(identifier, default_identifier)} are not {'equal' if is_equality else 'close'}!", '']
    if extra:
        lines.append(extra.strip())
    lines.append(_difference('absolute', abs_diff, abs_diff_idx, atol, is_equality))
    lines.append(_difference('relative', rel_diff, rel_diff_idx, rtol, is_equality))
    return '\n'.join(lines).strip()


def make_scalar_mismatch_msg(actual, expected, *, rtol, atol, identifier=None):
    abs_diff = abs(actual - expected)
    rel_diff = float('inf') if expected == 0 else abs_diff / abs(expected)
    return _make_mismatch_msg(default_identifier='Scalars', identifier=identifier, extra=f'Expected {expected} but got {actual}.',
                              abs_diff=abs_diff, atol=atol, rel_diff=rel_diff, rtol=rtol)


def make_tensor_mismatch_msg(actual, expected, matches, *, rtol, atol, identifier=None):
    def index_of(flat):
        index = []
        for size in matches.shape[::-1]:
            flat, rest = divmod(flat, size)
            index.insert(0, rest)
        return tuple(index)

    count = matches.numel()
    wrong = count - int(torch.sum(matches))
    extra = f'Mismatched elements: {wrong} / {count} ({wrong / count:.1%})'
    if actual.dtype.is_floating_point and actual.dtype.itemsize == 1:
        first = tuple(torch.nonzero(~matches, as_tuple=False)[0].tolist())
        return (f"{_named(identifier, 'Tensor-likes')} are not 'equal'!\n\n{extra}\n"
                f'The first mismatched element is at index {first}.')
    actual, expected, matches_flat = actual.flatten(), expected.flatten(), matches.flatten()
    if not actual.dtype.is_floating_point and not actual.dtype.is_complex:
        actual, expected = actual.to(torch.int64), expected.to(torch.int64)
    abs_diff = torch.abs(actual - expected)
    abs_diff[matches_flat] = 0
    max_abs_diff, abs_at = torch.max(abs_diff, 0)
    rel_diff = abs_diff / torch.abs(expected)
    rel_diff[matches_flat] = 0
    max_rel_diff, rel_at = torch.max(rel_diff, 0)
    return _make_mismatch_msg(default_identifier='Tensor-likes', identifier=identifier, extra=extra,
                              abs_diff=max_abs_diff.item(), abs_diff_idx=index_of(int(abs_at)), atol=atol,
                              rel_diff=max_rel_diff.item(), rel_diff_idx=index_of(int(rel_at)), rtol=rtol)


class UnsupportedInputs(Exception):
    """The values are none that a pair of this class compares."""


class Pair(abc.ABC):
    def __init__(self, actual, expected, *, id=(), **unknown_parameters):
        self.actual, self.expected, self.id, self._unknown_parameters = actual, expected, id, unknown_parameters

    @staticmethod
    def _inputs_not_supported():
        raise UnsupportedInputs

    @staticmethod
    def _check_inputs_isinstance(*inputs, cls):
        if not all(isinstance(input, cls) for input in inputs):
            raise UnsupportedInputs

    def _fail(self, type, msg, *, id=()):
        raise ErrorMeta(type, msg, id=self.id if not id and hasattr(self, 'id') else id)

    @abc.abstractmethod
    def compare(self):
        pass

    def extra_repr(self):
        return []

    def __repr__(self):
        shown = [('id', self.id), ('actual', self.actual), ('expected', self.expected)]
        shown += [(extra, getattr(self, extra)) if isinstance(extra, str) else extra for extra in self.extra_repr()]
        return '\n'.join([f'{type(self).__name__}(', *[f'    {name}={value!s},' for name, value in shown], ')'])


class ObjectPair(Pair):
    def compare(self):
        try:
            is_equal = self.actual == self.expected
        except Exception as error:
            raise ErrorMeta(ValueError, f'{self.actual} == {self.expected} failed with:\n{error}.', id=self.id) from error
        if not is_equal:
            self._fail(AssertionError, f'{self.actual} != {self.expected}')


class NonePair(Pair):
    def __init__(self, actual, expected, **other_parameters):
        if actual is not None and expected is not None:
            self._inputs_not_supported()
        super().__init__(actual, expected, **other_parameters)

    def compare(self):
        if self.actual is not None or self.expected is not None:
            self._fail(AssertionError, f'None mismatch: {self.actual} is not {self.expected}')


class BooleanPair(Pair):
    def __init__(self, actual, expected, *, id, **other_parameters):
        self._check_inputs_isinstance(actual, expected, cls=(bool, np.bool_))
        # As in torch, the place is not told of booleans.
        super().__init__(*(value if isinstance(value, bool) else value.item() for value in (actual, expected)), **other_parameters)

    def compare(self):
        if self.actual is not self.expected:
            self._fail(AssertionError, f'Booleans mismatch: {self.actual} is not {self.expected}')


class NumberPair(Pair):
    _TYPE_TO_DTYPE = {int: torch.int64, float: torch.float64, complex: torch.complex128}
    _NUMBER_TYPES = tuple(_TYPE_TO_DTYPE)

    def __init__(self, actual, expected, *, id=(), rtol=None, atol=None, equal_nan=False, check_dtype=False, **other_parameters):
        self._check_inputs_isinstance(actual, expected, cls=(*self._NUMBER_TYPES, np.number))
        actual, expected = (value.item() if isinstance(value, np.number) else value for value in (actual, expected))
        super().__init__(actual, expected, id=id, **other_parameters)
        self.rtol, self.atol = get_tolerances(*[self._TYPE_TO_DTYPE[type(value)] for value in (actual, expected)],
                                              rtol=rtol, atol=atol, id=id)
        self.equal_nan, self.check_dtype = equal_nan, check_dtype

    def compare(self):
        actual, expected = self.actual, self.expected
        if self.check_dtype and type(actual) is not type(expected):
            self._fail(AssertionError, f'The (d)types do not match: {type(actual)} != {type(expected)}.')
        if actual == expected or self.equal_nan and actual != actual and expected != expected:
            return
        difference = abs(actual - expected)
        if difference not in (float('inf'), float('-inf')) and difference <= self.atol + self.rtol * abs(expected):
            return
        self._fail(AssertionError, make_scalar_mismatch_msg(actual, expected, rtol=self.rtol, atol=self.atol))

    def extra_repr(self):
        return 'rtol', 'atol', 'equal_nan', 'check_dtype'


_COMPRESSED = {torch.sparse_csr: ('CSR', 'crow_indices', 'col_indices'), torch.sparse_csc: ('CSC', 'ccol_indices', 'row_indices'),
               torch.sparse_bsr: ('BSR', 'crow_indices', 'col_indices'), torch.sparse_bsc: ('BSC', 'ccol_indices', 'row_indices')}


class TensorLikePair(Pair):
    def __init__(self, actual, expected, *, id=(), allow_subclasses=True, rtol=None, atol=None, equal_nan=False,
                 check_device=True, check_dtype=True, check_layout=True, check_stride=False, **other_parameters):
        is_related = isinstance(actual, type(expected)) or isinstance(expected, type(actual))
        if not is_related or not allow_subclasses and type(actual) is not type(expected):
            self._inputs_not_supported()
        actual, expected = (self._to_tensor(value) for value in (actual, expected))
        for tensor in (actual, expected):
            if tensor.layout not in (torch.strided, torch.jagged, torch.sparse_coo, *_COMPRESSED):
                raise ErrorMeta(ValueError, f'Unsupported tensor layout {tensor.layout}', id=id)
        super().__init__(actual, expected, id=id, **other_parameters)
        self.rtol, self.atol = get_tolerances(actual, expected, rtol=rtol, atol=atol, id=self.id)
        self.equal_nan, self.check_device, self.check_dtype = equal_nan, check_device, check_dtype
        self.check_layout, self.check_stride = check_layout, check_stride

    def _to_tensor(self, value):
        if isinstance(value, torch.Tensor):
            return value
        try:
            return torch.as_tensor(value)
        except Exception:
            self._inputs_not_supported()

    def compare(self):
        self._compare_attributes(self.actual, self.expected)
        if self.actual.device.type != 'meta' and self.expected.device.type != 'meta':
            self._compare_values(*self._equalize_attributes(self.actual, self.expected))

    def _compare_attributes(self, actual, expected):
        def hold(name, ours, theirs):
            if ours != theirs:
                self._fail(AssertionError, f"The values for attribute '{name}' do not match: {ours} != {theirs}.")

        hold('shape', actual.shape, expected.shape)
        hold('is_quantized', actual.is_quantized, expected.is_quantized)
        if actual.is_quantized:
            hold('qscheme()', actual.qscheme(), expected.qscheme())
        if self.check_layout:
            hold('layout', actual.layout, expected.layout)
        if self.check_stride and actual.layout == expected.layout == torch.strided:
            hold('stride()', actual.stride(), expected.stride())
        if self.check_device:
            hold('device', actual.device, expected.device)
        if self.check_dtype:
            hold('dtype', actual.dtype, expected.dtype)

    def _equalize_attributes(self, actual, expected):
        if actual.device != expected.device:
            actual, expected = actual.cpu(), expected.cpu()
        if actual.dtype != expected.dtype:
            unsigned = (torch.uint64, torch.uint32, torch.uint16)
            dtypes = [torch.int64 if tensor.dtype in unsigned else tensor.dtype for tensor in (actual, expected)]
            dtype = torch.promote_types(*dtypes)
            actual, expected = actual.to(dtype), expected.to(dtype)
        if actual.layout != expected.layout:
            actual, expected = (tensor if tensor.layout == torch.strided else tensor.to_dense() for tensor in (actual, expected))
        return actual, expected

    def _compare_values(self, actual, expected):
        if actual.is_quantized:
            self._compare_close(actual.dequantize(), expected.dequantize(), lambda default: f'Quantized {default.lower()}')
        elif actual.layout == torch.sparse_coo:
            self._compare_coo(actual, expected)
        elif actual.layout in _COMPRESSED:
            self._compare_compressed(actual, expected)
        elif actual.layout == torch.jagged:
            self._compare_close(actual.values(), expected.values())
        else:
            is_small = actual.dtype.is_floating_point and actual.dtype.itemsize == 1
            if is_small and (self.rtol != 0.0 or self.atol != 0.0):
                raise ErrorMeta(AssertionError, f'Rtol={self.rtol} and atol={self.atol} are not supported for bitwise comparison of '
                                                'low dimensional floats. Please use rtol=0.0 and atol=0.0.')
            self._compare_close(actual, expected)

    def _same_count(self, what, ours, theirs):
        if ours != theirs:
            self._fail(AssertionError, f'The number of {what} tensors does not match: {ours} != {theirs}')

    def _compare_coo(self, actual, expected):
        self._same_count('sparse dimensions in sparse COO', actual.sparse_dim(), expected.sparse_dim())
        self._same_count('specified values in sparse COO', actual._nnz(), expected._nnz())
        self._compare_equal(actual._indices(), expected._indices(), 'Sparse COO indices')
        self._compare_close(actual._values(), expected._values(), 'Sparse COO values')

    def _compare_compressed(self, actual, expected):
        format, *methods = _COMPRESSED[actual.layout]
        self._same_count(f'specified values in sparse {format}', actual._nnz(), expected._nnz())
        dtype = torch.promote_types(*(getattr(tensor, methods[0])().dtype for tensor in (actual, expected)))
        for method in methods:
            ours, theirs = (getattr(tensor, method)().to(dtype) for tensor in (actual, expected))
            self._compare_equal(ours, theirs, f'Sparse {format} {method}')
        self._compare_close(actual.values(), expected.values(), f'Sparse {format} values')

    def _compare_equal(self, actual, expected, identifier):
        self._compare(actual, expected, 0, 0, False, identifier)

    def _compare_close(self, actual, expected, identifier=None):
        self._compare(actual, expected, self.rtol, self.atol, self.equal_nan, identifier)

    def _compare(self, actual, expected, rtol, atol, equal_nan, identifier):
        matches = torch.isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan)
        if torch.all(matches):
            return
        if actual.dim() == 0:
            message = make_scalar_mismatch_msg(actual.item(), expected.item(), rtol=rtol, atol=atol, identifier=identifier)
        else:
            message = make_tensor_mismatch_msg(actual, expected, matches, rtol=rtol, atol=atol, identifier=identifier)
        self._fail(AssertionError, message)

    def extra_repr(self):
        return 'rtol', 'atol', 'equal_nan', 'check_device', 'check_dtype', 'check_layout', 'check_stride'


def originate_pairs(actual, expected, *, pair_types, sequence_types=(collections.abc.Sequence,),
                    mapping_types=(collections.abc.Mapping,), id=(), **options):
    def pairs_of(keys):
        return [pair for key in keys
                for pair in originate_pairs(actual[key], expected[key], pair_types=pair_types, sequence_types=sequence_types,
                                            mapping_types=mapping_types, id=(*id, key), **options)]

    if all(isinstance(value, sequence_types) and not isinstance(value, str) for value in (actual, expected)):
        if len(actual) != len(expected):
            raise ErrorMeta(AssertionError, f'The length of the sequences mismatch: {len(actual)} != {len(expected)}', id=id)
        return pairs_of(range(len(actual)))
    if isinstance(actual, mapping_types) and isinstance(expected, mapping_types):
        ours, theirs = set(actual.keys()), set(expected.keys())
        if ours != theirs:
            raise ErrorMeta(AssertionError, 'The keys of the mappings do not match:\n'
                                            f'Missing keys in the actual mapping: {sorted(theirs - ours)}\n'
                                            f'Additional keys in the actual mapping: {sorted(ours - theirs)}', id=id)
        with contextlib.suppress(Exception):
            ours = sorted(ours)
        return pairs_of(ours)
    for pair_type in pair_types:
        try:
            return [pair_type(actual, expected, id=id, **options)]
        except UnsupportedInputs:
            continue
        except ErrorMeta:
            raise
        except Exception as error:
            raise RuntimeError(f'Originating a {pair_type.__name__}() at item {_place(id)} with\n\n'
                               f'{type(actual).__name__}(): {actual}\n\nand\n\n{type(expected).__name__}(): {expected}\n\n'
                               f'resulted in the unexpected exception above. {_REPORT}'
                               'except the previous error and raise an expressive `ErrorMeta` instead.') from error
    raise ErrorMeta(TypeError, f'No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}.', id=id)


def not_close_error_metas(actual, expected, *, pair_types=(ObjectPair,), sequence_types=(collections.abc.Sequence,),
                          mapping_types=(collections.abc.Mapping,), **options):
    try:
        pairs = originate_pairs(actual, expected, pair_types=pair_types, sequence_types=sequence_types,
                                mapping_types=mapping_types, **options)
    except ErrorMeta as error:
        raise error.to_error() from None
    found = []
    for pair in pairs:
        try:
            pair.compare()
        except ErrorMeta as error:
            found.append(error)
        except Exception as error:
            raise RuntimeError(f'Comparing\n\n{pair}\n\nresulted in the unexpected exception above. {_REPORT}'
                               'except the previous error and raise an expressive `ErrorMeta` instead.') from error
    return found


def assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True,
                 check_dtype=True, check_layout=True, check_stride=False, msg=None):
    found = not_close_error_metas(
        actual, expected, pair_types=(NonePair, BooleanPair, NumberPair, TensorLikePair), allow_subclasses=allow_subclasses,
        rtol=rtol, atol=atol, equal_nan=equal_nan, check_device=check_device, check_dtype=check_dtype, check_layout=check_layout,
        check_stride=check_stride, msg=msg)
    if found:
        raise found[0].to_error(msg)


def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=''):
    warnings.warn('`torch.testing.assert_allclose()` is deprecated since 1.12 and will be removed in a future release. '
                  'Please use `torch.testing.assert_close()` instead. You can find detailed upgrade instructions in '
                  'https://github.com/pytorch/pytorch/issues/61844.', FutureWarning, stacklevel=2)
    if not isinstance(actual, torch.Tensor):
        actual = torch.tensor(actual)
    if not isinstance(expected, torch.Tensor):
        expected = torch.tensor(expected, dtype=actual.dtype)
    if rtol is None and atol is None:
        rtol, atol = default_tolerances(actual, expected, dtype_precisions={
            torch.float16: (1e-3, 1e-3), torch.float32: (1e-4, 1e-5), torch.float64: (1e-5, 1e-8)})
    assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_device=True, check_dtype=False,
                 check_stride=False, msg=msg or None)
