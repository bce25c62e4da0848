# SPDX-License-Identifier: GPL-3.0-or-later
# Recurrent layers and cells of quantized weights. The packed weights stand in modules or attributes of their own.
import numbers
import warnings
import torch
from torch import nn
from torch.nn.utils.rnn import PackedSequence
from torch.ao.nn.quantized.modules.utils import shown_without

__all__ = ['pack_weight_bias', 'PackedParameter', 'RNNBase', 'LSTM', 'GRU', 'RNNCellBase', 'RNNCell', 'LSTMCell', 'GRUCell',
           'apply_permutation']


def apply_permutation(tensor, permutation, dim=1):
    return tensor.index_select(dim, permutation)


def pack_weight_bias(qweight, bias, dtype):
    if dtype == torch.qint8:
        return torch.ops.quantized.linear_prepack(qweight, bias)
    return torch.ops.quantized.linear_prepack_fp16(qweight, bias)


def _pack_layer(w_ih, w_hh, b_ih, b_hh, dtype, version):
    parts = [pack_weight_bias(w_ih, b_ih, dtype), pack_weight_bias(w_hh, b_hh, dtype)]
    if dtype != torch.qint8:
        return torch.ops.quantized.make_quantized_cell_params_fp16(*parts)
    reduced = () if version is None or version < 2 else (True,)
    return torch.ops.quantized.make_quantized_cell_params_dynamic(*parts, b_ih, b_hh, *reduced)


class PackedParameter(torch.nn.Module):
    def __init__(self, param):
        super().__init__()
        self.param = param

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + 'param'] = self.param

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, *reports):
        self.param = state_dict.pop(prefix + 'param')
        super()._load_from_state_dict(state_dict, prefix, local_metadata, False, *reports)


