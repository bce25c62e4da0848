# SPDX-License-Identifier: GPL-3.0-or-later
# What models use of numpy: its dtypes and scalars, and arrays that are tensors on the CPU (_array.py). Of the rest of numpy the
# names are here, to be mentioned.
import contextlib

from _native import _import_module
from _stand_in import StandIn

from . import _dtypes
from ._array import AxisError, array_of, ndarray
from ._dtypes import can_cast, dtype
from ._elementwise import *
from ._functions import *
from ._limits import finfo, iinfo, issubdtype
from ._methods import (all, any, argmax, argmin, argsort, clip, conj, cumprod, cumsum, diagonal, dot, max, mean, min, nonzero, prod, ravel,
                       repeat, reshape, round, sort, squeeze, std, sum, swapaxes, take, trace, transpose, var)
from ._more import *
from ._ranges import *
from ._printing import array_repr, array_text as _array_text
from ._scalars import (bytes_, character, clongdouble, complexfloating, datetime64, flexible, floating, generic, inexact, integer,
                       longdouble, number, object_, signedinteger, str_, timedelta64, unsignedinteger, void)

__version__ = '2.4.6'
bool = bool_ = _dtypes._BOOL.type
int8, int16, int32, int64 = byte, short, intc, _ = [_dtypes.dtype(name).type for name in ('int8', 'int16', 'int32', 'int64')]
uint8, uint16, uint32, uint64 = ubyte, ushort, uintc, _ = [_dtypes.dtype(name).type for name in ('uint8', 'uint16', 'uint32', 'uint64')]
int_ = intp = long = longlong = int64
uint = uintp = ulong = ulonglong = uint64
float16, float32, float64 = half, single, double = [_dtypes.dtype(name).type for name in ('float16', 'float32', 'float64')]
complex64, complex128 = csingle, cdouble = [_dtypes.dtype(name).type for name in ('complex64', 'complex128')]
del _

pi, e, euler_gamma = 3.141592653589793, 2.718281828459045, 0.5772156649015329
inf, nan, newaxis = float('inf'), float('nan'), None
True_, False_ = bool(True), bool(False)

amax, amin, around, asanyarray, concat, conjugate, permute_dims = max, min, round, asarray, concatenate, conj, transpose
row_stack = vstack


def promote_types(type1, type2):
    return _dtypes.promote(dtype(type1), dtype(type2))


def result_type(*arrays_and_dtypes):
    found = None
    for each in arrays_and_dtypes:
        if isinstance(each, (int, float, complex)) and not isinstance(each, generic):
            own = _dtypes.weak(each) if found is None else _dtypes.promote_weak(found, each)
        else:
            own = each.dtype if isinstance(each, (ndarray, generic)) else dtype(each)
            own = own if found is None else promote_types(found, own)
        found = own
    return found


def count_nonzero(a, axis=None):
    return sum(asarray(a) != 0, axis)


def argwhere(a):
    return transpose(stack(nonzero(a)))


def array_str(a):
    return str(a)


def array2string(a, separator=' ', prefix=''):
    return _array_text(a, prefix, separator)


def fliplr(m):
    return flip(m, 1)


def flipud(m):
    return flip(m, 0)


@contextlib.contextmanager
def errstate(**kwargs):
    # Nothing here warns of numbers.
    if set(kwargs.values()) - {'ignore', 'warn', None}:
        raise NotImplementedError('not supported: numpy.errstate that raises or calls')
    yield


_MODULES = ('char', 'core', 'ctypeslib', 'dtypes', 'exceptions', 'fft', 'lib', 'linalg', 'ma', 'polynomial', 'random', 'rec', 'strings',
            'testing', 'typing')
_NOT_HERE = """
ScalarType apply_along_axis apply_over_axes argpartition array_equiv asarray_chkfinite asfortranarray asmatrix astype
atan2 base_repr binary_repr bitwise_count bitwise_left_shift bitwise_not bitwise_right_shift block bmat broadcast
broadcast_arrays broadcast_shapes busday_count busday_offset busdaycalendar c_ choose common_type complex256 compress
copyto corrcoef correlate cov cumulative_prod cumulative_sum datetime_as_string datetime_data delete diag_indices
diag_indices_from dsplit ediff1d einsum_path emath extract fill_diagonal flatiter float128 format_float_positional
format_float_scientific from_dlpack frombuffer fromfile fromfunction fromiter frompyfunc fromregex fromstring genfromtxt
get_include get_printoptions getbufsize geterr geterrcall histogram2d histogram_bin_edges histogramdd index_exp info
insert intersect1d is_busday isdtype isfortran isnat iterable ix_ lexsort little_endian load loadtxt mask_indices matrix
matrix_transpose matvec may_share_memory memmap mgrid min_scalar_type mintypecode nanargmax nanargmin nancumprod
nancumsum nanmedian nanpercentile nanquantile nanstd nanvar ndenumerate ndindex nditer nested_iters ogrid packbits
partition percentile piecewise place poly poly1d polyadd polyder polydiv polyfit polyint polymul polysub polyval
printoptions put put_along_axis putmask quantile r_ ravel_multi_index real_if_close recarray record require resize
rollaxis roots s_ save savetxt savez savez_compressed sctypeDict select set_printoptions setbufsize setdiff1d seterr
seterrcall setxor1d shares_memory show_config show_runtime sort_complex spacing take_along_axis tril_indices_from
trim_zeros triu_indices_from typecodes typename ufunc union1d unique_all unique_counts unique_inverse unique_values
unpackbits unravel_index unstack unwrap vecdot vecmat vectorize
"""
_REMOVED = {'float_': 'np.float64', 'complex_': 'np.complex128', 'unicode_': 'np.str_', 'string_': 'np.bytes_', 'Inf': 'np.inf',
            'Infinity': 'np.inf', 'NaN': 'np.nan', 'infty': 'np.inf', 'PINF': 'np.inf', 'NINF': '-np.inf', 'singlecomplex': 'np.complex64',
            'longfloat': 'np.longdouble', 'product': 'np.prod', 'alltrue': 'np.all', 'sometrue': 'np.any', 'round_': 'np.round'}


def __getattr__(name):
    if name in _MODULES:
        return _import_module('numpy.' + name)
    if name in _NOT_HERE.split():
        return StandIn(f'numpy.{name}', 'it is not evaluated here')
    if name in _REMOVED:
        raise AttributeError(f'`np.{name}` was removed in the NumPy 2.0 release. Use `{_REMOVED[name]}` instead.')
    raise AttributeError(f"module 'numpy' has no attribute {name!r}")


def _from_tensor(tensor, *, force=False):
    """tensor.numpy(): an array of the same memory."""
    if force:
        tensor = tensor.detach().cpu().resolve_conj().resolve_neg()
    if tensor.requires_grad:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
    if tensor.device.type != 'cpu':
        raise TypeError(f"can't convert {tensor.device} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory "
                        'first.')
    _dtypes.dtype_of_tensor(tensor)
    return array_of(tensor)
