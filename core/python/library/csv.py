# SPDX-License-Identifier: GPL-3.0-or-later
# Python's csv: readers and writers over lines that a program has, as files of its own.

from collections.abc import Iterator
from io import StringIO

__all__ = ["QUOTE_MINIMAL", "QUOTE_ALL", "QUOTE_NONNUMERIC", "QUOTE_NONE", "Error", "Dialect", "excel", "excel_tab",
           "field_size_limit", "reader", "writer", "register_dialect", "get_dialect", "list_dialects", "Sniffer",
           "unregister_dialect", "DictReader", "DictWriter", "unix_dialect"]
QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = range(4)
__version__ = "1.0"
_OPTIONS = {"delimiter": ",", "doublequote": True, "escapechar": None, "lineterminator": "\r\n", "quotechar": '"',
            "quoting": QUOTE_MINIMAL, "skipinitialspace": False, "strict": False}
_limit = 128 * 1024


class Error(Exception):
    pass


class Dialect:
    _name = ""
    _valid = False
    delimiter = quotechar = escapechar = doublequote = skipinitialspace = lineterminator = quoting = None

    def __init__(self):
        try:
            _Format(self, {})
        except TypeError as e:
            raise Error(str(e)) from None
        self._valid = type(self) is not Dialect


class excel(Dialect):
    delimiter, quotechar, doublequote, skipinitialspace, lineterminator = ",", '"', True, False, "\r\n"
    quoting = QUOTE_MINIMAL


class excel_tab(excel):
    delimiter = "\t"


class unix_dialect(Dialect):
    delimiter, quotechar, doublequote, skipinitialspace, lineterminator = ",", '"', True, False, "\n"
    quoting = QUOTE_ALL


class _Format:
    """What a reader or writer goes by: a dialect, and options that say otherwise."""

    def __init__(self, dialect, options):
        for name in options:
            if name not in _OPTIONS:
                raise TypeError(f"'{name}' is an invalid keyword argument for this function")
        if isinstance(dialect, str):
            dialect = get_dialect(dialect)
        for name, default in _OPTIONS.items():
            value = options.get(name, getattr(dialect, name, default))
            is_class = isinstance(dialect, Dialect) or isinstance(dialect, type)
            if value is None and name not in options and not is_class and name != "quotechar":
                value = default
            setattr(self, name, value)
        self._check(options, dialect)

    def _check(self, options, dialect):
        for name in ("delimiter", "quotechar", "escapechar"):
            value = getattr(self, name)
            if value is None and name != "delimiter":
                continue
            if not isinstance(value, str):
                kind = "string" if name == "delimiter" else "string or None"
                raise TypeError(f'"{name}" must be {kind}, not {type(value).__name__}')
            if len(value) != 1:
                raise TypeError(f'"{name}" must be a 1-character string')
        for name in ("doublequote", "skipinitialspace", "strict"):
            setattr(self, name, bool(getattr(self, name)))
        if not isinstance(self.quoting, int):
            raise TypeError('"quoting" must be an integer')
        if self.quoting not in range(4):
            raise TypeError('bad "quoting" value')
        if not isinstance(self.lineterminator, str):
            raise TypeError("lineterminator must be set")
        if self.quotechar is None and self.quoting != QUOTE_NONE:
            if "quotechar" in options and "quoting" not in options and not isinstance(dialect, type):
                self.quoting = QUOTE_NONE
                return
            raise TypeError("quotechar must be set if quoting enabled")


_dialects = {"excel": excel, "excel-tab": excel_tab, "unix": unix_dialect}


def register_dialect(name, dialect=None, **options):
    if not isinstance(name, str):
        raise TypeError("dialect name must be a string")
    _dialects[name] = _Format(excel if dialect is None else dialect, options)


def unregister_dialect(name):
    if name not in _dialects:
        raise Error("unknown dialect")
    del _dialects[name]


def get_dialect(name):
    if name not in _dialects:
        raise Error("unknown dialect")
    found = _dialects[name]
    return found if isinstance(found, _Format) else _Format(found, {})


def list_dialects():
    return list(_dialects)


def field_size_limit(new_limit=None):
    global _limit
    old = _limit
    if new_limit is not None:
        if not isinstance(new_limit, int):
            raise TypeError("limit must be an integer")
        _limit = new_limit
    return old


