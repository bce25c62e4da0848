# SPDX-License-Identifier: GPL-3.0-or-later
# From a name to a network. A name may say where it comes from: "hub:owner/net", "file:///folder/net", plain "net.tag".
import os
from pathlib import Path
from typing import Any, Dict, Optional, Tuple, Union
from urllib.parse import urlsplit

from torch import nn

from ._hub import hub_card
from ._pretrained import Pretrained
from ._registry import entry, has_model
from .config import scripting

__all__ = ["split_name", "create"]


def split_name(name: str) -> Tuple[str, str]:
    name = name.replace("hub_hub", "hub-hub")
    parts = urlsplit(name)
    if parts.scheme not in ("", "hub", "file"):
        raise ValueError(f"cannot read {parts.scheme}: of {name!r}")
    if parts.scheme == "file":
        parts = parts._replace(netloc="")
    if parts.scheme == "":
        parts = parts._replace(path=os.path.split(parts.path)[1])
    return parts.scheme, parts._replace(scheme="").geturl()


def create(name: str, pretrained: bool = False, card: Union[str, Dict[str, Any], Pretrained, None] = None,
           script: Optional[bool] = None, **kwargs: Any) -> nn.Module:
    """A network. Options that are None count as not given."""
    kwargs = {k: v for k, v in kwargs.items() if v is not None}
    source, wanted = split_name(name)
    if source == "hub":
        card, wanted = hub_card(wanted)
    elif source == "file":
        wanted = Path(wanted).stem
    base, dot, tag = wanted.partition(".")
    if isinstance(card, dict):
        card = Pretrained(**card)
    if not has_model(base):
        raise RuntimeError("unknown model (%s)" % base)
    if dot:
        kwargs["tag"] = tag
    with scripting(bool(script)):
        return entry(base)(pretrained=pretrained, card=card, **kwargs)
