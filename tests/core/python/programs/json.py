# SPDX-License-Identifier: GPL-3.0-or-later
# The module json, on texts.

# --- json_loads_values
import json
text = """{"name": "net", "layers": [{"k": 3, "p": 0.5}, {"k": -1, "p": 1e-3, "x": null}],
 "flags": {"a": true, "b": false}, "empty": [[], {}, ""], "big": 123456789012345678901234567890}"""
value = json.loads(text)
print(value)
print(type(value["layers"][0]["k"]), type(value["layers"][1]["p"]), value["big"] + 1)
print(json.loads(" [1, 2.50, -0, -0.0, 1E5] "), json.loads('"a\\n\\u00e9\\ud83d\\ude00\\/\\""'), json.loads(b"[1]"))
print(json.loads("NaN"), json.loads("[Infinity, -Infinity]"))

# --- json_loads_hooks
import json
print(json.loads('{"a": {"b": 1}}', object_hook=lambda d: sorted(d.items())))
print(json.loads('{"a": 1, "a": 2}', object_pairs_hook=list))
print(json.loads("[1.5, 2]", parse_float=str, parse_int=lambda t: t * 2))

# --- json_loads_faults
import json
for text in ("", "{", "[1,", "[1,]", '{"a"}', '{"a" 1}', '{"a": 1,}', '{a: 1}', "[1 2]", "1 2", '"abc', '"a\nb"', '"\\q"',
             '"\\u12"', "nul", "-", "01", "1.", "-.5", "1e", "1.5e+", "2E-1x", "- 1", "\n\n  x", '{"a": tru}', "'a'"):
    try:
        print(json.loads(text))
    except json.JSONDecodeError as error:
        print(repr(text), error, error.lineno, error.colno, error.pos, isinstance(error, ValueError))
try:
    json.loads(3)
except TypeError as error:
    print(error)

# --- json_dumps_values
import json
value = {"a": [1, 2.0, "x\u00e9\n\"\\", None, True], "b": {}, "c": [], 3: (1, 2), None: False, True: 1e30, 1.5: -0.0}
print(json.dumps(value))
print(json.dumps(value, indent=2))
print(json.dumps({"b": 1, "a": [1, {"z": []}]}, sort_keys=True, separators=(",", ":"), indent="\t"))
print(json.dumps("\u00e9\U0001f600\x01", ensure_ascii=False), json.dumps("\u00e9\U0001f600\x01\x7f"))
print(json.dumps([float("nan"), float("inf"), -float("inf")]))

# --- json_dumps_of_objects
import json
class Point:
    def __init__(self, x):
        self.x = x
print(json.dumps([Point(1), {"p": Point(2)}], default=vars))
class Encoder(json.JSONEncoder):
    def default(self, o):
        return sorted(o) if isinstance(o, set) else super().default(o)
print(json.dumps({"s": {3, 1, 2}}, cls=Encoder))
print(json.dumps({(1, 2): 3, "a": 1}, skipkeys=True))
loop = []
loop.append(loop)
for bad in (lambda: json.dumps(Point(1)), lambda: json.dumps({(1,): 2}), lambda: json.dumps(loop),
            lambda: json.dumps(float("nan"), allow_nan=False)):
    try:
        print(bad())
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)

# --- json_round_trip
import json
value = {"depth": 3, "widths": [8, 16], "drop": 0.1, "name": "net", "sub": {"ok": True, "no": None}}
print(json.loads(json.dumps(value)) == value, json.loads(json.dumps(value, indent=4)) == value)
