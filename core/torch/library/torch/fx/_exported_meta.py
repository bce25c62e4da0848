# SPDX-License-Identifier: GPL-3.0-or-later
# What torch.export keeps of a node as text, as the values that it was.
import json

import torch
from torch.fx.traceback import NodeSource


def _function(name):
    if not name.startswith('torch'):
        return name
    value = torch
    for part in name.split('.')[1:]:
        if not hasattr(value, part):
            return name
        value = getattr(value, part)
    return value


def value_of(key, text):
    if key == 'torch_fn':
        return tuple(text.split(';'))
    if key == 'source_fn_stack':
        pairs = [entry.split(',') for entry in text.split(';')]
        return [(name, _function(function)) for name, function in pairs]
    if key == 'from_node':
        return [source for source in map(NodeSource._from_dict, json.loads(text)) if source is not None]
    return json.loads(text)
