# SPDX-License-Identifier: GPL-3.0-or-later
# f-strings and format().

# --- fstring_expressions_and_conversions
x, name = 3.14159, "net"
print(f"{x} {name!r} {name!s} {name!a} {{}} {x + 1:.2f} {name.upper()} {len(name)} {'q'} {[i for i in range(3)]} { {'a': 1}['a'] }")
print(f"{x!r:>10}|{name:>{5}}|{name:{'<'}{6}}|{x:{8}.{3}}|{None}|{True:d}|{name[0]}{name[-1:]}")
print(f"{x=} {name=} {x = :.1f} {1+1=} {name=!s} {len(name)=:>3}")

# --- fstring_nesting_and_concatenation
a, b = 1, [2, 3]
print(f"{f'{a}' + 'x'} {f'{b[0]:>{a + 2}}'}" f"-{a}" "-{a}" rf"\n{a}" f'{"in" if a else "out"}' f"{(lambda v: v * 2)(a)}" f"{b[1]!r:0>3}")
print(f"""multi
{a}
  {b}""", f"{'a' 'b'}", f"{{{a}}}", f"{a:}", f"{'{'}", F"{a}")

# --- fstring_calls_format_of_the_value
class Money:
    def __init__(self, v): self.v = v
    def __format__(self, spec): return f"${self.v:{spec or '.2f'}}"
    def __str__(self): return "money"
    def __repr__(self): return "Money!"
m = Money(3)
print(f"{m} {m:.0f} {m!s} {m!r:>8}", format(m), format(m, ".1f"), "{:.3f}".format(m))

# --- format_of_integers
for spec in ("", "d", "5d", "<5d", "^5d", "05d", "+d", " d", "+05d", "x", "X", "#x", "o", "#o", "b", "#b", "08b", "#010b", ",", "_", "_x", "n", "c", "e", ".2f", "%", "*>6", "=+6d", "*=6d", ">+6d", "10,d", "012,d", "g"):
    print(repr(spec), "|" + format(65, spec) + "|" + format(-1234567, spec) + "|" if spec != "c" else format(65, spec))
print(f"{10**25:,} {10**25:x} {True} {True:>5} {True:5} {False:d} {-5:08.3f} {255:#06x} {0:b}")

# --- format_of_floats
for spec in ("", ".0f", ".2f", "10.3f", "<10.3f", "+.1f", "e", ".2e", "E", "g", ".3g", "G", "%", ".1%", "010.2f", ",.2f", "_.1f", ".10g", "#.3g", " .1f", "*^12.2f", "n", ".3", "10", "+", "=10.1f", "z.1f"):
    print(repr(spec), *("|" + format(v, spec) for v in (3.14159265, -0.000123456, 1e20, 123456789.0, 0.0, -0.0, 100.0)))

# --- format_of_special_floats
inf, nan = float("inf"), float("nan")
for spec in ("", ".2f", "8", "+", "e", "g", "%", "08.1f", "<6", "F"):
    print(repr(spec), *("|" + format(v, spec) for v in (inf, -inf, nan)))

# --- format_of_strings
for spec in ("", "s", "6", "<6", ">6", "^6", "*^7", ".2", "6.2", ">6.2s", "06", "\u2026>5"):
    print(repr(spec), "|" + format("abc", spec) + "|" + format("", spec) + "|")

# --- format_of_complex_and_others
print(f"{1+2j} {1+2j:.1f} {complex(0, -1.5):g} {(1, 2)} {[1]!s:>6} {None!s:>6} {b'x'!r} {int!r} {...}")
print(f"{3+0j:.2f} {1e10+1j} {-0.0+0j} {complex('nan')}", format([1, 2]), format(None), format("x", ""), format(range(2)))

# --- format_errors
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: format(1, "s"))
attempt(lambda: format("a", "d"))
attempt(lambda: format(1.5, "d"))
attempt(lambda: format(1, ".2d"))
attempt(lambda: format("a", "+"))
attempt(lambda: format("a", "=5"))
attempt(lambda: format([1], ">5"))
attempt(lambda: format(None, "5"))
attempt(lambda: format(1, "q"))
attempt(lambda: format(1, ">>5"))
attempt(lambda: format("a", ","))
attempt(lambda: format(1, ",x"))
attempt(lambda: format(1.0, "x"))
attempt(lambda: format({}, "d"))
attempt(lambda: format(1, 5))

# --- fstring_of_model_reprs
class Linear:
    def __init__(self, i, o, bias=True): self.i, self.o, self.bias = i, o, bias
    def extra_repr(self): return f"in_features={self.i}, out_features={self.o}, bias={self.bias}"
    def __repr__(self): return f"{self.__class__.__name__}({self.extra_repr()})"
layers = [Linear(2, 3), Linear(3, 1, bias=False)]
print("\n".join(f"  ({n}): {l}" for n, l in enumerate(layers)))
print(f"{sum(l.i * l.o for l in layers):,} params, {1234567 / 1e6:.2f}M, {0.12345:.1%}, [{7:03d}/{100}]")
