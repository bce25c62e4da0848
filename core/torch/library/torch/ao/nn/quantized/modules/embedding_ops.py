# SPDX-License-Identifier: GPL-3.0-or-later
# Tables of quantized rows.
import torch
from .utils import Packing, empty_rows, shown_without, take

__all__ = ['EmbeddingPackedParams', 'Embedding', 'EmbeddingBag']


class EmbeddingPackedParams(Packing, torch.nn.Module):
    _version = 1

    def __init__(self, num_embeddings, embedding_dim, dtype=torch.quint8):
        super().__init__()
        self.dtype = dtype
        if dtype not in (torch.quint8, torch.quint4x2):
            raise NotImplementedError('Unsupported dtype on quantized embedding! Supports quint8 and quint4x2. '
                                      f'Got dtype: {dtype}')
        self._hold(empty_rows(num_embeddings, embedding_dim, dtype))

    def set_weight(self, weight):
        self._hold(weight)

    def _weight(self):
        return self.held_weight

    def _pack(self, weight, bias):
        return torch.ops.quantized.embedding_bag_prepack(weight)

    def _unpack(self, state):
        return (state[1][0],)

    _packed_weight = property(Packing._packed, Packing._take_packed)

    def forward(self, x):
        return x

    def __setstate__(self, state):
        state = dict(state)
        packed = state.pop('_packed_weight', None)
        super().__setstate__(state)
        if packed is not None:
            self._hold(packed.__getstate__()[0][1][0])

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + 'dtype'] = self.dtype
        destination[prefix + '_packed_weight'] = self.held_weight

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, *reports):
        self.dtype, weight = take(state_dict, prefix, 'dtype', '_packed_weight')
        self._hold(weight)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, False, *reports)

    def __repr__(self):
        return repr(self.held_weight)


class Embedding(torch.nn.Module):
    _version = 1

    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
                 sparse=False, _weight=None, dtype=torch.quint8):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.dtype = dtype
        if _weight is None:
            _weight = empty_rows(num_embeddings, embedding_dim, torch.quint8)
        elif list(_weight.shape) != [num_embeddings, embedding_dim]:
            raise AssertionError('Shape of weight does not match num_embeddings and embedding_dim: expected '
                                 f'{[num_embeddings, embedding_dim]}, got {list(_weight.shape)}')
        self._packed_params = EmbeddingPackedParams(num_embeddings, embedding_dim, dtype)
        self.set_weight(_weight)

    def _operator(self, name):
        return getattr(torch.ops.quantized, name + ('_4bit' if self.dtype == torch.quint4x2 else '_byte'))

    def forward(self, indices):
        return self._operator('embedding')(self._packed_params._packed_weight, indices)

    def _get_name(self):
        return 'QuantizedEmbedding'

    def __repr__(self):
        return shown_without(self, EmbeddingPackedParams)

    def extra_repr(self):
        return (f'num_embeddings={self.num_embeddings}, embedding_dim={self.embedding_dim}, '
                f'dtype={self._packed_params.dtype}, qscheme={self.weight().qscheme()}')

    def set_weight(self, w):
        self._packed_params.set_weight(w)

    def weight(self):
        return self._packed_params._weight()


class EmbeddingBag(Embedding):
    _version = 1

    def __init__(self, num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode='sum',
                 sparse=False, _weight=None, include_last_offset=False, dtype=torch.quint8):
        super().__init__(num_embeddings, embedding_dim, _weight=_weight, dtype=dtype)
        self.mode = mode
        self.pruned_weights = False
        self.include_last_offset = include_last_offset

    def forward(self, indices, offsets=None, per_sample_weights=None, compressed_indices_mapping=None):
        return self._operator('embedding_bag')(self._packed_params._packed_weight, indices, offsets, False, 0,
                                               self.pruned_weights, per_sample_weights, compressed_indices_mapping,
                                               self.include_last_offset)

    def _get_name(self):
        return 'QuantizedEmbeddingBag'
