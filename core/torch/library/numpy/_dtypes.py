# SPDX-License-Identifier: GPL-3.0-or-later
# numpy's dtypes: which there are, what their scalars' classes are, and what two of them make together. A dtype's `_torch` is
# that of the tensors that hold its numbers.
import torch

# Name, kind, bytes, tensors.
_KNOWN = [('bool', 'b', 1, torch.bool),
          ('int8', 'i', 1, torch.int8), ('int16', 'i', 2, torch.int16), ('int32', 'i', 4, torch.int32), ('int64', 'i', 8, torch.int64),
          ('uint8', 'u', 1, torch.uint8), ('uint16', 'u', 2, torch.uint16), ('uint32', 'u', 4, torch.uint32),
          ('uint64', 'u', 8, torch.uint64),
          ('float16', 'f', 2, torch.float16), ('float32', 'f', 4, torch.float32), ('float64', 'f', 8, torch.float64),
          ('complex64', 'c', 8, torch.complex64), ('complex128', 'c', 16, torch.complex128)]
_ALIASES = {'bool_': 'bool', '?': 'bool', 'byte': 'int8', 'b': 'int8', 'ubyte': 'uint8', 'B': 'uint8', 'short': 'int16', 'h': 'int16',
            'intc': 'int32', 'i': 'int32', 'int': 'int64', 'int_': 'int64', 'intp': 'int64', 'long': 'int64', 'l': 'int64',
            'longlong': 'int64', 'uint': 'uint64', 'half': 'float16', 'e': 'float16', 'single': 'float32', 'f': 'float32',
            'float': 'float64', 'double': 'float64', 'd': 'float64', 'complex': 'complex128', 'csingle': 'complex64',
            'cdouble': 'complex128'}
_BY_NAME = {}
_BY_TORCH = {}


class dtype:
    __module__ = 'numpy'

    def __new__(cls, given=None, align=False, copy=False):
        if isinstance(given, dtype):
            return given
        if given is None or given is float:
            given = 'float64'
        elif given in (bool, int, complex):
            given = given.__name__
        elif isinstance(given, type):
            own = given.__dict__.get('dtype')
            if isinstance(own, dtype):
                return own
            raise NotImplementedError(f'not supported: numpy arrays of {given.__name__}')
        elif not isinstance(given, str):
            if isinstance(getattr(given, 'dtype', None), dtype):
                return given.dtype
            raise TypeError(f'Cannot interpret {given!r} as a data type')
        name = given.lstrip('<=|') if len(given) > 1 else given
        name = _ALIASES.get(name, name)
        if name not in _BY_NAME and name[:1] in 'iufcb' and name[1:].isdigit():
            kinds = {'i': 'int', 'u': 'uint', 'f': 'float', 'c': 'complex'}
            name = 'bool' if name == 'b1' else kinds.get(name[0], '') + str(8 * int(name[1:]))
        if name not in _BY_NAME:
            raise TypeError(f'data type {given!r} not understood')
        return _BY_NAME[name]

    @property
    def str(self):
        return ('|' if self.itemsize == 1 else '<') + self.kind + f'{self.itemsize}'

    @property
    def num(self):
        return self._order

    def __eq__(self, other):
        try:
            return dtype(other) is self if other is not None else False
        except (TypeError, NotImplementedError):
            return False

    def __hash__(self):
        return hash(self.name)

    def __str__(self):
        return self.name

    def __repr__(self):
        return f'dtype({self.name!r})'


def _make_dtypes():
    for order, (name, kind, itemsize, code) in enumerate(_KNOWN):
        made = object.__new__(dtype)
        made.name, made.kind, made.itemsize, made._torch, made._order = name, kind, itemsize, code, order
        made.alignment, made.shape, made.names, made.byteorder = itemsize, (), None, '=' if itemsize > 1 else '|'
        _BY_NAME[name] = _BY_TORCH[code] = made


_make_dtypes()
_BOOL, _INT, _WORD, _FLOAT, _COMPLEX = (_BY_NAME[name] for name in ('bool', 'int64', 'uint64', 'float64', 'complex128'))


def dtype_of_tensor(tensor):
    if tensor.dtype not in _BY_TORCH:
        names = {torch.bfloat16: 'BFloat16'}
        raise TypeError(f'Got unsupported ScalarType {names.get(tensor.dtype, tensor.dtype)}')
    return _BY_TORCH[tensor.dtype]


def limits(kind, itemsize):
    return (0, 2 ** (8 * itemsize) - 1) if kind == 'u' else (-2 ** (8 * itemsize - 1), 2 ** (8 * itemsize - 1) - 1)


def _float_for(given):
    """The smallest floating dtype that holds the numbers of another."""
    if given.kind in 'bui':
        return _BY_NAME['float' + str(min(64, 16 * given.itemsize))]
    return _BY_NAME['float32' if given.name == 'complex64' else 'float64'] if given.kind == 'c' else given


def floating(given):
    """What functions such as sqrt() compute in."""
    return given if given.kind in 'fc' else _float_for(given)


def promote(a, b):
    if a is b:
        return a
    if 'b' in (a.kind, b.kind):
        return b if a.kind == 'b' else a
    if a.kind == b.kind:
        return a if a.itemsize >= b.itemsize else b
    if a.kind in 'iu' and b.kind in 'iu':
        unsigned, signed = (a, b) if a.kind == 'u' else (b, a)
        if unsigned.itemsize < signed.itemsize:
            return signed
        return _BY_NAME[f'int{16 * unsigned.itemsize}'] if unsigned.itemsize < 8 else _FLOAT
    parts = [_float_for(each) for each in (a, b)]
    part = parts[0] if parts[0].itemsize >= parts[1].itemsize else parts[1]
    if 'c' in (a.kind, b.kind):
        return _COMPLEX if part is _FLOAT else _BY_NAME['complex64']
    return part


def weak(number):
    """The dtype of a number of Python's by itself."""
    return _BOOL if isinstance(number, bool) else _INT if isinstance(number, int) else _FLOAT if isinstance(number, float) else _COMPLEX


def promote_weak(given, number):
    """A number of Python's changes the kind of a dtype, not its size."""
    own = weak(number)
    ranks = {'b': 0, 'u': 1, 'i': 1, 'f': 2, 'c': 3}
    if ranks[own.kind] <= ranks[given.kind]:
        if own is _INT:
            check_range(number, given)
        return given
    if own is _COMPLEX and given.kind == 'f':
        return promote(given, _BY_NAME['complex64'])
    return own


def check_range(number, given):
    if given.kind in 'iu':
        least, most = limits(given.kind, given.itemsize)
        if not least <= number <= most:
            raise OverflowError(f'Python integer {number} out of bounds for {given.name}')


def can_cast(source, target, casting='safe'):
    source, target = dtype(source), dtype(target)
    if casting in ('no', 'equiv'):
        return source is target
    if casting == 'same_kind':
        return 'buifc'.index(source.kind) <= 'buifc'.index(target.kind)
    return casting == 'unsafe' or promote(source, target) is target
