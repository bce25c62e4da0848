# SPDX-License-Identifier: GPL-3.0-or-later
# torch.library: operators of a program's own. LibTorch knows them (core/fxpython/own_operators.cpp) as long as the program runs.
import inspect
import typing

import torch

_RESERVED = ('prim',)
_KEYS = {'cpu': 'CPU', 'cuda': 'CUDA', 'xpu': 'XPU', 'mps': 'MPS', 'meta': 'Meta'}
_TYPES = {torch.Tensor: 'Tensor', int: 'SymInt', float: 'float', bool: 'bool', str: 'str', torch.types.Number: 'Scalar',
          torch.dtype: 'ScalarType', torch.device: 'Device'}
# What has no Library of its own to be held by, by namespace.
_held = {}


def _operators():
    # Where programs are run; importing this module needs none.
    from torch.fx import _graphs
    return _graphs


class Library:
    def __init__(self, ns, kind, dispatch_key=''):
        if kind not in ('IMPL', 'DEF', 'FRAGMENT'):
            raise ValueError(f'Unsupported kind: {kind}')
        if ns in _RESERVED and kind != 'IMPL':
            raise ValueError(f'{ns} is a reserved namespace. Please try creating a library with another name.')
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key
        self._registrations, self._implemented = [], set()

    def __repr__(self):
        return f'Library(kind={self.kind}, ns={self.ns}, dispatch_key={self.dispatch_key})>'

    def define(self, schema, alias_analysis='', *, tags=()):
        if alias_analysis not in ('', 'FROM_SCHEMA', 'CONSERVATIVE'):
            raise RuntimeError(f'Invalid alias_analysis type {alias_analysis}')
        self._registrations.append(_operators().define_operator(self.ns, schema))
        return schema.split('(')[0]

    def impl(self, op_name, fn, dispatch_key='', *, with_keyset=False, allow_override=False):
        if not callable(fn):
            raise TypeError(f'Input function is required to be a callable but found type {type(fn)}')
        if with_keyset:
            raise NotImplementedError('not supported: torch.library.Library.impl(with_keyset=True); keys are LibTorch\'s here; use it in Python')
        if isinstance(op_name, torch._ops.OpOverload):
            op_name = op_name.name().split('::')[-1]
        elif not isinstance(op_name, str):
            raise RuntimeError('impl should be passed either a name or an OpOverload object as the first argument, '
                               f'got {type(op_name)}')
        key = dispatch_key or self.dispatch_key
        name, _, overload = op_name.split('::')[-1].partition('.')
        known = f'{self.ns}/{op_name.split("::")[-1]}/{key}'
        if known in self._implemented and not allow_override:
            raise RuntimeError('This is not allowed since there\'s already a kernel registered from python overriding '
                               f'{name}\'s behavior for {key} dispatch key and {self.ns} namespace.')
        self._implemented.add(known)
        self._registrations.append(_operators().implement_operator(f'{self.ns}::{name}', overload, key, fn))

    def _register_fake(self, op_name, fn, _stacklevel=1, *, allow_override=True):
        self.impl(op_name, fn, 'Meta', allow_override=allow_override)

    def _destroy(self):
        self._registrations.clear()


def _library_of(name, lib=None):
    space, _, rest = name.partition('::')
    if not rest:
        raise ValueError(f'Expected `qualname` to be of the form "namespace::name", but got {name}. The qualname passed to the '
                         'torch.library APIs must consist of a namespace and a name, e.g. aten::sin')
    if lib is None and space not in _held:
        _held[space] = Library(space, 'FRAGMENT')
    return lib or _held[space], rest


def define(qualname, schema, *rest, lib=None, tags=()):
    if isinstance(qualname, Library):
        # define(library, schema) decorates what does the work.
        name = qualname.define(schema, *rest)

        def wrap(f):
            qualname.impl(name, f)
            return f
        return wrap
    if not isinstance(qualname, str):
        raise ValueError(f'define(qualname, schema): expected qualname to be instance of str, got {type(qualname)}')
    library, name = _library_of(qualname, lib)
    library.define(name + schema)


def _keys_of(types):
    if types in (None, 'default'):
        return ['CompositeExplicitAutograd']
    return [_KEYS.get(each, each) for each in ((types,) if isinstance(types, str) else types)]


def impl(qualname, types, func=None, *, lib=None):
    if isinstance(qualname, Library):
        def wrap_impl(f):
            qualname.impl(types, f, func or '')
            return f
        return wrap_impl
    library, name = _library_of(qualname, lib)

    def register(f):
        for key in _keys_of(types):
            library.impl(name, f, key)
        return f if func is None else None
    return register if func is None else register(func)


def _name_of(op):
    if isinstance(op, CustomOpDef):
        return op._qualname
    if isinstance(op, torch._ops.OpOverload):
        return op.name()
    if not isinstance(op, str):
        raise ValueError(f'{op}: got unexpected type for op: {type(op)}')
    return op


def register_fake(op, func=None, /, *, lib=None, _stacklevel=1, allow_override=False):
    library, name = _library_of(_name_of(op), lib)

    def register(f):
        library._register_fake(name, f)
        return f
    return register if func is None else register(func)


impl_abstract = register_fake


