# SPDX-License-Identifier: GPL-3.0-or-later
# One folder for each kind of model, none of which is loaded before it is asked for.
from typing import TYPE_CHECKING

from ..utils.imports import _Lazy

_kinds = {"auto": [], "scribe": [], "teller": [], "rotor": []}

if TYPE_CHECKING:
    from . import auto, rotor, scribe, teller
else:
    import sys

    sys.modules[__name__] = _Lazy(__name__, globals()["__file__"], _kinds, module_spec=__spec__)
