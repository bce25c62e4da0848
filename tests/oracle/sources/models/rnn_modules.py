# SPDX-License-Identifier: GPL-3.0-or-later
# Recurrent layers of torch.nn as leaves, with tuple results taken apart.
# case: {"expr": "Tagger()", "inputs": "torch.randint(0, 12, (2, 5))"}

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, vocab=12, emb=6, hidden=4, tags=3):
        super().__init__()
        self.embed = nn.Embedding(vocab, emb)
        self.lstm = nn.LSTM(emb, hidden, num_layers=2, batch_first=True, bidirectional=True)
        self.gru = nn.GRU(2 * hidden, hidden, batch_first=True)
        self.rnn = nn.RNNCell(hidden, hidden, nonlinearity="relu")
        self.out = nn.Linear(hidden, tags)

    def forward(self, tokens):
        x = self.embed(tokens)
        y, (h_n, c_n) = self.lstm(x)
        z, last = self.gru(y, None)
        h = self.rnn(last[0], h_n[-1] * c_n[-1].tanh())
        return self.out(z + h.unsqueeze(1)).log_softmax(dim=-1), h
