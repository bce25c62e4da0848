# SPDX-License-Identifier: GPL-3.0-or-later
# Draws of numpy.random, which both evaluators run: the old functions over MT19937, and default_rng.
import numpy as np

from packing import packed

SEEDS = (0, 1, 42, 2 ** 32 - 1, [1, 2, 3])
ONE_BY_ONE = {'laplace': (0, 1), 'gumbel': (0, 1), 'logistic': (0, 1), 'power': (3,), 'standard_gamma': (2.5,), 'gamma': (0.5, 2), 'chisquare': (3,),
              'f': (3, 4), 'standard_t': (5,), 'beta': (0.5, 0.7), 'poisson': (3,), 'geometric': (0.2,), 'binomial': (20, 0.3), 'rayleigh': (2,),
              'pareto': (3,), 'weibull': (2,), 'triangular': (0, 1, 3), 'standard_cauchy': (), 'standard_exponential': ()}
INTEGERS = ('int64', 'int32', 'int16', 'int8', 'uint64', 'uint32', 'uint16', 'uint8', 'bool')


def old(r):
    yield 'uniform', lambda: [r.rand(3, 2), r.rand(), r.rand(700), r.uniform(-2, 3, (4, 5)), r.uniform(), r.random_sample(3), r.random((2,))]
    yield 'normal', lambda: [r.randn(5), r.randn(), r.randn(4, 3), r.normal(1, 2, 3), r.normal(), r.standard_normal((2, 2)), r.lognormal(0, 1, 5)]
    yield 'many', lambda: [r.rand(10000), r.randn(10001), r.exponential(2, 10000)]
    for name in INTEGERS:
        most = 2 if name == 'bool' else 100
        yield f'randint {name}', lambda: [r.randint(0, most, 500, dtype=name), r.randint(0, most, 3, dtype=name)]
    yield 'randint', lambda: [r.randint(7), r.randint(3, 9, (2, 3)), r.randint(0, 256, 100, dtype='uint8'), r.randint(0, 2 ** 32, 100),
                              r.randint(-2 ** 63, 2 ** 63 - 1, 100), r.randint(0, 2 ** 40, 100), r.randint([1, 2, 3], [5, 60, 700])]
    yield 'permutation', lambda: [r.permutation(1000), r.permutation(np.arange(12).reshape(4, 3)), r.permutation([4, 5, 6])]
    yield 'choice', lambda: [r.choice(10, 5), r.choice(10, 5, replace=False), r.choice(5, (2, 3), p=[0.1, 0.2, 0.3, 0.2, 0.2]),
                             r.choice(5, 3, replace=False, p=[0.1, 0.2, 0.3, 0.2, 0.2]), r.choice(5), r.choice([1.5, 2.5, 3.5], 4)]
    yield 'shuffle', lambda: shuffled(r)
    yield 'bytes', lambda: list(r.bytes(10))
    yield 'state', lambda: restored(r)
    for name, args in ONE_BY_ONE.items():
        yield name, lambda: [getattr(r, name)(*args, size=30), getattr(r, name)(*args)]
    yield 'larger', lambda: [r.beta(2, 3, 30), r.poisson(50, 30), r.poisson([1, 20, 3.5]), r.geometric(0.6, 30), r.binomial(5, 0.9, 30), r.gamma(1, 2, 5)]
    yield 'refused', lambda: r.randint(5, 5)
    yield 'refused choice', lambda: r.choice(3, 5, replace=False)
    yield 'refused weights', lambda: r.choice(3, p=[0.1, 0.1, 0.1])
    yield 'refused scale', lambda: r.normal(0, -1)


def shuffled(r):
    listed, flat, rows = list(range(30)), np.arange(10), np.arange(12).reshape(6, 2)
    for each in (listed, flat, rows):
        r.shuffle(each)
    return [listed, flat, rows]


def restored(r):
    state = r.get_state()
    first = r.randn(3)
    r.set_state(state)
    return [first, r.randn(3), state[1].astype('int64'), *state[2:]]


def new(g):
    yield 'doubles', lambda: [g.random(5), g.random(), g.random((2, 3)), g.uniform(-1, 2, 4), g.exponential(2, 50), g.lognormal(0, 1, 4)]
    yield 'many', lambda: [g.standard_normal(100000), g.standard_exponential(100000)]
    yield 'normal', lambda: [g.normal(1, 2), g.normal(0, 1, (3, 3)), g.pareto(3, 4), g.weibull(2, 3), g.rayleigh(1, 3), g.triangular(0, 1, 3, 4)]
    yield 'integers', lambda: [g.integers(10), g.integers(0, 100, 50), g.integers(0, 2 ** 40, 20), g.integers(0, 2 ** 32, 20), g.random(),
                               g.integers(-5, 5, 20, endpoint=True), g.standard_cauchy(3)]
    for name in INTEGERS:
        yield f'integers {name}', lambda: [g.integers(0, 2 if name == 'bool' else 100, 50, dtype=name), g.random()]
    yield 'permutation', lambda: [g.permutation(10), g.permutation(np.arange(12).reshape(4, 3)), g.permutation(np.arange(12).reshape(4, 3), axis=1)]
    yield 'choice', lambda: [g.choice(10, 4), g.choice(10, 4, replace=False), g.choice(20000, 30, replace=False), g.choice(20000, 1000, replace=False),
                             g.choice(5, 3, p=[0.1, 0.2, 0.3, 0.2, 0.2]), g.choice([1.5, 2.5, 3.5], 2, replace=False, p=[0.2, 0.3, 0.5]),
                             g.choice(10, 4, replace=False, shuffle=False)]
    yield 'shuffle', lambda: shuffled(g)
    for name in ('random', 'standard_normal', 'standard_exponential'):
        yield f'{name} into', lambda: filled(getattr(g, name), None, np.zeros((2, 3))) + filled(getattr(g, name), (4,), np.zeros(4))
        yield f'{name} into another size', lambda: filled(getattr(g, name), 4, np.zeros(3))
    yield 'random into float32', lambda: [type(error).__name__ for error in [failure(lambda: g.random(out=np.zeros(3, 'f')))]]


def filled(draw, size, out):
    return [draw(size, out=out) is out, out]


def failure(call):
    try:
        call()
    except Exception as error:
        return error


def results():
    out = {}
    for seed in SEEDS:
        np.random.seed(seed)
        for kind, cases in ((f'seed {seed}', old(np.random)), (f'RandomState({seed})', old(np.random.RandomState(seed))),
                            (f'default_rng({seed})', new(np.random.default_rng(seed)))):
            for name, call in cases:
                try:
                    out[f'{kind} {name}'] = call()
                except ValueError as error:
                    out[f'{kind} {name}'] = f'{type(error).__name__}: {error}'
    for seed in (-1, 2 ** 32, [], 1.5, [1.5], [[1]]):
        try:
            np.random.seed(seed)
        except (TypeError, ValueError) as error:
            out[f'seed {seed}'] = f'{type(error).__name__}: {error}'
    return out


RESULTS = packed(results())


def f(x):
    return RESULTS
