# SPDX-License-Identifier: GPL-3.0-or-later
# Modules of torch.nn that look at their input, and so cannot be roots.
# case: {"expr": "nn.BatchNorm1d(3)", "fails": "error"}
# case: {"expr": "nn.BatchNorm2d(3)", "fails": "error"}
# case: {"expr": "nn.BatchNorm3d(3)", "fails": "error"}
# case: {"expr": "nn.SyncBatchNorm(3)", "fails": "error"}
# case: {"expr": "nn.ConvTranspose1d(3, 4, 2)", "fails": "error"}
# case: {"expr": "nn.ConvTranspose2d(3, 4, 2)", "fails": "error"}
# case: {"expr": "nn.ConvTranspose3d(3, 4, 2)", "fails": "error"}
# case: {"expr": "nn.CircularPad1d(1)", "fails": "error"}
# case: {"expr": "nn.CircularPad2d(1)", "fails": "error"}
# case: {"expr": "nn.CircularPad3d(1)", "fails": "error"}
# case: {"expr": "nn.InstanceNorm1d(3)", "fails": "error"}
# case: {"expr": "nn.InstanceNorm2d(3)", "fails": "error"}
# case: {"expr": "nn.InstanceNorm3d(3)", "fails": "error"}
# case: {"expr": "nn.Softmax2d()", "fails": "error"}
# case: {"expr": "nn.RNN(3, 4)", "fails": "error"}
# case: {"expr": "nn.LSTM(3, 4)", "fails": "error"}
# case: {"expr": "nn.GRU(3, 4)", "fails": "error"}
# case: {"expr": "nn.RNNCell(3, 4)", "fails": "error"}
# case: {"expr": "nn.LSTMCell(3, 4)", "fails": "error"}
# case: {"expr": "nn.GRUCell(3, 4)", "fails": "error"}
# case: {"expr": "nn.MultiheadAttention(4, 2)", "fails": "error"}
# case: {"expr": "nn.TransformerEncoderLayer(4, 2)", "fails": "error"}
# case: {"expr": "nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2), 2)", "fails": "error"}
# case: {"expr": "nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2), 2)", "fails": "error"}
# case: {"expr": "nn.AdaptiveLogSoftmaxWithLoss(4, 9, [3])", "fails": "error"}
# case: {"expr": "nn.CrossMapLRN2d(2)", "fails": "error"}
# case: {"expr": "nn.ModuleList([nn.ReLU()])", "fails": "error"}
# case: {"expr": "nn.ModuleDict({\"a\": nn.ReLU()})", "fails": "error"}
# case: {"expr": "nn.Module()", "fails": "error"}

import torch
from torch import nn
