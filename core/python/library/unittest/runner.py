# SPDX-License-Identifier: GPL-3.0-or-later
# TextTestRunner: runs tests and prints a line for each. It prints to sys.stdout where it is given no stream, and no time.

import sys
import warnings

from unittest import result
from unittest.case import _SubTest


class _WritelnDecorator:
    def __init__(self, stream):
        self.stream = stream

    def __getattr__(self, name):
        if name in ("stream", "__getstate__"):
            raise AttributeError(name)
        return getattr(self.stream, name)

    def writeln(self, text=None):
        self.write((text or "") + "\n")


class TextTestResult(result.TestResult):
    separator1 = "=" * 70
    separator2 = "-" * 70

    def __init__(self, stream, descriptions, verbosity):
        super().__init__(stream, descriptions, verbosity)
        self.stream, self.descriptions = stream, descriptions
        self.showAll, self.dots = verbosity > 1, verbosity == 1
        self._newline = True

    def getDescription(self, test):
        first = test.shortDescription()
        return f"{test}\n{first}" if self.descriptions and first else str(test)

    def startTest(self, test):
        super().startTest(test)
        if self.showAll:
            self.stream.write(f"{self.getDescription(test)} ... ")
            self.stream.flush()
            self._newline = False

    def _tell(self, test, status, letter):
        if self.showAll:
            is_subtest = isinstance(test, _SubTest)
            if is_subtest or self._newline:
                if not self._newline:
                    self.stream.writeln()
                self.stream.write(("  " if is_subtest else "") + f"{self.getDescription(test)} ... ")
            self.stream.writeln(status)
            self._newline = True
        elif self.dots:
            self.stream.write(letter)
        self.stream.flush()

    def addSubTest(self, test, subtest, err):
        if err is not None:
            is_failure = issubclass(err[0], subtest.failureException)
            self._tell(subtest, "FAIL" if is_failure else "ERROR", "F" if is_failure else "E")
        super().addSubTest(test, subtest, err)

    def addSuccess(self, test):
        super().addSuccess(test)
        self._tell(test, "ok", ".")

    def addError(self, test, err):
        super().addError(test, err)
        self._tell(test, "ERROR", "E")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._tell(test, "FAIL", "F")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._tell(test, f"skipped {reason!r}", "s")

    def _tell_plainly(self, status, letter):
        if self.showAll:
            self.stream.writeln(status)
        elif self.dots:
            self.stream.write(letter)
        self.stream.flush()

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self._tell_plainly("expected failure", "x")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self._tell_plainly("unexpected success", "u")

    def printErrors(self):
        if self.dots or self.showAll:
            self.stream.writeln()
        self.printErrorList("ERROR", self.errors)
        self.printErrorList("FAIL", self.failures)
        if self.unexpectedSuccesses:
            self.stream.writeln(self.separator1)
            for test in self.unexpectedSuccesses:
                self.stream.writeln(f"UNEXPECTED SUCCESS: {self.getDescription(test)}")
        self.stream.flush()

    def printErrorList(self, flavour, errors):
        for test, text in errors:
            self.stream.writeln(f"{self.separator1}\n{flavour}: {self.getDescription(test)}\n{self.separator2}\n{text}")
            self.stream.flush()


class TextTestRunner:
    resultclass = TextTestResult

    def __init__(self, stream=None, descriptions=True, verbosity=1, failfast=False, buffer=False, resultclass=None, warnings=None,
                 *, tb_locals=False):
        self.stream = _WritelnDecorator(sys.stdout if stream is None else stream)
        self.descriptions, self.verbosity, self.failfast, self.buffer = descriptions, verbosity, failfast, buffer
        self.tb_locals, self.warnings = tb_locals, warnings
        if resultclass is not None:
            self.resultclass = resultclass

    def _makeResult(self):
        return self.resultclass(self.stream, self.descriptions, self.verbosity)

    def run(self, test):
        result = self._makeResult()
        result.failfast, result.buffer, result.tb_locals = self.failfast, self.buffer, self.tb_locals
        with warnings.catch_warnings():
            if self.warnings:
                warnings.simplefilter(self.warnings)
            getattr(result, "startTestRun", lambda: None)()
            try:
                test(result)
            finally:
                getattr(result, "stopTestRun", lambda: None)()
        result.printErrors()
        if hasattr(result, "separator2"):
            self.stream.writeln(result.separator2)
        self.stream.writeln(f"Ran {result.testsRun} test{'' if result.testsRun == 1 else 's'}\n")
        counts = [("skipped", "skipped"), ("expected failures", "expectedFailures"), ("unexpected successes", "unexpectedSuccesses")]
        if not result.wasSuccessful():
            counts = [("failures", "failures"), ("errors", "errors"), *counts]
        told = [f"{name}={len(getattr(result, attribute, ()))}" for name, attribute in counts if getattr(result, attribute, ())]
        self.stream.writeln(("OK" if result.wasSuccessful() else "FAILED") + (f" ({', '.join(told)})" if told else ""))
        self.stream.flush()
        return result
