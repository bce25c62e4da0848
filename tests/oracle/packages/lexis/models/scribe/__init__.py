# SPDX-License-Identifier: GPL-3.0-or-later
# What this kind of model has; its files are loaded late.
import sys
from typing import TYPE_CHECKING

from ...utils import MissingBackend, is_torch_available
from ...utils.imports import _Lazy

_import_table = {"configuration_scribe": ["ScribeConfig"]}

try:
    if not is_torch_available():
        raise MissingBackend()
except MissingBackend:
    pass
else:
    _import_table["modeling_scribe"] = ["Scribe", "ScribeForLabels", "ScribeForPairs"]

if TYPE_CHECKING:
    from .configuration_scribe import ScribeConfig
    from .modeling_scribe import Scribe, ScribeForLabels, ScribeForPairs
else:
    sys.modules[__name__] = _Lazy(__name__, globals()["__file__"], _import_table, module_spec=__spec__)
