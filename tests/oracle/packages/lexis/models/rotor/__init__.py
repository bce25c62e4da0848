# SPDX-License-Identifier: GPL-3.0-or-later
# What this kind of model has; its files are loaded late.
import sys
from typing import TYPE_CHECKING

from ...utils import MissingBackend, is_torch_available
from ...utils.imports import _Lazy

_import_table = {"configuration_rotor": ["RotorConfig"]}

try:
    if not is_torch_available():
        raise MissingBackend()
except MissingBackend:
    pass
else:
    _import_table["modeling_rotor"] = ["Rotor", "RotorForNext"]

if TYPE_CHECKING:
    from .configuration_rotor import RotorConfig
    from .modeling_rotor import Rotor, RotorForNext
else:
    sys.modules[__name__] = _Lazy(__name__, globals()["__file__"], _import_table, module_spec=__spec__)
