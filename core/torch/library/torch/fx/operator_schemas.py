# SPDX-License-Identifier: GPL-3.0-or-later
# torch.fx.operator_schemas: which parameters an operator or function has, and its arguments put in their order.
import enum
import inspect
import numbers
import types
import typing
import warnings
from typing import NamedTuple

import torch

from . import _graphs

__all__ = ['ArgsKwargsPair', 'check_for_mutable_operation', 'get_signature_for_torch_op', 'create_type_hint', 'type_matches',
           'normalize_function', 'normalize_module']


class ArgsKwargsPair(NamedTuple):
    args: tuple
    kwargs: dict


class _SchemaType:
    def __init__(self, annotation, text, kind):
        self.annotation_str, self._text, self._kind = annotation, text, kind

    def str(self):
        return self._text

    def kind(self):
        return self._kind

    def __repr__(self):
        return self.annotation_str

    def __eq__(self, other):
        return isinstance(other, _SchemaType) and self.annotation_str == other.annotation_str

    def __hash__(self):
        return hash(self.annotation_str)


class _AliasInfo:
    def __init__(self, is_write, before, after):
        self.is_write, self.before_set, self.after_set = is_write, set(before), set(after)


_AliasInfo.__module__ = 'torch._C'


class _SchemaArgument:
    def __init__(self, name, type, real_type, has_default, default, kwarg_only, length, alias):
        self.name, self.default_value, self.kwarg_only, self.N = name, default, kwarg_only, length
        self.type, self.real_type = _SchemaType(*type), _SchemaType(*real_type)
        self.alias_info = None if alias is None else _AliasInfo(*alias)
        self.is_write = alias is not None and alias[0]
        self.is_out = kwarg_only and self.is_write
        self._has_default = has_default

    def has_default_value(self):
        return self._has_default


class _FunctionSchema:
    def __init__(self, name, overload_name, text, is_mutable, arguments, returns):
        self.name, self.overload_name, self.is_mutable, self._text = name, overload_name, is_mutable, text
        self.arguments = [_SchemaArgument(*argument) for argument in arguments]
        self.returns = [_SchemaArgument(*argument) for argument in returns]

    def __str__(self):
        return self._text

    __repr__ = __str__


def _schema_of(overload):
    return _FunctionSchema(*_graphs.schemas_of_operator(overload)[0])


_manual_overrides = {}


def _nonzero_signatures():
    def nonzero(self: torch.Tensor) -> None:
        pass

    def nonzero_as(self: torch.Tensor, *, as_tuple: bool) -> None:
        pass

    return [inspect.signature(nonzero), inspect.signature(nonzero_as)]


_manual_overrides[torch.nonzero] = _nonzero_signatures()

_type_eval_globals = {name: getattr(typing, name) for name in dir(typing)}
_type_eval_globals.update({
    'Tensor': torch.Tensor, 'Device': torch.device, 'Layout': torch.layout, 'number': numbers.Number, 'Future': torch.jit.Future,
    'AnyEnumType': enum.Enum, 'QScheme': torch.qscheme, 'NoneType': type(None), 'Storage': torch.UntypedStorage,
    't': typing.TypeVar('t'), 'PyObject': typing.Any, 'bool': bool, 'int': int, 'float': float, 'complex': complex, 'str': str})


