# SPDX-License-Identifier: GPL-3.0-or-later
# typing.

# --- typing_generics_print_as_written
from typing import *
import typing
print(List[int], Dict[str, List[int]], Tuple[int, ...], Set[str], FrozenSet[int], Type[int])
print(Optional[int], Union[int, str], Union[int, None], Union[int, str, None], Optional[List[int]])
print(Callable[[int, str], bool], Callable[..., int], Callable, Any, List, Optional, Union)
print(Iterable[int], Iterator[str], Sequence[float], Mapping[str, Any], Generator[int, None, str])
print(Literal["a", 1], ClassVar[int], Final[str], Tuple[()], Type[Any])
print(Dict[str, Any], DefaultDict[str, int], Deque[int], OrderedDict[str, int], NoReturn)

# --- typing_unions_flatten_and_drop_repeats
from typing import Union, Optional, List
print(Union[int], Union[int, int], Union[Union[int, str], float], Optional[Optional[int]])
print(Union[int, str] == Union[str, int], List[int] == List[int], List[int] == List[str], Optional[int] == Union[int, None])
print(hash(List[int]) == hash(List[int]), {Optional[int]: 1}[Union[None, int]])

# --- typing_origin_and_args
from typing import *
for t in (List[int], Dict[str, int], Optional[int], Tuple[int, ...], Union[int, str], Callable[[int], str], int, List,
          Literal[1, 2], list[int], dict[str, float]):
    print(t, get_origin(t), get_args(t))
print(List[int].__origin__, Dict[str, int].__args__, Optional[int].__origin__, Tuple[int].__origin__ is tuple)

# --- typing_builtin_generics_and_bar_unions
print(list[int], dict[str, list[int]], tuple[int, ...], type[int], set[str])
print(int | str, int | None, list[int] | None, (int | str) == (str | int))
print(isinstance(3, int | str), isinstance("s", int | str), isinstance(2.0, int | str), isinstance(None, int | None))
print(list[int]([1, 2]), dict[str, int](a=1), list[int].__origin__, dict[str, int].__args__)

# --- typing_generic_classes_can_be_subscripted
from typing import Generic, TypeVar, List
T = TypeVar("T")
K = TypeVar("K")
class Stack(Generic[T]):
    def __init__(self): self.items: List[T] = []
    def push(self, x: T) -> "Stack[T]":
        self.items.append(x)
        return self
class Pair(Stack[T], Generic[T, K]):
    pass
print(Stack[int]().push(1).items, T, K, Stack().push("a").items, Pair[int, str]().push(2).items)
print(Stack[int], isinstance(Stack[int](), Stack), List[T], [c.__name__ for c in Pair.__mro__])
print(Pair.__bases__[0] is Stack, issubclass(Pair, Generic))

# --- typing_named_tuple_class_syntax
from typing import NamedTuple, Optional, List
class Out(NamedTuple):
    """What the model gives."""
    logits: int
    loss: Optional[float] = None
    hidden: List[int] = []
    def total(self):
        return self.logits * 2
    @property
    def first(self): return self[0]
o = Out(3)
print(o, o.total(), o.first, o._fields, Out._field_defaults, o._replace(loss=0.5), o[1], Out.__doc__)
a, b, c = o
print(a, b, c, isinstance(o, tuple), Out.__annotations__, Out(1, hidden=[2]), Out.__bases__)
P = NamedTuple("P", [("x", int), ("y", int)])
print(P(1, 2), P.__name__, P._fields)

# --- typing_named_tuple_default_order_is_checked
from typing import NamedTuple
try:
    class A(NamedTuple):
        x: int = 1
        y: int
except TypeError as e:
    print(e)
class B(NamedTuple):
    x: int
try:
    B()
except TypeError as e:
    print(e)

# --- typing_typed_dict_is_a_dict
from typing import TypedDict
class Movie(TypedDict, total=False):
    name: str
    year: int
class Sequel(Movie):
    part: int
m = Movie(name="x")
print(m, type(m), Movie.__annotations__, Sequel.__annotations__, sorted(Sequel.__required_keys__), Movie.__total__)
s: Sequel = {"part": 2}
print(s, Sequel(part=1, name="n"))
D = TypedDict("D", {"a": int})
print(D(a=1), D.__name__)

# --- typing_protocol_checked_at_run_time
from typing import Protocol, runtime_checkable
@runtime_checkable
class HasForward(Protocol):
    def forward(self, x): ...
class Net:
    def forward(self, x): return x
class No: pass
print(isinstance(Net(), HasForward), isinstance(No(), HasForward), issubclass(Net, HasForward))
class Impl(HasForward):
    pass
