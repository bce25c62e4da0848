# SPDX-License-Identifier: GPL-3.0-or-later
# Embeddings and bags of them.
import torch
from torch import Tensor
from torch.nn import functional as F, init
from torch.nn.parameter import Parameter
from .module import Module

__all__ = ['Embedding', 'EmbeddingBag']


class _Table(Module):
    def _padding_place(self, place, word):
        # A row of the table, counted from the start.
        if place is None:
            return None
        if not -self.num_embeddings <= place < self.num_embeddings:
            raise AssertionError(f'{word} must be within num_embeddings')
        return place + self.num_embeddings if place < 0 else place

    def _own(self, given, requires_grad, device, dtype):
        shape = [self.num_embeddings, self.embedding_dim]
        if given is None:
            self.weight = Parameter(torch.empty(tuple(shape), device=device, dtype=dtype), requires_grad=requires_grad)
            self.reset_parameters()
        else:
            if list(given.shape) != shape:
                raise AssertionError('Shape of weight does not match num_embeddings and embedding_dim')
            self.weight = Parameter(given, requires_grad=requires_grad)

    def reset_parameters(self):
        init.normal_(self.weight)
        self._fill_padding_idx_with_zero()

    def _fill_padding_idx_with_zero(self):
        if self.padding_idx is not None:
            with torch.no_grad():
                self.weight[self.padding_idx].fill_(0)

    def _options(self, show):
        text = ''
        if self.max_norm is not None:
            text += f', max_norm={show(self.max_norm)}'
        if self.norm_type != 2:
            text += f', norm_type={show(self.norm_type)}'
        if self.scale_grad_by_freq is not False:
            text += f', scale_grad_by_freq={show(self.scale_grad_by_freq)}'
        return text


def _rows_and_columns(embeddings):
    if embeddings.dim() != 2:
        raise AssertionError('Embeddings parameter is expected to be 2-dimensional')
    return embeddings.shape


class Embedding(_Table):
    __constants__ = ['num_embeddings', 'embedding_dim', 'padding_idx', 'max_norm', 'norm_type', 'scale_grad_by_freq', 'sparse']

    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
                 sparse=False, _weight=None, _freeze=False, device=None, dtype=None):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = self._padding_place(padding_idx, 'Padding_idx')
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self._own(_weight, not _freeze, device, dtype)
        self.sparse = sparse

    def forward(self, input: Tensor) -> Tensor:
        return F.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq,
                           self.sparse)

    def extra_repr(self):
        text = f'{self.num_embeddings}, {self.embedding_dim}'
        if self.padding_idx is not None:
            text += f', padding_idx={self.padding_idx}'
        return text + self._options(str) + ('' if self.sparse is False else ', sparse=True')

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
                        sparse=False):
        rows, columns = _rows_and_columns(embeddings)
        return cls(num_embeddings=rows, embedding_dim=columns, _weight=embeddings, _freeze=freeze, padding_idx=padding_idx,
                   max_norm=max_norm, norm_type=norm_type, scale_grad_by_freq=scale_grad_by_freq, sparse=sparse)


class EmbeddingBag(_Table):
    __constants__ = ['num_embeddings', 'embedding_dim', 'max_norm', 'norm_type', 'scale_grad_by_freq', 'mode', 'sparse',
                     'include_last_offset', 'padding_idx']

    def __init__(self, num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode='mean',
                 sparse=False, _weight=None, include_last_offset=False, padding_idx=None, device=None, dtype=None):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.padding_idx = self._padding_place(padding_idx, 'padding_idx')
        self._own(_weight, True, device, dtype)
        self.mode = mode
        self.sparse = sparse
        self.include_last_offset = include_last_offset

    def forward(self, input: Tensor, offsets: Tensor | None = None, per_sample_weights: Tensor | None = None) -> Tensor:
        return F.embedding_bag(input, self.weight, offsets, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.mode,
                               self.sparse, per_sample_weights, self.include_last_offset, self.padding_idx)

    def extra_repr(self):
        text = f'{self.num_embeddings}, {self.embedding_dim}{self._options(repr)}, mode={self.mode!r}'
        return text if self.padding_idx is None else f'{text}, padding_idx={self.padding_idx}'

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode='mean',
                        sparse=False, include_last_offset=False, padding_idx=None):
        rows, columns = _rows_and_columns(embeddings)
        made = cls(num_embeddings=rows, embedding_dim=columns, _weight=embeddings, max_norm=max_norm, norm_type=norm_type,
                   scale_grad_by_freq=scale_grad_by_freq, mode=mode, sparse=sparse, include_last_offset=include_last_offset,
                   padding_idx=padding_idx)
        made.weight.requires_grad = not freeze
        return made
