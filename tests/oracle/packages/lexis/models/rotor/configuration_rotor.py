# SPDX-License-Identifier: GPL-3.0-or-later
# What a gated decoder is made of; its angles may be told by a dict.
from ...configuration import Config


class RotorConfig(Config):
    model_type = "rotor"

    def __init__(self, words=10, width=8, depth=1, heads=2, shared=1, longest=8, act="silu", angles=None, **kwargs):
        self.words, self.width, self.depth = words, width, depth
        self.heads, self.longest, self.act = heads, longest, act
        self.shared = heads if shared is None else shared
        self.angles = angles if angles is not None else {"kind": "table", "base": 100.0}
        if "kind" not in self.angles and "type" in self.angles:
            self.angles["kind"] = self.angles.pop("type")
        super().__init__(**{"tie_words": False, **kwargs})
