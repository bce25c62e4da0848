# SPDX-License-Identifier: GPL-3.0-or-later
# Many results as one tensor of bytes, and a text that says which is where.
import numpy as np
import torch


def packed(results):
    parts = [torch.empty(0, dtype=torch.uint8)]
    layout = {name: _described(value, parts) for name, value in results.items()}
    return torch.cat(parts), repr(layout)


def _described(value, parts):
    if isinstance(value, (list, tuple)):
        return [_described(each, parts) for each in value]
    if isinstance(value, (np.ndarray, np.generic)):
        tensor = torch.from_numpy(np.asarray(value).copy()).clone(memory_format=torch.contiguous_format)
        parts.append(tensor.reshape(-1).view(torch.uint8))
        return str(tensor.dtype), tuple(tensor.shape)
    return value if isinstance(value, str) else repr(value)


def unpacked(data, layout):
    """The results with tensors in place of arrays, and texts in place of numbers; `layout` as it was before repr()."""
    at = 0

    def made(value):
        nonlocal at
        if isinstance(value, list):
            return [made(each) for each in value]
        if isinstance(value, str):
            return value
        dtype = getattr(torch, value[0].removeprefix('torch.'))
        size = torch.Size(value[1]).numel() * dtype.itemsize
        part, at = data[at:at + size].clone().view(dtype).reshape(value[1]), at + size
        return part

    return {name: made(value) for name, value in layout.items()}