class RNNBase(torch.nn.Module):
    _version = 2
    _gates = {'LSTM': 4, 'GRU': 3}

    def __init__(self, mode, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, dtype=torch.qint8):
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.dtype = dtype
        self.version = 2
        self.training = False
        if not isinstance(dropout, numbers.Number) or isinstance(dropout, bool) or not 0 <= dropout <= 1:
            raise ValueError('dropout should be a number in range [0, 1] representing the probability of an element being '
                             'zeroed')
        if dropout > 0 and num_layers == 1:
            warnings.warn('dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects '
                          f'num_layers greater than 1, but got dropout={dropout} and num_layers={num_layers}', stacklevel=2)
        if mode not in self._gates:
            raise ValueError('Unrecognized RNN mode: ' + mode)
        rows = self._gates[mode] * hidden_size
        packed = []
        for layer in range(num_layers):
            for _ in range(self._directions()):
                width = hidden_size * self._directions() if layer else input_size
                parts = [torch.randn(rows, width), torch.randn(rows, hidden_size), torch.randn(rows), torch.randn(rows)]
                if dtype == torch.qint8:
                    parts[:2] = [torch.quantize_per_tensor(part, scale=0.1, zero_point=0, dtype=torch.qint8)
                                 for part in parts[:2]]
                packed.append(PackedParameter(_pack_layer(*parts, dtype, self.version)))
        self._all_weight_values = torch.nn.ModuleList(packed)

    def _directions(self):
        return 2 if self.bidirectional else 1

    def _get_name(self):
        return 'DynamicQuantized' + ('RNN' if type(self) is RNNBase else type(self).__name__)

    def extra_repr(self):
        parts = [str(self.input_size), str(self.hidden_size)]
        usual = {'num_layers': 1, 'bias': True, 'batch_first': False, 'dropout': 0, 'bidirectional': False}
        parts += [f'{name}={getattr(self, name)}' for name, value in usual.items() if getattr(self, name) != value]
        return ', '.join(parts)

    def __repr__(self):
        return shown_without(self, PackedParameter, nn.ModuleList)

    def check_input(self, input, batch_sizes):
        wanted = 3 if batch_sizes is None else 2
        if input.dim() != wanted:
            raise RuntimeError(f'input must have {wanted} dimensions, got {input.dim()}')
        if self.input_size != input.size(-1):
            raise RuntimeError(f'input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.size(-1)}')

    def get_expected_hidden_size(self, input, batch_sizes):
        batch = input.size(0 if self.batch_first else 1) if batch_sizes is None else int(batch_sizes[0])
        return self.num_layers * self._directions(), batch, self.hidden_size

    def check_hidden_size(self, hx, expected_hidden_size, msg='Expected hidden size {}, got {}'):
        if hx.size() != expected_hidden_size:
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))

    def check_forward_args(self, input, hidden, batch_sizes):
        self.check_input(input, batch_sizes)
        wanted = self.get_expected_hidden_size(input, batch_sizes)
        if not isinstance(hidden, tuple):
            self.check_hidden_size(hidden, wanted)
            return
        for place in (0, 1):
            self.check_hidden_size(hidden[place], wanted, f'Expected hidden[{place}] size {{}}, got {{}}')

    def permute_hidden(self, hx, permutation):
        if permutation is None:
            return hx
        if isinstance(hx, tuple):
            return tuple(apply_permutation(part, permutation) for part in hx)
        return apply_permutation(hx, permutation)

    def set_weight_bias(self, weight_bias_dict):
        packed = []
        for layer in range(self.num_layers):
            for direction in range(self._directions()):
                end = f'l{layer}' + ('_reverse' if direction else '')
                parts = [weight_bias_dict[f'{kind}_{end}'] for kind in ('weight_ih', 'weight_hh', 'bias_ih', 'bias_hh')]
                packed.append(PackedParameter(_pack_layer(*parts, parts[0].dtype, self.version)))
        self._all_weight_values = torch.nn.ModuleList(packed)

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, *reports):
        self.version = local_metadata.get('version', self.version)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, False, *reports)

    def _start(self, input, batch):
        return torch.zeros(self.num_layers * self._directions(), batch, self.hidden_size, dtype=input.dtype,
                           device=input.device)

    def forward_impl(self, input, hx, batch_sizes, max_batch_size, sorted_indices):
        hx = self._start(input, max_batch_size) if hx is None else self.permute_hidden(hx, sorted_indices)
        self.check_forward_args(input, hx, batch_sizes)
        params = [layer.param for layer in self._all_weight_values]
        inputs = (input, hx) if batch_sizes is None else (input, batch_sizes, hx)
        options = [self.bias, self.num_layers, float(self.dropout), self.training, self.bidirectional]
        if batch_sizes is None:
            options.append(self.batch_first)
        return self._run(*inputs, params, *options)

    def forward(self, input, hx=None):
        if not isinstance(input, PackedSequence):
            batch = input.size(0 if self.batch_first else 1)
            return self.forward_impl(input, hx, None, batch, None)
        data, batch_sizes, sorted_indices, unsorted_indices = input
        output, hidden = self.forward_impl(data, hx, batch_sizes, int(batch_sizes[0]), sorted_indices)
        packed = PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices)
        return packed, self.permute_hidden(hidden, unsorted_indices)


class LSTM(RNNBase):
    def __init__(self, *args, **kwargs):
        super().__init__('LSTM', *args, **kwargs)

    def _start(self, input, batch):
        zeros = super()._start(input, batch)
        return zeros, zeros

    def _run(self, *args):
        result = torch.ops.aten.quantized_lstm(*args, dtype=self.dtype, use_dynamic=True)
        return result[0], tuple(result[1:])


class GRU(RNNBase):
    def __init__(self, *args, **kwargs):
        super().__init__('GRU', *args, **kwargs)

    def _run(self, *args):
        result = torch.ops.aten.quantized_gru(*args)
        return result[0], result[1]


