# SPDX-License-Identifier: GPL-3.0-or-later
# The observer that keeps a histogram, and looks for the range of least error in it.
import warnings
import torch
from .observer import _EPS, UniformQuantizationObserverBase
from .utils import is_per_tensor


def _cubes(begin, end, density):
    return density * ((end * end * end - begin * begin * begin) / 3)


class HistogramObserver(UniformQuantizationObserverBase):
    __module__ = 'torch.ao.quantization.observer'

    def __init__(self, bins=2048, dtype=torch.quint8, qscheme=torch.per_tensor_affine, reduce_range=False, quant_min=None,
                 quant_max=None, factory_kwargs=None, eps=_EPS, is_dynamic=False, **kwargs):
        if not is_per_tensor(qscheme):
            raise NotImplementedError("HistogramObserver's qscheme only support torch.per_tensor_symmetric                     "
                                      'and torch.per_tensor_affine.')
        if is_dynamic:
            raise NotImplementedError("HistogramObserver doesn't support dynamic quantization")
        super().__init__(dtype=dtype, qscheme=qscheme, reduce_range=reduce_range, quant_min=quant_min, quant_max=quant_max,
                         factory_kwargs=factory_kwargs, eps=eps, is_dynamic=is_dynamic, **kwargs)
        self.bins = bins
        self.register_buffer('histogram', torch.zeros(bins, **torch.nn.factory_kwargs(factory_kwargs)))
        self._add_range(float('inf'), float('-inf'), factory_kwargs)
        self.dst_nbins = 2 ** torch.iinfo(dtype).bits
        self.upsample_rate = 16

    # Watching

    def _keep_counts(self, counts, low, high):
        self.histogram.detach_().resize_(counts.shape)
        self.histogram.copy_(counts)
        self._keep(low, high)

    def _spread(self, low, high):
        # The counts so far over bins of a wider range.
        pieces = self.bins * self.upsample_rate
        counts = self.histogram.repeat_interleave(self.upsample_rate) / self.upsample_rate
        width = (self.max_val - self.min_val) / pieces
        middles = torch.linspace(self.min_val, self.max_val, pieces + 1)[:-1].to(counts.device) + 0.5 * width
        places = torch.bucketize(middles, torch.linspace(low, high, self.bins + 1).to(counts.device), right=True) - 1
        places[places >= self.bins] = self.bins - 1
        places[places < 0] = 0
        return torch.bincount(places, weights=counts, minlength=self.bins)

    def forward(self, x_orig):
        if x_orig.numel() == 0:
            return x_orig
        x = x_orig.detach()
        low, high = torch.aminmax(x)
        if low == -torch.inf or high == torch.inf:
            warnings.warn('torch.inf detected in input tensor, ignoring input', stacklevel=2)
            x = x[x.abs() != torch.inf]
            if x.numel() == 0:
                return x_orig
            low, high = torch.aminmax(x)
        own_low, own_high = self.min_val, self.max_val
        if own_low == float('inf') or own_high == float('-inf'):
            self._keep_counts(torch.histc(x, self.bins, min=low, max=high), low, high)
            return x_orig
        low, high = torch.min(own_low, low), torch.max(own_high, high)
        fresh = torch.histc(x, self.bins, min=low, max=high).to(self.histogram.device)
        if low == own_low and high == own_high:
            counts = self.histogram + fresh
        elif own_low == own_high:
            counts = torch.histc(own_low, bins=self.bins, min=low, max=high) * torch.sum(self.histogram) + fresh
        else:
            counts = fresh + self._spread(low, high)
        self._keep_counts(counts, low, high)
        return x_orig

    # Asking

    def _error(self, first, last):
        # Of rounding to dst_nbins levels between two bins, each bin's density taken as even.
        width = (self.max_val.item() - self.min_val.item()) / self.bins
        step = width * (last - first + 1) / self.dst_nbins
        if step == 0.0:
            return 0.0
        begin = (torch.arange(self.bins) - first) * width
        end = begin + width
        first_level = torch.clamp(torch.div(begin, step, rounding_mode='floor'), 0, self.dst_nbins - 1)
        last_level = torch.clamp(torch.div(end, step, rounding_mode='floor'), 0, self.dst_nbins - 1)
        density = self.histogram / width
        norm = torch.zeros(self.bins)
        norm += _cubes(begin - (first_level + 0.5) * step, torch.ones(self.bins) * (step / 2), density)
        norm += (last_level - first_level - 1) * _cubes(torch.tensor(-step / 2), torch.tensor(step / 2), density)
        norm += _cubes(torch.tensor(-step / 2), end - (last_level * step + step / 2), density)
        return norm.sum().item()

    def _best_range(self):
        width = (self.max_val - self.min_val) / self.bins
        total = torch.sum(self.histogram).item()
        sums = torch.cumsum(self.histogram, dim=0)
        lower, upper, first, last, least = 0.0, 1.0, 0, self.bins - 1, float('inf')
        while lower < upper:
            next_lower, next_upper = lower + 1e-05, upper - 1e-05
            left, right = first, last
            while left < last and sums[left] < next_lower * total:
                left += 1
            while right > first and sums[right] > next_upper * total:
                right -= 1
            next_first, next_last = first, last
            if left - first > last - right:
                next_first, lower = left, next_lower
            else:
                next_last, upper = right, next_upper
            if (next_first, next_last) == (first, last):
                continue
            error = self._error(next_first, next_last)
            if error > least:
                break
            least, first, last = error, next_first, next_last
        return self.min_val + width * first, self.min_val + width * (last + 1)

    def calculate_qparams(self):
        if self.min_val == float('inf') and self.max_val == float('-inf'):
            warnings.warn('must run observer before calling calculate_qparams.                                    '
                          'Returning default scale and zero point ', stacklevel=2)
            return torch.tensor([1.0]), torch.tensor([0])
        if self.bins != len(self.histogram):
            raise AssertionError('The number of bins in histogram should be equal to the number of bins supplied while making '
                                 'this observer')
        return self._calculate_qparams(*self._best_range())
