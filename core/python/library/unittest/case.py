# SPDX-License-Identifier: GPL-3.0-or-later
# TestCase: running one test, and what is around it. Its assertions are in unittest/_assertions.py.

import contextlib
import functools
import types
import warnings

from unittest._assertions import Assertions
from unittest.result import TestResult
from unittest.util import strclass

_subtest_msg_sentinel = object()
_module_cleanups = []


class SkipTest(Exception):
    """Ends a test, which then counts as skipped."""


class _ShouldStop(Exception):
    """Ends a test whose outcome is known."""


def _information(error):
    return type(error), error, getattr(error, "__traceback__", None)


class _Outcome:
    def __init__(self, result=None):
        self.expecting_failure = False
        self.result = result
        self.result_supports_subtests = hasattr(result, "addSubTest")
        self.success = True
        self.expectedFailure = None

    @contextlib.contextmanager
    def testPartExecutor(self, test_case, subTest=False):
        before = self.success
        self.success = True
        try:
            yield
        except KeyboardInterrupt:
            raise
        except SkipTest as error:
            self.success = False
            self.result.addSkip(test_case, str(error))
        except _ShouldStop:
            pass
        except BaseException as error:
            if self.expecting_failure:
                self.expectedFailure = _information(error)
            else:
                self.success = False
                if subTest:
                    self.result.addSubTest(test_case.test_case, test_case, _information(error))
                elif self.result is not None:
                    is_failure = isinstance(error, test_case.failureException)
                    (self.result.addFailure if is_failure else self.result.addError)(test_case, _information(error))
        else:
            if subTest and self.success:
                self.result.addSubTest(test_case.test_case, test_case, None)
        finally:
            self.success = self.success and before


def _enter_context(cm, addcleanup):
    cls = type(cm)
    try:
        enter, exit = cls.__enter__, cls.__exit__
    except AttributeError:
        raise TypeError(f"'{cls.__module__}.{cls.__qualname__}' object does not support the context manager protocol") from None
    result = enter(cm)
    addcleanup(exit, cm, None, None, None)
    return result


def addModuleCleanup(function, /, *args, **kwargs):
    _module_cleanups.append((function, args, kwargs))


def enterModuleContext(cm):
    return _enter_context(cm, addModuleCleanup)


def doModuleCleanups():
    errors = []
    while _module_cleanups:
        function, args, kwargs = _module_cleanups.pop()
        try:
            function(*args, **kwargs)
        except Exception as error:
            errors.append(error)
    if errors:
        raise errors[0]


def skip(reason):
    def decorator(item):
        if not isinstance(item, type):
            @functools.wraps(item)
            def skipped(*args, **kwargs):
                raise SkipTest(reason)
            item = skipped
        item.__unittest_skip__ = True
        item.__unittest_skip_why__ = reason
        return item

    if isinstance(reason, types.FunctionType):
        item, reason = reason, ""
        return decorator(item)
    return decorator


def _unchanged(item):
    return item


def skipIf(condition, reason):
    return skip(reason) if condition else _unchanged


def skipUnless(condition, reason):
    return _unchanged if condition else skip(reason)


def expectedFailure(item):
    item.__unittest_expecting_failure__ = True
    return item


