# SPDX-License-Identifier: GPL-3.0-or-later
# LSTMs and GRUs in the ways in which models call them.
import torch
from torch import nn


class Sentence(nn.Module):
    """Two layers that read both ways, of words."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(30, 12)
        self.lstm = nn.LSTM(12, 20, num_layers=2, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(40, 3)

    def forward(self, words):
        out, (h, c) = self.lstm(self.table(words))
        return self.fc(out.mean(1)), c


class Series(nn.Module):
    """Of steps, then batches; the state is given on."""

    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(6, 16)
        self.again = nn.GRU(16, 16, dropout=0.0)

    def forward(self, x):
        out, h = self.gru(x)
        out, h = self.again(out, h)
        return out, torch.relu(h)


class Given(nn.Module):
    """Where it begins is an input."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(5, 8)

    def forward(self, x, h, c):
        out, state = self.lstm(x, (h, c))
        return out, state[0], state[1]


class Narrow(nn.Module):
    """No kernel knows projections, or goes without biases: they stay as they are restored."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(5, 8, proj_size=4)
        self.gru = nn.GRU(4, 8, bias=False)

    def forward(self, x):
        out, _ = self.lstm(x)
        out, _ = self.gru(out)
        return out


MODELS = {"Sentence": (Sentence, lambda: (torch.randint(0, 30, (3, 7)),)), "Series": (Series, lambda: (torch.randn(9, 2, 6),)),
          "Given": (Given, lambda: (torch.randn(4, 3, 5), torch.randn(1, 3, 8), torch.randn(1, 3, 8))),
          "Narrow": (Narrow, lambda: (torch.randn(6, 2, 5),))}


def build(name):
    torch.manual_seed(0)
    return MODELS[name][0]().eval()
