# SPDX-License-Identifier: GPL-3.0-or-later
# Models by the class of their configuration. The classes are alike, so one is written and its methods copied.
from collections import OrderedDict

from ...doc import copy_of, doc_before
from .configuration_auto import CONFIG_NAMES, CONFIG_TABLE, AutoConfig, loaded


class ModelTable(OrderedDict):
    def __init__(self, configs, models):
        self._configs, self._models = configs, models
        self._kind_of = {config: kind for kind, config in configs.items()}
        self._more = {}

    def __len__(self):
        common = set(self._configs.keys()).intersection(self._models.keys())
        return len(common) + len(self._more)

    def __getitem__(self, config):
        if config in self._more:
            return self._more[config]
        kind = self._kind_of[config.__name__]
        if kind in self._models:
            return loaded(kind, self._models[kind])
        raise KeyError(config)

    def keys(self):
        return [CONFIG_TABLE[kind] for kind in self._models] + list(self._more)

    def __iter__(self):
        return iter(self.keys())

    def __contains__(self, item):
        if item in self._more:
            return True
        return getattr(item, "__name__", None) in self._kind_of and self._kind_of[item.__name__] in self._models


MODEL_TABLE = ModelTable(CONFIG_NAMES, OrderedDict([("scribe", "Scribe"), ("teller", "Teller"), ("rotor", "Rotor")]))
NEXT_TABLE = ModelTable(CONFIG_NAMES, OrderedDict(teller="TellerForNext", rotor="RotorForNext"))


class _Auto:
    _table = None

    def __init__(self, *args, **kwargs):
        raise OSError(f"{self.__class__.__name__} is not made; ask {self.__class__.__name__}.from_config(config)")

    @classmethod
    def from_config(cls, config, **kwargs):
        if type(config) in cls._table:
            return cls._table[type(config)]._from_config(config, **kwargs)
        known = ", ".join(c.__name__ for c in cls._table.keys())
        raise ValueError(f"no {cls.__name__} for {config.__class__}; there are {known}")

    @classmethod
    def of(cls, kind, **kwargs):
        return cls.from_config(AutoConfig.of(kind, **kwargs))


def documented(cls, what: str):
    for name in ("from_config", "of"):
        made = copy_of(getattr(_Auto, name).__func__)
        setattr(cls, name, classmethod(doc_before(f"Makes {what}. ")(made)))
    return cls


class AutoModel(_Auto):
    _table = MODEL_TABLE


class AutoModelForNext(_Auto):
    _table = NEXT_TABLE


AutoModel = documented(AutoModel, what="a bare model")
AutoModelForNext = documented(AutoModelForNext, what="a model that tells the next word")
