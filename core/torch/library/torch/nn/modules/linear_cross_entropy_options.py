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

    def _adjust(self, num_batches, in_features, num_classes, dtype, device=None):
        # What is left to choose is chosen by the sizes, the dtype and the device.
        is_small = dtype in (torch.float16, torch.bfloat16)
        on_cpu = device is not None and device.type == 'cpu' and is_small
        method, policy, size = self.chunking_method, self.acc_policy, self.batch_chunk_size
        if method == 'auto':
            method = None if size is not None else 'aspect_ratio' if on_cpu else 'aspect_ratio:2'
        if policy == 'auto':
            policy = 'accurate' if on_cpu else 'compact'
        chunk = num_batches if size is None else min(size, num_batches)
        if method is not None:
            chunk = _chunk_by_ratio(num_batches, in_features, num_classes, method)
            if size is not None and size != chunk:
                raise ValueError(f"batch_chunk_size (={size}) and chunking_method ('{method}') give different chunk sizes "
                                 f'({size} vs {chunk}); pass only one.')
        kept = self.acc_dtype
        if kept is None:
            widens = self.acc_policy == 'auto' and is_small and device is not None and device.type in ('cpu', 'cuda')
            kept = torch.float32 if widens else dtype
        return dataclasses.replace(self, acc_policy=policy, chunking_method=method, batch_chunk_size=max(1, chunk),
                                   acc_dtype=kept)


def _chunk_by_ratio(num_batches, in_features, num_classes, method):
    # A power of two that shrinks as the classes outnumber the features.
    factor = int(method.split(':', 1)[1]) if ':' in method else 1
    ratio = -(-num_classes // in_features)
    wanted = -(-num_batches // ratio)
    return min((1 << (wanted - 1).bit_length()) // factor, num_batches)
