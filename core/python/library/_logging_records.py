# SPDX-License-Identifier: GPL-3.0-or-later
# What logging tells: levels by name and number, records, and the formatters that make them texts.

import os.path
import string
import time
import traceback

NOTSET, DEBUG, INFO, WARNING, ERROR, CRITICAL = 0, 10, 20, 30, 40, 50
_levels = {CRITICAL: "CRITICAL", ERROR: "ERROR", WARNING: "WARNING", INFO: "INFO", DEBUG: "DEBUG", NOTSET: "NOTSET"}
_numbers = {**{name: level for level, name in _levels.items()}, "WARN": WARNING, "FATAL": CRITICAL}


def getLevelName(level):
    return _levels.get(level, _numbers.get(level, f"Level {level}"))


def getLevelNamesMapping():
    return dict(_numbers)


def addLevelName(level, levelName):
    _levels[level] = levelName
    _numbers[levelName] = level


def _checkLevel(level):
    if isinstance(level, int):
        return level
    if not isinstance(level, str):
        raise TypeError(f"Level not an integer or a valid string: {level!r}")
    if level not in _numbers:
        raise ValueError(f"Unknown level: {level!r}")
    return _numbers[level]


class LogRecord:
    def __init__(self, name, level, pathname, lineno, msg, args, exc_info, func=None, sinfo=None, **kwargs):
        self.name, self.levelno, self.levelname, self.msg = name, level, getLevelName(level), msg
        is_mapping = args and len(args) == 1 and isinstance(args[0], dict) and args[0]
        self.args = args[0] if is_mapping else args
        self.pathname, self.filename = pathname, os.path.basename(pathname)
        self.module = os.path.splitext(self.filename)[0]
        self.lineno, self.funcName, self.exc_info, self.exc_text, self.stack_info = lineno, func, exc_info, None, sinfo
        self.created, self.msecs, self.relativeCreated = time.time(), 0, 0.0
        self.thread, self.threadName, self.process, self.processName = 1, "MainThread", 1, "MainProcess"
        self.taskName = None

    def __repr__(self):
        return f'<LogRecord: {self.name}, {self.levelno}, {self.pathname}, {self.lineno}, "{self.msg}">'

    def getMessage(self):
        return str(self.msg) % self.args if self.args else str(self.msg)


def makeLogRecord(dict):
    record = LogRecord(None, NOTSET, "", 0, "", (), None)
    record.__dict__.update(dict)
    return record


class Formatter:
    default_time_format, default_msec_format = "%Y-%m-%d %H:%M:%S", "%s,%03d"

    def __init__(self, fmt=None, datefmt=None, style="%", validate=True, *, defaults=None):
        if style not in ("%", "{", "$"):
            raise ValueError("Style must be one of: %,{,$")
        self._fmt = fmt or {"%": "%(message)s", "{": "{message}", "$": "${message}"}[style]
        self._style, self.datefmt, self._defaults = style, datefmt, defaults or {}

    def usesTime(self):
        return {"%": "%(asctime)", "{": "{asctime", "$": "asctime}"}[self._style] in self._fmt

    def formatTime(self, record, datefmt=None):
        moment = time.localtime(record.created)
        if datefmt:
            return time.strftime(datefmt, moment)
        return self.default_msec_format % (time.strftime(self.default_time_format, moment), record.msecs)

    def formatException(self, ei):
        return "".join(traceback.format_exception(*ei)).rstrip("\n")

    def formatStack(self, stack_info):
        return stack_info

    def formatMessage(self, record):
        values = {**self._defaults, **record.__dict__}
        if self._style == "%":
            return self._fmt % values
        if self._style == "{":
            return self._fmt.format(**values)
        return string.Template(self._fmt).substitute(values)

    def format(self, record):
        record.message = record.getMessage()
        if self.usesTime():
            record.asctime = self.formatTime(record, self.datefmt)
        parts = [self.formatMessage(record)]
        if record.exc_info and not record.exc_text:
            record.exc_text = self.formatException(record.exc_info)
        return "\n".join(parts + [text for text in (record.exc_text, record.stack_info) if text])


_plain = Formatter()
