# SPDX-License-Identifier: GPL-3.0-or-later
# Embeddings of rounded rows.
import torch
import torch.nn.functional as F
from torch import nn
from .linear import observe_weight

__all__ = ['Embedding', 'EmbeddingBag']


def _observe_rows(module, kind, qconfig, made):
    if not qconfig:
        raise AssertionError('qconfig must be provided for QAT module')
    scheme = qconfig.weight().qscheme
    if scheme != torch.per_channel_affine_float_qparams:
        raise AssertionError(f'{kind} weights requires a qscheme of torch.per_channel_affine_float_qparams Got {scheme}')
    observe_weight(module, qconfig, factory_kwargs=made)


class Embedding(nn.Embedding):
    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
                 sparse=False, _weight=None, device=None, dtype=None, qconfig=None):
        made = {'device': device, 'dtype': dtype}
        super().__init__(num_embeddings, embedding_dim, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse, _weight,
                         **made)
        _observe_rows(self, 'Embedding', qconfig, made)

    def forward(self, input):
        return F.embedding(input, self.weight_fake_quant(self.weight), self.padding_idx, self.max_norm, self.norm_type,
                           self.scale_grad_by_freq, self.sparse)


class EmbeddingBag(nn.EmbeddingBag):
    def __init__(self, num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode='mean',
                 sparse=False, _weight=None, include_last_offset=False, padding_idx=None, qconfig=None, device=None, dtype=None):
        made = {'device': device, 'dtype': dtype}
        super().__init__(num_embeddings, embedding_dim, max_norm, norm_type, scale_grad_by_freq, mode, sparse, _weight,
                         include_last_offset, padding_idx, **made)
        _observe_rows(self, 'Embedding Bag', qconfig, made)

    def forward(self, input, offsets=None, per_sample_weights=None):
        return F.embedding_bag(input, self.weight_fake_quant(self.weight), offsets, self.max_norm, self.norm_type,
                               self.scale_grad_by_freq, self.mode, self.sparse, per_sample_weights, self.include_last_offset,
                               self.padding_idx)
