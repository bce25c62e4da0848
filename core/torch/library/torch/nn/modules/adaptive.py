# SPDX-License-Identifier: GPL-3.0-or-later
# Softmax over many classes in clusters: frequent classes in the head, rare ones in narrow tails.
from collections import namedtuple
import torch
from torch import Tensor
from torch.nn import functional as F
from .container import ModuleList, Sequential
from .linear import Linear
from .module import Module

__all__ = ['AdaptiveLogSoftmaxWithLoss']

_ASMoutput = namedtuple('_ASMoutput', ['output', 'loss'])


class AdaptiveLogSoftmaxWithLoss(Module):
    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None):
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs:
            raise ValueError('cutoffs should be a sequence of length larger than 0')
        rising = all(one < other for one, other in zip(cutoffs, cutoffs[1:]))
        if not rising or min(cutoffs) <= 0 or max(cutoffs) > n_classes - 1 or any(int(place) != place for place in cutoffs):
            raise ValueError('cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where '
                             'each value is between 1 and n_classes-1')
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = cutoffs + [n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = cutoffs[0]
        self.n_clusters = len(cutoffs)
        self.head_size = self.shortlist_size + self.n_clusters
        options = {'device': device, 'dtype': dtype}
        self.head = Linear(in_features, self.head_size, bias=head_bias, **options)
        self.tail = ModuleList()
        for cluster in range(self.n_clusters):
            inner = int(in_features // div_value ** (cluster + 1))
            outer = self.cutoffs[cluster + 1] - self.cutoffs[cluster]
            self.tail.append(Sequential(Linear(in_features, inner, bias=False, **options),
                                        Linear(inner, outer, bias=False, **options)))

    def reset_parameters(self):
        self.head.reset_parameters()
        for narrow, wide in self.tail:
            narrow.reset_parameters()
            wide.reset_parameters()

    def forward(self, input_: Tensor, target_: Tensor) -> _ASMoutput:
        dims = target_.dim()
        if dims == 1:
            if input_.size(0) != target_.size(0):
                raise RuntimeError('Input and target should have the same size in the batch dimension.')
            if input_.dim() != 2:
                raise RuntimeError(f'1D target tensor expects 2D input tensors, but found inputs with size {input_.size()}')
        elif dims == 0:
            if input_.dim() != 1:
                raise RuntimeError(f'0D target tensor expects 1D input tensors, but found inputs with size {input_.size()}')
        else:
            raise RuntimeError('0D or 1D target tensor expected, multi-target not supported')
        input, target = (input_, target_) if dims else (input_.unsqueeze(0), target_.unsqueeze(0))
        rows = target.size(0)
        found = 0
        output = input.new_zeros(rows)
        place_in_head = target.new_empty(rows)
        starts = [0] + self.cutoffs
        for cluster, (low, high) in enumerate(zip(starts, starts[1:])):
            inside = (target >= low) & (target < high)
            chosen = inside.nonzero().squeeze()
            if chosen.numel() == 0:
                continue
            found += chosen.numel()
            if cluster == 0:
                place_in_head.index_copy_(0, chosen, target[inside])
                continue
            scores = F.log_softmax(self.tail[cluster - 1](input.index_select(0, chosen)), dim=1)
            own = scores.gather(1, (target[inside] - low).unsqueeze(1))
            place_in_head.index_fill_(0, chosen, self.shortlist_size + cluster - 1)
            output.index_copy_(0, chosen, own.squeeze(1))
        if found != rows:
            raise RuntimeError(f'Target values should be in [0, {self.n_classes - 1}], but values in range '
                               f'[{target.min().item()}, {target.max().item()}] were found. ')
        scores = F.log_softmax(self.head(input), dim=1)
        output += scores.gather(1, place_in_head.unsqueeze(1)).squeeze()
        loss = (-output).mean()
        return _ASMoutput(output if dims else output.squeeze(0), loss)

    def _get_full_log_prob(self, input, head_output):
        result = input.new_empty((head_output.size(0), self.n_classes))
        head = F.log_softmax(head_output, dim=1)
        short = self.shortlist_size
        result[:, :short] = head[:, :short]
        for cluster, (low, high) in enumerate(zip(self.cutoffs, self.cutoffs[1:])):
            own = F.log_softmax(self.tail[cluster](input), dim=1)
            result[:, low:high] = own + head[:, short + cluster].unsqueeze(1)
        return result

    def log_prob(self, input):
        return self._get_full_log_prob(input, self.head(input))

    def predict(self, input):
        head = self.head(input)
        best = torch.argmax(head, dim=1)
        rare = best >= self.shortlist_size
        if rare.all():
            return torch.argmax(self._get_full_log_prob(input, head), dim=1)
        if rare.any():
            best[rare] = torch.argmax(self._get_full_log_prob(input[rare], head[rare]), dim=1)
        return best
