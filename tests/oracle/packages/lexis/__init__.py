# SPDX-License-Identifier: GPL-3.0-or-later
# The root of the library. Nothing but this table is loaded at first: a name loads its file when it is asked for.
import sys
from typing import TYPE_CHECKING

from .utils import MissingBackend, is_phrasebook_available, is_torch_available, logging
from .utils.imports import _Lazy

__version__ = "2.1.0"

logger = logging.get_logger(__name__)

_import_table = {
    "configuration": ["Config"],
    "doc": [],
    "models": [],
    "models.auto": ["AutoConfig", "CONFIG_NAMES"],
    "models.scribe": ["ScribeConfig"],
    "models.teller": ["TellerConfig"],
    "models.rotor": ["RotorConfig"],
    "utils": ["Output", "is_torch_available"],
    "utils.logging": ["get_logger"],
}

try:
    if not is_phrasebook_available():
        raise MissingBackend("phrasebook")
except MissingBackend:
    from .utils import stand_ins

    _import_table["utils.stand_ins"] = [name for name in dir(stand_ins) if not name.startswith("_") and name[0].isupper()]
else:
    _import_table["phrases"] = ["PhraseReader"]

try:
    if not is_torch_available():
        raise MissingBackend("torch")
except MissingBackend:
    logger.warning_once("torch is not installed: only configurations can be opened")
else:
    _import_table["activations"] = ["ACTS"]
    _import_table["modeling"] = ["Base"]
    _import_table["models.auto"].extend(["AutoModel", "AutoModelForNext", "MODEL_TABLE"])
    _import_table["models.scribe"].extend(["Scribe", "ScribeForLabels", "ScribeForPairs"])
    _import_table["models.teller"].extend(["Teller", "TellerForNext"])
    _import_table["models.rotor"] += ["Rotor", "RotorForNext"]

if TYPE_CHECKING:
    from .configuration import Config
    from .modeling import Base
    from .models.auto import AutoConfig, AutoModel, AutoModelForNext
else:
    sys.modules[__name__] = _Lazy(
        __name__, globals()["__file__"], _import_table, module_spec=__spec__, extra={"__version__": __version__}
    )
