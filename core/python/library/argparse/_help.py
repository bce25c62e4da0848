# SPDX-License-Identifier: GPL-3.0-or-later
# The texts of a parser: how it is called, and what its arguments are, in lines of 78 columns.

from argparse._actions import ONE_OR_MORE, OPTIONAL, REMAINDER, SUPPRESS, ZERO_OR_MORE

_WIDTH, _MOST_INDENT = 78, 24


class HelpFormatter:
    def wrapped(self, text, width):
        lines, line = [], ""
        for word in text.split():
            if line and len(line) + 1 + len(word) > width:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}" if line else word
        return lines + [line] if line else lines

    def description(self, text):
        return self.wrapped(text, _WIDTH)

    def help_lines(self, action, width):
        return self.wrapped(self.filled(action), width)

    def filled(self, action):
        return self.help_of(action)

    def help_of(self, action):
        return action.help

    def default_name(self, action):
        return action.dest


class RawDescriptionHelpFormatter(HelpFormatter):
    def description(self, text):
        return text.splitlines()


class RawTextHelpFormatter(RawDescriptionHelpFormatter):
    def wrapped(self, text, width):
        return text.splitlines()


class ArgumentDefaultsHelpFormatter(HelpFormatter):
    def help_of(self, action):
        shows = "%(default)" not in action.help and action.default is not SUPPRESS and (
            action.option_strings or action.nargs in (OPTIONAL, ZERO_OR_MORE))
        return action.help + " (default: %(default)s)" if shows else action.help


class MetavarTypeHelpFormatter(HelpFormatter):
    def default_name(self, action):
        return action.type.__name__


def _words(action, formatter):
    """The words that an argument takes."""
    name = action.metavar
    if name is None and action.choices is not None:
        name = "{" + ",".join(map(str, action.choices)) + "}"
    elif name is None:
        name = formatter.default_name(action)
        name = name.upper() if action.option_strings and name is action.dest else name
    first, *_, last = name if isinstance(name, tuple) else (name, name)
    if action.nargs is None:
        return first
    if action.nargs == OPTIONAL:
        return f"[{first}]"
    if action.nargs == ZERO_OR_MORE:
        return f"[{first} [{last} ...]]" if isinstance(name, tuple) else f"[{first} ...]"
    if action.nargs == ONE_OR_MORE:
        return f"{first} [{last} ...]"
    if action.nargs == REMAINDER:
        return "..."
    return " ".join(name if isinstance(name, tuple) else [first] * action.nargs)


def _usage_part(action, formatter, is_alone):
    if not action.option_strings:
        return _words(action, formatter)
    words = _words(action, formatter) if action.nargs != 0 else ""
    name = " | ".join(action.option_strings) if type(action).__name__ == "BooleanOptionalAction" else action.option_strings[0]
    text = f"{name} {words}" if words else name
    return f"[{text}]" if is_alone and not action.required else text


def _usage_parts(parser, actions, formatter):
    parts, done = [], []
    for action in actions:
        if action in done or action.help is SUPPRESS:
            continue
        group = next((group for group in parser._exclusive if action in group._members), None)
        members = [each for each in group._members if each.help is not SUPPRESS] if group else []
        if len(members) < 2 or any(member not in actions for member in members):
            parts.append(_usage_part(action, formatter, not (group and group.required)))
            continue
        done += members
        inner = [_usage_part(each, formatter, False).removeprefix("[").removesuffix("]") if not each.option_strings else
                 _usage_part(each, formatter, False) for each in members]
        left, right = "()" if group.required else "[]"
        parts += [f"{left}{inner[0]} |", *(f"{part} |" for part in inner[1:-1]), f"{inner[-1]}{right}"]
    return parts


def _lines(parts, indent, first_width):
    lines, line, width = [], [], first_width
    for part in parts:
        if line and width + 1 + len(part) > _WIDTH:
            lines.append(indent + " ".join(line))
            line, width = [], len(indent) - 1
        line.append(part)
        width += len(part) + 1
    return lines + [indent + " ".join(line)] if line else lines


