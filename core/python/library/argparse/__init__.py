# SPDX-License-Identifier: GPL-3.0-or-later
# Python's argparse: parsers of lists of words. What no argument gives is sys.argv, which has no words here. _actions.py has what
# an argument does, _help.py the texts. Parsers of subcommands are not here.
import re
import sys

from _refusal import refuse

from argparse._actions import (OPTIONAL, ONE_OR_MORE, PARSER, REMAINDER, SUPPRESS, ZERO_OR_MORE, Action, ArgumentError, ArgumentTypeError,
                       BooleanOptionalAction, KINDS, Namespace, name_of)
from argparse._help import (ArgumentDefaultsHelpFormatter, HelpFormatter, MetavarTypeHelpFormatter, RawDescriptionHelpFormatter,
                    RawTextHelpFormatter, help_text, usage_text)

__getattr__ = refuse("argparse", "it reads lists of words here")

_NUMBER = re.compile(r"^-\d+$|^-\d*\.\d+$")


def FileType(mode="r", bufsize=-1, encoding=None, errors=None):
    raise NotImplementedError("not supported: argparse.FileType; a program opens no files here")


class _Arguments:
    """Where arguments are added: a parser, or a group of one."""

    def add_argument(self, *names, **kwargs):
        prefixed = [name for name in names if name[:1] in self._parser.prefix_chars]
        kind = kwargs.pop("action", None)
        cls = KINDS.get(kind) if isinstance(kind, str) or kind is None else kind
        if cls is None:
            raise ValueError(f'unknown action "{kind}"')
        if names and (len(names) > 1 or prefixed):
            if len(prefixed) != len(names):
                odd = next(name for name in names if name not in prefixed)
                raise ValueError(f"invalid option string {odd!r}: must start with a character {self._parser.prefix_chars!r}")
            dest = kwargs.pop("dest", None)
            if dest is None:
                long = next((name for name in names if len(name) > 1 and name[1] in self._parser.prefix_chars), names[0])
                dest = long.lstrip(self._parser.prefix_chars)
                if not dest:
                    raise ValueError(f"dest= is required for options like {names[0]!r}")
                dest = dest.replace("-", "_")
        else:
            if names and "dest" in kwargs:
                raise ValueError("dest supplied twice for positional argument")
            if "required" in kwargs:
                raise TypeError("'required' is an invalid argument for positionals")
            dest = names[0] if names else kwargs.pop("dest")
            nargs = kwargs.get("nargs")
            if nargs not in (OPTIONAL, ZERO_OR_MORE) or nargs == ZERO_OR_MORE and "default" not in kwargs:
                kwargs["required"] = True
            names = ()
        if "default" not in kwargs and (dest in self._parser._defaults or self._parser.argument_default is not None):
            kwargs["default"] = self._parser._defaults.get(dest, self._parser.argument_default)
        action = cls(option_strings=list(names), dest=dest, **kwargs)
        if not callable(action.type) and action.type is not None:
            raise ValueError(f"{action.type!r} is not callable")
        return self._add_action(action)

    def _add_action(self, action):
        parser = self._parser
        taken = [name for name in action.option_strings if name in parser._options]
        if taken and parser.conflict_handler == "error":
            word = "string" if len(taken) == 1 else "strings"
            raise ArgumentError(action, f"conflicting option {word}: {', '.join(taken)}")
        for name in taken:
            parser._options[name].option_strings.remove(name)
        parser._actions.append(action)
        self._own.append(action)
        action.group = self
        parser._options.update(dict.fromkeys(action.option_strings, action))
        return action

    def add_argument_group(self, title=None, description=None, **kwargs):
        group = _Group(self._parser, title, description)
        self._parser._groups.append(group)
        return group

    def add_mutually_exclusive_group(self, *, required=False):
        group = _Exclusive(self, required)
        self._parser._exclusive.append(group)
        return group

    def set_defaults(self, **kwargs):
        self._parser._defaults.update(kwargs)
        for action in self._parser._actions:
            if action.dest in kwargs:
                action.default = kwargs[action.dest]

    def get_default(self, dest):
        for action in self._parser._actions:
            if action.dest == dest and action.default is not None:
                return action.default
        return self._parser._defaults.get(dest)


