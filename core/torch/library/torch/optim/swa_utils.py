# SPDX-License-Identifier: GPL-3.0-or-later
# torch.optim.swa_utils: models whose weights are running averages of another model's.
import copy
import itertools

import torch
from torch._outside import outside

__getattr__ = outside(__name__)


def get_ema_avg_fn(decay=0.999):
    _check_decay(decay)

    @torch.no_grad()
    def ema_update(ema_param, current_param, num_averaged):
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn():
    @torch.no_grad()
    def swa_update(averaged_param, current_param, num_averaged):
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


def get_ema_multi_avg_fn(decay=0.999):
    _check_decay(decay)

    @torch.no_grad()
    def ema_update(ema_param_list, current_param_list, _):
        for mean, new in zip(ema_param_list, current_param_list, strict=True):
            if _can_lerp(ema_param_list[0]):
                mean.lerp_(new, 1 - decay)
            else:
                mean.copy_(mean * decay + new * (1 - decay))

    return ema_update


def get_swa_multi_avg_fn():
    @torch.no_grad()
    def swa_update(averaged_param_list, current_param_list, num_averaged):
        for mean, new in zip(averaged_param_list, current_param_list, strict=True):
            if _can_lerp(averaged_param_list[0]):
                mean.lerp_(new, float(1 / (num_averaged + 1)))
            elif isinstance(num_averaged, torch.Tensor):
                mean.addcdiv_(new - mean, num_averaged + 1)
            else:
                mean.add_(new - mean, alpha=1.0 / (num_averaged + 1))

    return swa_update


def _can_lerp(tensor):
    return torch.is_floating_point(tensor) or torch.is_complex(tensor)


def _check_decay(decay):
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f'Invalid decay value {decay} provided. Please provide a value in [0,1] range.')


class AveragedModel(torch.nn.Module):
    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError('Only one of avg_fn and multi_avg_fn should be provided')
        self.module = copy.deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer('n_averaged', torch.tensor(0, dtype=torch.long, device=device))
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def update_parameters(self, model):
        if self.use_buffers:
            means, given = (itertools.chain(each.parameters(), each.buffers()) for each in (self.module, model))
        else:
            means, given = self.parameters(), model.parameters()
        pairs = [(mean.detach(), new.detach().to(mean.device)) for mean, new in zip(means, given)]
        if self.n_averaged == 0:
            for mean, new in pairs:
                mean.copy_(new)
        elif self.multi_avg_fn is not None:
            for group in _groups(pairs):
                self.multi_avg_fn([mean for mean, _ in group], [new for _, new in group], self.n_averaged.to(group[0][0].device))
        else:
            average = self.avg_fn or get_swa_avg_fn()
            for mean, new in pairs:
                mean.copy_(average(mean, new, self.n_averaged.to(mean.device)))
        if not self.use_buffers:
            for mean, new in zip(self.module.buffers(), model.buffers(), strict=True):
                mean.detach().copy_(new.detach().to(mean.device))
        self.n_averaged += 1


def _groups(pairs):
    """Groups pairs by device and dtype."""
    found = {}
    for pair in pairs:
        found.setdefault((pair[0].device, pair[0].dtype), []).append(pair)
    return found.values()


@torch.no_grad()
def update_bn(loader, model, device=None):
    """Recomputes the statistics of batch normalization over all batches."""
    norms = [module for module in model.modules() if isinstance(module, torch.nn.modules.batchnorm._BatchNorm)]
    if not norms:
        return
    was_training, momenta = model.training, [module.momentum for module in norms]
    model.train()
    for module in norms:
        module.reset_running_stats()
        module.momentum = None
    for batch in loader:
        if isinstance(batch, (list, tuple)):
            batch = batch[0]
        model(batch if device is None else batch.to(device))
    for module, momentum in zip(norms, momenta):
        module.momentum = momentum
    model.train(was_training)