class RNNCellBase(torch.nn.Module):
    __constants__ = ['input_size', 'hidden_size', 'bias']

    def __init__(self, input_size, hidden_size, bias=True, num_chunks=4, dtype=torch.qint8):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        self.weight_dtype = dtype
        rows = num_chunks * hidden_size
        if bias:
            self.bias_ih = torch.randn(rows)
            self.bias_hh = torch.randn(rows)
        else:
            self.register_parameter('bias_ih', None)
            self.register_parameter('bias_hh', None)
        weights = {'weight_ih': torch.randn(rows, input_size), 'weight_hh': torch.randn(rows, hidden_size)}
        if dtype == torch.qint8:
            weights = {name: torch.quantize_per_tensor(value, scale=1, zero_point=0, dtype=torch.qint8)
                       for name, value in weights.items()}
        self.set_weight_bias({'weight': weights, 'bias': {'bias_ih': self.bias_ih, 'bias_hh': self.bias_hh}})

    def set_weight_bias(self, weight_bias_dict):
        weights, biases = weight_bias_dict['weight'], weight_bias_dict['bias']
        self._packed_weight_ih = pack_weight_bias(weights['weight_ih'], biases['bias_ih'], self.weight_dtype)
        self._packed_weight_hh = pack_weight_bias(weights['weight_hh'], biases['bias_hh'], self.weight_dtype)

    def _get_name(self):
        return 'DynamicQuantized' + ('RNNBase' if type(self) is RNNCellBase else type(self).__name__)

    def extra_repr(self):
        parts = [str(self.input_size), str(self.hidden_size)]
        if self.bias is not True:
            parts.append(f'bias={self.bias}')
        if getattr(self, 'nonlinearity', 'tanh') != 'tanh':
            parts.append(f'nonlinearity={self.nonlinearity}')
        return ', '.join(parts)

    def check_forward_input(self, input):
        if input.size(1) != self.input_size:
            raise RuntimeError(f'input has inconsistent input_size: got {input.size(1)}, expected {self.input_size}')

    def check_forward_hidden(self, input, hx, hidden_label=''):
        if input.size(0) != hx.size(0):
            raise RuntimeError(f"Input batch size {input.size(0)} doesn't match hidden{hidden_label} batch size {hx.size(0)}")
        if hx.size(1) != self.hidden_size:
            raise RuntimeError(f'hidden{hidden_label} has inconsistent hidden_size: got {hx.size(1)}, expected '
                               f'{self.hidden_size}')

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        for name in ('_packed_weight_ih', '_packed_weight_hh'):
            destination[prefix + name] = getattr(self, name)

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, *reports):
        for name in ('_packed_weight_ih', '_packed_weight_hh'):
            setattr(self, name, state_dict.pop(prefix + name))
        super()._load_from_state_dict(state_dict, prefix, local_metadata, False, *reports)

    def _begin(self, input):
        return torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)

    def _cell(self, name, input, hx):
        operator = getattr(torch.ops.quantized, f'quantized_{name}_cell_dynamic')
        return operator(input, hx, self._packed_weight_ih, self._packed_weight_hh, self.bias_ih, self.bias_hh)

    def _step(self, name, input, hx):
        self.check_forward_input(input)
        if hx is None:
            hx = self._begin(input)
        self.check_forward_hidden(input, hx, '')
        return self._cell(name, input, hx)


class RNNCell(RNNCellBase):
    __constants__ = ['input_size', 'hidden_size', 'bias', 'nonlinearity']

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity='tanh', dtype=torch.qint8):
        super().__init__(input_size, hidden_size, bias, num_chunks=1, dtype=dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        if self.nonlinearity not in ('tanh', 'relu'):
            raise RuntimeError(f'Unknown nonlinearity: {self.nonlinearity}')
        return self._step('rnn_' + self.nonlinearity, input, hx)


class LSTMCell(RNNCellBase):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, num_chunks=4, **kwargs)

    def forward(self, input, hx=None):
        self.check_forward_input(input)
        if hx is None:
            hx = (self._begin(input),) * 2
        for place in (0, 1):
            self.check_forward_hidden(input, hx[place], f'[{place}]')
        return self._cell('lstm', input, hx)


class GRUCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, dtype=torch.qint8):
        super().__init__(input_size, hidden_size, bias, num_chunks=3, dtype=dtype)

    def forward(self, input, hx=None):
        return self._step('gru', input, hx)
