# SPDX-License-Identifier: GPL-3.0-or-later
# Recurrent layers over whole sequences, padded or packed, and single cells.
import math
import warnings
import torch
from torch import Tensor
from torch.nn import init
from torch.nn.parameter import Parameter
from torch.nn.utils.rnn import PackedSequence
from .module import Module
from .utils import _fields_if

__all__ = ['RNNBase', 'RNN', 'LSTM', 'GRU', 'RNNCellBase', 'RNNCell', 'LSTMCell', 'GRUCell']

_GATES = {'LSTM': 4, 'GRU': 3, 'RNN_TANH': 1, 'RNN_RELU': 1}


def _apply_permutation(tensor, permutation, dim=1):
    return tensor.index_select(dim, permutation)


def apply_permutation(tensor, permutation, dim=1):
    warnings.warn('`apply_permutation` is deprecated, please use `tensor.index_select(dim, permutation)` instead',
                  FutureWarning, stacklevel=2)
    return _apply_permutation(tensor, permutation, dim)


def _spread(module):
    bound = 1.0 / math.sqrt(module.hidden_size) if module.hidden_size > 0 else 0
    for weight in module.parameters():
        init.uniform_(weight, -bound, bound)


def _wanted_type(name, value, kind):
    if not isinstance(value, kind):
        raise TypeError(f'{name} should be of type {kind.__name__}, got: {type(value).__name__}')