class _Reader(Iterator):
    def __init__(self, lines, dialect):
        self._lines, self.dialect, self.line_num = iter(lines), dialect, 0

    def __next__(self):
        self._fields, self._text, self._state, self._is_number = [], [], "record", False
        while True:
            line = next(self._lines, None)
            if line is None:
                if self._text or self._state == "quoted":
                    if self.dialect.strict:
                        raise Error("unexpected end of data")
                    self._save()
                    return self._fields
                raise StopIteration
            if not isinstance(line, str):
                raise Error(f"iterator should return strings, not {type(line).__name__} (the file should be opened in "
                            "text mode)")
            self.line_num += 1
            for character in line:
                self._take(character)
            self._take("")
            if self._state == "record":
                return self._fields

    def _save(self):
        text = "".join(self._text)
        self._text = []
        self._fields.append(float(text) if self._is_number else text)
        self._is_number = False

    def _add(self, character):
        if len(self._text) >= _limit:
            raise Error(f"field larger than field limit ({_limit})")
        self._text.append(character)

    def _end(self, character):
        """What ends a field, or a record: "" is the end of the line."""
        self._state = "record" if character == "" else "line" if character in "\r\n" else "field"

    def _take(self, c):
        d, state = self.dialect, self._state
        is_end = c == "" or c in "\r\n"
        if state == "record":
            if c == "":
                return
            if is_end:
                self._state = "line"
                return
            state = "field"
        if state == "line":
            if c == "":
                self._state = "record"
            elif not is_end:
                raise Error("new-line character seen in unquoted field - do you need to open the file in "
                            "universal-newline mode?")
        elif state == "field":
            if is_end:
                self._save()
                self._end(c)
            elif c == d.quotechar and d.quoting != QUOTE_NONE:
                self._state = "quoted"
            elif c == d.escapechar:
                self._state = "escape"
            elif c == " " and d.skipinitialspace:
                self._state = "field"
            elif c == d.delimiter:
                self._save()
                self._state = "field"
            else:
                self._is_number = d.quoting == QUOTE_NONNUMERIC
                self._add(c)
                self._state = "plain"
        elif state == "escape":
            if c == "\n" or c == "\r":
                self._add(c)
                self._state = "escaped end"
            else:
                self._add(c or "\n")
                self._state = "plain"
        elif state == "plain" or state == "escaped end" and c:
            if is_end:
                self._save()
                self._end(c)
            elif c == d.escapechar:
                self._state = "escape"
            elif c == d.delimiter:
                self._save()
                self._state = "field"
            else:
                self._add(c)
                self._state = "plain"
        elif state == "quoted":
            if c == "":
                return
            if c == d.escapechar:
                self._state = "quoted escape"
            elif c == d.quotechar and d.quoting != QUOTE_NONE:
                self._state = "quote" if d.doublequote else "plain"
            else:
                self._add(c)
        elif state == "quoted escape":
            self._add(c or "\n")
            self._state = "quoted"
        elif state == "quote":
            if d.quoting != QUOTE_NONE and c == d.quotechar:
                self._add(c)
                self._state = "quoted"
            elif c == d.delimiter:
                self._save()
                self._state = "field"
            elif is_end:
                self._save()
                self._end(c)
            elif not d.strict:
                self._add(c)
                self._state = "plain"
            else:
                raise Error(f"'{d.delimiter}' expected after '{d.quotechar}'")


def reader(iterable, dialect="excel", **options):
    return _Reader(iterable, _Format(dialect, options))


