# --- mock_calls, since 3.11.7
from unittest.mock import ANY, DEFAULT, MagicMock, Mock, NonCallableMock, PropertyMock, call, sentinel

m = Mock(return_value=3)
print(m(1, a=2), m.called, m.call_count, m.call_args, m.call_args.args, m.call_args.kwargs, m.call_args_list)
m.assert_called_once_with(1, a=2)
m.assert_called_with(ANY, a=2)
for check in (lambda: m.assert_not_called(), lambda: m.assert_called_with(2), lambda: m.assert_any_call(5),
              lambda: m.assert_has_calls([call(7)]), lambda: Mock().assert_called_once(), lambda: Mock(name="n").assert_called(),
              lambda: Mock().assert_called_with(x=1), lambda: m.asert_called()):
    try:
        check()
    except (AssertionError, AttributeError) as error:
        print(error)
n = Mock()
n.child.deeper(4)
n.child.other.return_value = 5
print(n.child.other("x"), n.mock_calls, n.method_calls, n.child.mock_calls)
n.f.return_value.g.return_value = 6
print(n.f(1).g(2), n.mock_calls[-2:])
n.assert_has_calls([call.child.deeper(4), call.child.other("x")])
print(call(1, b=2), call.a.b(3), call() == ((), {}), call(1) == call(1), call.x(1) == call.y(1), sentinel.thing, sentinel.thing is sentinel.thing)
m.reset_mock()
print(m.called, m.call_args, m.mock_calls, m(9))

# --- mock_effects
from unittest.mock import MagicMock, Mock, NonCallableMock, PropertyMock

m = Mock(side_effect=[1, ValueError("no"), 3])
for _ in range(4):
    try:
        print(m())
    except (ValueError, StopIteration) as error:
        print(repr(error))
m.side_effect = lambda x: x * 2
print(m(4))
m = Mock(side_effect=KeyError("k"))
try:
    m()
except KeyError as error:
    print(repr(error))
m = Mock(**{"a.b.return_value": 7, "c": 8})
print(m.a.b(), m.c)


class Real:
    kept = 1

    def method(self):
        return 2


m = Mock(spec=Real)
print(m.kept is not None, m.method() is m.method.return_value)
try:
    m.absent
except AttributeError as error:
    print(error)
w = Mock(wraps=Real())
print(w.method(), w.method.call_count)
del m.kept
print(hasattr(m, "kept"), hasattr(m, "method"))
with_property = type("P", (), {"size": PropertyMock(return_value=4)})()
print(with_property.size)
try:
    NonCallableMock()()
except TypeError as error:
    print("not callable")

# --- mock_magic
from unittest.mock import MagicMock

m = MagicMock()
print(len(m), int(m), bool(m), list(m), 3 in m, float(m))
m.__len__.return_value = 5
m.__getitem__.side_effect = lambda key: key * 2
print(len(m), m[4], m["a"])
with m as entered:
    print(entered is m.__enter__.return_value)
m.__str__ = lambda self: "text"
m.__iter__.return_value = iter([1, 2]) if hasattr(m.__iter__, "return_value") else None
print(str(m))
m.__getitem__.assert_called_with("a")

# --- mock_patches
import os
import sys
import types
from unittest import mock
from unittest.mock import patch


class Net:
    rate = 1

    def forward(self, x):
        return x + self.rate


class Deep(Net):
    pass


with patch.object(Net, "forward", lambda self, x: x):
    print(Net().forward(5), Deep().forward(6))
print(Net().forward(5))
with patch.object(Deep, "rate", 10):
    print(Deep().forward(1), Net().forward(1))
print("rate" in Deep.__dict__, Deep().forward(1))
with patch.object(Net, "forward") as faked:
    faked.return_value = "faked"
    print(Net().forward(1), faked.call_args)
with patch("os.getcwd", return_value="/there"):
    print(os.getcwd())


@patch.object(Net, "rate", 3)
@patch("os.getcwd")
def decorated(where, more=1):
    where.return_value = "!"
    return os.getcwd(), Net().forward(more)


print(decorated(), Net.rate)
settings = {"a": 1, "b": 2}
with patch.dict(settings, {"a": 5, "c": 6}):
    print(settings)
with patch.dict(settings, clear=True, d=7):
    print(settings)
print(settings)
with patch.multiple(Net, rate=8, forward=lambda self, x: -x):
    print(Net.rate, Net().forward(1))
patcher = patch.object(Net, "rate", 11)
print(patcher.start(), Net.rate)
patch.stopall()
print(Net.rate)
try:
    patch.object(Net, "absent", 1).start()
except AttributeError as error:
    print("does not have the attribute" in str(error))
with patch.object(Net, "absent", 1, create=True):
    print(Net.absent)
print(hasattr(Net, "absent"))
net = Net()
with patch.object(net, "rate", 4):
    print(net.rate, net.__dict__)
print(net.__dict__)
