# SPDX-License-Identifier: GPL-3.0-or-later
# What an encoder is made of.
from ...configuration import Config


class ScribeConfig(Config):
    model_type = "scribe"
    attribute_map = {"hidden": "width", "layers": "depth"}

    def __init__(self, words=12, width=8, depth=2, heads=2, longest=8, kinds=2, act="gelu", dropout=0.1, pad=0, **kwargs):
        super().__init__(**kwargs)
        self.words, self.longest, self.kinds = words, longest, kinds
        self.hidden = width
        self.depth, self.heads = depth, heads
        self.act, self.dropout, self.pad = act, dropout, pad
