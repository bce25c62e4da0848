# SPDX-License-Identifier: GPL-3.0-or-later
# Switches of the whole zoo. They are globals of this file, set by classes that put them back when their block ends.
import os
import warnings
from typing import Any, Optional

import torch

__all__ = ["scripting", "fused", "set_fused", "use_fused", "is_scripting", "frugal"]

_OFF = {"0", "off", "no", ""}
_SCRIPTING = False
_FRUGAL = False
_FUSED = os.environ.get("SPINES_FUSED", "1").lower() not in _OFF

# Every switch may also be set from outside before the zoo is loaded, as SPINES_SCRIPTING=1.
globals().update({
    name: os.environ[f"SPINES{name}"].lower() not in _OFF
    for name in ("_SCRIPTING", "_FRUGAL") if f"SPINES{name}" in os.environ
})

_has_fused = hasattr(torch.nn.functional, "scaled_dot_product_attention")


def is_scripting() -> bool:
    return _SCRIPTING


def frugal() -> bool:
    return _FRUGAL


def use_fused(experimental: bool = False) -> bool:
    if not _has_fused or torch.jit.is_scripting():
        return False
    return _FUSED > 1 if experimental else bool(_FUSED)


def set_fused(on: bool = True, experimental: bool = False) -> None:
    global _FUSED
    if not _has_fused:
        warnings.warn("this torch has no fused attention")
        return
    _FUSED = (2 if experimental else 1) if on else 0


class scripting:
    """Also without a block: scripting(True) stays until somebody says otherwise."""

    _trail: list = []

    def __init__(self, on: bool) -> None:
        global _SCRIPTING
        self._trail.append(_SCRIPTING)
        _SCRIPTING = on

    def __enter__(self) -> int:
        return len(self._trail)

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        global _SCRIPTING
        _SCRIPTING = self._trail.pop()


class fused:
    """with fused(False): ..."""

    def __init__(self, on: bool, frugal: Optional[bool] = None) -> None:
        self.on, self.frugal = on, frugal

    def __enter__(self):
        self.before = (_FUSED, _FRUGAL)
        globals().update(_FUSED=int(self.on), _FRUGAL=_FRUGAL if self.frugal is None else self.frugal)
        return self

    def __exit__(self, kind, value, trace):
        global _FUSED, _FRUGAL
        _FUSED, _FRUGAL = self.before
