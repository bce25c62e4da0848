# SPDX-License-Identifier: GPL-3.0-or-later
# Python's warnings. Nothing is printed: what is not filtered out is recorded with the evaluator.

from _native import _record_warning

filters = []
_recorders = []


class WarningMessage:
    def __init__(self, message, category):
        self.message, self.category = message, category
        self.filename, self.lineno, self.source = "", 0, None


def _action(text, category):
    for action, start, kind in filters:
        if issubclass(category, kind) and text.lower().startswith(start.lower()):
            return action
    return "default"


def warn(message, category=None, stacklevel=1, source=None, **kwargs):
    if isinstance(message, Warning):
        category = type(message)
    elif category is None:
        category = UserWarning
    if not (isinstance(category, type) and issubclass(category, Warning)):
        raise TypeError(f"category must be a Warning subclass, not '{type(category).__name__}'")
    text = str(message)
    action = _action(text, category)
    instance = message if isinstance(message, Warning) else category(message)
    if action == "error":
        raise instance
    if action == "ignore":
        return
    if _recorders:
        if _recorders[-1] is not None:
            _recorders[-1].append(WarningMessage(instance, category))
            return
    _record_warning(text, category.__name__)


def warn_explicit(message, category, filename, lineno, *args, **kwargs):
    warn(message, category)


def _add_filter(item, append):
    known = ("default", "always", "ignore", "module", "once", "error")
    assert item[0] in known, f"invalid action: {item[0]!r}"
    if item in filters:
        if append:
            return
        filters.remove(item)
    filters.insert(len(filters) if append else 0, item)


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    """The message is the beginning of a text; of a pattern, what stands before its first special character."""
    plain = message[2:] if message.startswith(".*") else message
    for at, character in enumerate(plain):
        if character in "\\.*+?[](){}|^$":
            plain = plain[:at]
            break
    _add_filter((action, "" if message.startswith(".*") else plain, category), append)


def simplefilter(action, category=Warning, lineno=0, append=False):
    _add_filter((action, "", category), append)


def resetwarnings():
    filters.clear()


def formatwarning(message, category, filename, lineno, line=None):
    return f"{filename}:{lineno}: {category.__name__}: {message}\n"


class catch_warnings:
    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
        self._record = record
        self._first = None if action is None else (action, category, lineno, append)

    def __enter__(self):
        self._saved = list(filters)
        log = [] if self._record else None
        _recorders.append(log if self._record or not _recorders else _recorders[-1])
        if self._first is not None:
            simplefilter(*self._first)
        return log

    def __exit__(self, *details):
        filters[:] = self._saved
        _recorders.pop()
