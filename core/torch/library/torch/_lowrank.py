# SPDX-License-Identifier: GPL-3.0-or-later
# Decompositions of low rank from random projections (Halko, Martinsson, Tropp 2009, algorithms 4.4 and 5.1).
import torch


def _basis_of_range(A, q, niter, M):
    # Orthonormal columns that span about what A - M maps to.
    def image(matrix, shift, columns):
        product = torch.matmul(matrix, columns)
        return product if shift is None else product - torch.matmul(shift, columns)

    dtype = A.dtype if A.is_floating_point() or A.is_complex() else torch.float32
    columns = torch.randn(A.shape[-1], q, dtype=dtype, device=A.device)
    basis = torch.linalg.qr(image(A, M, columns)).Q
    for _ in range(niter):
        basis = torch.linalg.qr(image(A.mH, None if M is None else M.mH, basis)).Q
        basis = torch.linalg.qr(image(A, M, basis)).Q
    return basis


def svd_lowrank(A, q=6, niter=2, M=None):
    q = 6 if q is None else q
    niter = 2 if niter is None else niter
    is_wide = A.shape[-2] < A.shape[-1]
    if M is not None:
        M = M.broadcast_to(A.size())
    if is_wide:
        A = A.mH
        M = None if M is None else M.mH
    basis = _basis_of_range(A, q, niter, M)
    small = torch.matmul(basis.mH, A)
    if M is not None:
        small = small - torch.matmul(basis.mH, M)
    U, S, Vh = torch.linalg.svd(small, full_matrices=False)
    U, V = basis.matmul(U), Vh.mH
    return (V, S, U) if is_wide else (U, S, V)


def pca_lowrank(A, q=None, center=True, niter=2):
    rows, columns = A.shape[-2:]
    if q is None:
        q = min(6, rows, columns)
    elif not 0 <= q <= min(rows, columns):
        raise ValueError(f'q(={q}) must be non-negative integer and not greater than min(m, n)={min(rows, columns)}')
    if not niter >= 0:
        raise ValueError(f'niter(={niter}) must be non-negative integer')
    centred = A - A.mean(dim=(-2,), keepdim=True) if center else A
    return svd_lowrank(centred, q, niter=niter)