class RNNBase(Module):
    __constants__ = ['mode', 'input_size', 'hidden_size', 'num_layers', 'bias', 'batch_first', 'dropout', 'bidirectional',
                     'proj_size']

    def __init__(self, mode, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, proj_size=0, device=None, dtype=None):
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._check_options(dropout)
        self._flat_weights_names = []
        self._all_weights = []
        gates = _GATES[mode] * hidden_size
        carried = proj_size or hidden_size
        sides = ('', '_reverse') if bidirectional else ('',)
        for layer in range(num_layers):
            width = input_size if layer == 0 else carried * len(sides)
            for side in sides:
                shapes = {'weight_ih': (gates, width), 'weight_hh': (gates, carried), 'bias_ih': (gates,), 'bias_hh': (gates,),
                          'weight_hr': (proj_size, hidden_size)}
                names = []
                for kind, shape in shapes.items():
                    if (bias or not kind.startswith('bias')) and (proj_size > 0 or kind != 'weight_hr'):
                        names.append(f'{kind}_l{layer}{side}')
                        setattr(self, names[-1], Parameter(torch.empty(shape, device=device, dtype=dtype)))
                self._flat_weights_names.extend(names)
                self._all_weights.append(names)
        self._init_flat_weights()
        self.reset_parameters()

    def _check_options(self, dropout):
        if isinstance(dropout, bool) or not isinstance(dropout, (int, float)) or not 0 <= dropout <= 1:
            raise ValueError('dropout should be a number in range [0, 1] representing the probability of an element being '
                             'zeroed')
        if dropout > 0 and self.num_layers == 1:
            warnings.warn('dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects '
                          f'num_layers greater than 1, but got dropout={dropout} and num_layers={self.num_layers}',
                          stacklevel=2)
        _wanted_type('bias', self.bias, bool)
        _wanted_type('batch_first', self.batch_first, bool)
        for name in ('input_size', 'hidden_size'):
            _wanted_type(name, getattr(self, name), int)
            if getattr(self, name) <= 0:
                raise ValueError(f'{name} must be greater than zero')
        if self.num_layers <= 0:
            raise ValueError('num_layers must be greater than zero')
        if self.proj_size < 0:
            raise ValueError('proj_size should be a positive integer or zero to disable projections')
        if self.proj_size >= self.hidden_size:
            raise ValueError('proj_size has to be smaller than hidden_size')
        if self.mode not in _GATES:
            raise ValueError('Unrecognized RNN mode: ' + self.mode)

    def _own_weights(self):
        return [getattr(self, name, None) for name in self._flat_weights_names]

    def _init_flat_weights(self):
        self._flat_weights = self._own_weights()

    def _update_flat_weights(self):
        if any(one is not other for one, other in zip(self._flat_weights, self._own_weights())):
            self._init_flat_weights()

    def __setattr__(self, attr, value):
        names = self.__dict__.get('_flat_weights_names', ())
        if attr in names and '_flat_weights' in self.__dict__:
            self._flat_weights[names.index(attr)] = value
        super().__setattr__(attr, value)

    def flatten_parameters(self):
        pass

    def _apply(self, fn, recurse=True):
        result = super()._apply(fn, recurse)
        self._init_flat_weights()
        return result

    def reset_parameters(self):
        _spread(self)

    def check_input(self, input, batch_sizes):
        dtype = self._flat_weights[0].dtype
        if input.dtype != dtype and not torch.is_autocast_enabled():
            raise ValueError(f'RNN input dtype ({input.dtype}) does not match weight dtype ({dtype}). Convert input: '
                             f'input.to({dtype}), or convert model: model.to({input.dtype})')
        dims = 3 if batch_sizes is None else 2
        if input.dim() != dims:
            raise RuntimeError(f'input must have {dims} dimensions, got {input.dim()}')
        if self.input_size != input.size(-1):
            raise RuntimeError(f'input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.size(-1)}')

    def _hidden_shape(self, input, batch_sizes, length):
        if batch_sizes is None:
            batch = input.size(0) if self.batch_first else input.size(1)
        else:
            batch = int(batch_sizes[0])
        return self.num_layers * (2 if self.bidirectional else 1), batch, length

    def get_expected_hidden_size(self, input, batch_sizes):
        return self._hidden_shape(input, batch_sizes, self.proj_size or self.hidden_size)

    def check_hidden_size(self, hx, expected_hidden_size, msg='Expected hidden size {}, got {}'):
        if hx.size() != expected_hidden_size:
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))

    def check_forward_args(self, input, hidden, batch_sizes):
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx, permutation):
        return hx if permutation is None else _apply_permutation(hx, permutation)

    def extra_repr(self):
        return f'{self.input_size}, {self.hidden_size}' + _fields_if(
            self, proj_size=0, num_layers=1, bias=True, batch_first=False, dropout=0, bidirectional=False)

    def __setstate__(self, state):
        super().__setstate__(state)
        self.__dict__.setdefault('proj_size', 0)
        self._init_flat_weights()

    @property
    def all_weights(self):
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    # The parts of forward. What differs between the kinds is how many states are carried on: two in an LSTM, else one.

    def _zero_states(self, input, batch_sizes):
        return torch.zeros(*self.get_expected_hidden_size(input, batch_sizes), dtype=input.dtype, device=input.device)

    def _unbatched_states(self, hx):
        if hx.dim() != 2:
            raise RuntimeError(f'For unbatched 2-D input, hx should also be 2-D but got {hx.dim()}-D tensor')
        return hx.unsqueeze(1)

    def _batched_states(self, hx):
        if hx.dim() != 3:
            raise RuntimeError(f'For batched 3-D input, hx should also be 3-D but got {hx.dim()}-D tensor')
        return hx

    def _without_batch(self, hidden):
        return hidden.squeeze(1)

    def _run(self, function, input, hx, states, word=''):
        self._update_flat_weights()
        packed = isinstance(input, PackedSequence)
        batch_sizes = unsorted = None
        if packed:
            input, batch_sizes, sorted_places, unsorted = input
            hx = self._zero_states(input, batch_sizes) if hx is None else self.permute_hidden(hx, sorted_places)
        else:
            if input.dim() not in (2, 3):
                raise ValueError(f'{self._kind}: Expected input to be 2D or 3D, '
                                 f'got {input.dim()}D {word}instead')
            batched = input.dim() == 3
            batch_dim = 0 if self.batch_first else 1
            if not batched:
                input = input.unsqueeze(batch_dim)
            if hx is None:
                hx = self._zero_states(input, None)
            else:
                hx = self._batched_states(hx) if batched else self._unbatched_states(hx)
        if not packed or states == 1:
            self.check_forward_args(input, hx, batch_sizes)
        options = (self._flat_weights, self.bias, self.num_layers, self.dropout, self.training, self.bidirectional)
        if packed:
            output, *hidden = function(input, batch_sizes, hx, *options)
        else:
            output, *hidden = function(input, hx, *options, self.batch_first)
        hidden = tuple(hidden) if states == 2 else hidden[0]
        if packed:
            return PackedSequence(output, batch_sizes, sorted_places, unsorted), self.permute_hidden(hidden, unsorted)
        if not batched:
            output = output.squeeze(batch_dim)
            hidden = self._without_batch(hidden)
        return output, hidden


def _no_projection(named):
    if 'proj_size' in named:
        raise ValueError('proj_size argument is only supported for LSTM, not RNN or GRU')


class RNN(RNNBase):
    _kind = 'RNN'

    def __init__(self, *args, **kwargs):
        _no_projection(kwargs)
        if len(args) > 3:
            kind = args[3]
            args = args[:3] + args[4:]
        else:
            kind = kwargs.pop('nonlinearity', 'tanh')
        if kind not in ('tanh', 'relu'):
            raise ValueError(f"Unknown nonlinearity '{kind}'. Select from 'tanh' or 'relu'.")
        super().__init__('RNN_' + kind.upper(), *args, **kwargs)
        self.nonlinearity = kind

    def forward(self, input, hx=None):
        return self._run(torch.rnn_tanh if self.mode == 'RNN_TANH' else torch.rnn_relu, input, hx, 1, 'tensor ')