class _Writer:
    def __init__(self, file, dialect):
        if not callable(getattr(file, "write", None)):
            raise TypeError('argument 1 must have a "write" method')
        self._write, self.dialect = file.write, dialect

    def writerow(self, row, /):
        d = self.dialect
        try:
            row = list(row)
        except TypeError:
            raise Error(f"iterable expected, not {type(row).__name__}") from None
        parts = [self._field(value) for value in row]
        if len(row) == 1 and parts[0] == "":
            if d.quoting == QUOTE_NONE:
                raise Error("single empty field record must be quoted")
            parts = [d.quotechar * 2]
        return self._write(d.delimiter.join(parts) + d.lineterminator)

    def _field(self, value):
        d = self.dialect
        is_number = isinstance(value, (int, float)) or hasattr(type(value), "__float__")
        text = "" if value is None else value if isinstance(value, str) else str(value)
        quoted = d.quoting == QUOTE_ALL or d.quoting == QUOTE_NONNUMERIC and not is_number
        out = []
        for c in text:
            special = c in (d.delimiter, d.escapechar, d.quotechar) or c in d.lineterminator
            if special:
                escaped = d.quoting == QUOTE_NONE
                if not escaped and c == d.quotechar:
                    if d.doublequote:
                        out.append(d.quotechar)
                    else:
                        escaped = True
                elif not escaped and c == d.escapechar:
                    escaped = True
                if not escaped:
                    quoted = True
                elif d.escapechar is None:
                    raise Error("need to escape, but no escapechar set")
                else:
                    out.append(d.escapechar)
            out.append(c)
        text = "".join(out)
        return f"{d.quotechar}{text}{d.quotechar}" if quoted else text

    def writerows(self, rows, /):
        for row in rows:
            self.writerow(row)


def writer(fileobj, dialect="excel", **options):
    return _Writer(fileobj, _Format(dialect, options))


class DictReader:
    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect="excel", *args, **kwds):
        self._fieldnames = list(fieldnames) if fieldnames is not None and iter(fieldnames) is fieldnames else fieldnames
        self.restkey, self.restval, self.dialect = restkey, restval, dialect
        self.reader = reader(f, dialect, *args, **kwds)
        self.line_num = 0

    def __iter__(self):
        return self

    @property
    def fieldnames(self):
        if self._fieldnames is None:
            self._fieldnames = next(self.reader, None)
        self.line_num = self.reader.line_num
        return self._fieldnames

    @fieldnames.setter
    def fieldnames(self, value):
        self._fieldnames = value

    def __next__(self):
        if self.line_num == 0:
            self.fieldnames
        row = next(self.reader)
        self.line_num = self.reader.line_num
        while row == []:
            row = next(self.reader)
        names = self.fieldnames
        found = dict(zip(names, row))
        if len(names) < len(row):
            found[self.restkey] = row[len(names):]
        for name in names[len(row):]:
            found[name] = self.restval
        return found


class DictWriter:
    def __init__(self, f, fieldnames, restval="", extrasaction="raise", dialect="excel", *args, **kwds):
        self.fieldnames, self.restval = list(fieldnames) if iter(fieldnames) is fieldnames else fieldnames, restval
        if extrasaction.lower() not in ("raise", "ignore"):
            raise ValueError(f"extrasaction ({extrasaction}) must be 'raise' or 'ignore'")
        self.extrasaction = extrasaction
        self.writer = writer(f, dialect, *args, **kwds)

    def writeheader(self):
        return self.writerow(dict(zip(self.fieldnames, self.fieldnames)))

    def _row(self, values):
        if self.extrasaction == "raise":
            wrong = values.keys() - self.fieldnames
            if wrong:
                raise ValueError("dict contains fields not in fieldnames: " + ", ".join([repr(x) for x in wrong]))
        return (values.get(name, self.restval) for name in self.fieldnames)

    def writerow(self, rowdict):
        return self.writer.writerow(self._row(rowdict))

    def writerows(self, rowdicts):
        return self.writer.writerows(map(self._row, rowdicts))


class Sniffer:
    """Guesses a delimiter by how evenly the lines have it."""

    preferred = [",", "\t", ";", " ", ":"]

    def sniff(self, sample, delimiters=None):
        lines = [line for line in sample.splitlines() if line]
        best = None
        for delimiter in delimiters or self.preferred + ["|"]:
            counts = {len(row) for row in reader(lines, delimiter=delimiter)}
            if len(counts) == 1 and counts != {1} and (best is None or min(counts) > best[0]):
                best = min(counts), delimiter
        if best is None:
            raise Error("Could not determine delimiter")

        class dialect(excel):
            _name = "sniffed"
            delimiter = best[1]
            skipinitialspace = all(f"{best[1]} " in line for line in lines)

        return dialect

    def has_header(self, sample):
        rows = list(reader(StringIO(sample), self.sniff(sample)))
        is_number = lambda text: text.strip().lstrip("+-").replace(".", "", 1).isdigit()
        return any(not is_number(name) and all(is_number(row[at]) for row in rows[1:] if len(row) == len(rows[0]))
                   for at, name in enumerate(rows[0]))
