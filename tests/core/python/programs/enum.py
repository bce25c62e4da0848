# SPDX-License-Identifier: GPL-3.0-or-later
# enum.

# --- enum_members_have_name_and_value
from enum import Enum
class Color(Enum):
    RED = 1
    GREEN = "g"
    BLUE = (0, 0, 1)
print(Color.RED, repr(Color.RED), Color.GREEN.value, Color.BLUE.name, Color.BLUE.value)
print(list(Color), len(Color), Color("g"), Color["RED"], Color.RED is Color(1), type(Color.RED).__name__)
print(Color, Color.RED == 1, Color.RED == Color.RED, Color.RED != Color.GREEN, Color.RED in Color)
print({Color.RED: "r"}[Color.RED], f"{Color.RED}", f"{Color.RED!r:>20}", isinstance(Color.RED, Color), bool(Color.RED))

# --- enum_auto_counts_up
from enum import Enum, auto
class Mode(Enum):
    TRAIN = auto()
    EVAL = auto()
    TEN = 10
    NEXT = auto()
print([(m.name, m.value) for m in Mode])

# --- enum_auto_uses_generate_next_value
from enum import Enum, auto
class Named(Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()
    SUM = auto()
    MEAN = auto()
print(list(Named), Named("mean"))
class Sub(Enum):
    def _generate_next_value_(name, start, count, last): return (name, start, count, list(last))
    A = auto()
    B = auto()
print(Sub.B.value)

# --- enum_aliases_share_a_member
from enum import Enum
class Shape(Enum):
    SQUARE = 2
    DIAMOND = 1
    ALIAS = 2
print(Shape.ALIAS, Shape.ALIAS is Shape.SQUARE, list(Shape), Shape["ALIAS"].name, list(Shape.__members__))
print([(k, v.value) for k, v in Shape.__members__.items()])

# --- enum_lookup_errors
from enum import Enum, IntEnum
class Color(Enum):
    RED = 1
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: Color(5))
attempt(lambda: Color("x"))
attempt(lambda: Color["PINK"])
attempt(lambda: Color.PINK)
attempt(lambda: setattr(Color, "RED", 2))
attempt(lambda: Color.RED < Color.RED)
attempt(lambda: 1 in Color)
class E(IntEnum):
    A = 1
attempt(lambda: E(7))
def extend():
    class More(Color):
        BLUE = 2
attempt(extend)

# --- enum_methods_and_properties
from enum import Enum
class Planet(Enum):
    EARTH = (5.976e24, 6.37814e6)
    MARS = (6.421e23, 3.3972e6)
    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius
    @property
    def density(self): return self.mass / self.radius ** 3
    def describe(self): return f"{self.name}: {self.mass}"
    @classmethod
    def default(cls): return cls.EARTH
    @staticmethod
    def count(): return 2
print(Planet.MARS.describe(), Planet.default(), round(Planet.EARTH.density), Planet.count(), Planet.MARS.value)

# --- enum_custom_str_and_missing
from enum import Enum
class Act(Enum):
    RELU = "relu"
    GELU = "gelu"
    def __str__(self): return self.value
    @classmethod
    def _missing_(cls, value):
        for m in cls:
            if m.value == str(value).lower():
                return m
print(Act.RELU, f"{Act.GELU}", Act("ReLU"), repr(Act("GELU")), "%s" % Act.RELU)
try:
    Act("none")
except ValueError as e:
    print(e)

# --- int_enum_behaves_as_int
from enum import IntEnum
class Level(IntEnum):
    LOW = 1
    HIGH = 3
print(Level.LOW + 1, Level.HIGH > 2, Level.LOW == 1, sorted([Level.HIGH, Level.LOW]), int(Level.HIGH), [10, 20, 30][Level.LOW])
print(str(Level.LOW), repr(Level.LOW), f"{Level.HIGH}", f"{Level.HIGH:>4}", Level(3).name, isinstance(Level.LOW, int), "%d" % Level.HIGH)
print(list(range(Level.HIGH)), Level.LOW | 4, hash(Level.HIGH) == hash(3), {1: "a"}[Level.LOW], max(Level))

