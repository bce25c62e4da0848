# SPDX-License-Identifier: GPL-3.0-or-later
# argparse over lists of words: what is parsed, what is said of what cannot be, and the help.

# --- argparse_words
import argparse
import contextlib
import io


def attempt(parser, *words, known=False):
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            parsed = (parser.parse_known_args if known else parser.parse_args)(list(words))
        print(parsed)
    except SystemExit as end:
        print("exit", end.code, said.getvalue())
    except argparse.ArgumentError as error:
        print("error", error)


def parser_of(**kwargs):
    return argparse.ArgumentParser("prog", **kwargs)


def even(text):
    number = int(text)
    if number % 2:
        raise argparse.ArgumentTypeError(f"{number} is odd")
    return number


one = parser_of(description="Does one thing to a graph, or another, and says at some length what it was that it has done to it.",
                epilog="That is all.")
one.add_argument("model", help="what is opened")
one.add_argument("rest", nargs="*", default=["none"], help="what else there is")
one.add_argument("-v", "--verbose", action="store_true", help="say more")
one.add_argument("-q", action="store_false", dest="loud")
one.add_argument("--factor", type=float, default=1.5, metavar="F", help="times so much (default: %(default)s) of %(prog)s")
one.add_argument("--only", "-o", choices=["relu", "gelu"], help="one of %(choices)s")
one.add_argument("--names", nargs="+", default=[])
one.add_argument("--pair", nargs=2, type=int, metavar=("A", "B"), help="two")
one.add_argument("--maybe", nargs="?", const="const", default="default")
one.add_argument("--level", "-l", action="count", default=0)
one.add_argument("--add", action="append", type=even, help="a rather long explanation of what is added here, to be continued below")
one.add_argument("--fixed-value", action="store_const", const=7, dest="fixed")
one.add_argument("--hidden", help=argparse.SUPPRESS)
for words in (["m"], ["m", "a", "b"], ["m", "-v", "-q", "--factor", "2"], ["m", "--factor=3", "x"], ["--only", "relu", "m"],
              ["-orelu", "m"], ["-vl", "m"], ["-vlll", "m", "y"], ["--names", "a", "b", "--", "m"], ["m", "--names", "a"],
              ["m", "--pair", "1", "2"], ["m", "--maybe"], ["m", "--maybe", "x"], ["m", "--add", "2", "--add", "4"],
              ["m", "--fixed-value", "--fac", "9"], ["m", "-5"], ["m", "--", "-x"], ["m", "--hidden", "h"], [],
              ["m", "--only", "tanh"], ["m", "--factor", "x"], ["m", "--factor"], ["m", "--pair", "1"], ["m", "--names"],
              ["m", "--add", "3"], ["m", "--unknown"], ["m", "--unknown=3", "-z"], ["m", "--verbose=3"], ["-h"], ["m", "-vx"],
              ["m", "--f", "1"]):
    attempt(one, *words)
attempt(one, "m", "--unknown", "x", "-v", known=True)
print(one.format_usage(), one.format_help(), one.get_default("factor"), one.prog)

two = parser_of(add_help=False, allow_abbrev=False, argument_default=argparse.SUPPRESS)
group = two.add_argument_group("numbers", "what is counted")
group.add_argument("--size", type=int)
group.add_argument("--flag", action=argparse.BooleanOptionalAction)
either = two.add_mutually_exclusive_group(required=True)
either.add_argument("--left", action="store_true")
either.add_argument("--right", action="store_true")
two.add_argument("--need", required=True, type=int)
two.set_defaults(more=[1])
for words in (["--left", "--need", "3"], ["--left", "--right", "--need", "3"], ["--need", "1"], ["--left"],
              ["--left", "--need", "1", "--no-flag", "--size", "4"], ["--lef", "--need", "1"], ["--left", "--need", "1", "--flag"]):
    attempt(two, *words)
print(two.format_help())

three = parser_of(formatter_class=argparse.ArgumentDefaultsHelpFormatter, exit_on_error=False)
three.add_argument("first", nargs="?", default=3, type=int, help="the first")
three.add_argument("many", nargs="+", help="all others")
three.add_argument("--name", default="x", help="a name")
three.add_argument("--list", action="extend", nargs="*", type=int)
three.add_argument("--version", action="version", version="%(prog)s 2.0")
for words in (["1", "2", "3"], ["a"], ["4", "b"], ["--list", "1", "2", "--list", "3", "--", "5", "c"], ["--version"], ["x", "y"]):
    attempt(three, *words)
print(three.format_help())

parent = argparse.ArgumentParser(add_help=False)
parent.add_argument("--shared", default="s")
four = parser_of(parents=[parent], usage="%(prog)s [what]", formatter_class=argparse.RawDescriptionHelpFormatter,
                 description="two\n  lines")
four.add_argument("rest", nargs=argparse.REMAINDER)


class Joined(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, f"{option_string}:{'-'.join(values)}")


four.add_argument("--joined", action=Joined, nargs="+")
attempt(four, "--joined", "a", "b", "--shared", "t", "c", "--d", "e")
print(four.format_help())
space = argparse.Namespace(a=1, b="x")
print(space, space == argparse.Namespace(b="x", a=1), "a" in space, vars(space))
for work in (lambda: one.add_argument("--model", action="nothing"), lambda: one.add_argument("-v"), lambda: one.add_argument("x", dest="y"),
             lambda: one.add_argument("--z", nargs=0), lambda: one.add_argument("--y", type="int"), lambda: one.add_argument("p", required=True)):
    try:
        work()
    except (ValueError, TypeError, argparse.ArgumentError) as error:
        print(type(error).__name__, error)
