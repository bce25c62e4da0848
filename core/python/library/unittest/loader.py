# SPDX-License-Identifier: GPL-3.0-or-later
# TestLoader: the tests of classes, modules and names. No folders are searched for tests.

import functools
import types
from fnmatch import fnmatchcase
from importlib import import_module

from unittest import case, suite, util


class _FailedTest(case.TestCase):
    _testMethodName = None

    def __init__(self, method_name, exception):
        self._exception = exception
        super().__init__(method_name)

    def __getattr__(self, name):
        if name != self._testMethodName:
            raise AttributeError(f"'_FailedTest' object has no attribute {name!r}")

        def failing():
            raise self._exception
        return failing


def _is_test_class(obj):
    return isinstance(obj, type) and issubclass(obj, case.TestCase) and obj not in (case.TestCase, case.FunctionTestCase)


class TestLoader:
    testMethodPrefix = "test"
    sortTestMethodsUsing = staticmethod(util.three_way_cmp)
    testNamePatterns = None
    suiteClass = suite.TestSuite

    def __init__(self):
        self.errors = []

    def loadTestsFromTestCase(self, testCaseClass):
        if issubclass(testCaseClass, suite.TestSuite):
            raise TypeError("Test cases should not be derived from TestSuite. Maybe you meant to derive from TestCase?")
        names = []
        if testCaseClass not in (case.TestCase, case.FunctionTestCase):
            names = self.getTestCaseNames(testCaseClass) or (["runTest"] if hasattr(testCaseClass, "runTest") else [])
        return self.suiteClass(map(testCaseClass, names))

    def loadTestsFromModule(self, module, *args, pattern=None, **kws):
        tests = [self.loadTestsFromTestCase(getattr(module, name)) for name in dir(module) if _is_test_class(getattr(module, name))]
        tests = self.suiteClass(tests)
        load_tests = getattr(module, "load_tests", None)
        if load_tests is None:
            return tests
        try:
            return load_tests(self, tests, pattern)
        except Exception as error:
            return self._failed(module.__name__, error, "Failed to call load_tests:\n")

    def _failed(self, name, error, message):
        self.errors.append(message)
        return self.suiteClass((_FailedTest(name, error),))

    def loadTestsFromName(self, name, module=None):
        parts = name.split(".")
        if module is None:
            known = list(parts)
            while module is None:
                try:
                    import_module(".".join(known))
                    module = import_module(parts[0])
                except ImportError:
                    last = known.pop()
                    if not known:
                        message = f"Failed to import test module: {last}\n"
                        return self._failed(last, ImportError(message), message)
            parts = parts[1:]
        obj, parent = module, None
        for part in parts:
            try:
                parent, obj = obj, getattr(obj, part)
            except AttributeError as error:
                return self._failed(part, error, "Failed to access attribute:\n")
        if isinstance(obj, types.ModuleType):
            return self.loadTestsFromModule(obj)
        if _is_test_class(obj):
            return self.loadTestsFromTestCase(obj)
        if isinstance(obj, types.FunctionType) and isinstance(parent, type) and issubclass(parent, case.TestCase):
            instance = parent(parts[-1])
            if not isinstance(getattr(instance, parts[-1]), types.FunctionType):
                return self.suiteClass([instance])
        if isinstance(obj, suite.TestSuite):
            return obj
        if not callable(obj):
            raise TypeError(f"don't know how to make test from: {obj}")
        test = obj()
        if isinstance(test, suite.TestSuite):
            return test
        if isinstance(test, case.TestCase):
            return self.suiteClass([test])
        raise TypeError(f"calling {obj} returned {test}, not a test")

    def loadTestsFromNames(self, names, module=None):
        return self.suiteClass([self.loadTestsFromName(name, module) for name in names])

    def getTestCaseNames(self, testCaseClass):
        def is_test(name):
            if not name.startswith(self.testMethodPrefix) or not callable(getattr(testCaseClass, name)):
                return False
            full = f"{util.strclass(testCaseClass)}.{name}"
            return self.testNamePatterns is None or any(fnmatchcase(full, pattern) for pattern in self.testNamePatterns)

        names = list(filter(is_test, dir(testCaseClass)))
        if self.sortTestMethodsUsing:
            names.sort(key=functools.cmp_to_key(self.sortTestMethodsUsing))
        return names

    def discover(self, start_dir, pattern="test*.py", top_level_dir=None):
        raise NotImplementedError("not supported: discover(), as no folders are read here")


defaultTestLoader = TestLoader()


def _loader(prefix, sort_using, suite_class=suite.TestSuite, patterns=None):
    loader = TestLoader()
    loader.testMethodPrefix, loader.sortTestMethodsUsing, loader.testNamePatterns = prefix, sort_using, patterns
    loader.suiteClass = suite_class or loader.suiteClass
    return loader


def getTestCaseNames(testCaseClass, prefix, sortUsing=util.three_way_cmp, testNamePatterns=None):
    return _loader(prefix, sortUsing, None, testNamePatterns).getTestCaseNames(testCaseClass)


def makeSuite(testCaseClass, prefix="test", sortUsing=util.three_way_cmp, suiteClass=suite.TestSuite):
    return _loader(prefix, sortUsing, suiteClass).loadTestsFromTestCase(testCaseClass)


def findTestCases(module, prefix="test", sortUsing=util.three_way_cmp, suiteClass=suite.TestSuite):
    return _loader(prefix, sortUsing, suiteClass).loadTestsFromModule(module)