class TestCase(Assertions):
    failureException = AssertionError

    def __init_subclass__(cls, *args, **kwargs):
        cls._classSetupFailed = False
        cls._class_cleanups = []
        super().__init_subclass__(*args, **kwargs)

    def __init__(self, methodName="runTest"):
        self._testMethodName = methodName
        self._outcome = self._subtest = None
        self._testMethodDoc = "No test"
        self._cleanups = []
        method = getattr(self, methodName, None)
        if method is not None:
            self._testMethodDoc = method.__doc__
        elif methodName != "runTest":
            raise ValueError(f"no such test method in {self.__class__}: {methodName}")
        self._type_equality_funcs = {dict: "assertDictEqual", list: "assertListEqual", tuple: "assertTupleEqual",
                                     set: "assertSetEqual", frozenset: "assertSetEqual", str: "assertMultiLineEqual"}

    def addTypeEqualityFunc(self, typeobj, function):
        self._type_equality_funcs[typeobj] = function

    def addCleanup(self, function, /, *args, **kwargs):
        self._cleanups.append((function, args, kwargs))

    def enterContext(self, cm):
        return _enter_context(cm, self.addCleanup)

    @classmethod
    def addClassCleanup(cls, function, /, *args, **kwargs):
        cls._class_cleanups.append((function, args, kwargs))

    @classmethod
    def enterClassContext(cls, cm):
        return _enter_context(cm, cls.addClassCleanup)

    def setUp(self):
        pass

    def tearDown(self):
        pass

    @classmethod
    def setUpClass(cls):
        pass

    @classmethod
    def tearDownClass(cls):
        pass

    def countTestCases(self):
        return 1

    def defaultTestResult(self):
        return TestResult()

    def shortDescription(self):
        doc = self._testMethodDoc
        return doc.strip().split("\n")[0].strip() if doc else None

    def id(self):
        return f"{strclass(self.__class__)}.{self._testMethodName}"

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return self._testMethodName == other._testMethodName

    def __hash__(self):
        return hash((type(self), self._testMethodName))

    def __str__(self):
        return f"{self._testMethodName} ({strclass(self.__class__)}.{self._testMethodName})"

    def __repr__(self):
        return f"<{strclass(self.__class__)} testMethod={self._testMethodName}>"

    @contextlib.contextmanager
    def subTest(self, msg=_subtest_msg_sentinel, **params):
        if self._outcome is None or not self._outcome.result_supports_subtests:
            yield
            return
        parent = self._subtest
        outer = {} if parent is None else {name: value for name, value in parent.params.items() if name not in params}
        self._subtest = _SubTest(self, msg, {**params, **outer})
        try:
            with self._outcome.testPartExecutor(self._subtest, subTest=True):
                yield
            if not self._outcome.success:
                if self._outcome.result is not None and self._outcome.result.failfast:
                    raise _ShouldStop
            elif self._outcome.expectedFailure:
                raise _ShouldStop
        finally:
            self._subtest = parent

    def _skipped(self, method):
        """The reason, or None where the test is to run."""
        if not any(getattr(item, "__unittest_skip__", False) for item in (self.__class__, method)):
            return None
        return getattr(self.__class__, "__unittest_skip_why__", "") or getattr(method, "__unittest_skip_why__", "")

    def _callSetUp(self):
        self.setUp()

    def _callTestMethod(self, method):
        if method() is not None:
            warnings.warn(f"It is deprecated to return a value that is not None from a test case ({method})",
                          DeprecationWarning, stacklevel=3)

    def _callTearDown(self):
        self.tearDown()

    def _callCleanup(self, function, /, *args, **kwargs):
        function(*args, **kwargs)

    def run(self, result=None):
        is_ours = result is None
        if is_ours:
            result = self.defaultTestResult()
            getattr(result, "startTestRun", lambda: None)()
        result.startTest(self)
        try:
            method = getattr(self, self._testMethodName)
            reason = self._skipped(method)
            if reason is not None:
                result.addSkip(self, reason)
            else:
                self._run(method, result)
            return result
        finally:
            result.stopTest(self)
            if is_ours:
                getattr(result, "stopTestRun", lambda: None)()

    def _run(self, method, result):
        expecting = getattr(self, "__unittest_expecting_failure__", False) or getattr(method, "__unittest_expecting_failure__", False)
        outcome = self._outcome = _Outcome(result)
        try:
            with outcome.testPartExecutor(self):
                self._callSetUp()
            if outcome.success:
                outcome.expecting_failure = expecting
                with outcome.testPartExecutor(self):
                    self._callTestMethod(method)
                outcome.expecting_failure = False
                with outcome.testPartExecutor(self):
                    self._callTearDown()
            self.doCleanups()
            if not outcome.success:
                return
            if not expecting:
                result.addSuccess(self)
            elif outcome.expectedFailure:
                result.addExpectedFailure(self, outcome.expectedFailure)
            else:
                result.addUnexpectedSuccess(self)
        finally:
            outcome.expectedFailure = None
            self._outcome = None

    def doCleanups(self):
        outcome = self._outcome or _Outcome()
        while self._cleanups:
            function, args, kwargs = self._cleanups.pop()
            with outcome.testPartExecutor(self):
                self._callCleanup(function, *args, **kwargs)
        return outcome.success

    @classmethod
    def doClassCleanups(cls):
        cls.tearDown_exceptions = []
        while cls._class_cleanups:
            function, args, kwargs = cls._class_cleanups.pop()
            try:
                function(*args, **kwargs)
            except Exception as error:
                cls.tearDown_exceptions.append(_information(error))

    def __call__(self, *args, **kwds):
        return self.run(*args, **kwds)

    def debug(self):
        method = getattr(self, self._testMethodName)
        reason = self._skipped(method)
        if reason is not None:
            raise SkipTest(reason)
        self._callSetUp()
        self._callTestMethod(method)
        self._callTearDown()
        while self._cleanups:
            function, args, kwargs = self._cleanups.pop()
            self._callCleanup(function, *args, **kwargs)

    def skipTest(self, reason):
        raise SkipTest(reason)


class FunctionTestCase(TestCase):
    def __init__(self, testFunc, setUp=None, tearDown=None, description=None):
        super().__init__()
        self._setUpFunc, self._tearDownFunc, self._testFunc, self._description = setUp, tearDown, testFunc, description

    def _parts(self):
        return self._setUpFunc, self._tearDownFunc, self._testFunc, self._description

    def setUp(self):
        if self._setUpFunc is not None:
            self._setUpFunc()

    def tearDown(self):
        if self._tearDownFunc is not None:
            self._tearDownFunc()

    def runTest(self):
        self._testFunc()

    def id(self):
        return self._testFunc.__name__

    def __eq__(self, other):
        return self._parts() == other._parts() if isinstance(other, self.__class__) else NotImplemented

    def __hash__(self):
        return hash((type(self), *self._parts()))

    def __str__(self):
        return f"{strclass(self.__class__)} ({self._testFunc.__name__})"

    def __repr__(self):
        return f"<{strclass(self.__class__)} tec={self._testFunc}>"

    def shortDescription(self):
        if self._description is not None:
            return self._description
        doc = self._testFunc.__doc__
        return doc and doc.split("\n")[0].strip() or None


class _SubTest(TestCase):
    def __init__(self, test_case, message, params):
        super().__init__()
        self._message, self.test_case, self.params = message, test_case, params
        self.failureException = test_case.failureException

    def runTest(self):
        raise NotImplementedError("subtests cannot be run directly")

    def _subDescription(self):
        parts = [] if self._message is _subtest_msg_sentinel else [f"[{self._message}]"]
        if self.params:
            parts.append(f"({', '.join(f'{name}={value!r}' for name, value in self.params.items())})")
        return " ".join(parts) or "(<subtest>)"

    def id(self):
        return f"{self.test_case.id()} {self._subDescription()}"

    def shortDescription(self):
        return self.test_case.shortDescription()

    def __str__(self):
        return f"{self.test_case} {self._subDescription()}"
