# SPDX-License-Identifier: GPL-3.0-or-later
# The tests of a module, for who asks from outside of the program: `fxscope test`.

from unittest import loader, runner, suite


def run(module, names, patterns, is_quiet, ends_at_failure, guarded):
    """Whether all passed. guarded() calls a function, and gives the text of an error that no `except` can catch, or None."""

    class GuardedSuite(suite.TestSuite):
        def _call(self, test, result):
            if not suite._isnotsuite(test):
                test(result)
                return
            told = guarded(lambda: test(result))
            if told is not None:
                result.addError(test, (RuntimeError, RuntimeError(told), None))
                result.stopTest(test)

    found = loader.TestLoader()
    found.suiteClass = GuardedSuite
    if patterns:
        found.testNamePatterns = [pattern if "*" in pattern else f"*{pattern}*" for pattern in patterns]
    tests = found.loadTestsFromNames(names, module) if names else found.loadTestsFromModule(module)
    result = runner.TextTestRunner(verbosity=1 if is_quiet else 2, failfast=ends_at_failure, warnings="ignore").run(tests)
    return result.wasSuccessful()
