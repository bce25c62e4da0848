# SPDX-License-Identifier: GPL-3.0-or-later
# tzinfo, and timezone, which is a fixed distance from UTC.

from datetime._span import timedelta


class tzinfo:
    __module__ = "datetime"

    def tzname(self, dt):
        raise NotImplementedError("a tzinfo subclass must implement tzname()")

    def utcoffset(self, dt):
        raise NotImplementedError("a tzinfo subclass must implement utcoffset()")

    def dst(self, dt):
        raise NotImplementedError("a tzinfo subclass must implement dst()")

    def fromutc(self, dt):
        offset, dst = dt.utcoffset(), dt.dst()
        if offset is None:
            raise ValueError("fromutc: non-None utcoffset() result required")
        if dst is None:
            raise ValueError("fromutc: non-None dst() result required")
        standard = offset - dst
        if standard:
            dt += standard
            dst = dt.dst()
        return dt + dst


def offset_text(offset, colon=":"):
    """"+01:00", with seconds and microseconds where there are any; "" of None."""
    if offset is None:
        return ""
    sign = "-" if offset < timedelta(0) else "+"
    offset = abs(offset)
    seconds = offset.days * 86400 + offset.seconds
    text = f"{sign}{seconds // 3600:02d}{colon}{seconds // 60 % 60:02d}"
    if seconds % 60 or offset.microseconds:
        text += f"{colon}{seconds % 60:02d}"
    return text + (f".{offset.microseconds:06d}" if offset.microseconds else "")


class timezone(tzinfo):
    __module__ = "datetime"

    def __new__(cls, offset, name=None):
        if not isinstance(offset, timedelta):
            raise TypeError(f"timezone() argument 1 must be datetime.timedelta, not {type(offset).__name__}")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"timezone() argument 2 must be str, not {type(name).__name__}")
        if not timedelta(-1) < offset < timedelta(1):
            raise ValueError("offset must be a timedelta strictly between -timedelta(hours=24) and "
                             f"timedelta(hours=24), not {offset!r}.")
        if name is None and not offset and hasattr(cls, "utc"):
            return cls.utc
        self = object.__new__(cls)
        self._offset, self._name = offset, name
        return self

    def __reduce__(self):
        return timezone, (self._offset,) if self._name is None else (self._offset, self._name)

    def __eq__(self, other):
        return self._offset == other._offset if isinstance(other, timezone) else NotImplemented

    def __hash__(self):
        return hash(self._offset)

    def __repr__(self):
        if self is self.utc:
            return "datetime.timezone.utc"
        named = "" if self._name is None else f", {self._name!r}"
        return f"datetime.timezone({self._offset!r}{named})"

    def __str__(self):
        return self.tzname(None)

    def utcoffset(self, dt):
        return self._offset

    def tzname(self, dt):
        return self._name if self._name is not None else "UTC" + (offset_text(self._offset) if self._offset else "")

    def dst(self, dt):
        return None

    def fromutc(self, dt):
        return dt + self._offset


timezone.utc = timezone(timedelta(0))
timezone.min, timezone.max = timezone(-timedelta(hours=23, minutes=59)), timezone(timedelta(hours=23, minutes=59))
