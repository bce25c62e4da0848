# SPDX-License-Identifier: GPL-3.0-or-later
# A variational autoencoder with its loss; the noise is an input so that a run can be repeated.
# case: {"expr": "VAE()", "inputs": "torch.rand(3, 12), torch.randn(3, 2)"}

import torch
from torch import nn
from torch.nn import functional as F


class VAE(nn.Module):
    def __init__(self, n=12, hidden=8, latent=2):
        super().__init__()
        self.fc1 = nn.Linear(n, hidden)
        self.fc21 = nn.Linear(hidden, latent)
        self.fc22 = nn.Linear(hidden, latent)
        self.fc3 = nn.Linear(latent, hidden)
        self.fc4 = nn.Linear(hidden, n)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar, eps):
        std = torch.exp(0.5 * logvar)
        return mu + eps * std

    def decode(self, z):
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z))))

    def loss(self, recon, x, mu, logvar):
        bce = F.binary_cross_entropy(recon, x.view(-1, 12), reduction="sum")
        kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
        return bce + kld

    def forward(self, x, eps):
        mu, logvar = self.encode(x.view(-1, 12))
        z = self.reparameterize(mu, logvar, eps)
        recon = self.decode(z)
        return dict(recon=recon, mu=mu, logvar=logvar, loss=self.loss(recon, x, mu, logvar))
