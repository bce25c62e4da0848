# SPDX-License-Identifier: GPL-3.0-or-later
# Calls of numpy, which both evaluators run: `f(x)` gives the result of each, by name. Ten thousand values of each dtype, edges among them.
import numpy as np

from packing import packed

EDGES = [0.0, -0.0, 1, -1, 2, -2, 0.5, -0.5, 8, 32, 128, 512, 3, 1e-300, 1e300, -1e300, 1e-310, np.inf, -np.inf, np.nan, 1e-8, -1e-8, 1e8, 700,
         -700, 710, 1e16, np.pi, np.pi / 2, -np.pi, 0.1, -3.5, 2.5, 1.5]


def floats(dtype):
    r = np.random.RandomState(1)
    parts = [np.array(EDGES), 2.0 ** (r.randn(2500) * 7), r.randn(2500) * 8, r.uniform(-1, 1, 2500), r.randn(2466) * 100]
    return np.concatenate(parts).astype(dtype)


def integers(dtype):
    r, about = np.random.RandomState(2), np.iinfo(dtype)
    edges = np.array([0, 1, 2, 3, about.max, about.min, about.max - 1, 5, 7, 100], dtype=dtype)
    return np.concatenate([edges, r.randint(about.min, about.max, 4990, dtype=dtype), r.randint(0, 20, 5000).astype(dtype)])


DATA = {name: floats(name) for name in ('float64', 'float32', 'float16')}
DATA.update({name: integers(name) for name in ('int64', 'int32', 'int8', 'uint8', 'uint16', 'uint32', 'uint64')})
DATA['bool'] = np.array([True, False, False, True, True] * 2000)
REAL = ('sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh deg2rad rad2deg '
        'floor ceil trunc rint round abs fabs sign square negative invert isnan isinf isfinite logical_not signbit reciprocal positive sinc '
        'nan_to_num').split()
TWO = ('add subtract multiply divide floor_divide mod fmod power maximum minimum fmax fmin arctan2 hypot copysign equal not_equal less '
       'less_equal greater greater_equal logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor heaviside logaddexp logaddexp2 '
       'float_power').split()
FEWER = 'sum prod mean var std max min all any argmax argmin cumsum cumprod'.split()


def elementwise():
    for kind, data in DATA.items():
        for name in REAL:
            yield f'{name} {kind}', lambda: getattr(np, name)(data)
        other = np.roll(data, 17)
        if kind[:1] == 'f':
            yield f'nextafter {kind}', lambda: np.nextafter(data, other)
        if kind[:1] in 'iu':
            yield f'gcd {kind}', lambda: [np.gcd(data % 100, other % 60), np.lcm(data % 12, other % 9)]
            counts = np.arange(10000).astype(kind) % 70
            yield f'shifts {kind}', lambda: [data >> counts, data << counts, np.right_shift(data, counts[:1]), np.bitwise_right_shift(data[5], counts)]
        for name in TWO:
            second = other % 5 if name in ('power', 'float_power') and kind[:1] in 'iu' else other
            yield f'{name} {kind}', lambda: getattr(np, name)(data, second)
        for exponent in (2, 0.5, -1.0, 3):
            yield f'** {exponent} {kind}', lambda: np.abs(data.astype('float64' if kind == 'bool' else kind)) ** exponent
        yield f'scalars {kind}', lambda: [np.sqrt(data[place]) for place in range(8, 12)]


def reductions():
    for kind, data in DATA.items():
        data = data[np.isfinite(data)] if kind[-5:] != 'int64' else data % 2 ** 40
        plane, solid = data[:9900].reshape(90, 110), data[:9900].reshape(5, 198, 10)
        for name in FEWER:
            take = getattr(np, name)
            yield f'{name} {kind}', lambda: take(data)
            yield f'{name} {kind} of few', lambda: [take(data[:count]) for count in (1, 5, 7, 8, 9, 127, 128, 129, 1000)]
            yield f'{name} {kind} 2d', lambda: [take(plane, axis=0), take(plane, axis=1), take(plane.T, axis=0), take(plane.T, axis=1)]
            if name[:3] not in ('arg', 'cum'):
                yield f'{name} {kind} 3d', lambda: [take(solid, axis=axis) for axis in ((0, 2), (0, 1), (1, 2), 1, (0, 1, 2))]
                yield f'{name} {kind} kept', lambda: take(solid, axis=1, keepdims=True)


