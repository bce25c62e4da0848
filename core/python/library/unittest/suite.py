# SPDX-License-Identifier: GPL-3.0-or-later
# TestSuite: tests that run one after the other, with what is around those of a class and of a module.

import sys

from unittest import case, util


class BaseTestSuite:
    _cleanup = True

    def __init__(self, tests=()):
        self._tests = []
        self._removed_tests = 0
        self.addTests(tests)

    def __repr__(self):
        return f"<{util.strclass(self.__class__)} tests={list(self)}>"

    def __eq__(self, other):
        return list(self) == list(other) if isinstance(other, self.__class__) else NotImplemented

    __hash__ = None

    def __iter__(self):
        return iter(self._tests)

    def countTestCases(self):
        return self._removed_tests + sum(test.countTestCases() for test in self if test)

    def addTest(self, test):
        if not callable(test):
            raise TypeError(f"{test!r} is not callable")
        if isinstance(test, type) and issubclass(test, (case.TestCase, TestSuite)):
            raise TypeError("TestCases and TestSuites must be instantiated before passing them to addTest()")
        self._tests.append(test)

    def addTests(self, tests):
        if isinstance(tests, str):
            raise TypeError("tests must be an iterable of tests, not a string")
        for test in tests:
            self.addTest(test)

    def _before(self, test, result):
        """Whether the test is to run."""
        return True

    def _call(self, test, result):
        test(result)

    def run(self, result, debug=False):
        for index, test in enumerate(self):
            if result.shouldStop:
                break
            if not self._before(test, result):
                continue
            if debug:
                test.debug()
            else:
                self._call(test, result)
            if self._cleanup:
                self._removed_tests += getattr(test, "countTestCases", lambda: 0)()
                self._tests[index] = None
        return result

    def __call__(self, *args, **kwds):
        return self.run(*args, **kwds)

    def debug(self):
        for test in self:
            test.debug()


class TestSuite(BaseTestSuite):
    def run(self, result, debug=False):
        is_outermost = not getattr(result, "_testRunEntered", False)
        result._testRunEntered = True
        super().run(result, debug)
        if is_outermost:
            self._leave_class(None, result)
            self._leave_module(result)
            result._testRunEntered = False
        return result

    def debug(self):
        self.run(_DebugResult(), True)

    def _before(self, test, result):
        if not _isnotsuite(test):
            return True
        self._leave_class(test, result)
        self._enter_module(test, result)
        self._enter_class(test, result)
        result._previousTestClass = test.__class__
        return not getattr(test.__class__, "_classSetupFailed", False) and not result._moduleSetUpFailed

    @staticmethod
    def _guarded(result, name, where, call):
        """Whether it ran; what it raises is an error of the run."""
        getattr(result, "_setupStdout", lambda: None)()
        try:
            call()
            return True
        except Exception as error:
            if isinstance(result, _DebugResult):
                raise
            TestSuite._add(result, name, where, error)
            return False
        finally:
            getattr(result, "_restoreStdout", lambda: None)()

    @staticmethod
    def _add(result, name, where, error):
        holder = _ErrorHolder(f"{name} ({where})")
        if isinstance(error, case.SkipTest):
            result.addSkip(holder, str(error))
        else:
            result.addError(holder, case._information(error))

    @classmethod
    def _class_cleanups(cls, kind, result, name):
        if not hasattr(kind, "doClassCleanups"):
            return
        kind.doClassCleanups()
        for details in kind.tearDown_exceptions:
            if isinstance(result, _DebugResult):
                raise details[1]
            cls._add(result, name, util.strclass(kind), details[1])

    def _enter_class(self, test, result):
        kind = test.__class__
        if kind == result._previousTestClass or result._moduleSetUpFailed or getattr(kind, "__unittest_skip__", False):
            return
        kind._classSetupFailed = False
        if hasattr(kind, "setUpClass") and not self._guarded(result, "setUpClass", util.strclass(kind), kind.setUpClass):
            kind._classSetupFailed = True
            self._class_cleanups(kind, result, "setUpClass")

    def _leave_class(self, test, result):
        kind = result._previousTestClass
        if kind is None or test.__class__ == kind or getattr(kind, "_classSetupFailed", False) or result._moduleSetUpFailed:
            return
        if getattr(kind, "__unittest_skip__", False):
            return
        if hasattr(kind, "tearDownClass"):
            self._guarded(result, "tearDownClass", util.strclass(kind), kind.tearDownClass)
        self._class_cleanups(kind, result, "tearDownClass")

    @staticmethod
    def _module(name):
        return sys.modules[name] if name in sys.modules else None

    def _enter_module(self, test, result):
        name = test.__class__.__module__
        if result._previousTestClass is not None and result._previousTestClass.__module__ == name:
            return
        self._leave_module(result)
        result._moduleSetUpFailed = False
        set_up = getattr(self._module(name), "setUpModule", None)
        if set_up is not None and not self._guarded(result, "setUpModule", name, set_up):
            result._moduleSetUpFailed = True
            self._guarded(result, "setUpModule", name, case.doModuleCleanups)

    def _leave_module(self, result):
        if result._previousTestClass is None or result._moduleSetUpFailed:
            return
        name = result._previousTestClass.__module__
        module = self._module(name)
        if module is None:
            return
        tear_down = getattr(module, "tearDownModule", None)
        if tear_down is not None:
            self._guarded(result, "tearDownModule", name, tear_down)
        self._guarded(result, "tearDownModule", name, case.doModuleCleanups)


class _ErrorHolder:
    """Stands for a test where what is around tests has failed."""
    failureException = None

    def __init__(self, description):
        self.description = description

    def id(self):
        return self.description

    def shortDescription(self):
        return None

    def __repr__(self):
        return f"<ErrorHolder description={self.description!r}>"

    def __str__(self):
        return self.description

    def run(self, result):
        pass

    __call__ = run

    def countTestCases(self):
        return 0


def _isnotsuite(test):
    try:
        iter(test)
    except TypeError:
        return True
    return False


class _DebugResult:
    _previousTestClass = None
    _moduleSetUpFailed = False
    shouldStop = False
