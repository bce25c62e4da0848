# SPDX-License-Identifier: GPL-3.0-or-later
# PassManager: passes that return a PassResult, put in order by constraints, and run until they change nothing more.
import inspect
import logging
from functools import wraps

from torch.fx.graph_module import GraphModule
from torch.fx.passes.infra.pass_base import PassResult
from torch.fx.passes.pass_manager import _validate_pass_schedule_constraint, this_before_that_pass_constraint
from torch.nn import Module

logger = logging.getLogger(__name__)
logger.setLevel(logging.WARNING)

__all__ = ['pass_result_wrapper', 'this_before_that_pass_constraint', 'PassManager']


def pass_result_wrapper(fn):
    if fn is None:
        return None

    @wraps(fn)
    def wrapped_fn(gm):
        result = fn(gm)
        if result is None:
            return PassResult(gm, True)
        if isinstance(result, PassResult):
            return result
        return PassResult(result, True) if isinstance(result, Module) else None

    if not inspect.isfunction(fn):
        wrapped_fn.__name__ = type(fn).__name__
    return wrapped_fn


def _topological_sort_passes(passes, constraints):
    if not constraints:
        return passes
    followers = {one: [] for one in passes}
    waits_for = dict.fromkeys(passes, 0)
    ready = []
    for later in passes:
        for earlier in passes:
            if later != earlier:
                broken = sum(not constraint(later, earlier) for constraint in constraints)
                followers[earlier] += [later] * broken
                waits_for[later] += broken
        if not waits_for[later]:
            ready.append(later)
    done = set()
    for one in ready:
        done.add(one)
        for follower in followers[one]:
            if follower not in done:
                waits_for[follower] -= 1
                if not waits_for[follower]:
                    ready.append(follower)
    circle = [one for one in waits_for if waits_for[one]]
    if circle:
        raise RuntimeError(f'Circular dependency detected within the following passes: {circle}')
    return ready


def _name_of(one):
    return one.__name__ if inspect.isfunction(one) else type(one).__name__


class PassManager:
    _validated = False
    steps = 1

    def __init__(self, passes=None, constraints=None, steps=None, run_checks_after_each_pass=False,
                 suppress_check_failures=False):
        self.passes = passes or []
        self.constraints = constraints or []
        if steps:
            self.steps = steps
        self.run_checks_after_each_pass = run_checks_after_each_pass
        self.suppress_check_failures = suppress_check_failures

    def add_pass(self, _pass):
        self.passes.append(_pass)
        self._validated = False

    def add_constraint(self, constraint):
        self.constraints.append(constraint)
        self._validated = False

    def validate_constraints(self):
        if not self._validated:
            for constraint in self.constraints:
                _validate_pass_schedule_constraint(constraint, self.passes, gap=' ')
            self._validated = True

    def solve_constraints(self):
        self.passes = _topological_sort_passes(self.passes, self.constraints)
        self._validated = True

    def add_checks(self, check):
        if len(inspect.signature(check).parameters) != 1:
            raise TypeError('PassManager check function should only take in one variable, a module')
        self.check = check

    def check(self, module):
        pass

    def __call__(self, module):
        if not self._validated:
            self.solve_constraints()
        self.check(module)
        changed = False
        for _ in range(self.steps):
            module, changed_now = self._run_once(module)
            changed = changed or changed_now
            if not changed_now:
                break
        return PassResult(module, changed)

    def _run_once(self, module):
        changed = False
        for i, one in enumerate(self.passes):
            name = _name_of(one)
            logger.debug("Running pass '%s'", name)
            try:
                result = one(module)
                if not isinstance(result, PassResult) and not hasattr(result, 'graph_module'):
                    raise TypeError(f'The result of the pass {name} should be type PassResult.'
                                    'Please wrap it with pass_result_wrapper()')
                module = result.graph_module
                changed = changed or result.modified
                if isinstance(module, GraphModule):
                    logger.debug("Graph after pass '%s': %s", name, module.graph)
                    module.recompile()
                if self.run_checks_after_each_pass:
                    self.check(module)
            except Exception as error:
                before = [_name_of(earlier) for earlier in self.passes[:i]]
                raise Exception(f"An error occurred when running the '{name}' pass after the following passes: "
                                f'{before}') from error
        return module, changed
