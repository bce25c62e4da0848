# SPDX-License-Identifier: GPL-3.0-or-later
# Numbers and cards that lie elsewhere. The packages that fetch them may be missing; then only files are read.
import base64
import hashlib
import json
import os
import tempfile
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Dict, Iterable, Optional, Tuple, Union

import torch

from ._pretrained import Pretrained

try:
    from huggingface_hub import hf_hub_download

    _download = partial(hf_hub_download, library_name="spines")
    HAS_HUB = True
except ImportError:
    _download = None
    HAS_HUB = False

try:
    import safetensors.torch

    HAS_SAFE = True
except ImportError:
    HAS_SAFE = False

_TAIL = ".safetensors" if HAS_SAFE else ".bin"


def need_hub(asked: bool = True) -> bool:
    if not HAS_HUB and asked:
        raise RuntimeError("this name lies on a hub, and no package for it is installed")
    return HAS_HUB


def split_hub(name: str) -> Tuple[str, Optional[str]]:
    owner, at, revision = name.partition("@")
    return owner, revision or None


def hub_card(name: str) -> Tuple[Pretrained, str]:
    need_hub(True)
    owner, revision = split_hub(name)
    text = Path(_download(owner, "card.json", revision=revision)).read_text(encoding="utf-8")
    told: Dict[str, Any] = json.loads(text)
    wanted = told.pop("network")
    return Pretrained(hub=owner, **told), wanted


def hub_numbers(name: str) -> Dict[str, torch.Tensor]:
    need_hub()
    owner, revision = split_hub(name)
    path = _download(owner, "numbers" + _TAIL, revision=revision)
    return safetensors.torch.load_file(path) if HAS_SAFE else torch.load(path, weights_only=True)


def sum_of(path: Union[str, os.PathLike], block: int = 4096) -> str:
    sums = hashlib.sha1()
    with open(path, "rb") as stream:
        for part in iter(lambda: stream.read(block), b""):
            sums.update(part)
    return base64.b16encode(sums.digest()).decode().lower()


def write_card(card: Pretrained, folder: Optional[Path] = None) -> str:
    """The sum of the written card."""
    with TemporaryDirectory(prefix="spines") as made:
        path = (folder or Path(made)) / "card.json"
        path.write_text(json.dumps(card.to_dict(bare=True), indent=1))
        return sum_of(path)


def cache_folder(parts: Iterable[str] = ()) -> Path:
    return Path(os.getenv("SPINES_HOME", tempfile.gettempdir())).expanduser().joinpath("spines", *parts)