print(Impl().forward(1), isinstance(Impl(), HasForward))
try:
    HasForward()
except TypeError as e:
    print(e)
class Plain(Protocol):
    x: int
try:
    isinstance(1, Plain)
except TypeError as e:
    print(e)

# --- typing_cast_overload_and_constants
from typing import cast, overload, TYPE_CHECKING, final, NewType, Any
if TYPE_CHECKING:
    import nothing_of_that_name
@overload
def f(x: int) -> int: ...
@overload
def f(x: str) -> str: ...
def f(x): return x * 2
print(f(2), f("a"), cast(int, "x"), cast("List[int]", [1]))
UserId = NewType("UserId", int)
print(UserId(5), UserId.__name__, UserId.__supertype__)
@final
class A: pass
print(A.__name__)

# --- typing_annotations_of_functions
from typing import Optional, List
def f(a: int, b: "str" = "x", *args: float, c: Optional[int] = None, **kw: List[int]) -> bool: return True
print(f.__annotations__)
def g(a, b=1): pass
print(g.__annotations__)
class C:
    x: int
    y: "C" = None
    z = 3
print(C.__annotations__, hasattr(C, "x"))

# --- typing_get_type_hints_of_functions_and_classes
from typing import get_type_hints, Optional, List
def f(a: int, b: Optional[str] = None) -> List[int]: pass
print(get_type_hints(f))
class A:
    x: int
class B(A):
    y: float
print(get_type_hints(B))

# --- typing_forms_refuse_misuse
from typing import *
def attempt(f):
    try:
        print(f())
    except TypeError as e:
        print("TypeError", e)
attempt(lambda: Optional[int, str])
attempt(lambda: isinstance([], List[int]))
attempt(lambda: Any())
attempt(lambda: isinstance(3, Any))
attempt(lambda: Union[()])
print(isinstance([], List), isinstance({}, Mapping), issubclass(dict, Mapping))
attempt(lambda: List[int]([1]))
attempt(lambda: Dict())

# --- typing_annotated_keeps_metadata
from typing import Annotated, get_args, get_origin
T = Annotated[int, "meta", 5]
print(T, T.__metadata__, get_args(T), get_origin(T) is Annotated, T.__origin__)

# --- typing_classes_of_the_program_print_with_their_module
from typing import List, Optional, Dict
class Block: pass
print(List[Block], Optional[Block], Dict[str, Block], Block)
def outer():
    class In: pass
    return List[In]
print(outer())
print(List["Block"], Optional["Fwd"])

# --- typing_aliases_take_parameters
from typing import TypeVar, Dict, List, Union, Tuple
T = TypeVar("T")
Nested = Dict[str, List[T]]
print(Nested[int], Nested.__parameters__, Union[T, Tuple[T, ...]][int], _ntuple := Union[T, Tuple[T, T]])
size_2_t = Union[T, Tuple[T, T]]
print(size_2_t[int], TypeVar("A", int, str).__constraints__, TypeVar("B", bound=int).__bound__, TypeVar("C", covariant=True))

# --- typing_aliases_are_made
import re
import types
class Shelf:
    __class_getitem__ = classmethod(types.GenericAlias)
print(types.GenericAlias(list, int), types.GenericAlias(dict, (str, int)).__args__, Shelf[int].__origin__ is Shelf, Shelf[int].__args__)
print(re.Pattern[str].__args__, isinstance(list[int], types.GenericAlias))
print([isinstance(x, (bytes, memoryview)) for x in (b"a", bytearray(), "a")], isinstance(memoryview, type))

# --- typing_origin_of_a_union
import types
from typing import Optional, Union, get_args, get_origin
for t in (int | str, int | None, Union[int, str], Optional[int]):
    print(t, get_origin(t) in (Union, types.UnionType), get_args(t))
print(get_origin(int | str) is types.UnionType, {types.UnionType: 1}.get(get_origin(float | int)), get_origin(list[int]))

# --- typing_builtins_with_arguments_are_no_unions
import typing
from typing import List, Optional, Union
print(Optional[list[int]], Union[int, dict[str, int | None]], List[tuple[int, ...]], int | None | None, int | str | int)
print(None | list[int], dict[str, int | None] | None, list[int] | None, list[int] | list[int], hash(list[int]) == hash(list[int]))
print(type(int | str) is type(list[int]), type(int | str).__name__, hasattr(int | str, "__origin__"), len({int | str, str | int}))
print(isinstance(1, int | None), isinstance("", int | None), Optional[typing.Pattern], typing.Match[str])

