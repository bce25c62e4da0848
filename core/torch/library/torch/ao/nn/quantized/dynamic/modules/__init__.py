# SPDX-License-Identifier: GPL-3.0-or-later
# All of them.
from .conv import *
from .linear import Linear
from .rnn import GRU, GRUCell, LSTM, LSTMCell, RNNCell

__all__ = ['Linear', 'LSTM', 'GRU', 'LSTMCell', 'RNNCell', 'GRUCell', 'Conv1d', 'Conv2d', 'Conv3d', 'ConvTranspose1d',
           'ConvTranspose2d', 'ConvTranspose3d']
