# SPDX-License-Identifier: GPL-3.0-or-later
# Python's logging: loggers, handlers and formatters. There is no clock; what goes to sys.stderr is not shown.

import sys

from _logging_records import (CRITICAL, DEBUG, ERROR, INFO, NOTSET, WARNING, Formatter, LogRecord, _checkLevel, _plain, addLevelName,
                              getLevelName, getLevelNamesMapping, makeLogRecord)
from _native import _call_stack
from _refusal import refused_class

WARN, FATAL = WARNING, CRITICAL
BASIC_FORMAT = "%(levelname)s:%(name)s:%(message)s"
raiseExceptions = True
logThreads = logMultiprocessing = logProcesses = True
FileHandler = refused_class("logging", "FileHandler", "a traced program reaches no files")


class Filter:
    def __init__(self, name=""):
        self.name = name

    def filter(self, record):
        return not self.name or record.name == self.name or record.name.startswith(self.name + ".")


class Filterer:
    def __init__(self):
        self.filters = []

    def addFilter(self, filter):
        if filter not in self.filters:
            self.filters.append(filter)

    def removeFilter(self, filter):
        if filter in self.filters:
            self.filters.remove(filter)

    def filter(self, record):
        return all([(each.filter if hasattr(each, "filter") else each)(record) for each in self.filters])


class Handler(Filterer):
    def __init__(self, level=NOTSET):
        super().__init__()
        self.level, self.formatter, self.name = _checkLevel(level), None, None

    def setLevel(self, level):
        self.level = _checkLevel(level)

    def setFormatter(self, fmt):
        self.formatter = fmt

    def format(self, record):
        return (self.formatter or _plain).format(record)

    def emit(self, record):
        raise NotImplementedError("emit must be implemented by Handler subclasses")

    def handle(self, record):
        is_wanted = self.filter(record)
        if is_wanted:
            self.emit(record)
        return is_wanted

    def acquire(self):
        pass

    release = flush = close = acquire

    def handleError(self, record):
        raise


class NullHandler(Handler):
    def handle(self, record):
        pass

    emit = handle


class StreamHandler(Handler):
    terminator = "\n"

    def __init__(self, stream=None):
        super().__init__()
        self.stream = sys.stderr if stream is None else stream

    def setStream(self, stream):
        before, self.stream = self.stream, stream
        return before

    def emit(self, record):
        self.stream.write(self.format(record) + self.terminator)

    def flush(self):
        if hasattr(self.stream, "flush"):
            self.stream.flush()


class _LastResort(StreamHandler):
    stream = property(lambda self: sys.stderr, lambda self, stream: None)


lastResort = _LastResort()
lastResort.level = WARNING


