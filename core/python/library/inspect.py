# SPDX-License-Identifier: GPL-3.0-or-later
# Python's inspect: what kind a value is of, the parameters of functions, and the source of what is the program's own.

import sys

from _native import _source_of
from _refusal import refuse
from types import BuiltinFunctionType, FunctionType, GeneratorType, MethodType, ModuleType

__getattr__ = refuse("inspect", "a traced program sees no frames")


def isclass(object):
    return isinstance(object, type)


def isfunction(object):
    return isinstance(object, FunctionType)


def ismethod(object):
    return isinstance(object, MethodType)


def ismodule(object):
    return isinstance(object, ModuleType)


def isbuiltin(object):
    return isinstance(object, BuiltinFunctionType)


def isroutine(object):
    return isinstance(object, (FunctionType, MethodType, BuiltinFunctionType))


def isgenerator(object):
    return isinstance(object, GeneratorType)


def isgeneratorfunction(object):
    return isfunction(object) and bool(object.__code__.co_flags & 0x20)


def iscoroutinefunction(object):
    return False


def isabstract(object):
    return isinstance(object, type) and bool(getattr(object, "__abstractmethods__", ()))


def isdatadescriptor(object):
    return not isclass(object) and (hasattr(type(object), "__set__") or hasattr(type(object), "__delete__"))


def getmro(cls):
    return cls.__mro__


def getmembers(object, predicate=None):
    found = []
    for name in dir(object):
        value = getattr(object, name, None)
        if predicate is None or predicate(value):
            found.append((name, value))
    return sorted(found, key=lambda pair: pair[0])


def getfile(object):
    module = object if ismodule(object) else sys.modules.get(getattr(object, "__module__", None))
    if getattr(module, "__file__", None) is None:
        raise TypeError(f"{object!r} is a built-in {'module' if ismodule(object) else 'class'}")
    return module.__file__


def getsourcefile(object):
    return getfile(object)


def getsourcelines(object):
    object = unwrap(object)
    if ismethod(object):
        object = object.__func__
    found = _source_of(object)
    if found is None:
        if isfunction(object) or ismodule(object) or isclass(object) and object.__module__ != "builtins":
            raise OSError("could not get source code")
        name = "built-in class" if isclass(object) else type(object).__name__
        raise TypeError(f"{object!r} is a {name}" if isclass(object) else "module, class, method, function, traceback, frame, or "
                        f"code object was expected, got {name}")
    text, number = found
    return text.splitlines(keepends=True), number


def getsource(object):
    return "".join(getsourcelines(object)[0])


def getmodule(object, _filename=None):
    return object if ismodule(object) else sys.modules.get(getattr(object, "__module__", None))


def get_annotations(obj, *, globals=None, locals=None, eval_str=False):
    found = obj.__dict__.get("__annotations__", {}) if isclass(obj) else getattr(obj, "__annotations__", None)
    if not (isclass(obj) or ismodule(obj) or callable(obj)):
        raise TypeError(f"{obj!r} is not a module, class, or callable.")
    if not eval_str:
        return dict(found or {})
    holder = obj
    while not isclass(holder) and not ismodule(holder) and (hasattr(holder, "__wrapped__") or hasattr(holder, "func")):
        holder = holder.__wrapped__ if hasattr(holder, "__wrapped__") else holder.func
    if globals is None:
        globals = vars(obj) if ismodule(obj) else getattr(holder, "__globals__", {})
        if isclass(obj):
            globals = getattr(sys.modules.get(obj.__module__), "__dict__", {})
    if locals is None:
        locals = dict(vars(obj)) if isclass(obj) else globals
    return {name: eval(hint, globals, locals) if isinstance(hint, str) else hint
            for name, hint in (found or {}).items()}


def getdoc(object):
    doc = getattr(object, "__doc__", None)
    return None if doc is None else cleandoc(doc)


def cleandoc(doc):
    lines = doc.expandtabs().split("\n")
    margins = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    lines = [lines[0].lstrip()] + [line[min(margins, default=0):] for line in lines[1:]]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return "\n".join(lines)


def unwrap(func, *, stop=None):
    while hasattr(func, "__wrapped__") and not (stop and stop(func)):
        func = func.__wrapped__
    return func


class _empty:
    pass


