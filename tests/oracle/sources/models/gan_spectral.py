# SPDX-License-Identifier: GPL-3.0-or-later
# A generator and a discriminator with spectral norm, weights set by name of class.
# case: {"expr": "GAN()", "inputs": "torch.randn(2, 8), torch.randn(2, 1, 16, 16)"}
# case: {"expr": "GAN().discriminator", "inputs": "torch.randn(2, 1, 16, 16)"}
# case: {"expr": "GAN(spectral=False, act=nn.Softplus).generator", "inputs": "torch.randn(2, 8)", "train": true}
import torch
from torch import nn
from torch.nn.utils import parametrizations, weight_norm as old_weight_norm
from torch.nn.utils.parametrizations import spectral_norm


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1 and hasattr(m, "weight"):
        nn.init.normal_(m.weight.data, 0.0, 0.02)
    elif classname.find("BatchNorm") != -1:
        nn.init.constant_(m.bias.data, 0)


class Lambda(nn.Module):
    def __init__(self, func):
        super().__init__()
        self.func = func

    def forward(self, *a, **k):
        return self.func(*a, **k)


def block(i, o, *, last=False, **kw):
    layers = [nn.ConvTranspose2d(i, o, **{"kernel_size": 4, "stride": 2, "padding": 1, "bias": False, **kw})]
    if not last:
        layers += [nn.BatchNorm2d(o), nn.ReLU(True)]
    else:
        layers.append(nn.Tanh())
    return layers


class GAN(nn.Module):
    def __init__(self, nz=8, ngf=4, spectral=True, act=lambda: nn.LeakyReLU(0.2, inplace=True)):
        super().__init__()
        self.nz = nz
        self.generator = nn.Sequential(
            Lambda(lambda z: z.view(-1, nz, 1, 1)),
            *block(nz, ngf * 2, stride=1, padding=0),
            *block(ngf * 2, ngf),
            *block(ngf, 1, last=True),
        )
        norm = spectral_norm if spectral else (lambda m: m)
        self.discriminator = nn.Sequential()
        c = 1
        for i, o in enumerate([4, 8]):
            self.discriminator.add_module(f"conv{i}", norm(nn.Conv2d(c, o, 4, 2, 1)))
            self.discriminator.add_module(f"act{i}", act())
            c = o
        self.discriminator.append(nn.Flatten()).append(nn.Linear(c * 16, 1))
        self.apply(weights_init)

    def forward(self, z, real):
        fake = self.generator(z)
        d_real, d_fake = self.discriminator(real), self.discriminator(fake.detach())
        loss = nn.functional.binary_cross_entropy_with_logits(d_real, torch.ones_like(d_real)) \
            + nn.functional.binary_cross_entropy_with_logits(d_fake, torch.zeros_like(d_fake))
        return {"fake": fake, "loss": loss, "logits": (d_real, d_fake)}
