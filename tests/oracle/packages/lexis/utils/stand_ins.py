# SPDX-License-Identifier: GPL-3.0-or-later
# For the package phrasebook, where it is not installed.
from .imports import StandIn, needs


class PhraseReader(metaclass=StandIn):
    _backends = ["phrasebook"]

    def __init__(self, *args, **kwargs):
        needs(self, ["phrasebook"])
