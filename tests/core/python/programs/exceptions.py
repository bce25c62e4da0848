# SPDX-License-Identifier: GPL-3.0-or-later
# Exceptions.

# --- try_except_else_finally_order
def f(x):
    try:
        print("try")
        r = 10 / x
    except ZeroDivisionError as e:
        print("except", e)
        return "zero"
    except (TypeError, ValueError) as e:
        print("type", e)
        return "type"
    else:
        print("else")
        return r
    finally:
        print("finally")
print(f(2), f(0), f("a"))

# --- exception_hierarchy_is_respected
for e in (KeyError("k"), IndexError("i"), LookupError("l"), OverflowError("o"), NotImplementedError("n"), UnicodeError("u"), ModuleNotFoundError("m"), FileNotFoundError("f")):
    for kind in (ArithmeticError, LookupError, RuntimeError, ValueError, ImportError, OSError, Exception):
        try:
            raise e
        except kind as x:
            print(type(x).__name__, "as", kind.__name__)
            break
        except Exception:
            pass
print(issubclass(KeyboardInterrupt, Exception), issubclass(StopIteration, Exception), issubclass(UnboundLocalError, NameError), issubclass(RecursionError, RuntimeError), IOError is OSError)

# --- raise_from_sets_cause_and_context
try:
    try:
        {}["k"]
    except KeyError as e:
        raise ValueError("bad") from e
except ValueError as e:
    print(repr(e.__cause__), repr(e.__context__), e.__suppress_context__)
try:
    try:
        1 / 0
    except ZeroDivisionError:
        raise TypeError("while handling")
except TypeError as e:
    print(e.__cause__, repr(e.__context__), e.__suppress_context__)
try:
    raise ValueError("x") from None
except ValueError as e:
    print(e.__cause__, e.__suppress_context__)

# --- bare_raise_reraises
def f():
    try:
        int("x")
    except ValueError:
        print("log")
        raise
try:
    f()
except ValueError as e:
    print(e)
try:
    raise
except RuntimeError as e:
    print(e)

# --- exceptions_print_their_arguments
for e in (ValueError(), ValueError("m"), ValueError("a", 1), KeyError("k"), KeyError(("t", 1)), Exception(None), OSError(2, "msg"), AssertionError([1]), KeyError(), StopIteration(3)):
    print(str(e), "|", repr(e), "|", e.args)

# --- raising_classes_and_instances
for x in (ValueError, ValueError("i"), KeyError):
    try:
        raise x
    except Exception as e:
        print(repr(e))
def attempt(x):
    try:
        raise x
    except TypeError as e:
        print(e)
attempt(5)
attempt("text")
attempt(int)
try:
    raise ValueError from 3
except TypeError as e:
    print(e)

# --- custom_exceptions_with_attributes
class Base(Exception):
    """Doc."""
class NotFound(Base, KeyError):
    def __init__(self, name, *, hint=None):
        self.name, self.hint = name, hint
        super().__init__(f"{name} not found")
try:
    raise NotFound("conv9", hint="conv1")
except Base as e:
    print(e.name, e.hint, e.args, isinstance(e, KeyError), str(e))
class Quiet(Exception): pass
print(repr(Quiet()), repr(Quiet("a")), Base.__doc__)

# --- nested_try_blocks
def f(n):
    try:
        try:
            if n == 0: raise KeyError("inner")
            if n == 1: raise ValueError("outer")
            return "none"
        except KeyError as e:
            return f"caught {e}"
        finally:
            print("inner finally", n)
    except ValueError as e:
        return f"outer {e}"
    finally:
        print("outer finally", n)
print(f(0), f(1), f(2))

# --- finally_overrides_and_swallows
def f():
    for i in range(3):
        try:
            raise ValueError(i)
        finally:
            if i == 1: return f"swallowed {i}"
            continue
def g():
    while True:
        try:
            1 / 0
        finally:
            break
    return "g done"
print(f(), g())

# --- except_with_tuple_and_computed_types
kinds = (KeyError, IndexError)
def get(c, k):
    try:
        return c[k]
    except kinds as e:
        return type(e).__name__
    except (*kinds, TypeError):
        return "type"
print(get({}, 1), get([], 0), get(5, 0), get([7], 0))

# --- exception_catching_catches_subclasses_first_match
class A(Exception): pass
class B(A): pass
for x in (A, B):
    try:
        raise x("m")
    except B: print("B")
    except A: print("A")
try:
    raise B
except Exception as e:
    print(type(e).__mro__[1].__name__)

# --- exceptions_leave_state_consistent
log = []
def risky(xs):
    for x in xs:
        if x < 0: raise ValueError(x)
        log.append(x)
try:
    risky([1, 2, -3, 4])
except ValueError as e:
    log.append(str(e))