def register_kernel(op, device_types, func=None, /, *, lib=None):
    library, name = _library_of(_name_of(op), lib)

    def register(f):
        for key in _keys_of(device_types):
            library.impl(name, f, key, allow_override=True)
        return f
    return register if func is None else register(func)


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    name = _name_of(op)
    library, bare = _library_of(name, lib)
    space, _, packet = name.partition('::')
    packet, _, overload = packet.partition('.')
    called = getattr(getattr(getattr(torch.ops, space), packet), overload or 'default')

    class Formula(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *args):
            output = _operators().call_below_autograd(called, args)
            if setup_context is not None:
                setup_context(ctx=ctx, inputs=args, output=output)
            return output

    Formula.backward = staticmethod(backward)

    def with_formula(*args):
        needs = torch.is_grad_enabled() and any(isinstance(each, torch.Tensor) and each.requires_grad for each in args)
        return Formula.apply(*args) if needs else _operators().call_below_autograd(called, args)
    library.impl(bare, with_formula, 'Autograd', allow_override=True)


def _type_text(annotation):
    if annotation in _TYPES:
        return _TYPES[annotation]
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Union or type(annotation).__name__ == 'UnionType':
        kept = [each for each in inner if each is not type(None)]
        if set(kept) == {int, float, bool}:
            text = 'Scalar'
        else:
            text = _type_text(kept[0]) if len(kept) == 1 else None
        return text and text + '?' * (len(kept) < len(inner))
    if inner and (origin is list or getattr(origin, '__name__', '') == 'Sequence'):
        text = _type_text(inner[0])
        return text and text + '[]'
    return None


def _result_text(annotation):
    if annotation is None or annotation is type(None):
        return '()'
    if typing.get_origin(annotation) is tuple:
        return '(' + ', '.join(map(_result_text, typing.get_args(annotation))) + ')'
    return _type_text(annotation)


def infer_schema(prototype_function, /, *, mutates_args, op_name=None):
    signature = inspect.signature(prototype_function)
    place = 'infer_schema(func): '
    hints = typing.get_type_hints(prototype_function)
    parts, seen_star = [], False
    for number, (name, parameter) in enumerate(signature.parameters.items()):
        if parameter.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
            raise ValueError(f'{place}We do not support positional-only args, varargs, or varkwargs. Got func with signature {signature})')
        if parameter.kind == inspect.Parameter.KEYWORD_ONLY and not seen_star:
            seen_star = True
            parts.append('*')
        if name not in hints:
            raise ValueError(f'{place}Parameter {name} must have a type annotation. Got func with signature {signature})')
        text = _type_text(hints[name])
        if text is None:
            raise ValueError(f'{place}Parameter {name} has unsupported type {hints[name]}. Got func with signature {signature})')
        if text.startswith('Tensor') and (mutates_args == 'unknown' or name in mutates_args):
            text = f'Tensor(a{number}!)' + text[len('Tensor'):]
        if parameter.default is inspect.Parameter.empty:
            parts.append(f'{text} {name}')
        elif isinstance(parameter.default, str):
            parts.append(f'{text} {name}="{parameter.default}"')
        elif isinstance(parameter.default, torch.dtype):
            parts.append(f'{text} {name}={str(parameter.default).removeprefix("torch.")}')
        else:
            parts.append(f'{text} {name}={parameter.default}')
    if mutates_args != 'unknown':
        unknown = set(mutates_args) - set(signature.parameters)
        if unknown:
            raise ValueError(f'{place}{unknown} in mutates_args were not found in the function\'s arguments. '
                             f'Got func with signature {signature})')
    result = _result_text(hints.get('return', None))
    if result is None:
        raise ValueError(f'{place}Return has unsupported type {hints["return"]}. Got func with signature {signature})')
    return f"{op_name or ''}({', '.join(parts)}) -> {result}"


class CustomOpDef:
    def __init__(self, namespace, name, schema, fn):
        self._namespace, self._name, self._schema, self._init_fn = namespace, name, schema, fn
        self._lib, _ = _library_of(self._qualname)
        self._lib.define(name + schema)

    @property
    def _qualname(self):
        return f'{self._namespace}::{self._name}'

    @property
    def _opoverload(self):
        return getattr(getattr(torch.ops, self._namespace), self._name).default

    def __repr__(self):
        return f'<CustomOpDef({self._qualname})>'

    def __call__(self, *args, **kwargs):
        return self._opoverload(*args, **kwargs)

    def register_kernel(self, device_types, fn=None, /):
        return register_kernel(self, device_types) if fn is None else register_kernel(self, device_types, fn)

    def register_fake(self, fn, /):
        return register_fake(self, fn)

    def register_autograd(self, backward, /, *, setup_context=None):
        register_autograd(self, backward, setup_context=setup_context)


def custom_op(name, fn=None, /, *, mutates_args, device_types=None, schema=None, tags=None):
    def inner(fn):
        text = infer_schema(fn, mutates_args=mutates_args) if schema is None else schema
        space, _, rest = name.partition('::')
        made = CustomOpDef(space, rest, text, fn)
        made.register_kernel(device_types, fn)
        return made
    return inner if fn is None else inner(fn)


def get_kernel(*args, **kwargs):
    raise NotImplementedError('not supported: torch.library.get_kernel; kernels are LibTorch\'s own here; use it in Python')
