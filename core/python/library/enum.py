# SPDX-License-Identifier: GPL-3.0-or-later
# Python's enum. Members are made when the class body is done; an auto() that the body itself combines with others is
# worked out then.

from _native import _caller_module

__all__ = ["EnumMeta", "EnumType", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum", "auto", "unique",
           "property", "member", "nonmember"]
_property = property
_unset = object()
_function = type(lambda: None)


class auto:
    def __init__(self, value=_unset):
        self.value = value

    def _later(self, other, combine):
        result = auto()
        result._combine = lambda: combine(_settled(self), _settled(other))
        return result

    def __or__(self, other):
        return self._later(other, lambda a, b: a | b)

    def __and__(self, other):
        return self._later(other, lambda a, b: a & b)

    def __xor__(self, other):
        return self._later(other, lambda a, b: a ^ b)

    def __add__(self, other):
        return self._later(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._later(other, lambda a, b: a - b)

    def __mul__(self, other):
        return self._later(other, lambda a, b: a * b)

    def __ror__(self, other):
        return self._later(other, lambda a, b: b | a)

    def __radd__(self, other):
        return self._later(other, lambda a, b: b + a)


def _settled(value):
    return value.value if isinstance(value, auto) else value


class member:
    def __init__(self, value):
        self.value = value


class nonmember:
    def __init__(self, value):
        self.value = value


class property(_property):
    pass


def _is_member_name(cls, name, value):
    if isinstance(value, member):
        return True
    if isinstance(value, (nonmember, _property, staticmethod, classmethod, _function)) or hasattr(value, "__get__"):
        return False
    if name[:2] == "__" and name[-2:] == "__" or name in ("_ignore_", "_order_"):
        return False
    return not (name[:1] == "_" and name[-1:] == "_" and len(name) > 2) and not name.startswith(f"_{cls}__")


class EnumType(type):
    def __new__(mcls, name, bases, namespace, /, boundary=None, **kwargs):
        ignored = namespace.get("_ignore_", ())
        ignored = ignored.replace(",", " ").split() if isinstance(ignored, str) else ignored
        values = {key: value for key, value in namespace.items()
                  if bases and key not in ignored and _is_member_name(name, key, value)}
        plain = {key: value.value if isinstance(value, nonmember) else value
                 for key, value in namespace.items() if key not in values and key not in ignored}
        for base in bases:
            if isinstance(base, EnumType) and base._member_map_:
                raise TypeError(f"<enum {name!r}> cannot extend {base!r}")
        for key in values:
            if key == "mro":
                raise ValueError("invalid enum member name(s) 'mro'")
        # the class's own __new__ makes the members; afterwards, calling the class looks them up
        make = plain.pop("__new__", None)
        cls = super().__new__(mcls, name, bases, plain, **kwargs)
        _prefer_enum_methods(cls)
        cls._member_names_, cls._member_map_, cls._value2member_map_ = [], {}, {}
        cls._member_type_ = _data_type(cls)
        if make is not None:
            cls._make_member_ = staticmethod(getattr(make, "__func__", make))
        for key, value in values.items():
            cls._add_member(key, value)
        return cls

    def _add_member(cls, name, value):
        value = value.value if isinstance(value, member) else value
        combine = getattr(value, "_combine", None) if isinstance(value, auto) else None
        if isinstance(value, auto):
            if combine is not None:
                value.value = combine()
            elif value.value is _unset:
                known = [item._value_ for item in cls._member_map_.values()]
                value.value = cls._generate_next_value_(name, 1, len(cls._member_names_), known)
            value = value.value
        args = value if isinstance(value, tuple) and cls._member_type_ is not tuple else (value,)
        result = cls._make(args)
        if "_value_" not in result.__dict__:
            kind = cls._member_type_
            result._value_ = value if kind is object else kind(*args)
        value = result._value_
        for other in cls._member_map_.values():
            if other._value_ == value:
                result = other
                break
        else:
            result._name_ = name
            result.__objclass__ = cls
            result.__init__(*args)
            result._sort_order_ = len(cls._member_names_)
            if not issubclass(cls, Flag) or _is_single_bit(value):
                cls._member_names_.append(name)
        cls._member_map_[name] = result
        try:
            cls._value2member_map_.setdefault(value, result)
        except TypeError:
            pass
        type.__setattr__(cls, name, result)

    def _make(cls, args):
        make = getattr(cls, "_make_member_", None)
        if make is not None:
            return make(cls, *args)
        return object.__new__(cls) if cls._member_type_ is object else cls._member_type_.__new__(cls, *args)

    def __call__(cls, value, names=None, *, module=None, qualname=None, type=None, start=1):
        if names is None:
            return cls._look_up(value)
        bases = (cls,) if type is None else (type, cls)
        return _functional(cls, value, bases, names, module or _caller_module(), start)

    def _look_up(cls, value):
        if isinstance(value, cls):
            return value
        try:
            if value in cls._value2member_map_:
                return cls._value2member_map_[value]
        except TypeError:
            pass
        for item in cls._member_map_.values():
            if item._value_ == value:
                return item
        result = cls._missing_(value)
        if result is None:
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
        if not isinstance(result, cls):
            raise TypeError(f"error in {cls.__name__}._missing_: returned {result!r} instead of None or a valid member")
        return result

    def __getattr__(cls, name):
        raise AttributeError(name)

    def __getitem__(cls, name):
        return cls._member_map_[name]

    def __iter__(cls):
        return (cls._member_map_[name] for name in cls._member_names_)

    def __reversed__(cls):
        return (cls._member_map_[name] for name in reversed(cls._member_names_))

    def __len__(cls):
        return len(cls._member_names_)

    def __bool__(cls):
        return True

    def __contains__(cls, item):
        if not isinstance(item, Enum):
            raise TypeError(f"unsupported operand type(s) for 'in': {type(item).__qualname__!r} and "
                            f"{type(cls).__qualname__!r}")
        return isinstance(item, cls) and (item._name_ in cls._member_map_ or isinstance(item, Flag))

    @_property
    def __members__(cls):
        from types import MappingProxyType

        return MappingProxyType(cls._member_map_)

    def __repr__(cls):
        return f"<flag {cls.__name__!r}>" if cls._is_flag() else f"<enum {cls.__name__!r}>"

    def _is_flag(cls):
        return any(base.__name__ == "Flag" and base.__module__ == "enum" for base in cls.__mro__)

    def __setattr__(cls, name, value):
        if name in cls.__dict__.get("_member_map_", {}):
            raise AttributeError(f"cannot reassign member {name!r}")
        super().__setattr__(name, value)

    def __delattr__(cls, name):
        if name in cls.__dict__.get("_member_map_", {}):
            raise AttributeError(f"{cls.__name__!r} cannot delete member {name!r}.")
        super().__delattr__(name)


EnumMeta = EnumType
_data_types = (int, float, str, bytes, tuple, complex)


def _data_type(cls):
    """The builtin that the members are too: int of IntEnum; else object."""
    for base in cls.__mro__:
        if base in _data_types:
            return base
    return object


def _prefer_enum_methods(cls):
    """A builtin type stands before the enumeration among the bases; its repr and the like must not win for that."""
    names = ["__repr__", "__str__", "__format__"]
    names += ["__or__", "__and__", "__xor__", "__ror__", "__rand__", "__rxor__", "__invert__"] if cls._is_flag() else []
    for name in names:
        owners = [base for base in cls.__mro__[:-1] if name in vars(base)]
        ours = [base for base in owners if isinstance(base, EnumType)]
        if ours and owners[0] in _data_types:
            type.__setattr__(cls, name, vars(ours[0])[name])


def _functional(cls, name, bases, names, module, start):
    if isinstance(names, str):
        names = names.replace(",", " ").split()
    if hasattr(names, "items"):
        pairs = list(names.items())
    else:
        pairs, known = [], []
        for item in names:
            if isinstance(item, str):
                value = cls._generate_next_value_(item, start, len(pairs), list(known))
                known.append(value)
                item = (item, value)
            pairs.append(item)
    return type(cls)(name, bases, {**dict(pairs), "__module__": module})


class Enum(metaclass=EnumType):
    def __init__(self, *args, **kwargs):
        pass

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return max(last_values) + 1 if last_values else start

    @classmethod
    def _missing_(cls, value):
        return None

    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_

    def __repr__(self):
        kind = type(self)._member_type_
        value = repr(self._value_) if kind is object else kind.__repr__(self._value_)
        return f"<{type(self).__name__}.{self._name_}: {value}>"

    def __str__(self):
        return f"{type(self).__name__}.{self._name_}"

    def __format__(self, spec):
        return format(str(self), spec)

    def __hash__(self):
        return hash(self._name_)

    def __dir__(self):
        own = [name for base in type(self).__mro__ for name in vars(base)
               if name[0] != "_" and name not in self._member_map_]
        return sorted({"__class__", "__doc__", "__eq__", "__hash__", "__module__", "name", "value", *own})

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class ReprEnum(Enum):
    """Only the repr is the enumeration's; str() and format() are those of the builtin type."""

    def __str__(self):
        return self._member_type_.__str__(self._value_)

    def __format__(self, spec):
        return format(self._value_, spec)


class IntEnum(int, ReprEnum):
    pass


class StrEnum(str, ReprEnum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()

    def __init__(self, *values):
        if not isinstance(values[0], str):
            raise TypeError(f"{values[0]!r} is not a string")


def _is_single_bit(value):
    return isinstance(value, int) and value > 0 and value & (value - 1) == 0


class Flag(Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return 1 << max(last_values).bit_length() if last_values else start or 1

    @classmethod
    def _mask(cls):
        result = 0
        for item in cls._member_map_.values():
            result |= item._value_
        return result

    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, int):
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
        mask = cls._mask()
        if value < 0:
            value &= (1 << mask.bit_length()) - 1
            if value in cls._value2member_map_:
                return cls._value2member_map_[value]
        if value & ~mask and not issubclass(cls, int):
            cls._refuse(value, mask)
        result = cls._make((value,))
        result._value_ = value
        result.__objclass__ = cls
        parts = [item._name_ for item in cls if item._value_ & value]
        rest = value & ~mask
        result._name_ = "|".join(parts + ([str(rest)] if rest else [])) if parts else None
        return cls._value2member_map_.setdefault(value, result)

    @classmethod
    def _refuse(cls, value, mask):
        width = max(value.bit_length(), mask.bit_length())
        digits = [f"0b0 {bits:0{width}b}" for bits in (value, mask)]
        raise ValueError(f"{cls!r} invalid value {value!r}\n    given {digits[0]}\n  allowed {digits[1]}")

    def _combined(self, other, combine):
        if isinstance(other, type(self)):
            other = other._value_
        elif not (isinstance(self, int) and isinstance(other, int)):
            return NotImplemented
        return type(self)(combine(self._value_, other))

    def __or__(self, other):
        return self._combined(other, lambda a, b: a | b)

    def __and__(self, other):
        return self._combined(other, lambda a, b: a & b)

    def __xor__(self, other):
        return self._combined(other, lambda a, b: a ^ b)

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__

    def __invert__(self):
        return type(self)(type(self)._mask() & ~self._value_)

    def __contains__(self, other):
        if not isinstance(other, type(self)):
            raise TypeError(f"unsupported operand type(s) for 'in': {type(other).__qualname__!r} and "
                            f"{type(self).__qualname__!r}")
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        return (item for item in type(self) if item._value_ & self._value_)

    def __len__(self):
        return bin(self._value_).count("1")

    def __bool__(self):
        return bool(self._value_)

    def __repr__(self):
        name = "" if self._name_ is None else f".{self._name_}"
        return f"<{type(self).__name__}{name}: {self._value_!r}>"

    def __str__(self):
        if self._name_ is None:
            return f"{type(self).__name__}({self._value_!r})"
        return f"{type(self).__name__}.{self._name_}"

    def __hash__(self):
        return hash(self._value_)


class IntFlag(int, ReprEnum, Flag):
    def __hash__(self):
        return hash(self._value_)


def unique(enumeration):
    aliases = [(name, item._name_) for name, item in enumeration._member_map_.items() if name != item._name_]
    if aliases:
        shown = ", ".join(f"{alias} -> {name}" for alias, name in aliases)
        raise ValueError(f"duplicate values found in {enumeration!r}: {shown}")
    return enumeration