def ranges():
    for name in ('hanning', 'hamming', 'blackman', 'bartlett'):
        for count in (0, 1, 2, 3, 10, 11, 51, 512, 5.5):
            yield f'{name} {count}', lambda: getattr(np, name)(count)
    for args in [(0, 3), (1, 3, 7), (0, 2, 5, False), (1, 1, 4), (0.1, 7.3, 50), ([0, 1], [2, 3], 4)]:
        yield f'logspace {args}', lambda: np.logspace(*args)
        yield f'linspace {args}', lambda: np.linspace(*args)
    for args in [(1, 1000, 4), (1, 256, 9), (-1, -1000, 4), (1000, 1, 4), (1, 2), (1, 2, 5, False), (0.1, 7.3, 50), ([1, 2], [10, 200], 4), (0, 1)]:
        yield f'geomspace {args}', lambda: np.geomspace(*args)
    yield 'logspace base', lambda: [np.logspace(0, 3, 4, base=2, dtype=int), np.logspace(0, 2, 4, base=[2, 3]), np.logspace([0, 1], [2, 3], 4, axis=1)]
    yield 'geomspace int', lambda: np.geomspace(1, 256, 9, dtype=int)
    yield 'linspace dtypes', lambda: [np.linspace(np.float32(0), np.float32(1), 4), np.linspace(0, 10, 4, dtype=int), np.linspace(0, 10, 4, retstep=True)]
    yield 'linspace weak', lambda: [np.linspace(np.float32(0), 1.0, 5), np.linspace(0, np.float16(1), 5), np.linspace(np.int8(0), 1, 5),
                                    np.linspace(np.float32([0, 1]), 2.5, 5), np.linspace(np.float32(0), np.float64(1), 3)]
    yield 'logspace weak', lambda: [np.logspace(np.float32(0), 2, 3), np.logspace(np.float32(0), 2, 3, base=np.float64(10)),
                                    np.geomspace(np.float32(1), np.float32(1000), 4), np.geomspace(1, np.float16(100), 3)]
    yield 'linspace negative', lambda: np.linspace(0, 1, -1)


def joined():
    a, b = DATA['float64'][34:94].reshape(3, 4, 5), DATA['int32'][:60].reshape(3, 4, 5)
    yield 'where', lambda: [np.where(a > 0, a, b), np.where(b, 1, a), *np.where(a > 3)]
    yield 'isclose', lambda: [np.isclose(a, a + 1e-9), np.allclose(a, b), np.array_equal(b, b)]
    yield 'concatenate', lambda: [np.concatenate([a, b], axis=1), np.stack([a, b], 2), np.vstack([a, b]), np.hstack([a, b]), np.concatenate([a, b], None)]
    yield 'split', lambda: [*np.split(a, 2, axis=1), *np.split(a, [1, 3], axis=2)]
    yield 'meshgrid', lambda: [*np.meshgrid(a[0, 0], b[0, :, 0]), *np.meshgrid(a[0, 0], b[0, :, 0], indexing='ij')]
    yield 'outer', lambda: [np.outer(a[0, 0], b[1, 1]), np.tile(b, (2, 1, 2)), np.repeat(b, 3, axis=1), np.repeat(b, 2)]
    yield 'axes', lambda: [np.expand_dims(a, (0, 2)), np.moveaxis(a, 0, 2), np.swapaxes(a, 0, 1), np.transpose(a, (2, 0, 1)), np.squeeze(a[:1])]
    yield 'flip', lambda: [np.flip(a, (0, 2)), np.flip(a), np.fliplr(a), np.flipud(a), np.roll(a, 2), np.roll(a, 1, axis=1), a[::-1, :, ::2]]
    yield 'diff', lambda: [np.diff(a), np.diff(a, 2, axis=0), np.unique(b % 7), *np.unique(b % 7, return_inverse=True, return_counts=True)]
    yield 'triangles', lambda: [np.tril(a), np.triu(a, 1), np.eye(3, 4, 1), np.identity(3), np.diagonal(a), np.trace(a)]
    yield 'pad', lambda: [np.pad(a, 1), np.pad(b, ((0, 1), (2, 0), (1, 1)), constant_values=7)]
    yield 'average', lambda: [np.average(a), np.average(a, axis=1), np.average(a, axis=2, weights=[1, 2, 3, 4, 5])]
    yield 'sorted', lambda: [np.sort(a), np.sort(a, axis=0), np.sort(a, None), np.argsort(b[0, 0]), *np.nonzero(b), np.take(b, [0, 2], axis=1)]
    yield 'clip', lambda: [np.clip(a, -1, 1), np.clip(b, 3, None), a.clip(max=2), np.count_nonzero(b), np.argwhere(b > 5)]
    yield 'ranges', lambda: [np.arange(5), np.arange(2, 9, 3), np.arange(0, 1, 0.1), np.arange(5, 0, -1), np.arange(3, dtype='float32'), np.arange(0.5, 3)]
    yield 'filled', lambda: [np.zeros((2, 3)), np.ones(3, int), np.full((2,), 7), np.zeros_like(b), np.full_like(a, 2), np.ones_like(b, dtype='float32')]
    yield 'rounded', lambda: [np.round(a, 2), np.round(b % 1000, -1), a.round(1)]
    yield 'modf', lambda: [*np.modf(a), *np.frexp(a), *np.divmod(a, 3)]
    yield 'complex', lambda: [np.angle(a), np.real(a), np.imag(a), np.conj(b), np.isreal(a), np.iscomplex(a)]
    yield 'into', lambda: into(a)


