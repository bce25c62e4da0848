# SPDX-License-Identifier: GPL-3.0-or-later
# What `with self.assertRaises(...)`, assertWarns and assertLogs give.

import re
import warnings


def _is_subtype(expected, base):
    if isinstance(expected, tuple):
        return all(_is_subtype(each, base) for each in expected)
    return isinstance(expected, type) and issubclass(expected, base)


def _name(expected):
    return getattr(expected, "__name__", None) or str(expected)


class _Context:
    def __init__(self, expected, test_case, expected_regex=None):
        self.expected, self.test_case = expected, test_case
        self.expected_regex = None if expected_regex is None else re.compile(expected_regex)
        self.obj_name = self.msg = None

    def handle(self, name, args, kwargs):
        if not _is_subtype(self.expected, self._base_type):
            raise TypeError(f"{name}() arg 1 must be {self._base_type_str}")
        if not args:
            self.msg = kwargs.pop("msg", None)
            if kwargs:
                raise TypeError(f"{next(iter(kwargs))!r} is an invalid keyword argument for this function")
            return self
        function, *args = args
        self.obj_name = getattr(function, "__name__", None) or str(function)
        with self:
            function(*args, **kwargs)

    def __enter__(self):
        return self

    def _raiseFailure(self, text):
        raise self.test_case.failureException(self.test_case._formatMessage(self.msg, text))

    def _missing(self, what):
        by = f" by {self.obj_name}" if self.obj_name else ""
        self._raiseFailure(f"{_name(self.expected)} not {what}{by}")

    def _different(self, text):
        self._raiseFailure(f'"{self.expected_regex.pattern}" does not match "{text}"')


class _AssertRaisesContext(_Context):
    _base_type = BaseException
    _base_type_str = "an exception type or tuple of exception types"

    def __exit__(self, kind, error, traceback):
        if kind is None:
            self._missing("raised")
        if not issubclass(kind, self.expected):
            return False
        self.exception = error
        if self.expected_regex is not None and not self.expected_regex.search(str(error)):
            self._different(str(error))
        return True


class _AssertWarnsContext(_Context):
    _base_type = Warning
    _base_type_str = "a warning type or tuple of warning types"

    def __enter__(self):
        self.warnings_manager = warnings.catch_warnings(record=True)
        self.warnings = self.warnings_manager.__enter__()
        for kind in self.expected if isinstance(self.expected, tuple) else (self.expected,):
            warnings.simplefilter("always", kind)
        return self

    def __exit__(self, kind, error, traceback):
        self.warnings_manager.__exit__(kind, error, traceback)
        if kind is not None:
            return
        fitting = [found for found in self.warnings if isinstance(found.message, self.expected)]
        for found in fitting:
            if self.expected_regex is None or self.expected_regex.search(str(found.message)):
                self.warning, self.filename, self.lineno = found.message, found.filename, found.lineno
                return
        if fitting:
            self._different(str(fitting[0].message))
        self._missing("triggered")


class _NoLogs:
    def __init__(self, *args):
        raise NotImplementedError("not supported: assertLogs and assertNoLogs, as nothing is logged here")