class _Group(_Arguments):
    def __init__(self, parser, title, description):
        self._parser, self.title, self.description, self._own = parser, title, description, []


class _Exclusive(_Arguments):
    def __init__(self, outer, required):
        self._parser, self._outer, self.required, self._members = outer._parser, outer, required, []

    @property
    def _own(self):
        return self

    def append(self, action):
        if action.required:
            raise ValueError("mutually exclusive arguments must be optional")
        self._members.append(action)
        self._outer._own.append(action)


class ArgumentParser(_Arguments):
    def __init__(self, prog=None, usage=None, description=None, epilog=None, parents=(), formatter_class=HelpFormatter,
                 prefix_chars="-", fromfile_prefix_chars=None, argument_default=None, conflict_handler="error", add_help=True,
                 allow_abbrev=True, exit_on_error=True):
        if fromfile_prefix_chars:
            raise NotImplementedError("not supported: fromfile_prefix_chars; a program opens no files here")
        words = sys.argv or [""]
        self.prog = prog if prog is not None else words[0].rpartition("/")[2]
        self.usage, self.description, self.epilog, self.formatter_class = usage, description, epilog, formatter_class
        self.prefix_chars, self.argument_default, self.conflict_handler = prefix_chars, argument_default, conflict_handler
        self.add_help, self.allow_abbrev, self.exit_on_error = add_help, allow_abbrev, exit_on_error
        self._parser, self._actions, self._options, self._defaults, self._exclusive = self, [], {}, {}, []
        self._positionals, self._optionals = _Group(self, "positional arguments", None), _Group(self, "options", None)
        self._groups = [self._positionals, self._optionals]
        if add_help:
            dash = "-" if "-" in prefix_chars else prefix_chars[0]
            self.add_argument(f"{dash}h", f"{dash * 2}help", action="help", default=SUPPRESS,
                              help="show this help message and exit")
        for parent in parents:
            for action in parent._actions:
                self._add_action(action)
            self._defaults.update(parent._defaults)

    def append(self, action):
        (self._optionals if action.option_strings else self._positionals)._own.append(action)

    @property
    def _own(self):
        return self

    def __repr__(self):
        return (f"ArgumentParser(prog={self.prog!r}, usage={self.usage!r}, description={self.description!r}, "
                f"formatter_class={self.formatter_class!r}, conflict_handler={self.conflict_handler!r}, "
                f"add_help={self.add_help!r})")

    def parse_args(self, args=None, namespace=None):
        namespace, rest = self.parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return namespace

    def parse_known_args(self, args=None, namespace=None):
        args = sys.argv[1:] if args is None else list(args)
        namespace = Namespace() if namespace is None else namespace
        for action in self._actions:
            if SUPPRESS not in (action.dest, action.default) and not hasattr(namespace, action.dest):
                setattr(namespace, action.dest, action.default)
        for dest, value in self._defaults.items():
            if not hasattr(namespace, dest):
                setattr(namespace, dest, value)
        try:
            return namespace, _Run(self, namespace).words(args)
        except ArgumentError as error:
            if not self.exit_on_error:
                raise
            self.error(str(error))

    def format_usage(self):
        return usage_text(self)

    def format_help(self):
        return help_text(self)

    def print_usage(self, file=None):
        (file or sys.stdout).write(self.format_usage())

    def print_help(self, file=None):
        (file or sys.stdout).write(self.format_help())

    def exit(self, status=0, message=None):
        if message:
            sys.stderr.write(message)
        sys.exit(status)

    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: error: {message}\n")


