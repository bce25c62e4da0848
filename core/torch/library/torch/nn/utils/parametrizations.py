# SPDX-License-Identifier: GPL-3.0-or-later
# Parametrizations by name: weight as length and direction, of spectral norm one, orthogonal.
import torch
from torch.nn import functional as F
from torch.nn.modules.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from torch.nn.modules.module import Module
from .parametrize import register_parametrization

__all__ = ['orthogonal', 'spectral_norm', 'weight_norm']


def _weight_of(module, name):
    weight = getattr(module, name, None)
    if not isinstance(weight, torch.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    return weight


class _WeightNorm(Module):
    def __init__(self, dim=0):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g, weight_v):
        return torch._weight_norm(weight_v, weight_g, self.dim)

    def right_inverse(self, weight):
        return torch.norm_except_dim(weight, 2, self.dim), weight


def weight_norm(module, name='weight', dim=0):
    register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def read_old_names(state_dict, prefix, *others):
        old = [f'{prefix}{name}_g', f'{prefix}{name}_v']
        if all(key in state_dict for key in old):
            for place, key in enumerate(old):
                state_dict[f'{prefix}parametrizations.{name}.original{place}'] = state_dict.pop(key)

    module._register_load_state_dict_pre_hook(read_old_names)
    return module


class _SpectralNorm(Module):
    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        dims = weight.dim()
        if not -dims <= dim < dims:
            raise IndexError(f'Dimension out of range (expected to be in range of [-{dims}, {dims - 1}] but got {dim})')
        if n_power_iterations <= 0:
            raise ValueError('Expected n_power_iterations to be positive, but got '
                             f'n_power_iterations={n_power_iterations}')
        self.dim = dim % dims
        self.eps = eps
        if dims > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._reshape_weight_to_matrix(weight)
            rows, columns = matrix.size()
            u = matrix.new_empty(rows).normal_(0, 1)
            v = matrix.new_empty(columns).normal_(0, 1)
            self.register_buffer('_u', F.normalize(u, dim=0, eps=eps))
            self.register_buffer('_v', F.normalize(v, dim=0, eps=eps))
            self._power_method(matrix, 15)

    def _reshape_weight_to_matrix(self, weight):
        if self.dim != 0:
            weight = weight.permute(self.dim, *[dim for dim in range(weight.dim()) if dim != self.dim])
        return weight.flatten(1)

    def _power_method(self, matrix, steps):
        with torch.no_grad():
            for _ in range(steps):
                self._u.copy_(F.normalize(torch.mv(matrix, self._v), dim=0, eps=self.eps))
                self._v.copy_(F.normalize(torch.mv(matrix.H, self._u), dim=0, eps=self.eps))

    def forward(self, weight):
        if weight.dim() == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._reshape_weight_to_matrix(weight)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        return weight / torch.vdot(self._u.clone(), torch.mv(matrix, self._v.clone()))

    def right_inverse(self, value):
        return value


def spectral_norm(module, name='weight', n_power_iterations=1, eps=1e-12, dim=None):
    weight = _weight_of(module, name)
    if dim is None:
        dim = 1 if isinstance(module, (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)) else 0
    return register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))


def _diagonal(matrix):
    return matrix.diagonal(dim1=-2, dim2=-1)


def _nearby_orthogonal(matrix):
    packed, tau = torch.geqrf(matrix)
    return torch.linalg.householder_product(packed, tau) * _diagonal(packed).sgn().unsqueeze(-2)


def _is_orthogonal(matrix):
    rows, columns = matrix.size(-2), matrix.size(-1)
    one = torch.eye(columns, dtype=matrix.dtype, device=matrix.device)
    return torch.allclose(matrix.mH @ matrix, one, atol=10.0 * rows * torch.finfo(matrix.dtype).eps)


class _Orthogonal(Module):
    def __init__(self, weight, orthogonal_map, *, use_trivialization=True):
        super().__init__()
        if weight.is_complex() and orthogonal_map == 'householder':
            raise ValueError('The householder parametrization does not support complex tensors.')
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer('base', None)

    def forward(self, X):
        wide = X.size(-2) < X.size(-1)
        X = X.mT if wide else X
        rows, columns = X.size(-2), X.size(-1)
        if self.orthogonal_map == 'householder':
            lower = X.tril(diagonal=-1)
            tau = 2.0 / (1.0 + (lower * lower).sum(dim=-2))
            result = torch.linalg.householder_product(lower, tau) * _diagonal(X).int().unsqueeze(-2)
        else:
            lower = X.tril()
            if rows != columns:
                lower = torch.cat([lower, X.new_zeros(rows, rows - columns).expand(*X.shape[:-2], -1, -1)], dim=-1)
            skew = lower - lower.mH
            if self.orthogonal_map == 'matrix_exp':
                result = torch.matrix_exp(skew)
            else:
                one = torch.eye(rows, dtype=skew.dtype, device=skew.device)
                result = torch.linalg.solve(torch.add(one, skew, alpha=-0.5), torch.add(one, skew, alpha=0.5))
            if rows != columns:
                result = result[..., :columns]
        if hasattr(self, 'base'):
            result = self.base @ result
        return result.mT if wide else result

    def right_inverse(self, Q):
        if Q.shape != self.shape:
            raise ValueError(f'Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape {Q.shape}.')
        start = Q
        wide = Q.size(-2) < Q.size(-1)
        Q = Q.mT if wide else Q
        rows, columns = Q.size(-2), Q.size(-1)
        with torch.no_grad():
            if not hasattr(self, 'base'):
                if self.orthogonal_map != 'householder':
                    raise NotImplementedError('It is not possible to assign to the matrix exponential or the Cayley '
                                              'parametrizations when use_trivialization=False.')
                packed, tau = torch.geqrf(Q)
                _diagonal(packed).sign_()
                _diagonal(packed)[tau == 0.0] *= -1
                return packed.mT if wide else packed
            if rows != columns:
                more = torch.randn(*Q.size()[:-2], rows, rows - columns, dtype=Q.dtype, device=Q.device)
                self.base = _nearby_orthogonal(torch.cat([Q, more], dim=-1))
            else:
                self.base = Q.clone() if _is_orthogonal(Q) else _nearby_orthogonal(Q)
            negative = torch.zeros_like(start)
            _diagonal(negative).fill_(-1.0)
            return negative


def orthogonal(module, name='weight', orthogonal_map=None, *, use_trivialization=True):
    weight = _weight_of(module, name)
    if weight.dim() < 2:
        raise ValueError(f'Expected a matrix or batch of matrices. Got a tensor of {weight.dim()} dimensions.')
    if orthogonal_map is None:
        square = weight.size(-2) == weight.size(-1) or weight.is_complex()
        orthogonal_map = 'matrix_exp' if square else 'householder'
    if orthogonal_map not in ('matrix_exp', 'cayley', 'householder'):
        raise ValueError(f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}')
    made = _Orthogonal(weight, orthogonal_map, use_trivialization=use_trivialization)
    return register_parametrization(module, name, made, unsafe=True)
