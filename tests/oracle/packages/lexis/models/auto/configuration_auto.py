# SPDX-License-Identifier: GPL-3.0-or-later
# Configurations by the word for their kind, and the tables that load what they are asked for.
import importlib
from collections import OrderedDict
from typing import Any, Iterator

from ...configuration import Config

CONFIG_NAMES = OrderedDict([("scribe", "ScribeConfig"), ("teller", "TellerConfig"), ("rotor", "RotorConfig")])


def loaded(kind: str, name: str) -> Any:
    module = importlib.import_module(f".{kind.replace('-', '_')}", "lexis.models")
    if hasattr(module, name):
        return getattr(module, name)
    return getattr(importlib.import_module("lexis"), name)


class ConfigTable(OrderedDict):
    """Filled as it is read."""

    def __init__(self, names):
        self._names = names
        self._more = {}

    def __getitem__(self, key: str):
        if key in self._more:
            return self._more[key]
        if key not in self._names:
            raise KeyError(key)
        return self._more.setdefault(key, loaded(key, self._names[key]))

    def keys(self):
        return list(self._names.keys()) + [k for k in self._more if k not in self._names]

    def values(self):
        return [self[k] for k in self.keys()]

    def items(self):
        return [(k, self[k]) for k in self.keys()]

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __contains__(self, item):
        return item in self._names or item in self._more

    def register(self, key, value):
        if key in self:
            raise ValueError(f"{key} is taken")
        self._more[key] = value


CONFIG_TABLE = ConfigTable(CONFIG_NAMES)


class AutoConfig:
    def __init__(self):
        raise OSError("AutoConfig is not made; ask AutoConfig.of(kind)")

    @classmethod
    def of(cls, kind: str, *args, **kwargs) -> Config:
        if kind in CONFIG_TABLE:
            return CONFIG_TABLE[kind](*args, **kwargs)
        raise ValueError(f"no kind {kind}: take one of {', '.join(CONFIG_TABLE.keys())}")

    @staticmethod
    def register(kind, config):
        if issubclass(config, Config) and config.model_type != kind:
            raise ValueError("the kind of a configuration is its model_type")
        CONFIG_TABLE.register(kind, config)