print(log)

# --- traceback_and_notes_attributes
try:
    raise ValueError("v")
except ValueError as e:
    e.add_note("a note")
    print(e.__notes__, e.__traceback__ is not None, e.with_traceback(None) is e)
    e.__notes__ = 3
    try:
        e.add_note("another")
    except TypeError as e:
        print(e)

# --- exception_groups_of_builtin_errors
def attempt(f):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, "|", e)
attempt(lambda: [][0])
attempt(lambda: ()[5])
attempt(lambda: ""[1])
attempt(lambda: {}["a"])
attempt(lambda: {}[1, 2])
attempt(lambda: 1 // 0)
attempt(lambda: 1 % 0)
attempt(lambda: 1.0 / 0)
attempt(lambda: 1.0 % 0)
attempt(lambda: 0 ** -1)
attempt(lambda: int("12x"))
attempt(lambda: int("z", 16))
attempt(lambda: float("abc"))
attempt(lambda: int(None))
attempt(lambda: int([]))
attempt(lambda: [].remove(1))
attempt(lambda: [].index(1))
attempt(lambda: [].pop())
attempt(lambda: set().pop())
attempt(lambda: {}.popitem())
attempt(lambda: {1}.remove(2))
attempt(lambda: "a".index("b"))
attempt(lambda: chr(-1))
attempt(lambda: ord("ab"))
attempt(lambda: undefined_name)
attempt(lambda: "a" + 1)
attempt(lambda: 1 + "a")
attempt(lambda: [] + ())
attempt(lambda: "a" * "b")
attempt(lambda: 1 < "a")
attempt(lambda: None + 1)
attempt(lambda: {[]: 1})
attempt(lambda: {{}})
attempt(lambda: 5())
attempt(lambda: None[0])
attempt(lambda: max([]))
attempt(lambda: sum(["a"]))
attempt(lambda: "abc".join([1]))
attempt(lambda: range(1, 2, 0))
attempt(lambda: list(5))
attempt(lambda: dict([1]))
attempt(lambda: dict([(1, 2, 3)]))
attempt(lambda: [1, 2, 3][::0])
attempt(lambda: [1]["a"])
attempt(lambda: "abc"["a"])
attempt(lambda: (1,)[None])
attempt(lambda: float("1,5"))
attempt(lambda: round("x"))
attempt(lambda: abs("x"))
attempt(lambda: len(5))
attempt(lambda: sorted([1, "a"]))
attempt(lambda: isinstance(1, 2))
attempt(lambda: issubclass(1, int))
attempt(lambda: divmod(1, 0))
attempt(lambda: pow(2, -1, 4))
attempt(lambda: (1).bit_length(2))
attempt(lambda: bytes([300]))
attempt(lambda: "é".encode("ascii"))
attempt(lambda: b"\xff".decode())

# --- unpacking_errors
def attempt(f):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
def a(): x, y = 1, 2, 3
def b(): x, y, z = [1, 2]
def c(): x, *y, z = [1]
def d(): x, y = 5
def e(): (x, y), z = 1, 2
def f():
    for x, y in [(1,)]: pass
def g(): x, y = "abc"
def h(): [x] = []
def i(): x, y = {1: 2, 3: 4, 5: 6}
def j(): x, y = iter([1, 2, 3])
for fn in (a, b, c, d, e, f, g, h, i, j):
    attempt(fn)

# --- recursion_error_can_be_caught
def f(n): return f(n + 1)
try:
    f(0)
except RecursionError as e:
    print(type(e).__name__, str(e).startswith("maximum recursion depth exceeded"))
def depth(n): return n if n == 0 else 1 + depth(n - 1)
print(depth(500))

# --- system_exit_and_base_exceptions
try:
    raise SystemExit(3)
except BaseException as e:
    print(type(e).__name__, e.code)
try:
    try:
        raise KeyboardInterrupt
    except Exception:
        print("never")
except BaseException as e:
    print(type(e).__name__)

# --- os_errors_of_connections_and_folders
for number in (1, 2, 3, 4, 5, 10, 11, 13, 17, 20, 21, 32, 103, 104, 108, 110, 111, 114, 115):
    print(number, type(OSError(number, "x")).__name__)
for error in (BrokenPipeError(32, "pipe"), ConnectionResetError("gone"), BlockingIOError(), IsADirectoryError(21, "is", "folder")):
    print(repr(error), str(error), isinstance(error, ConnectionError), isinstance(error, OSError))
print(issubclass(TabError, IndentationError), issubclass(UnicodeTranslateError, ValueError), issubclass(EncodingWarning, Warning))

# --- exception_groups
group = ExceptionGroup("several", [ValueError(1), TypeError("t"), ExceptionGroup("inner", [ValueError(2), KeyError("k")])])
print(group, repr(group), group.message, group.exceptions)
print(repr(group.subgroup(ValueError)), group.subgroup(OSError), repr(group.subgroup(lambda e: isinstance(e, KeyError))))
print(repr(group.split((TypeError, KeyError))))
print(type(BaseExceptionGroup("b", [ValueError()])).__name__, type(BaseExceptionGroup("b", [KeyboardInterrupt()])).__name__)
for make in (lambda: ExceptionGroup("e", []), lambda: ExceptionGroup("e", [1]), lambda: ExceptionGroup("e", [KeyboardInterrupt()]),
             lambda: ExceptionGroup("e", 5), lambda: ExceptionGroup(5, [ValueError()]), lambda: ExceptionGroup("e")):
    try:
        print(make())
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
class Own(ExceptionGroup):
    def derive(self, exceptions):
        return Own(self.message, exceptions)
print(repr(Own("o", [ValueError(), TypeError()]).subgroup(TypeError)))
try:
    raise group
except BaseExceptionGroup as caught:
    print(caught is group, len(caught.exceptions), isinstance(caught, Exception))

# --- builtins_as_a_module
import builtins
print(builtins.len([1, 2]), builtins.ValueError is ValueError, hasattr(builtins, "nothing"), isinstance(3, builtins.int))

# --- exceptions_in_groups_are_caught_by_type, since 3.11.7
def show(e):
    if isinstance(e, BaseExceptionGroup):
        return f"{type(e).__name__}({e.message!r}, [{', '.join(map(show, e.exceptions))}])"
    return repr(e)
def attempt(error, body=lambda e: None):
    log = []
    try:
        try:
            if error is not None:
                raise error
        except* (ValueError, KeyError) as e:
            log.append("value " + show(e))
            body(e)
        except* TypeError as e:
            log.append("type " + show(e))
            body(e)
        else:
            log.append("else")
        finally:
            log.append("finally")
    except BaseException as e:
        log.append("left " + show(e))
    print(*log, sep=" | ")
attempt(None)
attempt(ValueError(1))
attempt(OSError(1))
attempt(ExceptionGroup("g", [ValueError(1), TypeError(2), OSError(3)]))
attempt(ExceptionGroup("g", [ExceptionGroup("h", [KeyError(1), OSError(2)]), TypeError(3), ValueError(4)]))
attempt(ExceptionGroup("g", [OSError(3), ExceptionGroup("h", [EOFError()])]))
attempt(BaseExceptionGroup("g", [ValueError(1), KeyboardInterrupt()]))
def again(e):
    raise e
attempt(ExceptionGroup("g", [ValueError(1), TypeError(2), OSError(3)]), again)
attempt(ExceptionGroup("g", [ValueError(1)]), lambda e: 1 / 0)
attempt(ExceptionGroup("g", [ValueError(1), OSError(2)]), lambda e: 1 / 0)
attempt(ValueError(1), lambda e: 1 / 0)
attempt(ValueError(1), again)

# --- exceptions_in_groups_are_raised_again
def show(e):
    if isinstance(e, BaseExceptionGroup):
        return f"{type(e).__name__}({e.message!r}, [{', '.join(map(show, e.exceptions))}])"
    return repr(e)
def run(error):
    try:
        try:
            raise error
        except* ValueError:
            raise
        except* TypeError as e:
            pass
    except BaseException as e:
        print(show(e), e is error, show(e.__context__) if e.__context__ else None)
run(ExceptionGroup("g", [ValueError(1), ExceptionGroup("h", [TypeError(2), ValueError(3)]), OSError(4)]))
run(ValueError(1))
run(OSError(1))
run(ExceptionGroup("g", [TypeError(1), OSError(4)]))
class Own(ExceptionGroup):
    def derive(self, exceptions):
        return Own(self.message, exceptions)
class Plain(ExceptionGroup): pass
run(Own("g", [TypeError(1), OSError(4)]))
run(Plain("g", [TypeError(1), OSError(4)]))
def wrong(types):
    try:
        try:
            raise ValueError(1)
        except* types:
            pass
    except BaseException as e:
        print(show(e))
wrong(ExceptionGroup)
wrong(3)
wrong((ValueError, int))
def names():
    try:
        raise ValueError(1)
    except* ValueError as e:
        kept = e
    try:
        e
    except NameError as error:
        print(type(error).__name__, show(kept), kept.__context__)
names()
def nested():
    try:
        try:
            raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
        except* ValueError as e:
            try:
                raise KeyError(3)
            except* KeyError:
                pass
    except* TypeError as e:
        print("outer", show(e))
nested()
for i in range(2):
    try:
        if i:
            raise ValueError(i)
    except* ValueError as e:
        print(i, show(e))