class _ParameterKind(int):
    _texts = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY", "VAR_KEYWORD")

    name = property(lambda self: self._texts[int(self)])

    def __repr__(self):
        return f"<_ParameterKind.{self.name}: {int(self)}>"

    def __str__(self):
        return self.name


def _annotation_text(kind):
    if isinstance(kind, tuple):
        return repr(kind)
    if isinstance(kind, type) and kind.__module__ == "typing":
        return kind.__qualname__
    if isinstance(kind, type):
        return kind.__qualname__ if kind.__module__ in ("builtins",) else f"{kind.__module__}.{kind.__qualname__}"
    return repr(kind).replace("typing.", "")


class Parameter:
    empty = _empty
    POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, VAR_POSITIONAL, KEYWORD_ONLY, VAR_KEYWORD = map(_ParameterKind, range(5))

    def __init__(self, name, kind, *, default=_empty, annotation=_empty):
        self.name, self.kind, self.default, self.annotation = name, kind, default, annotation

    def __str__(self):
        text = {2: "*", 4: "**"}.get(int(self.kind), "") + self.name
        if self.annotation is not _empty:
            text += f": {_annotation_text(self.annotation)}"
        if self.default is not _empty:
            text += (" = " if self.annotation is not _empty else "=") + repr(self.default)
        return text

    def __repr__(self):
        return f'<Parameter "{self}">'

    def replace(self, **changes):
        kept = {"name": self.name, "kind": self.kind, "default": self.default, "annotation": self.annotation, **changes}
        return Parameter(kept.pop("name"), kept.pop("kind"), **kept)


class BoundArguments:
    def __init__(self, signature, arguments):
        self.signature, self.arguments = signature, arguments

    def apply_defaults(self):
        filled = {}
        for name, parameter in self.signature.parameters.items():
            if name in self.arguments:
                filled[name] = self.arguments[name]
            elif parameter.default is not _empty:
                filled[name] = parameter.default
            elif parameter.kind in (2, 4):
                filled[name] = () if parameter.kind == 2 else {}
        self.arguments = filled

    @property
    def args(self):
        parameters = self.signature.parameters
        given = []
        for name, value in self.arguments.items():
            if parameters[name].kind == 2:
                given += value
            elif parameters[name].kind < 2:
                given.append(value)
        return tuple(given)

    @property
    def kwargs(self):
        given = {}
        for name, value in self.arguments.items():
            kind = self.signature.parameters[name].kind
            if kind == 4:
                given.update(value)
            elif kind == 3:
                given[name] = value
        return given

    def __repr__(self):
        return f"<BoundArguments ({', '.join(f'{name}={value!r}' for name, value in self.arguments.items())})>"


class Signature:
    empty = _empty

    def __init__(self, parameters=None, *, return_annotation=_empty):
        self.parameters = {parameter.name: parameter for parameter in parameters or ()}
        self.return_annotation = return_annotation

    @classmethod
    def from_callable(cls, obj):
        return signature(obj)

    def replace(self, *, parameters=None, return_annotation=None):
        return Signature(list(self.parameters.values()) if parameters is None else parameters,
                         return_annotation=return_annotation or self.return_annotation)

    def _bind(self, args, kwargs, partial):
        values, rest = {}, list(args)
        for name, parameter in self.parameters.items():
            if parameter.kind == 2:
                if rest:
                    values[name] = tuple(rest)
                rest = []
            elif parameter.kind == 4:
                if kwargs:
                    values[name] = dict(kwargs)
                kwargs = {}
            elif rest and parameter.kind < 2:
                if name in kwargs:
                    raise TypeError(f"multiple values for argument {name!r}")
                values[name] = rest.pop(0)
            elif name in kwargs and parameter.kind != 0:
                values[name] = kwargs.pop(name)
            elif parameter.default is _empty and not partial:
                raise TypeError(f"missing a required argument: {name!r}")
        if rest:
            raise TypeError("too many positional arguments")
        if kwargs:
            raise TypeError(f"got an unexpected keyword argument {next(iter(kwargs))!r}")
        return BoundArguments(self, values)

    def bind(self, /, *args, **kwargs):
        return self._bind(args, kwargs, False)

    def bind_partial(self, /, *args, **kwargs):
        return self._bind(args, kwargs, True)

    def __str__(self):
        parts = []
        last = None
        for parameter in self.parameters.values():
            kind = int(parameter.kind)
            if last == 0 and kind != 0:
                parts.append("/")
            if kind == 3 and last not in (2, 3):
                parts.append("*")
            parts.append(str(parameter))
            last = kind
        if last == 0:
            parts.append("/")
        result = "" if self.return_annotation is _empty else f" -> {_annotation_text(self.return_annotation)}"
        return f"({', '.join(parts)}){result}"

    def __repr__(self):
        return f"<Signature {self}>"

    def __eq__(self, other):
        return isinstance(other, Signature) and str(self) == str(other)

    __hash__ = None


