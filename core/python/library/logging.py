# SPDX-License-Identifier: GPL-3.0-or-later
# Python's logging: loggers with all their methods, which say nothing.

NOTSET, DEBUG, INFO, WARNING, ERROR, CRITICAL = 0, 10, 20, 30, 40, 50
WARN, FATAL = WARNING, CRITICAL
raiseExceptions = False


class Handler:
    def __init__(self, *args, **kwargs):
        pass

    def setLevel(self, level):
        pass

    def setFormatter(self, formatter):
        pass


class NullHandler(Handler):
    pass


class StreamHandler(Handler):
    pass


class Formatter:
    def __init__(self, *args, **kwargs):
        pass


class Logger:
    def __init__(self, name, level=NOTSET):
        self.name, self.level = name, level
        self.handlers, self.propagate, self.disabled = [], True, False

    def _silent(self, *args, **kwargs):
        pass

    debug = info = warning = warn = error = critical = fatal = exception = log = _silent
    warning_once = addFilter = removeFilter = _silent

    def setLevel(self, level):
        self.level = level

    def addHandler(self, handler):
        self.handlers.append(handler)

    def removeHandler(self, handler):
        if handler in self.handlers:
            self.handlers.remove(handler)

    def hasHandlers(self):
        return bool(self.handlers)

    def getEffectiveLevel(self):
        return self.level or WARNING

    def isEnabledFor(self, level):
        return False

    def getChild(self, suffix):
        return getLogger(f"{self.name}.{suffix}")


root = Logger("root", WARNING)
_loggers = {}


def getLogger(name=None):
    if not name or name == "root":
        return root
    if name not in _loggers:
        _loggers[name] = Logger(name)
    return _loggers[name]


def _silent(*args, **kwargs):
    pass


debug = info = warning = warn = error = critical = fatal = exception = log = _silent
basicConfig = disable = captureWarnings = addLevelName = shutdown = _silent