class LSTM(RNNBase):
    _kind = 'LSTM'

    def __init__(self, *args, **kwargs):
        super().__init__('LSTM', *args, **kwargs)

    def get_expected_cell_size(self, input, batch_sizes):
        return self._hidden_shape(input, batch_sizes, self.hidden_size)

    def check_forward_args(self, input, hidden, batch_sizes):
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden[0], self.get_expected_hidden_size(input, batch_sizes),
                               'Expected hidden[0] size {}, got {}')
        self.check_hidden_size(hidden[1], self.get_expected_cell_size(input, batch_sizes), 'Expected hidden[1] size {}, got {}')

    def permute_hidden(self, hx, permutation):
        if permutation is None:
            return hx
        return _apply_permutation(hx[0], permutation), _apply_permutation(hx[1], permutation)

    def _zero_states(self, input, batch_sizes):
        cell = self.get_expected_cell_size(input, batch_sizes)
        return super()._zero_states(input, batch_sizes), torch.zeros(*cell, dtype=input.dtype, device=input.device)

    def _unbatched_states(self, hx):
        if hx[0].dim() != 2 or hx[1].dim() != 2:
            raise RuntimeError('For unbatched 2-D input, hx and cx should also be 2-D but got '
                               f'({hx[0].dim()}-D, {hx[1].dim()}-D) tensors')
        return hx[0].unsqueeze(1), hx[1].unsqueeze(1)

    def _batched_states(self, hx):
        if hx[0].dim() != 3 or hx[1].dim() != 3:
            raise RuntimeError('For batched 3-D input, hx and cx should also be 3-D but got '
                               f'({hx[0].dim()}-D, {hx[1].dim()}-D) tensors')
        return hx

    def _without_batch(self, hidden):
        return hidden[0].squeeze(1), hidden[1].squeeze(1)

    def forward(self, input, hx=None):
        return self._run(torch.lstm, input, hx, 2)


class GRU(RNNBase):
    _kind = 'GRU'

    def __init__(self, *args, **kwargs):
        _no_projection(kwargs)
        super().__init__('GRU', *args, **kwargs)

    def forward(self, input, hx=None):
        return self._run(torch.gru, input, hx, 1)


class RNNCellBase(Module):
    __constants__ = ['input_size', 'hidden_size', 'bias']

    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = num_chunks * hidden_size
        for name, shape in (('weight_ih', (rows, input_size)), ('weight_hh', (rows, hidden_size)), ('bias_ih', rows),
                            ('bias_hh', rows)):
            wanted = bias or name.startswith('weight')
            self.register_parameter(name, Parameter(torch.empty(shape, device=device, dtype=dtype)) if wanted else None)
        self.reset_parameters()

    def extra_repr(self):
        text = f'{self.input_size}, {self.hidden_size}' + _fields_if(self, bias=True)
        return text + (_fields_if(self, nonlinearity='tanh') if 'nonlinearity' in self.__dict__ else '')

    def reset_parameters(self):
        _spread(self)

    def _check_dims(self, kind, what, value):
        if value.dim() not in (1, 2):
            raise ValueError(f'{kind}: Expected {what} to be 1D or 2D, got {value.dim()}D instead')

    def _zeros(self, input):
        return torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)

    def _one_state(self, kind, function, input, hx):
        self._check_dims(kind, 'input', input)
        if hx is not None:
            self._check_dims(kind, 'hidden', hx)
        batched = input.dim() == 2
        if not batched:
            input = input.unsqueeze(0)
            hx = None if hx is None else hx.unsqueeze(0)
        if hx is None:
            hx = self._zeros(input)
        result = function(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return result if batched else result.squeeze(0)


class RNNCell(RNNCellBase):
    __constants__ = ['input_size', 'hidden_size', 'bias', 'nonlinearity']

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity='tanh', device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, num_chunks=1, device=device, dtype=dtype)
        self.nonlinearity = nonlinearity

    def _step(self, *values):
        if self.nonlinearity == 'tanh':
            return torch.rnn_tanh_cell(*values)
        if self.nonlinearity == 'relu':
            return torch.rnn_relu_cell(*values)
        raise RuntimeError(f'Unknown nonlinearity: {self.nonlinearity}')

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        return self._one_state('RNNCell', self._step, input, hx)


class LSTMCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, num_chunks=4, device=device, dtype=dtype)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
        self._check_dims('LSTMCell', 'input', input)
        for place, state in enumerate(() if hx is None else hx):
            self._check_dims('LSTMCell', f'hx[{place}]', state)
        batched = input.dim() == 2
        if not batched:
            input = input.unsqueeze(0)
            hx = None if hx is None else (hx[0].unsqueeze(0), hx[1].unsqueeze(0))
        if hx is None:
            hx = (self._zeros(input),) * 2
        result = torch.lstm_cell(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return result if batched else (result[0].squeeze(0), result[1].squeeze(0))


class GRUCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, num_chunks=3, device=device, dtype=dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        return self._one_state('GRUCell', torch.gru_cell, input, hx)