def whole():
    a, b = DATA['float64'][34:94].reshape(3, 4, 5), DATA['int32'][10:70].reshape(3, 4, 5) % 50
    line, numbers = np.sort(DATA['float64'][2600:2700]), b[0, 0]
    gaps = np.where(b % 3 == 0, np.nan, a)
    yield 'append', lambda: [np.append(a, b), np.append(a, b, axis=1), np.column_stack([b[0, 0], b[0]. T[:, 0]]), np.dstack([a, b]), np.atleast_3d(b[0])]
    yield 'parts', lambda: [*np.array_split(b, 3, axis=2), *np.array_split(a, [1, 2]), *np.hsplit(b, 2), *np.vsplit(b, 3)]
    yield 'diag', lambda: [np.diag(b[0]), np.diag(b[0], 1), np.diag(numbers, -1), np.diagflat(b[0]), np.tri(3, 4, 1), *np.tril_indices(4, -1),
                           *np.triu_indices(3, 1, 5), np.indices((2, 3)), np.rot90(b[0]), np.rot90(a, 2, (1, 2)), np.flatnonzero(b)]
    yield 'products', lambda: [np.inner(b, b[0]), np.vdot(numbers, numbers), np.tensordot(b, b, ([0, 1], [0, 1])), np.tensordot(b, b[0].T, 1),
                               np.kron(b[0], b[1]), np.cross(b[..., :3], b[..., 1:4]), np.cross(a[0, :3, :2], a[1, :3, :2], axis=0)]
    yield 'found', lambda: [np.isin(b, [1, 2, 3]), np.isin(b, numbers, invert=True), np.searchsorted(line, a), np.searchsorted(line, line, 'right'),
                            np.searchsorted(line, 0.5), np.digitize(a, line), np.digitize(line, line, True), np.digitize(line, line[::-1])]
    yield 'counted', lambda: [np.bincount(numbers % 7), np.bincount(numbers % 7, minlength=9), np.bincount(numbers % 3, numbers * 0.5), *np.histogram(a),
                              *np.histogram(line, 7, (-0.5, 0.5)), *np.histogram(b, [0, 5, 20, 49]), *np.histogram(line, 5, density=True)]
    yield 'interp', lambda: [np.interp(a, line, np.cumsum(line)), np.interp(line, line, line * 2), np.interp(0.3, [0, 1, 2], [3, 5, 4]),
                             np.interp([-1, 3], [0, 1], [2, 4], -7, 9), np.interp([0.5, np.nan], [0, 1], [2, 4])]
    yield 'trapezoid', lambda: [np.trapezoid(a), np.trapezoid(a, axis=0), np.trapezoid(line, line * 2), np.trapezoid(b, dx=0.5)]
    yield 'gradient', lambda: [np.gradient(line), np.gradient(line, 0.1), *np.gradient(a), np.gradient(a, axis=1), np.gradient(numbers)]
    yield 'ptp', lambda: [np.ptp(a), np.ptp(b, axis=1), np.median(a), np.median(b, axis=1), np.median(a, axis=(0, 2)), np.median(gaps), np.median(b, 0, keepdims=True)]
    yield 'nan', lambda: [np.nansum(gaps), np.nansum(gaps, axis=1), np.nanmean(gaps), np.nanmean(gaps, axis=0), np.nanmax(gaps, axis=2), np.nanmin(gaps),
                          np.nanprod(gaps, axis=0), np.nansum(b), np.nanmax(b), np.nanmean(b, axis=1)]
    yield 'convolve', lambda: [np.convolve(numbers, [1, 2, 3]), np.convolve([1, 2], numbers, 'same'), np.convolve(numbers, [1, 0, 1, 1], 'same'),
                               np.convolve(numbers, [1, 2], 'valid'), np.convolve([1.0, 0.5], [2, 4, 8])]
    yield 'vander', lambda: [np.vander([1, 2, 3]), np.vander([1.5, 2], 3, True)]


