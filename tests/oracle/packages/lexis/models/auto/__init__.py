# SPDX-License-Identifier: GPL-3.0-or-later
# From the word for a kind to its configuration and its models.
from typing import TYPE_CHECKING

from ...utils.imports import _Lazy

_import_table = {
    "configuration_auto": ["AutoConfig", "CONFIG_NAMES", "CONFIG_TABLE"],
    "modeling_auto": ["AutoModel", "AutoModelForNext", "MODEL_TABLE", "NEXT_TABLE"],
}

if TYPE_CHECKING:
    from .configuration_auto import AutoConfig
    from .modeling_auto import AutoModel, AutoModelForNext
else:
    import sys

    sys.modules[__name__] = _Lazy(__name__, globals()["__file__"], _import_table, module_spec=__spec__)
