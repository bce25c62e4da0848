# --- pprint_lines
from collections import OrderedDict
from pprint import PrettyPrinter, pformat, pp, pprint

pprint([1, 2])
pprint({"b": 1, "a": [2, (3,)]})
pprint({f"key{i}": list(range(i)) for i in range(12)})
pprint([{"name": "layer" * 3, "shape": (1, 2, 3, i)} for i in range(4)])
pprint(list(range(40)), compact=True)
pprint(list(range(40)), width=40, compact=True)
pprint(["word " * 30, "short"])
pprint("word " * 30)
pprint({"text": "many words in one line " * 6, "x": 1})
pprint(("a" * 50, "b" * 50))
pprint(("a" * 90,))
pprint({"nested": {"deep": {"deeper": list(range(30))}}}, width=50)
pprint({3: 1, "a": 2, (1,): 3} if False else {3: 1, 1: 2})
pprint(set(range(40)))
pprint(OrderedDict((f"k{i}", "v" * 10) for i in range(8)))
pp({"b": 1, "a": 2})
print(pformat({"a": {"b": {"c": 1}}}, depth=2), pformat([1, [2, [3]]], indent=4))
print(pformat({"a" * 30: 1, "b" * 30: 2, "c" * 30: 3}, indent=4))
a = [1]
a.append(a)
print(pformat(a).replace(str(id(a)), "ID"))
PrettyPrinter(width=20).pprint(["aaaaaaaa", "bbbbbbbb", "cccccccc"])
pprint(12345678, underscore_numbers=True)
pprint([[], {}, (), set()], width=1)