def into(a):
    found = np.zeros(a.shape)
    return [np.add(a, 1, out=found), found, np.sum(a, axis=0, out=found[0]), found]


def dtypes():
    for kind in ('bool', 'uint8', 'int8', 'uint16', 'uint64', 'float16', 'float32'):
        data = DATA[kind][:90] if kind[0] != 'f' else DATA[kind][2600:2690]
        yield f'median {kind}', lambda: [np.median(data), np.median(data[:3]), np.median(data.reshape(9, 10), axis=1)]
        yield f'gradient {kind}', lambda: [np.gradient(data), np.gradient(data.reshape(9, 10), axis=0)]
        yield f'diff {kind}', lambda: [np.diff(data), np.diff(data, 2)]
        yield f'trapezoid {kind}', lambda: [np.trapezoid(data), np.trapezoid(data, np.arange(90)), np.trapezoid(data, dx=np.float32(0.5))]
        yield f'histogram {kind}', lambda: [*np.histogram(data, 4), *np.histogram(data, 3, (0, 40)), *np.histogram(data, [0, 5, 20], density=True),
                                            *np.histogram(data, 5, weights=np.arange(90)), *np.histogram(data, [0, 30], weights=data.astype('f'))]
    yield 'histogram of what is not finite', lambda: np.histogram([1.0, np.nan])
    yield 'histogram between', lambda: [*np.histogram([1.0, 1 + 1e-12], np.float32([0, 1, 2])), *np.histogram(np.float32([3, 3]), 2)]
    yield 'gradient of one', lambda: np.gradient([1.0])
    yield 'nan_to_num complex', lambda: [np.real(f(each)) for f in (lambda z: np.nan_to_num(z), lambda z: np.nan_to_num(-1j * z, posinf=3, nan=7))
                                         for each in (np.array([complex(np.nan, 1), complex(np.inf, -np.inf), 2j]), np.complex64(complex(0, np.nan)))]
    plane, at = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 10]]), np.array([[0, 0, 0], [1, 2, 3], [4, 5, 6]])
    yield 'trapezoid by axes', lambda: [np.trapezoid(plane, at, axis=0), np.trapezoid(plane, at), np.trapezoid(plane, [0, 1, 5], axis=0),
                                        np.trapezoid(plane[None] * 2, at, axis=1), np.trapezoid(plane.astype('f'), at, axis=-2)]


def weighed():
    a, small = np.arange(9.0).reshape(3, 3), np.array([200, 100, 250], dtype='uint8')
    yield 'average by weights', lambda: [np.average(small, weights=small), np.average(a, axis=0, weights=[1, 2, 5]), np.average(a, 1, [1, 2, 5]),
                                         np.average(a, axis=(1, 0), weights=a.T), np.average(a, weights=a), np.average(small, weights=[True, False, True]),
                                         np.average(a.astype('f'), axis=0, weights=small), np.average(a.astype('f'), 0, np.float32([1, 2, 3]))]
    yield 'average of no weight', lambda: np.average(a, 0, [1, 2])
    gaps = np.array([np.nan, 1, np.nan, -np.inf, 1, np.nan])
    yield 'unique NaN', lambda: [np.unique(gaps), *np.unique(gaps, return_inverse=True, return_counts=True), np.unique(gaps.astype('f')), np.unique(gaps[:1])]
    yield 'isclose integers', lambda: [np.isclose(small.astype(kind), small.astype(kind) - 1, 0.01, 0) for kind in ('uint8', 'int16', 'uint16', 'int64')]


def running():
    many = np.tile(np.linspace(0.9, 1.1, 1000), 1000)
    solid = many[:6000].reshape(20, 30, 10)
    yield 'running sums', lambda: [np.cumsum(many)[::997], np.cumsum(many.astype('f'))[::997], np.cumsum(many.astype('float16'))[:5000],
                                   np.cumprod(many)[::997], np.cumprod(many[:3000] + 0.1), np.cumsum(many[:0]), np.cumsum(np.zeros((3, 0)), axis=0)]
    yield 'running sums by axes', lambda: [take(solid, axis=axis) for take in (np.cumsum, np.cumprod) for axis in (0, 1, 2, -2, None)]
    yield 'running complex', lambda: [part for z in [np.cumprod(many[:200] * 1j), np.cumsum(many[:200] * 1j + 1)] for part in (np.real(z), np.imag(z))]


