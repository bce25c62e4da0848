# SPDX-License-Identifier: GPL-3.0-or-later
# Which other packages are installed, what stands in for those that are not, and modules that load their files late.
import importlib
import importlib.metadata
import importlib.util
import os
import re
from collections import OrderedDict
from functools import lru_cache
from itertools import chain
from types import ModuleType
from typing import Any, Dict, List, Optional, Tuple, Union

from . import logging

logger = logging.get_logger(__name__)


class MissingBackend(ImportError):
    """A package that is not needed by all is not there."""


def _find(name: str, with_version: bool = False) -> Union[Tuple[bool, str], bool]:
    exists, version = importlib.util.find_spec(name) is not None, "N/A"
    if exists and with_version:
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            package = importlib.import_module(name)
            version = getattr(package, "__version__", "N/A")
            exists = version != "N/A"
        logger.debug(f"{name} is there in version {version}")
    return (exists, version) if with_version else exists


_torch_there, _torch_version = _find("torch", with_version=True)
_phrasebook_there = _find("phrasebook")

if os.environ.get("LEXIS_WITHOUT_TORCH", "").upper() in {"1", "ON", "YES"}:
    _torch_there = False


def is_torch_available() -> bool:
    return _torch_there


def is_phrasebook_available() -> bool:
    return _phrasebook_there


@lru_cache(maxsize=None)
def torch_at_least(wanted: str) -> bool:
    def numbers(text):
        return tuple(int(part) for part in re.findall(r"\d+", text.split("+")[0])[:2])

    return is_torch_available() and numbers(_torch_version) >= numbers(wanted)


@lru_cache()
def is_backend_available(name: str) -> bool:
    return _CHECKS[name][0]() if name in _CHECKS else bool(_find(name))


_CHECKS = OrderedDict([
    ("torch", (is_torch_available, "{0} needs torch")),
    ("phrasebook", (is_phrasebook_available, "{0} needs the package phrasebook, which is not installed")),
])


def needs(thing: Any, backends: Union[str, List[str]]) -> None:
    if not isinstance(backends, (list, tuple)):
        backends = [backends]
    name = thing.__name__ if hasattr(thing, "__name__") else thing.__class__.__name__
    failed = [words.format(name) for check, words in (_CHECKS[backend] for backend in backends) if not check()]
    if failed:
        raise MissingBackend("; ".join(failed))


class StandIn(type):
    """The class of classes whose package is missing: whatever is asked of them raises."""

    def __getattribute__(cls, key):
        if key.startswith("_") or key == "mro":
            return super().__getattribute__(key)
        needs(cls, cls._backends)


class _Lazy(ModuleType):
    """A package whose table says which of its files has which names. It stands in sys.modules where the package stood."""

    def __init__(self, name: str, file: str, table: Dict[str, List[str]], module_spec: Any = None,
                 extra: Optional[Dict[str, Any]] = None):
        super().__init__(name, doc=f"{name}, opened late")
        vars(self).update(extra or {})
        self.__file__, self.__spec__ = file, module_spec
        self.__path__ = [os.path.dirname(file)]
        self._table = table
        self._home = {public: part for part, publics in table.items() for public in publics}

    @property
    def __all__(self) -> List[str]:
        return [*self._table, *chain.from_iterable(self._table.values())]

    def __dir__(self):
        return sorted({*super().__dir__(), *self._table, *self._home})

    def __getattr__(self, name: str) -> Any:
        part = self._home.get(name, name)
        if part not in self._table:
            raise AttributeError(f"{self.__name__} has neither a file nor a name {name!r}")
        try:
            found = importlib.import_module(f"{self.__name__}.{part}")
        except ModuleNotFoundError as error:
            raise MissingBackend(f"{name} cannot be opened: {error}") from error
        if name in self._home:
            found = getattr(found, name)
            setattr(self, name, found)
        return found

    def __reduce__(self):
        return importlib.import_module, (self.__name__,)