class _Run:
    """One list of words being parsed."""

    def __init__(self, parser, namespace):
        self.parser, self.namespace, self.seen, self.rest = parser, namespace, [], []
        self.positionals = [action for action in parser._actions if not action.option_strings]

    def option_of(self, word):
        """(action, the option's name, what is glued to it); the action is None for an option that nobody knows; no tuple for a word."""
        parser = self.parser
        if not word or word[0] not in parser.prefix_chars:
            return None
        if word in parser._options:
            return parser._options[word], word, None
        if len(word) == 1:
            return None
        name, equals, value = word.partition("=")
        if equals and name in parser._options:
            return parser._options[name], name, value
        found = self.abbreviated(name, value if equals else None, word)
        if len(found) > 1:
            raise ArgumentError(None, f"ambiguous option: {word} could match {', '.join(option for _, option, _ in found)}")
        if found:
            return found[0]
        if _NUMBER.match(word) and not any(_NUMBER.match(option) for option in parser._options) or " " in word:
            return None
        return None, word, None

    def abbreviated(self, name, value, word):
        parser = self.parser
        if word[1] in parser.prefix_chars:
            return [(action, option, value) for option, action in parser._options.items()
                    if parser.allow_abbrev and option.startswith(name)]
        found = []
        for option, action in parser._options.items():
            if option == word[:2]:
                found.append((action, option, word[2:]))
            elif option.startswith(name):
                found.append((action, option, value))
        return found

    def words(self, args):
        options, letters, is_rest = {}, "", False
        for place, word in enumerate(args):
            if is_rest:
                letters += "A"
            elif word == "--":
                letters, is_rest = letters + "-", True
            else:
                found = self.option_of(word)
                if found is not None:
                    options[place] = found
                letters += "A" if found is None else "O"
        place, last = 0, max(options, default=-1)
        while place <= last:
            following = min(at for at in options if at >= place)
            if place != following:
                after = self.take_positionals(args, letters, place)
                if after > place:
                    place = after
                    continue
            if place not in options:
                self.rest.extend(args[place:following])
                place = following
            place = self.take_option(args, letters, place, options[place])
        place = self.take_positionals(args, letters, place)
        self.rest.extend(args[place:])
        self.check()
        return self.rest

    def take_positionals(self, args, letters, place):
        for count in range(len(self.positionals), 0, -1):
            chosen = self.positionals[:count]
            match = re.match("".join(action.pattern() for action in chosen), letters[place:])
            if match is None:
                continue
            for action, part in zip(chosen, match.groups()):
                self.take(action, args[place:place + len(part)])
                place += len(part)
            self.positionals = self.positionals[count:]
            break
        return place

    def take_option(self, args, letters, place, found):
        action, name, glued = found
        if action is None:
            self.rest.append(args[place])
            return place + 1
        while glued is not None:
            match = re.match(action.pattern(), "A")
            if match and match.group(1) == "A":
                self.take(action, [glued], name)
                return place + 1
            following = f"{name[0]}{glued[:1]}"
            if name[1:2] in self.parser.prefix_chars or following not in self.parser._options:
                raise ArgumentError(action, f"ignored explicit argument {glued!r}")
            self.take(action, [], name)
            action, name, glued = self.parser._options[following], following, glued[1:] or None
        match = re.match(action.pattern(), letters[place + 1:])
        if match is None:
            raise ArgumentError(action, action.expected())
        self.take(action, args[place + 1:place + 1 + len(match.group(1))], name)
        return place + 1 + len(match.group(1))

    def take(self, action, words, name=None):
        values = action.values(words)
        is_given = values is not action.default
        if is_given and action not in self.seen:
            for group in self.parser._exclusive:
                other = next((each for each in group._members if each in self.seen and each is not action), None)
                if action in group._members and other is not None:
                    raise ArgumentError(action, f"not allowed with argument {name_of(other)}")
            self.seen.append(action)
        if values is not SUPPRESS:
            action(self.parser, self.namespace, values, name)
        if not is_given:
            self.seen.append(action)

    def check(self):
        missing = []
        for action in self.parser._actions:
            if action in self.seen:
                continue
            if action.required:
                missing.append(name_of(action))
            elif isinstance(action.default, str) and getattr(self.namespace, action.dest, None) is action.default:
                setattr(self.namespace, action.dest, action.value(action.default))
        if missing:
            self.parser.error(f"the following arguments are required: {', '.join(missing)}")
        for group in self.parser._exclusive:
            if group.required and not any(action in self.seen for action in group._members):
                names = " ".join(name_of(action) for action in group._members if action.help is not SUPPRESS)
                self.parser.error(f"one of the arguments {names} is required")
