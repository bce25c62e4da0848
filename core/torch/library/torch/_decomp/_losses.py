# SPDX-License-Identifier: GPL-3.0-or-later
# Decompositions of losses and of their gradients.
import torch

from ._rules import aten, computed, reduced, rule


@rule(aten.mse_loss.default)
@computed
def mse_loss(x, target, reduction=1):
    return reduced((x - target) ** 2, reduction)


@rule(aten.mse_loss_backward.default)
@computed
def mse_loss_backward(grad, x, target, reduction):
    scale = 2.0 / x.numel() if reduction == 1 else 2.0
    return scale * (x - target) * grad


@rule(aten.smooth_l1_loss.default)
@computed
def smooth_l1_loss(x, target, reduction=1, beta=1.0):
    distance = (x - target).abs()
    return reduced(torch.where(distance < beta, 0.5 * distance ** 2 / beta, distance - 0.5 * beta), reduction)


@rule(aten.smooth_l1_loss_backward.default)
@computed
def smooth_l1_loss_backward(grad, x, target, reduction, beta):
    difference = x - target
    distance = torch.abs(difference)
    scaled = (1.0 / x.numel() if reduction == 1 else 1.0) * grad
    return torch.where(distance < beta, scaled * difference / beta, scaled * torch.sign(difference))


@rule(aten.huber_loss.default)
@computed
def huber_loss(x, target, reduction=1, delta=1.0):
    distance = (x - target).abs()
    is_near = distance < delta
    near = 0.5 * distance * distance
    return reduced(torch.where(is_near, near, delta * (distance - 0.5 * delta)), reduction)


@rule(aten.huber_loss_backward.default)
@computed
def huber_loss_backward(grad, x, target, reduction, delta):
    scale = 1.0 / x.numel() if reduction == 1 else 1.0
    difference = x - target
    is_below = difference < -delta
    below = -scale * grad * delta
    is_above = difference > delta
    above = scale * grad * delta
    return torch.where(is_below, below, torch.where(is_above, above, scale * difference * grad))


@rule(aten.soft_margin_loss.default)
@computed
def soft_margin_loss(x, target, reduction=1):
    return reduced(torch.log1p(torch.exp(-x * target)), reduction)


@rule(aten.soft_margin_loss_backward.default)
@computed
def soft_margin_loss_backward(grad, x, target, reduction=1):
    slope = target * grad * (torch.sigmoid(target * x) - 1)
    return slope / x.numel() if reduction == 1 else slope


@rule(aten.binary_cross_entropy.default)
@computed
def binary_cross_entropy(x, target, weight=None, reduction=1):
    # A logarithm is no less than -100.
    by_no = (target - 1) * torch.maximum(torch.log1p(-x), x.new_full((), -100))
    loss = by_no - target * torch.maximum(torch.log(x), x.new_full((), -100))
    return reduced(loss if weight is None else loss * weight, reduction)


@rule(aten.binary_cross_entropy_backward.default)
@computed
def binary_cross_entropy_backward(grad, x, target, weight=None, reduction=1):
    slope = grad * (x - target) / torch.clamp(x * (1 - x), min=1e-12)
    if weight is not None:
        slope = slope * weight
    return slope / x.numel() if reduction == 1 else slope


@rule(aten.binary_cross_entropy_with_logits.default)
def binary_cross_entropy_with_logits(x, target, weight=None, pos_weight=None, reduction=1):
    if pos_weight is None:
        loss = (1 - target) * x - torch.nn.functional.logsigmoid(x)
    else:
        factor = (pos_weight - 1) * target + 1
        loss = (1 - target) * x - factor * torch.nn.functional.logsigmoid(x)
    return reduced(loss if weight is None else loss * weight, reduction)


@rule(aten.nll_loss_forward.default, aten.nll_loss2d_forward.default)
def nll_loss(x, target, weight, reduction, ignored):
    dim = 0 if x.dim() < 2 else 1
    by_class = None
    if weight is not None:
        by_class = weight
        if x.dim() > 1:
            by_class = weight.view([-1 if each < 0 else x.shape[1] if each == 1 else 1 for each in range(x.dim())])
        x = x * by_class
    classes = torch.where(target != ignored, target, 0).unsqueeze(dim)
    losses = -torch.gather(x, dim, classes).squeeze(dim)
    losses = torch.where(target != ignored, losses, 0)
    if reduction == 0 and x.dim() > 1:
        return losses, x.new_full((), 0.0)
    if weight is None:
        total = (target != ignored).sum().to(x)
    else:
        weights = torch.gather(by_class.expand(x.shape), dim, classes).squeeze(dim)
        total = torch.where(target != ignored, weights, 0).sum()
    if reduction == 0:
        return losses, total
    loss = losses.sum()
    return (loss / total if reduction == 1 else loss), total


@rule(aten.nll_loss_backward.default, aten.nll_loss2d_backward.default)
def nll_loss_backward(grad, x, target, weight, reduction, ignored, total_weight):
    dim = 0 if x.dim() < 2 else 1
    if reduction == 1:
        grad = grad / total_weight
    target = target.unsqueeze(dim)
    classes = torch.where(target != ignored, target, 0)
    of_x = torch.scatter(torch.zeros_like(x), dim, classes, -1.0)
    if x.dim() > grad.dim() > 0:
        grad = grad.unsqueeze(dim)
    if weight is not None:
        grad = grad * weight.reshape([x.shape[dim] if each == dim else 1 for each in range(x.dim())])
    return of_x * torch.where(target != ignored, grad, 0)


@rule(aten.multi_margin_loss.default)
def multi_margin_loss(x, target, p=1, margin=1, weight=None, reduction=1):
    x = torch.atleast_2d(x)
    classes = (target.view(1) if target.dim() == 0 else target).unsqueeze(1)
    loss = (margin - torch.gather(x, 1, classes) + x).clamp_min(0)
    if p == 2:
        loss = loss * loss
    if weight is not None:
        loss = loss * weight[classes]
    others = torch.arange(x.shape[1], device=x.device) != classes
    loss = torch.where(others, loss, 0)
    if reduction == 1:
        return loss.mean()
    if reduction == 2:
        return loss.sum() / x.shape[1]
    return loss.mean(1)
