# SPDX-License-Identifier: GPL-3.0-or-later
# Generator and discriminator of one game, with spectral-like normalisation by hand.
# case: {"expr": "Generator(nz=5)", "inputs": "torch.randn(2, 5, 1, 1)"}
# case: {"expr": "Discriminator()", "inputs": "torch.randn(2, 1, 16, 16)"}
# case: {"expr": "Game(Generator(nz=4), Discriminator())", "inputs": "torch.randn(1, 4, 1, 1)"}

import torch
import torch.nn as nn


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1:
        torch.nn.init.normal_(m.weight, 0.0, 0.02)
    elif classname.find("BatchNorm") != -1:
        torch.nn.init.normal_(m.weight, 1.0, 0.02)
        torch.nn.init.zeros_(m.bias)


class Generator(nn.Module):
    def __init__(self, nz=8, ngf=4, nc=1):
        super(Generator, self).__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False),
            nn.BatchNorm2d(ngf * 2),
            nn.ReLU(True),
            nn.ConvTranspose2d(ngf * 2, ngf, 4, 2, 1, bias=False),
            nn.BatchNorm2d(ngf),
            nn.ReLU(True),
            nn.ConvTranspose2d(ngf, nc, 4, 2, 1, bias=False),
            nn.Tanh(),
        )
        self.apply(weights_init)

    def forward(self, input):
        output = self.main(input)
        return output


class NormedConv(nn.Conv2d):
    """A convolution whose weight is divided by its norm at every call."""

    def forward(self, x):
        w = self.weight / self.weight.flatten(1).norm(dim=1).clamp(min=1e-3)[:, None, None, None]
        return self._conv_forward(x, w, self.bias)


class Discriminator(nn.Module):
    def __init__(self, ndf=4, nc=1):
        super().__init__()
        blocks = []
        for i, (a, b) in enumerate([(nc, ndf), (ndf, ndf * 2)]):
            blocks.append(NormedConv(a, b, 4, 2, 1, bias=i > 0))
            blocks.append(nn.LeakyReLU(0.2, inplace=True))
        self.main = nn.Sequential(*blocks, nn.Conv2d(ndf * 2, 1, 4, 1, 0), nn.Sigmoid())

    def forward(self, input):
        return self.main(input).view(-1, 1).squeeze(1)


class Game(nn.Module):
    def __init__(self, generator, discriminator):
        super().__init__()
        self.generator = generator
        self.discriminator = discriminator

    def forward(self, noise):
        fake = self.generator(noise)
        return self.discriminator(fake), self.discriminator(fake.detach())
