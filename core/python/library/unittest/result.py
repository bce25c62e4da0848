# SPDX-License-Identifier: GPL-3.0-or-later
# TestResult: what came of the tests of a run.

import io
import sys
import traceback

from unittest.util import strclass


def failfast(method):
    def inner(self, *args, **kwargs):
        if getattr(self, "failfast", False):
            self.stop()
        return method(self, *args, **kwargs)
    inner.__name__, inner.__doc__ = method.__name__, method.__doc__
    return inner


class TestResult:
    _previousTestClass = None
    _testRunEntered = False
    _moduleSetUpFailed = False

    def __init__(self, stream=None, descriptions=None, verbosity=None):
        self.failfast = self.shouldStop = self.buffer = self.tb_locals = self._mirrorOutput = False
        self.failures, self.errors, self.skipped, self.expectedFailures, self.unexpectedSuccesses = [], [], [], [], []
        self.testsRun = 0
        self._buffers = None
        self._original_stdout, self._original_stderr = sys.stdout, sys.stderr

    def printErrors(self):
        pass

    def startTestRun(self):
        pass

    def stopTestRun(self):
        pass

    def startTest(self, test):
        self.testsRun += 1
        self._mirrorOutput = False
        self._setupStdout()

    def stopTest(self, test):
        self._restoreStdout()
        self._mirrorOutput = False

    def _setupStdout(self):
        if self.buffer:
            self._buffers = self._buffers or (io.StringIO(), io.StringIO())
            sys.stdout, sys.stderr = self._buffers

    def _output(self):
        """What was written while it was held back, as the result shows it."""
        texts = []
        for name, buffer in zip(("Stdout", "Stderr"), self._buffers or ()):
            text = buffer.getvalue()
            texts.append(f"\n{name}:\n{text}" + ("" if text.endswith("\n") else "\n") if text else "")
        return texts or ["", ""]

    def _restoreStdout(self):
        if not self.buffer:
            return
        if self._mirrorOutput:
            for stream, text in zip((self._original_stdout, self._original_stderr), self._output()):
                stream.write(text)
        sys.stdout, sys.stderr = self._original_stdout, self._original_stderr
        self._buffers = None

    def _add(self, to, test, err):
        text = "".join(traceback.format_exception(*err))
        to.append((test, text + "".join(self._output()) if self.buffer else text))
        self._mirrorOutput = True

    @failfast
    def addError(self, test, err):
        self._add(self.errors, test, err)

    @failfast
    def addFailure(self, test, err):
        self._add(self.failures, test, err)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            if getattr(self, "failfast", False):
                self.stop()
            self._add(self.failures if issubclass(err[0], test.failureException) else self.errors, subtest, err)

    def addSuccess(self, test):
        pass

    def addSkip(self, test, reason):
        self.skipped.append((test, reason))

    def addExpectedFailure(self, test, err):
        self.expectedFailures.append((test, "".join(traceback.format_exception(*err))))

    @failfast
    def addUnexpectedSuccess(self, test):
        self.unexpectedSuccesses.append(test)

    def wasSuccessful(self):
        return not self.failures and not self.errors and not self.unexpectedSuccesses

    def stop(self):
        self.shouldStop = True

    def __repr__(self):
        return (f"<{strclass(self.__class__)} run={self.testsRun} errors={len(self.errors)} "
                f"failures={len(self.failures)}>")
