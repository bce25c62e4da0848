# SPDX-License-Identifier: GPL-3.0-or-later
# Names of modules and parameters that torch refuses.
# case: {"expr": "DotName()", "fails": "error"}
# case: {"expr": "EmptyName()", "fails": "error"}
# case: {"expr": "Taken()", "fails": "error"}
# case: {"expr": "BufferTaken()", "fails": "error"}
# case: {"expr": "NotModule()", "fails": "error"}
# case: {"expr": "Keys()", "fails": "error"}
# case: {"expr": "BeforeInit()", "fails": "error"}

import torch
from torch import nn


class DotName(nn.Module):
    def __init__(self):
        super().__init__()
        self.add_module("a.b", nn.ReLU())


class EmptyName(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("", torch.ones(1))


class Taken(nn.Module):
    def __init__(self):
        super().__init__()
        self.add_module("forward", nn.ReLU())


class BufferTaken(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(1))
        self.register_buffer("w", torch.ones(1))


class NotModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.add_module("a", torch.relu)


class Keys(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.ModuleDict({"keys": nn.ReLU()})


class BeforeInit(nn.Module):
    def __init__(self):
        self.w = nn.Parameter(torch.ones(1))
