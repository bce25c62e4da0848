# SPDX-License-Identifier: GPL-3.0-or-later
# Texts and formats that decide names and values.
# case: {"expr": "Net('conv-relu-conv')", "inputs": "torch.randn(1, 2, 6)"}
# case: {"expr": "Net(' Conv / pool ', sep='/')", "inputs": "torch.randn(1, 2, 6)"}

from torch import nn


class Net(nn.Module):
    def __init__(self, spec: str, sep="-"):
        super().__init__()
        makers = {"conv": lambda: nn.Conv1d(2, 2, 3, padding=1), "relu": nn.ReLU, "pool": lambda: nn.MaxPool1d(2)}
        self.names = []
        for i, word in enumerate(spec.split(sep)):
            word = word.strip().lower()
            name = f"{word:_>6}{i:02d}".lstrip("_") if i % 2 == 0 else "%s_%d" % (word, i)
            self.add_module(name, makers[word]())
            self.names.append(name)
        self.title = " + ".join(self.names).title().replace("+", "&")

    def forward(self, x):
        for name in self.names:
            x = self.get_submodule(name)(x)
        kinds = sorted({n.rstrip("0123456789_") for n in self.names})
        text = "{0:>8}|{1!r}|{k:.2f}|{0:<5}".format(kinds[0], self.names[-1], k=len(kinds) / 3)
        return x, self.title, text, f"{kinds=}", f"{1000000:,} {0.000123:e} {255:#x} {True!s:^6}", "a" in text
