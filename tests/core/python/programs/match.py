# SPDX-License-Identifier: GPL-3.0-or-later
# The match statement.

# --- match_literals_and_wildcard
def f(x):
    match x:
        case 0: return "zero"
        case 1 | 2 | 3: return "few"
        case -1: return "minus"
        case "a" | "b": return "letter"
        case None: return "none"
        case True: return "true?"
        case 2.5: return "float"
        case 1+2j: return "complex"
        case _: return "other"
print([f(v) for v in (0, 2, -1, "b", None, True, 2.5, 1+2j, "zz", False, 3.0)])

# --- match_sequences_with_stars
def f(x):
    match x:
        case []: return "empty"
        case [a]: return f"one {a}"
        case (1, b): return f"one then {b}"
        case [a, *rest, z] if len(rest) > 1: return f"{a} {rest} {z}"
        case [a, *_]: return f"starts {a}"
        case _: return "no"
print([f(v) for v in ([], [7], (1, 2), [1, 2, 3, 4], [1, 2, 3], "ab", {1: 2}, range(1), (x for x in []))])

# --- match_mappings_take_the_rest
def f(x):
    match x:
        case {"op": "add", "args": [a, b]}: return a + b
        case {"op": str(name), **rest}: return name, rest
        case {}: return "any mapping"
        case _: return "no"
print(f({"op": "add", "args": [1, 2]}), f({"op": "neg", "x": 1}), f({"z": 1}), f([]))

# --- match_classes_by_attributes
class P:
    __match_args__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
def f(p):
    match p:
        case P(0, 0): return "origin"
        case P(x, y=0): return f"x axis {x}"
        case P(x=0, y=y): return f"y axis {y}"
        case P() as q: return f"point {q.x}"
        case int(n): return f"int {n}"
        case str() | bytes(): return "text"
        case list([a, *_]): return f"list of {a}"
        case float(): return "float"
print([f(v) for v in (P(0, 0), P(2, 0), P(0, 3), P(4, 5), 7, "s", b"b", [1, 2], 1.5, True, None)])

# --- match_captures_and_guards
def f(cmd):
    match cmd.split():
        case ["go", ("north" | "south") as d]: return f"go {d}"
        case ["take", *things] if things: return f"take {things}"
        case [x, y] if x == y: return "twins"
        case [first, *_] as whole: return first, len(whole)
        case _: return None
print([f(c) for c in ("go north", "go up", "take a b", "take", "q q", "")])

# --- match_dotted_names_compare
class K:
    RED = 1
    BLUE = "b"
import math
def f(x):
    match x:
        case K.RED: return "red"
        case K.BLUE: return "blue"
        case math.pi: return "pi"
        case other: return f"bound {other}"
print(f(1), f("b"), f(math.pi), f([1]))

# --- match_nested_structures
def f(t):
    match t:
        case ("add", l, r): return f(l) + f(r)
        case ("mul", l, r): return f(l) * f(r)
        case ("neg", ("num", n)): return -n
        case ("num", int(n) | float(n)): return n
        case {"v": [_, {"w": w}]}: return w
        case _: raise ValueError(t)
print(f(("add", ("num", 2), ("mul", ("num", 3), ("neg", ("num", 4))))), f({"v": [0, {"w": 9}], "x": 1}))
try:
    f(("sub",))
except ValueError as e:
    print(e)

# --- match_without_a_case_does_nothing
x = 5
match x:
    case 1: print("one")
    case "5": print("text")
print("after")
match = {"case": 1}
case = match["case"]
print(match, case)

# --- match_subject_tuples
def f(a, b):
    match a, b:
        case 0, 0: return "both"
        case 0, _: return "first"
        case _, 0: return "second"
        case _: return "none"
print(f(0, 0), f(0, 1), f(1, 0), f(1, 1))
