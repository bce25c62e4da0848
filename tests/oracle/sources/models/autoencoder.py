# SPDX-License-Identifier: GPL-3.0-or-later
# Convolutions down and transposed convolutions up; encode and decode as methods.
# case: {"expr": "AutoEncoder()", "inputs": "torch.rand(2, 1, 16, 16)"}

import torch.nn as nn


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 4, 3, stride=2, padding=1),
            nn.ELU(),
            nn.Conv2d(4, 8, 3, stride=2, padding=1),
            nn.ELU(),
            nn.Flatten(),
            nn.Linear(8 * 4 * 4, 6),
        )
        self.decoder = nn.Sequential(
            nn.Linear(6, 8 * 4 * 4),
            nn.Unflatten(1, (8, 4, 4)),
            nn.ConvTranspose2d(8, 4, 3, stride=2, padding=1, output_padding=1),
            nn.PReLU(),
            nn.ConvTranspose2d(4, 1, 3, stride=2, padding=1, output_padding=1),
            nn.Sigmoid(),
        )

    def encode(self, x):
        return self.encoder(x)

    def decode(self, z):
        return self.decoder(z)

    def forward(self, x):
        z = self.encode(x)
        return self.decode(z), z
