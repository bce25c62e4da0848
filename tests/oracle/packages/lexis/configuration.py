# SPDX-License-Identifier: GPL-3.0-or-later
# A configuration holds what a model is made of. Kinds may call the same thing by another name.
import copy
import json
from typing import Any, ClassVar, Dict, List, Optional, Tuple, Union

from .utils import logging

logger = logging.get_logger(__name__)


class Config:
    model_type: ClassVar[str] = ""
    attribute_map: ClassVar[Dict[str, str]] = {}
    _kinds: ClassVar[List[str]] = []

    def __init_subclass__(cls, *args, **kwargs):
        super().__init_subclass__(*args, **kwargs)
        if cls.model_type not in Config._kinds:
            Config._kinds.append(cls.model_type)

    def __setattr__(self, key, value):
        names = type(self).attribute_map
        super().__setattr__(names[key] if key in names else key, value)

    def __getattribute__(self, key):
        look = super().__getattribute__
        return look(key if key == "attribute_map" else look("attribute_map").get(key, key))

    def __init__(self, **kwargs):
        self.return_dict = kwargs.pop("return_dict", True)
        self.tie_words = kwargs.pop("tie_words", True)
        self.attention = kwargs.pop("attention", None)
        self.names: Optional[Dict[int, str]] = kwargs.pop("names", None)
        if self.names is None:
            self.label_count = kwargs.pop("label_count", 2)
        else:
            self.names = {int(number): name for number, name in self.names.items()}
        self.eps = kwargs.pop("eps", 1e-5)
        for key in sorted(kwargs):
            if isinstance(getattr(type(self), key, None), property) and not getattr(type(self), key).fset:
                logger.error("%s of %s cannot be set", key, type(self).__name__)
            setattr(self, key, kwargs[key])

    @property
    def label_count(self) -> int:
        return len(self.names)

    @label_count.setter
    def label_count(self, count: int):
        kept = self.names or {}
        self.names = {number: kept.get(number, f"class {number}") for number in range(count)}

    @property
    def attention(self):
        return self._attention if self._attention is not None else "plain"

    @attention.setter
    def attention(self, value):
        self._attention = value

    def to_dict(self) -> Dict[str, Any]:
        told = {key: copy.deepcopy(value) for key, value in vars(self).items() if key[0] != "_"}
        return {"model_type": self.model_type, **told}

    @classmethod
    def from_dict(cls, told: Dict[str, Any], **kwargs) -> Union["Config", Tuple["Config", Dict]]:
        rest_wanted = kwargs.pop("give_rest", False)
        config = cls(**{k: v for k, v in told.items() if k != "model_type"})
        used = [key for key, value in kwargs.items() if hasattr(config, key)]
        for key in used:
            setattr(config, key, kwargs.pop(key))
        return (config, kwargs) if rest_wanted else config

    def __eq__(self, other):
        return isinstance(other, Config) and self.__dict__ == other.__dict__

    def __repr__(self):
        return f"{self.__class__.__name__} {json.dumps(self.to_dict(), indent=2, sort_keys=True)}"