def signature(obj, *, follow_wrapped=True, **evaluation):
    """`evaluation`: globals, locals and eval_str, as get_annotations() takes them."""
    if not callable(obj):
        raise TypeError(f"{obj!r} is not a callable object")
    if isinstance(obj, MethodType):
        whole = signature(obj.__func__, **evaluation)
        return whole.replace(parameters=list(whole.parameters.values())[1:])
    if follow_wrapped:
        obj = unwrap(obj)
    if isinstance(obj, type):
        if obj.__init__ is object.__init__:
            return Signature()
        return Signature(list(signature(obj.__init__, **evaluation).parameters.values())[1:])
    if not isinstance(obj, FunctionType):
        if isinstance(obj, BuiltinFunctionType):
            raise ValueError(f"no signature found for builtin {obj!r}")
        return signature(obj.__call__, **evaluation)
    if hasattr(obj, "_parameters"):
        return _made(obj)
    code = getattr(obj, "__code__", None)
    if code is None:  # Python in PyTorch, and not here
        raise ValueError(f"no signature found for {obj!r}")
    names = list(code.co_varnames)
    positional, keywords = code.co_argcount, code.co_kwonlyargcount
    kinds = [Parameter.POSITIONAL_ONLY if at < code.co_posonlyargcount else Parameter.POSITIONAL_OR_KEYWORD
             for at in range(positional)]
    listed = list(zip(names, kinds))
    at = positional + keywords
    if code.co_flags & 4:
        listed.append((names[at], Parameter.VAR_POSITIONAL))
        at += 1
    listed += [(name, Parameter.KEYWORD_ONLY) for name in names[positional:positional + keywords]]
    if code.co_flags & 8:
        listed.append((names[at], Parameter.VAR_KEYWORD))
    given = obj.__defaults__ or ()
    defaults = dict(zip(names[positional - len(given):positional], given)) | (obj.__kwdefaults__ or {})
    hints = get_annotations(obj, **evaluation)
    parameters = [Parameter(name, kind, default=defaults.get(name, _empty), annotation=hints.get(name, _empty))
                  for name, kind in listed]
    return Signature(parameters, return_annotation=hints.get("return", _empty))


def _made(function):
    """Of the __init__ that a dataclass was given."""
    names, keywords, defaults = function._parameters
    hints = function.__annotations__
    listed = [(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names]
    listed += [(name, Parameter.KEYWORD_ONLY) for name in keywords]
    parameters = [Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)]
    parameters += [Parameter(name, kind, default=defaults.get(name, _empty), annotation=hints[name])
                   for name, kind in listed]
    return Signature(parameters, return_annotation=None)


class FullArgSpec(tuple):
    args = property(lambda self: self[0])
    varargs = property(lambda self: self[1])
    varkw = property(lambda self: self[2])
    defaults = property(lambda self: self[3])
    kwonlyargs = property(lambda self: self[4])
    kwonlydefaults = property(lambda self: self[5])
    annotations = property(lambda self: self[6])


def getfullargspec(func):
    parameters = signature(func).parameters.values()
    if isinstance(func, MethodType):
        parameters = signature(func.__func__).parameters.values()
    of_kind = lambda *kinds: [parameter for parameter in parameters if parameter.kind in kinds]
    args = of_kind(0, 1)
    varargs = of_kind(2)
    varkw = of_kind(4)
    defaults = tuple(parameter.default for parameter in args if parameter.default is not _empty)
    keyword_only = of_kind(3)
    return FullArgSpec(([parameter.name for parameter in args], varargs[0].name if varargs else None,
                        varkw[0].name if varkw else None, defaults or None,
                        [parameter.name for parameter in keyword_only],
                        {parameter.name: parameter.default for parameter in keyword_only
                         if parameter.default is not _empty} or None,
                        dict(getattr(func, "__annotations__", {}))))