def usage_text(parser, prefix="usage: "):
    formatter = parser.formatter_class() if isinstance(parser.formatter_class, type) else HelpFormatter()
    if parser.usage is SUPPRESS:
        return ""
    if parser.usage is not None:
        return f"{prefix}{parser.usage.replace('%(prog)s', parser.prog)}\n"
    options = _usage_parts(parser, [action for action in parser._actions if action.option_strings], formatter)
    others = _usage_parts(parser, [action for action in parser._actions if not action.option_strings], formatter)
    whole = " ".join([parser.prog] + options + others)
    if len(prefix) + len(whole) <= _WIDTH:
        return f"{prefix}{whole}\n"
    if len(prefix) + len(parser.prog) > 0.75 * _WIDTH:
        indent = " " * len(prefix)
        lines = _lines(options + others, indent, len(indent) - 1)
        if len(lines) > 1:
            lines = _lines(options, indent, len(indent) - 1) + _lines(others, indent, len(indent) - 1)
        return prefix + "\n".join([parser.prog] + lines) + "\n"
    indent = " " * (len(prefix) + len(parser.prog) + 1)
    if options:
        lines = _lines([parser.prog] + options, indent, len(prefix) - 1)
        lines = [lines[0][len(indent):]] + lines[1:] + _lines(others, indent, len(indent) - 1)
    else:
        lines = _lines([parser.prog] + others, indent, len(prefix) - 1)
        lines[0] = lines[0][len(indent):]
    return prefix + "\n".join(lines) + "\n"


def _invocation(action, formatter):
    if not action.option_strings:
        return action.metavar if isinstance(action.metavar, str) else _words_of_positional(action, formatter)
    if action.nargs == 0:
        return ", ".join(action.option_strings)
    words = _words(action, formatter)
    return ", ".join(f"{name} {words}" for name in action.option_strings)


def _words_of_positional(action, formatter):
    if action.choices is not None:
        return "{" + ",".join(map(str, action.choices)) + "}"
    return formatter.default_name(action)


def _filled(parser, text, action):
    values = {name: getattr(value, "__name__", value) for name, value in vars(action).items() if value is not SUPPRESS}
    if action.choices is not None:
        values["choices"] = ", ".join(map(str, action.choices))
    return text % {**values, "prog": parser.prog}


def help_text(parser):
    formatter = parser.formatter_class() if isinstance(parser.formatter_class, type) else HelpFormatter()
    formatter.filled = lambda action: _filled(parser, formatter.help_of(action), action)
    blocks = [usage_text(parser).rstrip("\n")]
    if parser.description:
        blocks.append("\n".join(formatter.description(parser.description.replace("%(prog)s", parser.prog))))
    shown = [action for group in parser._groups for action in group._own if action.help is not SUPPRESS]
    indent = min(max((len(_invocation(action, formatter)) + 2 for action in shown), default=0) + 2, _MOST_INDENT)
    for group in parser._groups:
        lines = [line for action in group._own if action.help is not SUPPRESS for line in _entry(action, formatter, indent)]
        described = [f"  {line}" for line in formatter.wrapped(group.description, _WIDTH - 2)] if group.description else []
        if lines or described:
            between = [""] if lines and described else []
            blocks.append("\n".join([f"{group.title}:"] * bool(group.title) + described + between + lines))
    if parser.epilog:
        blocks.append("\n".join(formatter.description(parser.epilog.replace("%(prog)s", parser.prog))))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _entry(action, formatter, indent):
    head = f"  {_invocation(action, formatter)}"
    if not action.help or not action.help.strip():
        return [head]
    lines = formatter.help_lines(action, max(_WIDTH - indent, 11))
    if len(head) + 2 > indent:
        return [head] + [" " * indent + line for line in lines]
    return [head.ljust(indent) + lines[0]] + [" " * indent + line for line in lines[1:]]