# --- typing_files_are_named_in_annotations
import typing
from typing import IO, BinaryIO, Optional, TextIO
def f(a: IO[str], b: Optional[BinaryIO] = None) -> TextIO: pass
print(f.__annotations__, IO, TextIO.__mro__, "IO" in dir(typing), isinstance(3, IO))

# --- typing_hints_of_a_function_are_evaluated
from __future__ import annotations
import functools
from typing import Annotated, Any, Callable, Dict, List, Literal, NoReturn, Optional, Union, get_type_hints
class Size: pass
def f(a: int, b: list[Size], c: Optional[Size] = None, *rest: Dict[str, List[Size]], d: Size | None, e: Literal["x"], **more: Any) -> None: pass
for name, hint in get_type_hints(f).items():
    print(name, hint)
def g(a: "int", b: list["Size"], c: List["Size"], d: Callable[["Size"], "int"], e: Annotated["Size", 3], f: NoReturn): pass
print(get_type_hints(g))
print(get_type_hints(g, include_extras=True)["e"], f.__annotations__["a"], g.__annotations__["a"])
@functools.wraps(f)
def wrapped(*args): pass
print(get_type_hints(wrapped) == get_type_hints(f), get_type_hints(len), get_type_hints(f, {"Size": 3, **globals()})["b"])
class A:
    k: int
    def m(self, x: Size) -> A: pass
print(get_type_hints(A), get_type_hints(A.m)["return"] is A, get_type_hints(A().m)["x"] is Size)
def attempt(text, **names):
    def h(x): pass
    h.__annotations__ = {"x": text}
    try:
        print(get_type_hints(h, **names))
    except Exception as e:
        print(type(e).__name__, e)
attempt("Missing")
attempt("Missing", globalns={"Missing": int})
attempt("Here", localns={"Here": List["Size"]})
attempt("x y")
attempt("(1, 2)")
attempt("Optional")
attempt("Union[int, 'Size']")
attempt(None)
attempt(3)
try:
    get_type_hints(3)
except TypeError as e:
    print(e)

# --- typing_hints_of_a_class_are_evaluated
from __future__ import annotations
from typing import ClassVar, Final, ForwardRef, get_type_hints, no_type_check
class Base:
    a: int
    b: ClassVar[str] = "b"
    c: list[float]
class Derived(Base):
    a: float
    d: Final[dict[str, int]] = {}
names = {"ClassVar": ClassVar, "Final": Final}
print(get_type_hints(Derived, names))
print(list(get_type_hints(Derived, names)), get_type_hints(Base, names)["b"])
@no_type_check
def f(x: Missing): pass
print(get_type_hints(f), ForwardRef("A") == ForwardRef("A"), ForwardRef("A", module="m"))

# --- typing_annotations_are_evaluated_by_inspect
from __future__ import annotations
import inspect
def f(a: int, b: list[int] = [], *, c: "float") -> str: pass
print(inspect.get_annotations(f), inspect.get_annotations(f, eval_str=True))
print(inspect.signature(f), inspect.signature(f, eval_str=True))
class A:
    k: int = 3
    def m(self, x: A) -> A: pass
print(inspect.get_annotations(A, eval_str=True), inspect.signature(A().m, eval_str=True).parameters["x"].annotation is A)

# --- typing_functions_are_dispatched_by_their_annotations
from __future__ import annotations
from functools import singledispatch, singledispatchmethod
class Box: pass
@singledispatch
def g(v, x=1):
    return ("any", v)
@g.register
def _(v: int, x=1):
    return ("int", v + x)
@g.register
def _(v: list | tuple, x=1):
    return ("items", len(v))
@g.register
def _(v: Box, x: float = 1) -> int:
    return "box"
@g.register(str)
@g.register(bytes)
def _(v, x=1):
    return "text"
print(g(3), g(True, 4), g([1, 2]), g((1,)), g("a"), g(b"a"), g(2.5), sorted(c.__name__ for c in g.registry))
class H:
    @singledispatchmethod
    def m(self, a):
        return "other"
    @m.register
    def _(self, a: int):
        return "int"
    @m.register
    def _(self, a: Box):
        return "Box"
print(H().m(1), H().m(Box()), H().m(""))
def attempt(f):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
def lacking(v: Missing): pass
def generic(v: list[int]): pass
def mixed(v: int | list[int]): pass
attempt(lambda: g.register(lacking))
attempt(lambda: g.register(generic))
attempt(lambda: g.register(mixed))
attempt(lambda: g.register(3, lacking))