def arguments():
    a, i, gaps = np.arange(6.0).reshape(2, 3), np.arange(6, dtype='int32').reshape(2, 3), np.array([[1, np.nan, 3], [4, 5, np.nan]])
    yield 'sorter', lambda: [np.searchsorted([3, 1, 2], [1.5, 2.5, 3], sorter=[1, 2, 0]), np.searchsorted([3, 1, 2], 2, 'right', [1, 2, 0])]
    for order in ([1, 2], [1, 2, 7], [-1, 0, 1]):
        yield f'sorter {order}', lambda: np.searchsorted([3, 1, 2], [1.5, 2.5], sorter=order)
    yield 'equal_nan', lambda: [np.array_equal(gaps, gaps), np.array_equal(gaps, gaps, equal_nan=True), np.array_equal(gaps, gaps[::-1], True),
                                np.array_equal(i, i, equal_nan=True), np.array_equal(gaps * 1j, gaps * 1j, True), np.array_equal(i, i[:1], True)]
    for name in ('nansum', 'nanprod', 'nanmean'):
        take = getattr(np, name)
        yield f'{name} dtype', lambda: [take(gaps, dtype='f'), take(gaps, axis=0, dtype='f'), take(i, dtype='f'), take(gaps, 1, 'f', keepdims=True)]
    results = {'matmul': lambda out: np.matmul(a, a.T, out=out), 'round': lambda out: np.round(a, out=out), 'clip': lambda out: np.clip(i, 1, 3, out=out),
               'method': lambda out: a.clip(1, 2, out), 'digits': lambda out: (a / 7).round(1, out), 'cumsum': lambda out: np.cumsum(i, out=out),
               'cumprod': lambda out: np.cumprod(a + 0.5, out=out), 'rows': lambda out: np.cumsum(a, axis=1, out=out), 'argmax': lambda out: np.argmax(a, axis=0, out=out),
               'argmin': lambda out: a.argmin(1, out), 'concatenate': lambda out: np.concatenate([a, i], out=out), 'stack': lambda out: np.stack([i, i], out=out),
               'nansum': lambda out: np.nansum(gaps, axis=0, out=out), 'nanprod': lambda out: np.nanprod(gaps, axis=1, out=out),
               'nanmean': lambda out: np.nanmean(gaps, axis=0, out=out), 'nanmax': lambda out: np.nanmax(gaps, axis=0, out=out),
               'sum': lambda out: np.sum(i * 2 ** 30, axis=0, out=out), 'mean': lambda out: np.mean(i, axis=1, out=out), 'max': lambda out: np.max(a, axis=0, out=out),
               'sqrt': lambda out: np.sqrt(a, out=out), 'multiply': lambda out: np.multiply(i, 2, out=(out,)), 'nan_to_num': lambda out: np.nan_to_num(out + a, False)}
    for name, call in results.items():
        for shape in ((2,), (3,), (6,), (2, 2), (2, 3), (4, 3), (2, 2, 3)):
            for kind in ('float64', 'float32', 'int64', 'int32'):
                yield f'{name} into {kind} {shape}', lambda: filled(call, np.zeros(shape, kind))
    yield 'astype', lambda: [a.astype('f', casting='same_kind'), a.astype('f8', copy=False) is a, a.astype('f8') is a, i.astype('f8', casting='safe')]
    for casting in ('safe', 'no', 'equiv', 'same_kind'):
        yield f'astype {casting}', lambda: a.astype('int64', casting=casting)
        yield f'can_cast {casting}', lambda: [np.can_cast(x, y, casting) for x in ('bool', 'int8', 'uint8', 'int64', 'float32', 'complex64')
                                              for y in ('bool', 'int8', 'uint16', 'uint64', 'int64', 'float64', 'complex64')]


def filled(call, out):
    try:
        return [call(out) is out, out]
    except (ValueError, TypeError):
        return 'refused'


def results():
    out = {}
    for part in (elementwise, reductions, ranges, joined, whole, dtypes, weighed, running, arguments):
        for name, call in part():
            try:
                with np.errstate(all='ignore'):
                    out[name] = call()
            except ValueError as error:
                out[name] = f'ValueError: {error}'
            except TypeError:
                out[name] = 'TypeError'
    return out


RESULTS = packed(results())


def f(x):
    return RESULTS
