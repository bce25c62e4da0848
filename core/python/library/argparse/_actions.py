# SPDX-License-Identifier: GPL-3.0-or-later
# What an argument of a parser does with its words.
import sys

SUPPRESS = "==SUPPRESS=="
OPTIONAL, ZERO_OR_MORE, ONE_OR_MORE, PARSER, REMAINDER = "?", "*", "+", "A...", "..."
_PATTERNS = {None: "(-*A-*)", OPTIONAL: "(-*A?-*)", ZERO_OR_MORE: "(-*[A-]*)", ONE_OR_MORE: "(-*A[A-]*)", REMAINDER: "([-AO]*)",
             SUPPRESS: "(-*-*)"}


class Namespace:
    def __init__(self, **kwargs):
        self.__dict__.update(kwargs)

    def __eq__(self, other):
        return self.__dict__ == other.__dict__ if isinstance(other, Namespace) else NotImplemented

    def __contains__(self, key):
        return key in self.__dict__

    def __repr__(self):
        plain = [f"{name}={value!r}" for name, value in self.__dict__.items() if name.isidentifier()]
        odd = {name: value for name, value in self.__dict__.items() if not name.isidentifier()}
        return f"Namespace({', '.join(plain + ([f'**{odd!r}'] if odd else []))})"


class ArgumentError(Exception):
    def __init__(self, argument, message):
        self.argument_name, self.message = None if argument is None else name_of(argument), message

    def __str__(self):
        return self.message if self.argument_name is None else f"argument {self.argument_name}: {self.message}"


class ArgumentTypeError(Exception):
    pass


def name_of(action):
    if action.option_strings:
        return "/".join(action.option_strings)
    if action.metavar not in (None, SUPPRESS):
        return action.metavar
    return None if action.dest in (None, SUPPRESS) else action.dest


class Action:
    def __init__(self, option_strings, dest, nargs=None, const=None, default=None, type=None, choices=None, required=False,
                 help=None, metavar=None):
        self.option_strings, self.dest, self.nargs, self.const, self.default = option_strings, dest, nargs, const, default
        self.type, self.choices, self.required, self.help, self.metavar = type, choices, required, help, metavar

    def __call__(self, parser, namespace, values, option_string=None):
        raise NotImplementedError(".__call__() not defined")

    def __repr__(self):
        names = "option_strings", "dest", "nargs", "const", "default", "type", "choices", "required", "help", "metavar"
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    def pattern(self):
        """Of the letters of its words: A for a word, O for an option, - for `--`."""
        found = _PATTERNS.get(self.nargs) or f"(-*{'-*'.join('A' * self.nargs)}{'-*' if self.nargs else ''})"
        return found.replace("-*", "").replace("-", "") if self.option_strings else found

    def expected(self):
        many = {None: "expected one argument", OPTIONAL: "expected at most one argument",
                ONE_OR_MORE: "expected at least one argument"}
        return many.get(self.nargs) or f"expected {self.nargs} argument{'' if self.nargs == 1 else 's'}"

    def value(self, word):
        if self.type is None:
            return word
        name = getattr(self.type, "__name__", repr(self.type))
        try:
            return self.type(word)
        except ArgumentTypeError as error:
            raise ArgumentError(self, str(error))
        except (TypeError, ValueError):
            raise ArgumentError(self, f"invalid {name} value: {word!r}")

    def checked(self, value):
        if self.choices is not None and value not in self.choices:
            raise ArgumentError(self, f"invalid choice: {value!r} (choose from {', '.join(map(repr, self.choices))})")
        return value

    def values(self, words):
        if self.nargs not in (PARSER, REMAINDER) and "--" in words:
            words = list(words)
            words.remove("--")
        if not words and self.nargs == OPTIONAL:
            value = self.const if self.option_strings else self.default
            return self.checked(self.value(value)) if isinstance(value, str) else value
        if not words and self.nargs == ZERO_OR_MORE and not self.option_strings:
            return self.default if self.default is not None else words
        if len(words) == 1 and self.nargs in (None, OPTIONAL):
            return self.checked(self.value(words[0]))
        if self.nargs == SUPPRESS:
            return SUPPRESS
        values = [self.value(word) for word in words]
        return values if self.nargs == REMAINDER else [self.checked(value) for value in values]


class _StoreAction(Action):
    def __init__(self, option_strings, dest, nargs=None, const=None, **kwargs):
        if nargs == 0:
            raise ValueError("nargs for store actions must be != 0; if you have nothing to store, actions such as store true or "
                             "store const may be more appropriate")
        if const is not None and nargs != OPTIONAL:
            raise ValueError(f"nargs must be {OPTIONAL!r} to supply const")
        super().__init__(option_strings, dest, nargs, const, **kwargs)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values)


class _StoreConstAction(Action):
    def __init__(self, option_strings, dest, const=None, default=None, required=False, help=None, metavar=None):
        super().__init__(option_strings, dest, 0, const, default, required=required, help=help, metavar=metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, self.const)


class _StoreTrueAction(_StoreConstAction):
    def __init__(self, option_strings, dest, default=False, required=False, help=None):
        super().__init__(option_strings, dest, True, default, required, help)


class _StoreFalseAction(_StoreConstAction):
    def __init__(self, option_strings, dest, default=True, required=False, help=None):
        super().__init__(option_strings, dest, False, default, required, help)


def _added(namespace, dest, values):
    setattr(namespace, dest, list(getattr(namespace, dest, None) or []) + values)


class _AppendAction(Action):
    def __call__(self, parser, namespace, values, option_string=None):
        _added(namespace, self.dest, [values])


class _ExtendAction(Action):
    def __call__(self, parser, namespace, values, option_string=None):
        _added(namespace, self.dest, list(values))


class _AppendConstAction(_StoreConstAction):
    def __call__(self, parser, namespace, values, option_string=None):
        _added(namespace, self.dest, [self.const])


class _CountAction(Action):
    def __init__(self, option_strings, dest, default=None, required=False, help=None):
        super().__init__(option_strings, dest, 0, None, default, required=required, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, (getattr(namespace, self.dest, None) or 0) + 1)


class _HelpAction(Action):
    def __init__(self, option_strings, dest=SUPPRESS, default=SUPPRESS, help=None):
        super().__init__(option_strings, dest, 0, None, default, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        parser.print_help()
        parser.exit()


class _VersionAction(Action):
    def __init__(self, option_strings, version=None, dest=SUPPRESS, default=SUPPRESS,
                 help="show program's version number and exit"):
        super().__init__(option_strings, SUPPRESS, 0, None, default, help=help)
        self.version = version

    def __call__(self, parser, namespace, values, option_string=None):
        sys.stdout.write((self.version or parser.version).replace("%(prog)s", parser.prog) + "\n")
        parser.exit()


class BooleanOptionalAction(Action):
    def __init__(self, option_strings, dest, default=None, type=None, choices=None, required=False, help=None, metavar=None):
        names = [name for each in option_strings for name in ([each, f"--no-{each[2:]}"] if each.startswith("--") else [each])]
        super().__init__(names, dest, 0, None, default, type, choices, required, help, metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, not option_string.startswith("--no-"))


KINDS = {None: _StoreAction, "store": _StoreAction, "store_const": _StoreConstAction, "store_true": _StoreTrueAction,
         "store_false": _StoreFalseAction, "append": _AppendAction, "append_const": _AppendConstAction, "extend": _ExtendAction,
         "count": _CountAction, "help": _HelpAction, "version": _VersionAction}
