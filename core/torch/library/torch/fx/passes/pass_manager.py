# SPDX-License-Identifier: GPL-3.0-or-later
# The first PassManager of torch.fx: a list of functions, each given what the one before it returned, and constraints on
# their order. torch.fx.passes.infra.pass_manager is the one with PassResult.
import logging
from functools import wraps
from inspect import unwrap

logger = logging.getLogger(__name__)

__all__ = ['PassManager', 'inplace_wrapper', 'log_hook', 'loop_pass', 'this_before_that_pass_constraint',
           'these_before_those_pass_constraint']


def inplace_wrapper(fn):
    @wraps(fn)
    def wrapped_fn(gm, *args, **kwargs):
        fn(gm, *args, **kwargs)
        return gm

    return wrapped_fn


def log_hook(fn, level=logging.INFO):
    @wraps(fn)
    def wrapped_fn(*args, **kwargs):
        result = fn(*args, **kwargs)
        logger.log(level, 'Ran pass %s\t Return value: %s', fn, result)
        return result

    return wrapped_fn


def loop_pass(base_pass, n_iter=None, predicate=None):
    if (n_iter is None) == (predicate is None):
        raise AssertionError('Exactly one of `n_iter`or `predicate` must be specified.')

    @wraps(base_pass)
    def new_pass(source):
        if predicate is not None:
            while predicate(source):
                source = base_pass(source)
            return source
        if n_iter <= 0:
            raise RuntimeError(f'loop_pass must be given positive int n_iter (given {n_iter}) '
                               f'xor predicate (given {predicate})')
        for _ in range(n_iter):
            source = base_pass(source)
        return source

    return new_pass


def _validate_pass_schedule_constraint(constraint, passes, gap=''):
    """`gap`: what stands before the second index."""
    for i, first in enumerate(passes):
        for j, second in enumerate(passes[i + 1:]):
            if not constraint(first, second):
                raise RuntimeError(f'pass schedule constraint violated. Expected {first} before {second} but found '
                                   f'{first} at index {i} and {second} at index{gap}{j} in pass list.')


def this_before_that_pass_constraint(this, that):
    def depends_on(a, b):
        return a != that or b != this

    return depends_on


def these_before_those_pass_constraint(these, those):
    """The same for what passes were before they were wrapped."""
    def depends_on(a, b):
        return unwrap(a) != those or unwrap(b) != these

    return depends_on


class PassManager:
    _validated = False

    def __init__(self, passes=None, constraints=None):
        self.passes = passes or []
        self.constraints = constraints or []

    @classmethod
    def build_from_passlist(cls, passes):
        return PassManager(passes)

    def _set_passes(self, passes):
        self.passes = passes
        self._validated = False

    def add_pass(self, _pass):
        self.passes.append(_pass)
        self._validated = False

    def add_constraint(self, constraint):
        self.constraints.append(constraint)
        self._validated = False

    def remove_pass(self, _passes):
        if _passes is not None:
            self._set_passes([one for one in self.passes if one.__name__ not in _passes])

    def replace_pass(self, _target, _replacement):
        self._set_passes([_replacement if one.__name__ == _target.__name__ else one for one in self.passes])

    def validate(self):
        if not self._validated:
            for constraint in self.constraints:
                _validate_pass_schedule_constraint(constraint, self.passes)
            self._validated = True

    def __call__(self, source):
        self.validate()
        for one in self.passes:
            source = one(source)
        return source
