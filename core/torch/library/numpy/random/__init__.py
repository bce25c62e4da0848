# SPDX-License-Identifier: GPL-3.0-or-later
# numpy.random: the old functions over one RandomState, and default_rng. What was not seeded has the seed 0, so that a trace means
# the same each time. The numbers are numpy's to the last bit; the generators themselves are in C++.
from _refusal import refuse

from ._generator import PCG64, Generator, default_rng
from ._legacy import MT19937, RandomState

__getattr__ = refuse('numpy.random', 'it is not evaluated here')

_state = RandomState(0)
_NAMES = ('beta binomial bytes chisquare choice exponential f gamma geometric get_state gumbel laplace logistic lognormal normal pareto '
          'permutation poisson power rand randint randn random random_integers random_sample rayleigh seed set_state shuffle '
          'standard_cauchy standard_exponential standard_gamma standard_normal standard_t triangular uniform weibull')
for _name in _NAMES.split():
    globals()[_name] = getattr(_state, _name)
ranf = sample = random_sample  # noqa: F821
del _name
