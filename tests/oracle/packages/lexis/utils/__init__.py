# SPDX-License-Identifier: GPL-3.0-or-later
# What every other file may lean on. This folder is loaded at once; it is small.
from functools import lru_cache
from typing import FrozenSet

from . import logging
from .generic import Extras, Layered, Output, Stacked, Word, only_known
from .imports import MissingBackend, is_backend_available, is_phrasebook_available, is_torch_available, needs, torch_at_least


@lru_cache
def backends() -> FrozenSet[str]:
    return frozenset(name for name in ("torch", "phrasebook", "numpy") if is_backend_available(name))
