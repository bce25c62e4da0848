# SPDX-License-Identifier: GPL-3.0-or-later
# How a loss over a linear layer is cut into chunks.
import dataclasses
import torch

__all__ = ['LinearCrossEntropyOptions']


@dataclasses.dataclass(frozen=True)
class LinearCrossEntropyOptions:
    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = 'auto'
    acc_policy: str = 'auto'
    acc_dtype: torch.dtype | None = None

    def __post_init__(self):
        if self.acc_policy not in ('auto', 'accurate', 'balanced', 'compact'):
            raise ValueError(f'invalid acc_policy: {self.acc_policy!r}')
        if self.chunking_method not in (None, 'auto', 'aspect_ratio'):
            name, _, factor = self.chunking_method.partition(':')
            if name != 'aspect_ratio' or not factor.isdigit() or int(factor) == 0:
                raise ValueError(f'invalid chunking_method: {self.chunking_method!r}')
        size = self.batch_chunk_size
        if size is not None and not (isinstance(size, int) and size > 0):
            raise ValueError(f'batch_chunk_size must be positive int or None, got {size!r}')
        if self.acc_dtype not in (None, torch.float16, torch.bfloat16, torch.float32, torch.float64):
            raise ValueError('acc_dtype must be one of {None, torch.float16, torch.bfloat16, torch.float32, torch.float64}, '
                             f'got {self.acc_dtype!r}. Pass acc_dtype=None to let the op pick automatically.')
