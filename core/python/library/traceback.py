# SPDX-License-Identifier: GPL-3.0-or-later
# Python's traceback, without the marks below the parts of lines. Frames of the library are not told.

import sys

from _native import _call_stack, _traceback_frames
from _refusal import refused_names

globals().update(refused_names("traceback", "there are no frames here", "walk_stack walk_tb", ""))

_CAUSE = "\nThe above exception was the direct cause of the following exception:\n\n"
_CONTEXT = "\nDuring handling of the above exception, another exception occurred:\n\n"
_HEAD = "Traceback (most recent call last):\n"
_MISSING = object()


class FrameSummary:
    def __init__(self, filename, lineno, name, *, lookup_line=True, locals=None, line=None, end_lineno=None, colno=None,
                 end_colno=None):
        self.filename, self.lineno, self.name, self.line, self.locals = filename, lineno, name, line, locals

    def _parts(self):
        return self.filename, self.lineno, self.name, self.line

    def __eq__(self, other):
        if isinstance(other, FrameSummary):
            return self._parts() == other._parts()
        return self._parts() == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self):
        return hash(self._parts())

    def __getitem__(self, at):
        return self._parts()[at]

    def __iter__(self):
        return iter(self._parts())

    def __len__(self):
        return 4

    def __repr__(self):
        return f"<FrameSummary file {self.filename}, line {self.lineno} in {self.name}>"


class StackSummary(list):
    @classmethod
    def from_list(cls, a_list):
        return cls([frame if isinstance(frame, FrameSummary) else
                    FrameSummary(frame[0], frame[1], frame[2], line=frame[3]) for frame in a_list])

    def format_frame_summary(self, frame_summary):
        place = f'  File "{frame_summary.filename}", line {frame_summary.lineno}, in {frame_summary.name}\n'
        return place + (f"    {frame_summary.line.strip()}\n" if frame_summary.line else "")

    def format(self):
        """A frame that repeats more than three times in a row is told three times."""
        out, last, count = [], None, 0
        for frame in [*self, None]:
            key = frame and (frame.filename, frame.lineno, frame.name)
            if key == last and frame is not None:
                count += 1
            else:
                if count > 3:
                    out.append(f"  [Previous line repeated {count - 3} more time{'s' if count > 4 else ''}]\n")
                last, count = key, 1
            if frame is not None and count <= 3:
                out.append(self.format_frame_summary(frame))
        return out


def _limited(frames, limit):
    if limit is not None:
        frames = frames[:limit] if limit >= 0 else frames[limit:]
    return StackSummary.from_list(frames)


def extract_tb(tb, limit=None):
    return _limited(_traceback_frames(tb), limit)


def extract_stack(f=None, limit=None):
    return _limited(_call_stack(), limit if limit is None else -limit)


def format_list(extracted_list):
    return StackSummary.from_list(extracted_list).format()


def format_tb(tb, limit=None):
    return extract_tb(tb, limit).format()


def format_stack(f=None, limit=None):
    return extract_stack(f, limit).format()


def _name(kind):
    return kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}.{kind.__qualname__}"


def format_exception_only(exc, /, value=_MISSING):
    value = exc if value is _MISSING else value
    if value is None:
        return ["NoneType: None\n"]
    try:
        text = str(value)
    except Exception:
        text = "<exception str() failed>"
    lines = [f"{_name(type(value))}: {text}\n" if text else f"{_name(type(value))}\n"]
    notes = getattr(value, "__notes__", None)
    if isinstance(notes, (list, tuple)):
        for note in notes:
            lines += [line + "\n" for line in str(note).split("\n")]
    return lines


class TracebackException:
    def __init__(self, exc_type, exc_value, exc_traceback, *, limit=None, lookup_lines=True, capture_locals=False, compact=False,
                 max_group_width=15, max_group_depth=10, _seen=None):
        seen = set() if _seen is None else _seen
        seen.add(id(exc_value))
        self.exc_type, self.stack = exc_type, extract_tb(exc_traceback, limit)
        self._str = str(exc_value)
        self.__notes__ = getattr(exc_value, "__notes__", None)
        self._lines = format_exception_only(exc_value)
        self.__suppress_context__ = getattr(exc_value, "__suppress_context__", False)

        def earlier(error):
            if error is None or id(error) in seen:
                return None
            return TracebackException(type(error), error, error.__traceback__, limit=limit, _seen=seen)

        self.__cause__ = earlier(getattr(exc_value, "__cause__", None))
        self.__context__ = earlier(getattr(exc_value, "__context__", None))

    @classmethod
    def from_exception(cls, exc, *args, **kwargs):
        return cls(type(exc), exc, exc.__traceback__, *args, **kwargs)

    def __str__(self):
        return self._str

    def format_exception_only(self):
        yield from self._lines

    def format(self, *, chain=True, _ctx=None):
        if chain and self.__cause__ is not None:
            yield from self.__cause__.format(chain=chain)
            yield _CAUSE
        elif chain and self.__context__ is not None and not self.__suppress_context__:
            yield from self.__context__.format(chain=chain)
            yield _CONTEXT
        if self.stack:
            yield _HEAD
            yield from self.stack.format()
        yield from self._lines

    def print(self, *, file=None, chain=True):
        _write(self.format(chain=chain), file)


def _write(lines, file):
    file = sys.stderr if file is None else file
    for line in lines:
        print(line, file=file, end="")


def format_exception(exc, /, value=_MISSING, tb=_MISSING, limit=None, chain=True):
    value = exc if value is _MISSING else value
    tb = getattr(value, "__traceback__", None) if tb is _MISSING else tb
    return list(TracebackException(type(value), value, tb, limit=limit).format(chain=chain))


def format_exc(limit=None, chain=True):
    return "".join(format_exception(sys.exception(), limit=limit, chain=chain))


def print_tb(tb, limit=None, file=None):
    _write(format_tb(tb, limit), file)


def print_list(extracted_list, file=None):
    _write(format_list(extracted_list), file)


def print_stack(f=None, limit=None, file=None):
    _write(format_stack(f, limit), file)


def print_exception(exc, /, value=_MISSING, tb=_MISSING, limit=None, file=None, chain=True):
    _write(format_exception(exc, value, tb, limit, chain), file)


def print_exc(limit=None, file=None, chain=True):
    _write([format_exc(limit, chain)], file)


def print_last(limit=None, file=None, chain=True):
    raise ValueError("no last exception")


def clear_frames(tb):
    pass
