# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of torch that are C, Python or both.
# case: {"expr": "forward", "inputs": "torch.rand(3, 3), torch.rand(3, 3)"}
# case: {"expr": "python_side", "inputs": "torch.rand(3, 3), torch.rand(3, 3)"}
# case: {"expr": "namespaces", "inputs": "torch.rand(3, 3) + torch.eye(3) * 3"}
# case: {"expr": "sparse"}
# case: {"expr": "makers", "inputs": "torch.rand(3, 2)"}

import torch
from torch import matmul as mm, cat


def forward(a, b):
    c = mm(a, b)
    d = torch.add(a, b, alpha=2)
    e = torch.addmm(a, b, c, beta=0.5, alpha=1)
    f = torch.clamp(a, min=0.1)
    g = torch.where(a > b, a, 0.0)
    h = torch.sum(a, dim=(0, 1), keepdim=True)
    i = cat((a, b), dim=-1)
    j = torch.stack([a, b, c], 1)
    k = torch.max(a, b), torch.max(a), torch.max(a, 0)
    l = torch.topk(a, 2, largest=False)[1]
    m = torch.flatten(j, start_dim=1)
    n = torch.gather(a, 1, torch.zeros(3, 3, dtype=torch.long))
    o = torch.bmm(j, j) * torch.pow(2, a) + torch.pow(a, 2.0)
    p = torch.logsumexp(a, -1) + torch.cumsum(a, dim=0)[0]
    return c, d, e, f, g, h, i, k[2].values, l, m, n, o, p, torch.numel(a), torch.is_tensor(a)


def python_side(a, b):
    c = torch.einsum("ij,jk->ik", a, b)
    d = torch.einsum("ij,ij", [a, b])
    e = torch.norm(a, p=2, dim=1)
    f = torch.split(a, 1, dim=0)
    g = torch.tensordot(a, b, dims=1)
    h = torch.cdist(a, b)
    i = torch.meshgrid(a[0], b[0], indexing="ij")
    j = torch.chain_matmul(a, b, a) if False else torch.linalg.multi_dot([a, b, a])
    k = torch.broadcast_tensors(a, b[0])
    l = torch.atleast_1d(a), torch.block_diag(a, b), torch.cartesian_prod(a[0], b[0])
    m = torch.unique(a, sorted=True)
    n = torch.lu if False else torch.stft
    o = torch.unravel_index if False else torch.broadcast_to(a[0], (3, 3))
    return c, d, e, f[0], g, h, i[0], j, k[1], l, m


def namespaces(x):
    a = torch.linalg.norm(x, ord="fro")
    b = torch.linalg.inv(x) @ torch.linalg.cholesky(x @ x.T)
    c = torch.fft.fft(x, dim=-1).abs() + torch.fft.irfft(torch.fft.rfft(x), n=3)
    d = torch.special.expit(x) + torch.special.gammaln(x)
    e = torch.nn.functional.relu(torch.linalg.vector_norm(x, dim=1))
    f = torch.fft.fftshift(torch.fft.fftfreq(3)) + x
    g = torch.linalg.det(x), torch.linalg.solve(x, x), torch.linalg.svdvals(x)
    h = torch.special.softmax(x, dim=0) + torch.special.entr(x)
    return a, b, c, d, e, f, g, h, torch.ops.aten.relu.default(x), torch.ops.aten.mul(x, 2)


def makers(x):
    a = torch.zeros_like(x) + torch.ones_like(x, dtype=torch.float64)
    b = torch.full_like(x, 3.0) + torch.empty_like(x).fill_(1)
    c = x.new_zeros(3, 2) + x.new_full((3, 2), 2.0) + x.new_empty(x.shape).zero_()
    d = torch.arange(x.size(0)).view(-1, 1) * x
    e = torch.zeros([x.size(0), 2]) + torch.eye(3, 2) + torch.ones((x.shape[0], 2))
    f = torch.tensor(5) * x
    return a, b, c, d, e, f, torch.linspace(0, 1, x.size(0)), torch.full((x.size(0), 1), 7)


def sparse(s, x):
    summed = torch.sparse.addmm(x, s, x, beta=0.5)
    return torch.sparse.mm(s, x), summed, torch.sparse.softmax(s, 1).to_dense(), torch.sparse.log_softmax(s, dim=0).to_dense()