def _split(text):
    """At the commas outside brackets."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += (character == '[') - (character == ']')
        if character == ',' and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [part.strip() for part in parts + [text[start:]]]


def _type_from_text(text):
    name, bracket, inner = text.partition('[')
    if name.startswith('__torch__.torch.'):
        value = torch
        for part in name.split('.')[2:]:
            value = getattr(value, part)
    elif name in _type_eval_globals:
        value = _type_eval_globals[name]
    else:
        raise NameError(f'name {name!r} is not defined')
    if not bracket or name == 'Future':
        return value
    items = tuple(_type_from_text(part) for part in _split(inner[:-1]))
    return value[items if len(items) > 1 else items[0]]


def _torchscript_type_to_python_type(ts_type):
    return _type_from_text(ts_type.annotation_str)


def _torchscript_schema_to_signature_impl(ts_schema):
    Parameter = inspect.Parameter
    parameters = []
    for argument in ts_schema.arguments:
        kind = Parameter.KEYWORD_ONLY if argument.kwarg_only else Parameter.POSITIONAL_OR_KEYWORD
        name = 'input' if argument.name == 'self' else argument.name
        if name == 'from':
            assert kind == Parameter.POSITIONAL_OR_KEYWORD, f'Expected POSITIONAL_OR_KEYWORD, got {kind}'
            # Python has no parameter of this name, so it and those before it go by position alone.
            kind = Parameter.POSITIONAL_ONLY
            parameters = [before.replace(kind=kind) for before in parameters]
        if any(before.name == name for before in parameters):
            raise ValueError(f'duplicate parameter name: {name!r}')
        parameters.append(Parameter(name=name, kind=kind, annotation=_torchscript_type_to_python_type(argument.type),
                                    default=argument.default_value if argument.has_default_value() else Parameter.empty))
    returns = [_torchscript_type_to_python_type(result.type) for result in ts_schema.returns]
    return inspect.Signature(parameters, return_annotation=returns[0] if len(returns) == 1 else tuple(returns) or None)


_SCHEMA_TO_SIGNATURE_CACHE = {}


def _torchscript_schema_to_signature(ts_schema):
    key = ts_schema.name, ts_schema.overload_name
    if key not in _SCHEMA_TO_SIGNATURE_CACHE:
        _SCHEMA_TO_SIGNATURE_CACHE[key] = _torchscript_schema_to_signature_impl(ts_schema)
    return _SCHEMA_TO_SIGNATURE_CACHE[key]


def _is_torch_op(target):
    return _graphs.schemas_of_operator(target) is not None


_c_modules = ('torch', 'torch._C._nn', 'torch._C._fft', 'torch._C._linalg', 'torch._C._nested', 'torch._C._sparse', 'torch._C._special')
_math_names = frozenset(
    'ceil copysign erf erfc exp expm1 fabs floor gamma lgamma log log10 log1p pow sqrt isnan asinh atanh cosh sinh tanh acos asin '
    'atan atan2 cos sin tan acosh fmod modf factorial frexp isinf degrees radians ldexp gcd isfinite remainder'.split())
# TorchScript takes the Python of these, not the operator of the same name.
_python_functions = ('stft', 'istft', 'lu', 'cdist', 'norm', 'unique', 'unique_consecutive', 'tensordot')


def _find_builtin(function):
    """The name of the operators that the function of torch or math is, such as aten::add."""
    if function is dict:
        return 'aten::dict'
    if not callable(function) or isinstance(function, type):
        return None
    if not isinstance(function, types.BuiltinFunctionType):
        return 'aten::warn' if function is warnings.warn else None
    module, _, name = _graphs.qualified_name(function).rpartition('.')
    if module == 'math' and name in _math_names:
        return 'aten::mathremainder' if name == 'remainder' else f'aten::{name}'
    if module == 'torch.functional' and name not in _python_functions and hasattr(torch, name) or module == 'torch._VF':
        return f'aten::{name}'
    if module in _c_modules:
        return 'aten::' + ('segment_reduce' if name == '_segment_reduce' else name)
    return None


def _typename(target):
    if not isinstance(target, types.BuiltinFunctionType) or _is_torch_op(target):
        return torch.typename(target)
    name = _graphs.qualified_name(target)
    return 'torch._VariableFunctionsClass' + name[5:] if name.startswith('torch.') and name.count('.') == 1 else name


def _fast_bind(signature, /, *args, **kwargs):
    Parameter = inspect.Parameter
    parameters = list(signature.parameters.values())
    if any(parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD) for parameter in parameters):
        return signature.bind(*args, **kwargs)
    places = sum(parameter.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD) for parameter in parameters)
    if len(args) > places:
        raise TypeError(f'Too many positional arguments: expected max {places}, got {len(args)}')
    bound = {}
    for at, parameter in enumerate(parameters):
        name = parameter.name
        if parameter.kind == Parameter.POSITIONAL_ONLY and name in kwargs:
            raise TypeError(f"Got some positional-only arguments passed as keyword arguments: '{name}'")
        if at < len(args) and parameter.kind != Parameter.KEYWORD_ONLY:
            if name in kwargs:
                raise TypeError(f"Multiple values for argument '{name}'")
            bound[name] = args[at]
        elif name in kwargs:
            bound[name] = kwargs[name]
        elif parameter.default is Parameter.empty:
            raise TypeError(f"Missing required argument '{name}'")
    for name in kwargs:
        if name not in signature.parameters:
            raise TypeError(f"Got an unexpected keyword argument '{name}'")
    return inspect.BoundArguments(signature, bound)


def _binds(signature, args, kwargs):
    try:
        _fast_bind(signature, *args, **kwargs)
    except TypeError:
        return False
    return True


def check_for_mutable_operation(target, args, kwargs):
    signatures, schemas = get_signature_for_torch_op(target, return_schemas=True)
    if not signatures or not schemas:
        return
    matched = [schema for signature, schema in zip(signatures, schemas) if _binds(signature, args, kwargs)]
    if len(matched) == 1 and matched[0].is_mutable:
        raise RuntimeError(f'Tried to trace mutable operation {matched[0]}. FX only supports functional code, so operations that '
                           'mutate operands in-place (e.g. via `out` arguments) are not supported')


def get_signature_for_torch_op(op, return_schemas=False):
    schemas = _graphs.schemas_of_operator(op)
    if schemas is None:
        override = _manual_overrides.get(op)
        if override:
            return (override, None) if return_schemas else None
        name = _find_builtin(op)
        if name is None:
            return (None, None) if return_schemas else None
        schemas = _graphs.schemas_named(name)
    schemas = [_FunctionSchema(*schema) for schema in schemas]
    signatures = [_torchscript_schema_to_signature(schema) for schema in schemas]
    return (signatures, schemas) if return_schemas else signatures


def _is_subclass(kind, base):
    return issubclass(kind, base) or base is torch.Tensor and issubclass(kind, torch.nn.Parameter)


def create_type_hint(x):
    try:
        if isinstance(x, (list, tuple)):
            def hint(kind):
                return list[kind] if isinstance(x, list) else tuple[kind, ...]

            if len(x) == 0:
                return hint(typing.Any)
            base = x[0]
            for kind in x:
                if _is_subclass(kind, base):
                    continue
                if not _is_subclass(base, kind):
                    return hint(typing.Any)
                base = kind
            return hint(base)
    except Exception:
        warnings.warn(f'We were not able to successfully create type hint from the type {x}')
    return x


def _is_homogeneous_tuple(kind, element):
    if typing.get_origin(kind) is not tuple:
        return False
    contained = typing.get_args(kind)
    return contained == ((),) or all(part is Ellipsis or _is_subclass(part, element) for part in contained)


def type_matches(signature_type, argument_type):
    origin = getattr(signature_type, '__origin__', signature_type)
    if signature_type is argument_type:
        return True
    if origin is typing.Union and signature_type != argument_type:
        return any(type_matches(part, argument_type) for part in typing.get_args(signature_type))
    if getattr(signature_type, '__origin__', None) is list:
        element = typing.get_args(signature_type)[0]
        if argument_type is int and element is int:
            return True
        if not inspect.isclass(element):
            warnings.warn(f'Does not support nested parametric types, got {signature_type}. Please file a bug.')
            return False
        if getattr(argument_type, '__origin__', None) is list:
            return _is_subclass(typing.get_args(argument_type)[0], element)
        return _is_homogeneous_tuple(argument_type, element)
    if signature_type is int and argument_type is torch.dtype:
        return True
    if signature_type is numbers.Number and argument_type in {int, float}:
        return True
    if inspect.isclass(argument_type) and inspect.isclass(signature_type):
        return _is_subclass(argument_type, signature_type)
    return False


def _normalize_function_or_error(target, args, kwargs=None, arg_types=None, kwarg_types=None, normalize_to_only_use_kwargs=False):
    result = normalize_function(target, args, kwargs, arg_types, kwarg_types, normalize_to_only_use_kwargs)
    if result is None:
        raise RuntimeError(f'Failed to normalize function {target} with args {args} and kwargs {kwargs}')
    return result


def _python_signature(target):
    """Of a function that is Python in torch: None where it is C."""
    parameters = _graphs.python_parameters(target)
    if parameters is not None and _graphs.qualified_name(target) in ('torch.functional.unique', 'torch.functional.unique_consecutive'):
        return inspect.signature(lambda *args, **kwargs: None)
    if parameters is not None:
        kinds = [inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.VAR_POSITIONAL,
                 inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD]
        return inspect.Signature([inspect.Parameter(name, kinds[kind], default=default if has_default else inspect.Parameter.empty)
                                  for name, kind, has_default, default in parameters])
    if isinstance(target, types.BuiltinFunctionType) or _is_torch_op(target):
        return None
    return inspect.signature(inspect.unwrap(target))


def normalize_function(target, args, kwargs=None, arg_types=None, kwarg_types=None, normalize_to_only_use_kwargs=False):
    kwargs = {} if kwargs is None else kwargs
    if not isinstance(target, types.BuiltinFunctionType) and not _is_torch_op(target) and hasattr(target, '_op'):
        target = target._op
    if not callable(target) and not _is_torch_op(target):
        raise AssertionError(f'target_for_analysis must be callable, got {type(target)}')
    signature = _python_signature(target)
    if signature is not None:
        return _args_kwargs_to_normalized_args_kwargs(signature, args, kwargs, normalize_to_only_use_kwargs)
    signatures = get_signature_for_torch_op(target) or []
    matched = [signature for signature in signatures if _binds(signature, args, kwargs)]
    if not matched:
        return None
    if len(matched) == 1:
        return _args_kwargs_to_normalized_args_kwargs(matched[0], args, kwargs, normalize_to_only_use_kwargs)
    if arg_types is None and kwarg_types is None:
        shown = '\n'.join(str(signature) for signature in matched)
        raise RuntimeError(f'Tried to normalize arguments to {_typename(target)} but the schema match was ambiguous! Please '
                           f'provide argument types to the normalize_arguments() call. Available schemas:\n{shown}')
    for signature in signatures:
        try:
            bound = _fast_bind(signature, *(arg_types or ()), **(kwarg_types or {}))
            fits = all(type_matches(signature.parameters[name].annotation, kind) for name, kind in bound.arguments.items())
        except TypeError:
            fits = False
        if fits:
            return _args_kwargs_to_normalized_args_kwargs(signature, args, kwargs, normalize_to_only_use_kwargs)
    return None


def normalize_module(root, target, args, kwargs=None, normalize_to_only_use_kwargs=False):
    try:
        module = root.get_submodule(target)
    except AttributeError as error:
        raise RuntimeError(f'Tried to normalize node with target {target} but root did not have that target!') from error
    if getattr(torch.nn, type(module).__name__, None) != type(module):
        return None
    signature = inspect.signature(inspect.unwrap(module.forward))
    return _args_kwargs_to_normalized_args_kwargs(signature, args, {} if kwargs is None else kwargs, normalize_to_only_use_kwargs)


def _args_kwargs_to_normalized_args_kwargs(sig, args, kwargs, normalize_to_only_use_kwargs):
    supported = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    if any(parameter.kind not in supported for parameter in sig.parameters.values()):
        # Of those with parameters that go by position alone, only the one of random_ and uniform_ is known.
        if list(sig.parameters) != ['input', 'from', 'to', 'generator']:
            return None
    bound = _fast_bind(sig, *args, **kwargs)
    bound.apply_defaults()
    new_args, new_kwargs = [], {}
    for at, name in enumerate(sig.parameters):
        if not normalize_to_only_use_kwargs and at < len(args):
            new_args.append(bound.arguments[name])
        else:
            new_kwargs[name] = bound.arguments[name]
    return ArgsKwargsPair(tuple(new_args), new_kwargs)
