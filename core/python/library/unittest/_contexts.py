# SPDX-License-Identifier: GPL-3.0-or-later
# What `with self.assertRaises(...)`, assertWarns and assertLogs give.

import logging
import re
import warnings

from collections import namedtuple


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


_LoggingWatcher = namedtuple("_LoggingWatcher", ["records", "output"])


class _CapturingHandler(logging.Handler):
    def __init__(self):
        super().__init__()
        self.watcher = _LoggingWatcher([], [])

    def emit(self, record):
        self.watcher.records.append(record)
        self.watcher.output.append(self.format(record))


class _AssertLogsContext:
    LOGGING_FORMAT = "%(levelname)s:%(name)s:%(message)s"

    def __init__(self, test_case, logger_name, level, no_logs):
        self.test_case, self.logger_name, self.no_logs, self.msg = test_case, logger_name, no_logs, None
        self.level = logging._checkLevel(level) if level else logging.INFO

    def __enter__(self):
        is_logger = isinstance(self.logger_name, logging.Logger)
        self.logger = self.logger_name if is_logger else logging.getLogger(self.logger_name)
        handler = _CapturingHandler()
        handler.setLevel(self.level)
        handler.setFormatter(logging.Formatter(self.LOGGING_FORMAT))
        self.watcher = handler.watcher
        self._before = self.logger.handlers, self.logger.level, self.logger.propagate
        self.logger.handlers, self.logger.propagate = [handler], False
        self.logger.setLevel(self.level)
        return None if self.no_logs else handler.watcher

    def __exit__(self, kind, error, traceback):
        self.logger.handlers, level, self.logger.propagate = self._before
        self.logger.setLevel(level)
        if kind is not None:
            return False
        records = self.watcher.records
        if self.no_logs and records:
            self._fail(f"Unexpected logs found: {self.watcher.output!r}")
        if not self.no_logs and not records:
            self._fail(f"no logs of level {logging.getLevelName(self.level)} or higher triggered on {self.logger.name}")

    def _fail(self, text):
        raise self.test_case.failureException(self.test_case._formatMessage(self.msg, text))
