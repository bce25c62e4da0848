# SPDX-License-Identifier: GPL-3.0-or-later
# json on texts; what reads and writes files is refused where files are.
_DIGITS = '0123456789'
_BLANK = ' \t\n\r'
_WORDS = {'null': None, 'true': True, 'false': False, 'NaN': float('nan'), 'Infinity': float('inf'),
          '-Infinity': float('-inf')}
_ESCAPES = {'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}
_SHORT = {'"': '\\"', '\\': '\\\\', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t'}


class JSONDecodeError(ValueError):
    def __init__(self, msg, doc, pos):
        self.msg, self.doc, self.pos = msg, doc, pos
        self.lineno = doc.count('\n', 0, pos) + 1
        self.colno = pos - doc.rfind('\n', 0, pos)
        super().__init__(f'{msg}: line {self.lineno} column {self.colno} (char {pos})')


class _Reader:
    def __init__(self, text, object_hook, parse_float, parse_int, object_pairs_hook):
        self.text, self.at = text, 0
        self.object_hook, self.pairs_hook = object_hook, object_pairs_hook
        self.parse_float, self.parse_int = parse_float or float, parse_int or int

    def fail(self, message, at=None):
        raise JSONDecodeError(message, self.text, self.at if at is None else at)

    def peek(self):
        while self.at < len(self.text) and self.text[self.at] in _BLANK:
            self.at += 1
        return self.text[self.at:self.at + 1]

    def value(self):
        first = self.peek()
        if first == '"':
            return self.string()
        if first == '{':
            return self.object()
        if first == '[':
            return self.array()
        for word, meaning in _WORDS.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return meaning
        return self.number()

    def after_digits(self, at):
        while at < len(self.text) and self.text[at] in _DIGITS:
            at += 1
        return at

    def number(self):
        start = self.at
        first = start + self.text.startswith('-', start)
        whole = first + 1 if self.text.startswith('0', first) else self.after_digits(first)
        if whole == first:
            self.fail('Expecting value')
        end = whole
        if self.text.startswith('.', end) and self.after_digits(end + 1) > end + 1:
            end = self.after_digits(end + 1)
        if self.text[end:end + 1] in ('e', 'E'):
            signed = end + 2 if self.text[end + 1:end + 2] in ('+', '-') else end + 1
            end = self.after_digits(signed) if self.after_digits(signed) > signed else end
        self.at = end
        return (self.parse_int if end == whole else self.parse_float)(self.text[start:end])

    def string(self):
        start = self.at
        self.at += 1
        parts = []
        while True:
            here = self.at
            while here < len(self.text) and self.text[here] not in '"\\' and self.text[here] >= ' ':
                here += 1
            parts.append(self.text[self.at:here])
            self.at = here
            if here >= len(self.text):
                self.fail('Unterminated string starting at', start)
            sign = self.text[here]
            if sign == '"':
                self.at += 1
                return ''.join(parts)
            if sign != '\\':
                self.fail('Invalid control character at')
            parts.append(self.escape(start))

    def escape(self, start):
        kind = self.text[self.at + 1:self.at + 2]
        if not kind:
            self.fail('Unterminated string starting at', start)
        if kind in _ESCAPES:
            self.at += 2
            return _ESCAPES[kind]
        if kind != 'u':
            self.fail('Invalid \\escape')
        code = self.unit()
        if 0xD800 <= code < 0xDC00 and self.text.startswith('\\u', self.at):
            before = self.at
            low = self.unit()
            if 0xDC00 <= low < 0xE000:
                return chr(0x10000 + ((code - 0xD800) << 10) + low - 0xDC00)
            self.at = before
        return chr(code)

    def unit(self):
        digits = self.text[self.at + 2:self.at + 6]
        if len(digits) != 4 or not all(d in '0123456789abcdefABCDEF' for d in digits):
            self.fail('Invalid \\uXXXX escape', self.at + 1)
        self.at += 6
        return int(digits, 16)

    def object(self):
        self.at += 1
        pairs = []
        if self.peek() == '}':
            self.at += 1
        else:
            while True:
                if self.peek() != '"':
                    self.fail('Expecting property name enclosed in double quotes')
                key = self.string()
                if self.peek() != ':':
                    self.fail("Expecting ':' delimiter")
                self.at += 1
                pairs.append((key, self.value()))
                if self.peek() == '}':
                    self.at += 1
                    break
                if self.peek() != ',':
                    self.fail("Expecting ',' delimiter")
                self.at += 1
        if self.pairs_hook is not None:
            return self.pairs_hook(pairs)
        return dict(pairs) if self.object_hook is None else self.object_hook(dict(pairs))

    def array(self):
        self.at += 1
        items = []
        if self.peek() == ']':
            self.at += 1
            return items
        while True:
            items.append(self.value())
            if self.peek() == ']':
                self.at += 1
                return items
            if self.peek() != ',':
                self.fail("Expecting ',' delimiter")
            self.at += 1


def loads(s, *, cls=None, object_hook=None, parse_float=None, parse_int=None, parse_constant=None,
          object_pairs_hook=None, **kw):
    if isinstance(s, (bytes, bytearray)):
        s = s.decode('utf-8')
    if not isinstance(s, str):
        raise TypeError(f'the JSON object must be str, bytes or bytearray, not {type(s).__name__}')
    reader = _Reader(s, object_hook, parse_float, parse_int, object_pairs_hook)
    value = reader.value()
    if reader.peek():
        reader.fail('Extra data')
    return value


class JSONEncoder:
    def __init__(self, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, sort_keys=False,
                 indent=None, separators=None, default=None):
        self.skipkeys, self.ensure_ascii, self.allow_nan, self.sort_keys = skipkeys, ensure_ascii, allow_nan, sort_keys
        self.indent = ' ' * indent if isinstance(indent, int) else indent
        self.item_separator, self.key_separator = separators or (', ' if indent is None else ',', ': ')
        if default is not None:
            self.default = default

    def default(self, o):
        raise TypeError(f'Object of type {o.__class__.__name__} is not JSON serializable')

    def encode(self, o):
        return self._text(o, 0, [])

    def _string(self, text):
        out = []
        for sign in text:
            if sign in _SHORT:
                out.append(_SHORT[sign])
            elif sign >= ' ' and (sign <= '~' or not self.ensure_ascii):
                out.append(sign)
            elif ord(sign) < 0x10000:
                out.append('\\u{0:04x}'.format(ord(sign)))
            else:
                rest = ord(sign) - 0x10000
                out.append('\\u{0:04x}\\u{1:04x}'.format(0xD800 | rest >> 10, 0xDC00 | rest & 0x3FF))
        return '"' + ''.join(out) + '"'

    def _float(self, value):
        word = 'NaN' if value != value else 'Infinity' if value == _WORDS['Infinity'] else \
            '-Infinity' if value == _WORDS['-Infinity'] else None
        if word and not self.allow_nan:
            raise ValueError('Out of range float values are not JSON compliant')
        return word or float.__repr__(value)

    def _key(self, key):
        if isinstance(key, str):
            return key
        if key is True or key is False or key is None:
            return {True: 'true', False: 'false', None: 'null'}[key]
        if isinstance(key, int):
            return int.__repr__(key)
        if isinstance(key, float):
            return self._float(key)
        if self.skipkeys:
            return None
        raise TypeError(f'keys must be str, int, float, bool or None, not {key.__class__.__name__}')

    def _text(self, o, depth, within):
        if isinstance(o, str):
            return self._string(o)
        if o is None or o is True or o is False:
            return {None: 'null', True: 'true', False: 'false'}[o]
        if isinstance(o, int):
            return int.__repr__(o)
        if isinstance(o, float):
            return self._float(o)
        if any(each is o for each in within):
            raise ValueError('Circular reference detected')
        inside = within + [o]
        if isinstance(o, (list, tuple)):
            return self._joined('[]', [self._text(each, depth + 1, inside) for each in o], depth)
        if isinstance(o, dict):
            pairs = sorted(o.items()) if self.sort_keys else o.items()
            keyed = [(self._key(key), each) for key, each in pairs]
            return self._joined('{}', [self._string(key) + self.key_separator + self._text(each, depth + 1, inside)
                                       for key, each in keyed if key is not None], depth)
        return self._text(self.default(o), depth, inside)

    def _joined(self, brackets, parts, depth):
        if not parts:
            return brackets
        if self.indent is None:
            return brackets[0] + self.item_separator.join(parts) + brackets[1]
        line = '\n' + self.indent * (depth + 1)
        return brackets[0] + line + (self.item_separator + line).join(parts) + '\n' + self.indent * depth + brackets[1]


def dumps(obj, *, cls=None, **kw):
    return (cls or JSONEncoder)(**kw).encode(obj)