# --- str_enum_behaves_as_str
from enum import Enum, StrEnum, auto
class A(StrEnum):
    X = auto()
    Y = "why"
class B(str, Enum):
    P = "pee"
print(A.X, A.Y.upper(), A("why"), repr(A.X), A.X == "x", f"{A.Y}-", "-".join(A))
print(B.P, str(B.P), repr(B.P), B.P == "pee", B.P + "!", B.P.value, isinstance(B.P, str), {"pee": 1}[B.P])

# --- flag_combines_with_bars
from enum import Flag, auto
class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()
    RW = R | W
p = Perm.R | Perm.X
print(p, repr(p), p.value, Perm.R in p, Perm.W in p, list(p), bool(p & Perm.W), ~p, p ^ Perm.R)
print(Perm.RW, list(Perm), len(Perm), Perm(3), Perm(0), repr(Perm(0)), Perm(7), Perm.R | Perm.W is Perm.RW)
print([f.name for f in Perm.RW], Perm.R.name, (Perm.R | Perm.W).name, Perm)

# --- int_flag_mixes_with_ints
from enum import IntFlag
class F(IntFlag):
    A = 1
    B = 2
    C = 4
print(F.A | F.B, repr(F.A | F.B), F.A | 8, repr(F.C), F.B + 1, F.A == 1, F(5), repr(F(5)), int(F.A | F.C), F.A & 3)
print(F.A in F(3), list(F(6)), repr(~F.A), str(F.A), f"{F.B}")

# --- enum_unique_refuses_aliases
from enum import Enum, unique
@unique
class Ok(Enum):
    A = 1
    B = 2
print(list(Ok))
try:
    @unique
    class Bad(Enum):
        A = 1
        B = 1
        C = 2
        D = 2
except ValueError as e:
    print(e)

# --- enum_functional_call
from enum import Enum, IntEnum
A = Enum("A", "X Y Z")
B = Enum("B", ["P", "Q"], start=5)
C = Enum("C", {"one": 1, "two": "zwei"})
D = IntEnum("D", [("k", 7), ("l", 9)])
print(list(A), list(B), list(C), list(D), A.X.value, D.k + 1, A)

# --- enum_members_in_match
from enum import Enum
class Op(Enum):
    ADD = 1
    MUL = 2
def run(op, a, b):
    match op:
        case Op.ADD: return a + b
        case Op.MUL: return a * b
        case _: return None
print(run(Op.ADD, 2, 3), run(Op.MUL, 2, 3), run("x", 1, 1))

# --- enum_iteration_comparison_and_dicts
from enum import Enum
class S(Enum):
    A = "a"
    B = "b"
table = {s: i for i, s in enumerate(S)}
print(table[S.B], [s.name for s in reversed(S)], S.A is S["A"], [s.value for s in S], S.A in (S.A, S.B), sorted(S, key=lambda s: s.value, reverse=True))
import copy
print(copy.deepcopy(S.A) is S.A, copy.copy([S.B])[0] is S.B, S.A.__class__ is S, hasattr(S, "C"))

# --- enum_private_names_and_descriptors_are_not_members
from enum import Enum
class E(Enum):
    A = 1
    def f(self): return 1
    __hidden = 5
    _single = 6
    @property
    def p(self): return self.value * 10
    B = 2
print(list(E), E.A.p, E._single, E.B.f())

# --- enum_with_dunder_call_values
from enum import Enum
import math
class Fn(Enum):
    SQRT = "sqrt"
    HALF = "half"
    def __call__(self, x):
        return math.sqrt(x) if self is Fn.SQRT else x / 2
print(Fn.SQRT(16), Fn.HALF(5), Fn("half")(8), callable(Fn.SQRT))

# --- enum_base_class_without_members_can_be_extended
from enum import Enum
class Base(Enum):
    def label(self): return f"<{self.name}>"
    @classmethod
    def names(cls): return [m.name for m in cls]
class Kind(Base):
    A = 1
    B = 2
print(Kind.A.label(), Kind.names(), Kind.__mro__[1].__name__, isinstance(Kind.A, Base))
