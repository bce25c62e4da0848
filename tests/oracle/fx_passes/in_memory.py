# SPDX-License-Identifier: GPL-3.0-or-later
# pickle and torch.save in memory.
# case: pickled_objects Net() objects
# case: pickled_graph_module Net() graph_module
# case: saved_in_memory Net() saved

import io
import pickle

import torch
import torch.fx
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)

    def forward(self, x):
        return torch.relu(self.fc(x))


INPUTS = (torch.linspace(-1, 1, 6).reshape(2, 3),)


class Box:
    def __init__(self):
        self.items = [1, {"a": 2}]


def objects(gm):
    box = Box()
    data = pickle.dumps([box, box])
    box.items.append(3)
    loaded = pickle.loads(data)
    print(loaded[0] is loaded[1], loaded[0].items, box.items)
    buffer = io.BytesIO()
    for each in ((1, 2), "text", {"k": None}):
        pickle.dump(each, buffer)
    buffer.seek(0)
    print(pickle.load(buffer), pickle.load(buffer), pickle.Unpickler(buffer).load())
    try:
        pickle.loads(b"nothing")
    except pickle.UnpicklingError:
        print("refused")


def graph_module(gm):
    loaded = pickle.loads(pickle.dumps(gm))
    loaded.graph.lint()
    print(loaded.code == gm.code, torch.equal(loaded.fc.weight, gm.fc.weight), loaded.fc.weight is gm.fc.weight)
    return loaded


def saved(gm):
    buffer = io.BytesIO()
    torch.save(gm.state_dict(), buffer)
    buffer.seek(0)
    print(list(torch.load(buffer)))
    try:
        torch.load(io.BytesIO(b""))
    except Exception as error:
        print(isinstance(error, (EOFError, pickle.UnpicklingError, RuntimeError)))