class Logger(Filterer):
    def __init__(self, name, level=NOTSET):
        super().__init__()
        self.name, self.level, self.parent = name, _checkLevel(level), None
        self.handlers, self.propagate, self.disabled = [], True, False

    def setLevel(self, level):
        self.level = _checkLevel(level)

    def addHandler(self, handler):
        if handler not in self.handlers:
            self.handlers.append(handler)

    def removeHandler(self, handler):
        if handler in self.handlers:
            self.handlers.remove(handler)

    def _heard(self):
        """The loggers whose handlers hear of it."""
        logger = self
        while logger is not None:
            yield logger
            logger = logger.parent if logger.propagate else None

    def hasHandlers(self):
        return any(logger.handlers for logger in self._heard())

    def getEffectiveLevel(self):
        logger = self
        while logger is not None and not logger.level:
            logger = logger.parent
        return NOTSET if logger is None else logger.level

    def isEnabledFor(self, level):
        return not self.disabled and level > manager.disable and level >= self.getEffectiveLevel()

    def getChild(self, suffix):
        return getLogger(suffix if self is root else f"{self.name}.{suffix}")

    def makeRecord(self, name, level, fn, lno, msg, args, exc_info, func=None, extra=None, sinfo=None):
        record = LogRecord(name, level, fn, lno, msg, args, exc_info, func, sinfo)
        for key in extra or ():
            if key in ("message", "asctime") or key in record.__dict__:
                raise KeyError(f"Attempt to overwrite {key!r} in LogRecord")
            record.__dict__[key] = extra[key]
        return record

    def _log(self, level, msg, args, exc_info=None, extra=None, stack_info=False, stacklevel=1):
        stack = _call_stack()
        path, line, function, _ = stack[-stacklevel] if len(stack) >= stacklevel else ("(unknown file)", 0, "(unknown function)", "")
        if isinstance(exc_info, BaseException):
            exc_info = type(exc_info), exc_info, exc_info.__traceback__
        elif exc_info and not isinstance(exc_info, tuple):
            exc_info = sys.exc_info()
        self.handle(self.makeRecord(self.name, level, path, line, msg, args, exc_info, function, extra))

    def handle(self, record):
        if not self.disabled and self.filter(record):
            self.callHandlers(record)

    def callHandlers(self, record):
        heard = [handler for logger in self._heard() for handler in logger.handlers] or [lastResort]
        for handler in heard:
            if record.levelno >= handler.level:
                handler.handle(record)

    def log(self, level, msg, *args, **kwargs):
        if not isinstance(level, int):
            raise TypeError("level must be an integer")
        if self.isEnabledFor(level):
            self._log(level, msg, args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.error(msg, *args, exc_info=exc_info, **kwargs)

    def __repr__(self):
        return f"<{type(self).__name__} {self.name} ({getLevelName(self.getEffectiveLevel())})>"


class RootLogger(Logger):
    def __init__(self, level):
        super().__init__("root", level)


def _add_methods():
    def method(level):
        def said(self, msg, *args, **kwargs):
            if self.isEnabledFor(level):
                self._log(level, msg, args, **kwargs)

        return said

    for name, level in (("debug", DEBUG), ("info", INFO), ("warning", WARNING), ("error", ERROR), ("critical", CRITICAL)):
        setattr(Logger, name, method(level))
    Logger.warn, Logger.fatal = Logger.warning, Logger.critical
    # torch's loggers have it; a message is told once
    Logger.warning_once = lambda self, msg, *args: msg in _told or _told.add(msg) or self.warning(msg, *args)


_told = set()
_add_methods()


class Manager:
    def __init__(self, rootnode):
        self.root, self.disable, self.loggerDict = rootnode, NOTSET, {}

    def getLogger(self, name):
        if not isinstance(name, str):
            raise TypeError("A logger name must be a string")
        if name not in self.loggerDict:
            made = self.loggerDict[name] = _logger_class(name)
            made.manager = self
            self._arrange()
        return self.loggerDict[name]

    def _arrange(self):
        for name, logger in self.loggerDict.items():
            above = name.rpartition(".")[0]
            while above and above not in self.loggerDict:
                above = above.rpartition(".")[0]
            logger.parent = self.loggerDict[above] if above else self.root


_logger_class = Logger
root = RootLogger(WARNING)
manager = root.manager = Logger.manager = Manager(root)
Logger.root = root


def setLoggerClass(klass):
    global _logger_class
    _logger_class = klass


def getLoggerClass():
    return _logger_class


def getLogger(name=None):
    return root if not name or name == "root" else manager.getLogger(name)


class LoggerAdapter:
    def __init__(self, logger, extra=None):
        self.logger, self.extra = logger, extra

    def process(self, msg, kwargs):
        return msg, {**kwargs, "extra": self.extra}

    def log(self, level, msg, *args, **kwargs):
        if self.logger.isEnabledFor(level):
            msg, kwargs = self.process(msg, kwargs)
            self.logger.log(level, msg, *args, **kwargs)

    def debug(self, msg, *args, **kwargs):
        self.log(DEBUG, msg, *args, **kwargs)

    def info(self, msg, *args, **kwargs):
        self.log(INFO, msg, *args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        self.log(WARNING, msg, *args, **kwargs)

    def error(self, msg, *args, **kwargs):
        self.log(ERROR, msg, *args, **kwargs)

    def critical(self, msg, *args, **kwargs):
        self.log(CRITICAL, msg, *args, **kwargs)


def basicConfig(*, filename=None, filemode="a", format=None, datefmt=None, style="%", level=None, stream=None, handlers=None,
                force=False, encoding=None, errors="backslashreplace"):
    if force:
        root.handlers.clear()
    if root.handlers:
        return
    if handlers is None:
        handlers = [FileHandler(filename, filemode) if filename else StreamHandler(stream)]
    formatter = Formatter(format or {"%": BASIC_FORMAT, "{": "{levelname}:{name}:{message}",
                                     "$": "${levelname}:${name}:${message}"}[style], datefmt, style)
    for handler in handlers:
        if handler.formatter is None:
            handler.setFormatter(formatter)
        root.addHandler(handler)
    if level is not None:
        root.setLevel(level)


def disable(level=CRITICAL):
    manager.disable = _checkLevel(level)


def _of_root(name):
    def said(msg, *args, **kwargs):
        if not root.handlers:
            basicConfig()
        getattr(root, name)(msg, *args, **kwargs)

    return said


debug, info, warning, warn, error, critical, fatal, exception = [
    _of_root(name) for name in ("debug", "info", "warning", "warn", "error", "critical", "fatal", "exception")]


def log(level, msg, *args, **kwargs):
    if not root.handlers:
        basicConfig()
    root.log(level, msg, *args, **kwargs)


def captureWarnings(capture):
    pass


def shutdown():
    pass
