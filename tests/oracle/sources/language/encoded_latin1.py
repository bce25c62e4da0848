# -*- coding: latin-1 -*-
# SPDX-License-Identifier: GPL-3.0-or-later
# A source in another encoding than UTF-8, which its first line names.
# case: {"expr": "Größe(3)", "inputs": "torch.ones(2)"}
# case: {"expr": "texts", "inputs": "torch.ones(2)"}

import torch

ÄÖÜ = "éèê"


class Größe(torch.nn.Module):
    def __init__(self, maß):
        super().__init__()
        self.maß = maß

    def forward(self, wert):
        return wert * self.maß + len(ÄÖÜ)


def texts(x):
    return x, ÄÖÜ, "Straße", len("ÿ"), b"abc".decode(), "\u20ac"
