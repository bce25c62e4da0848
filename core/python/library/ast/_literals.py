# SPDX-License-Identifier: GPL-3.0-or-later
# ast.literal_eval(): numbers, texts, bytes, tuples, lists, dicts, sets and constants.

_CONSTANTS = {"None": None, "True": True, "False": False, "Ellipsis": ...}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "v": "\v",
            "\n": ""}


class _Reader:
    def __init__(self, text):
        self.text, self.at, self.depth = text, 0, 0

    def wrong(self):
        return SyntaxError("invalid syntax")

    def malformed(self, what):
        return ValueError(f"malformed node or string on line {self.text.count(chr(10), 0, self.at) + 1}: {what}")

    def skip(self):
        text = self.text
        while self.at < len(text):
            if text[self.at] in " \t\f" or text[self.at] in "\r\n" and self.depth:
                self.at += 1
            elif text.startswith("\\\n", self.at):
                self.at += 2
            elif text[self.at] == "#":
                while self.at < len(text) and text[self.at] != "\n":
                    self.at += 1
            else:
                break

    def sees(self, sign):
        self.skip()
        if not self.text.startswith(sign, self.at):
            return False
        self.at += len(sign)
        return True

    def whole(self):
        value = self.tuple_or_one()
        self.depth = 1
        self.skip()
        if self.at < len(self.text):
            raise self.wrong()
        return value

    def tuple_or_one(self):
        value = self.sum()
        if not self.sees(","):
            return value
        items = [value]
        self.skip()
        while self.at < len(self.text) and self.text[self.at] not in ")\r\n":
            items.append(self.sum())
            if not self.sees(","):
                break
            self.skip()
        return tuple(items)

    def sum(self):
        """A value, or a real number and an imaginary one."""
        value = self.signed()
        self.skip()
        sign = self.text[self.at:self.at + 1]
        if sign not in ("+", "-"):
            return value
        self.at += 1
        other = self.value()
        if type(value) not in (int, float) or type(other) is not complex:
            raise self.malformed("a sum that is no complex number")
        return value + other if sign == "+" else value - other

    def signed(self):
        for sign in ("-", "+"):
            if self.sees(sign):
                value = self.value()
                if type(value) not in (int, float, complex):
                    raise self.malformed(f"a sign before {value!r}")
                return -value if sign == "-" else value
        return self.value()

    def value(self):
        self.skip()
        sign = self.text[self.at:self.at + 1]
        if sign in ("(", "[", "{") and sign:
            self.at += 1
            self.depth += 1
            value = {"(": self.parenthesis, "[": self.list, "{": self.dict_or_set}[sign]()
            self.depth -= 1
            return value
        if sign.isdigit() or sign == "." and self.text[self.at + 1:self.at + 2].isdigit():
            return self.number()
        if self.sees("..."):
            return ...
        if sign in ("'", '"') and sign:
            return self.strings("")
        if sign == "_" or sign.isalpha():
            return self.word()
        if sign in ("+", "-") and sign:
            raise self.malformed("two signs")
        raise self.wrong()

    def word(self):
        start = self.at
        while self.at < len(self.text) and (self.text[self.at].isalnum() or self.text[self.at] == "_"):
            self.at += 1
        word = self.text[start:self.at]
        if self.text[self.at:self.at + 1] in ("'", '"') and word.lower() in ("r", "b", "u", "br", "rb"):
            return self.strings(word.lower())
        if word in _CONSTANTS and word != "Ellipsis":
            return _CONSTANTS[word]
        if word == "set" and self.sees("("):
            if self.sees(")"):
                return set()
        raise self.malformed(f"the name {word!r}")

    def close(self, sign):
        if not self.sees(sign):
            raise self.wrong()

    def parenthesis(self):
        if self.sees(")"):
            return ()
        value = self.tuple_or_one()
        self.close(")")
        return value

    def list(self):
        items = []
        while not self.sees("]"):
            items.append(self.sum())
            if not self.sees(","):
                self.close("]")
                break
        return items

    def dict_or_set(self):
        if self.sees("}"):
            return {}
        first = self.sum()
        if not self.sees(":"):
            items = {first}
            while self.sees(",") and not self.sees("}"):
                items.add(self.sum())
            if self.text[self.at - 1] != "}":
                self.close("}")
            return items
        result = {first: self.sum()}
        while self.sees(","):
            if self.sees("}"):
                return result
            key = self.sum()
            self.close(":")
            result[key] = self.sum()
        self.close("}")
        return result

    def number(self):
        start, text = self.at, self.text
        while self.at < len(text) and (text[self.at].isalnum() or text[self.at] in "._"
                                       or text[self.at] in "+-" and text[self.at - 1] in "eE"
                                       and text[start:start + 2] not in ("0x", "0X")):
            self.at += 1
        digits = text[start:self.at]
        try:
            if digits[:1] == "0" and digits[1:2] in ("x", "X", "o", "O", "b", "B"):
                return int(digits, 0)
            if digits[-1] in "jJ":
                return complex(0, float(digits[:-1]))
            if digits.replace("_", "").isdigit():
                return int(digits, 0)
            return float(digits)
        except ValueError:
            raise SyntaxError("invalid decimal literal") from None

    def strings(self, prefix):
        value = self.string(prefix)
        while True:
            self.skip()
            start = self.at
            while self.text[self.at:self.at + 1].isalpha():
                self.at += 1
            prefix = self.text[start:self.at].lower()
            if self.text[self.at:self.at + 1] not in ("'", '"') or prefix not in ("", "r", "b", "u", "br", "rb"):
                self.at = start
                return value
            value += self.string(prefix)

    def string(self, prefix):
        text = self.text
        quote = text[self.at] * (3 if text.startswith(text[self.at] * 3, self.at) else 1)
        self.at += len(quote)
        out = ""
        while not text.startswith(quote, self.at):
            if self.at >= len(text) or text[self.at] == "\n" and len(quote) == 1:
                raise SyntaxError("unterminated string literal")
            if text[self.at] == "\\" and "r" not in prefix:
                out += self.escape("b" in prefix)
            elif text[self.at] == "\\":
                out += text[self.at:self.at + 2]
                self.at += 2
            else:
                out += text[self.at]
                self.at += 1
        self.at += len(quote)
        return out.encode("latin-1") if "b" in prefix else out

    def escape(self, is_bytes):
        sign = self.text[self.at + 1:self.at + 2]
        self.at += 2
        if sign in _ESCAPES:
            return _ESCAPES[sign]
        size = {"x": 2, "u": 0 if is_bytes else 4, "U": 0 if is_bytes else 8}.get(sign, 0)
        if size:
            digits = self.text[self.at:self.at + size]
            self.at += size
            try:
                return chr(int(digits, 16))
            except ValueError:
                raise SyntaxError("(unicode error) truncated escape") from None
        if sign in "01234567":
            start = self.at - 1
            while self.at < start + 3 and self.text[self.at:self.at + 1] in tuple("01234567"):
                self.at += 1
            return chr(int(self.text[start:self.at], 8))
        return "\\" + sign


def literal_eval(node_or_string):
    if not isinstance(node_or_string, str):
        raise ValueError(f"malformed node or string: {node_or_string!r}")
    return _Reader(node_or_string.strip()).whole()
