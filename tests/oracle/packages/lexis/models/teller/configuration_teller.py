# SPDX-License-Identifier: GPL-3.0-or-later
# What a decoder is made of.
from ...configuration import Config


class TellerConfig(Config):
    model_type = "teller"
    attribute_map = {"width": "n_width", "depth": "n_layer", "heads": "n_head", "longest": "n_place"}

    def __init__(self, words=10, n_width=8, n_layer=2, n_head=2, n_place=6, act="gelu_rough", mask="buffer",
                 by_depth=False, **kwargs):
        self.words, self.n_width, self.n_layer = words, n_width, n_layer
        self.n_head, self.n_place = n_head, n_place
        self.act, self.mask, self.by_depth = act, mask, by_depth
        super().__init__(**kwargs)
