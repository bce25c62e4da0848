# SPDX-License-Identifier: GPL-3.0-or-later
# Folding a batch normalization in evaluation mode into the layer before it.
import copy
import torch
from torch.nn.parameter import Parameter

__all__ = ['fuse_conv_bn_eval', 'fuse_conv_bn_weights', 'fuse_linear_bn_eval', 'fuse_linear_bn_weights']


def _check(layer, bn):
    if layer.training or bn.training:
        raise AssertionError('Fusion only for eval!')


def _fused(layer, bn, function, **options):
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError('bn.running_mean and bn.running_var must not be None')
    result = copy.deepcopy(layer)
    result.weight, result.bias = function(result.weight, result.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight,
                                          bn.bias, **options)
    return result


def _folded(weight, bias, mean, factors, shift, shape):
    dtype = weight.dtype
    # One factor after the other, as PyTorch multiplies, so that the last digit is the same.
    start = torch.zeros_like(mean) if bias is None else bias
    scale, moved = 1, start - mean
    for factor in factors:
        scale = factor * scale
        moved = moved * factor
    new_weight = (weight * scale.reshape(shape)).to(dtype=dtype)
    new_bias = (moved + shift).to(dtype=dtype if bias is None else bias.dtype)
    return Parameter(new_weight, weight.requires_grad), Parameter(new_bias, start.requires_grad)


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    bn_w = torch.ones_like(bn_rm) if bn_w is None else bn_w
    bn_b = torch.zeros_like(bn_rm) if bn_b is None else bn_b
    shape = ([1, -1] if transpose else [-1, 1]) + [1] * (conv_w.dim() - 2)
    return _folded(conv_w, conv_b, bn_rm, (torch.rsqrt(bn_rv + bn_eps), bn_w), bn_b, shape)


def fuse_conv_bn_eval(conv, bn, transpose=False):
    _check(conv, bn)
    return _fused(conv, bn, fuse_conv_bn_weights, transpose=transpose)


def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    return _folded(linear_w, linear_b, bn_rm, (bn_w * torch.rsqrt(bn_rv + bn_eps),), bn_b, [-1, 1])


def fuse_linear_bn_eval(linear, bn):
    _check(linear, bn)
    if bn.num_features not in (linear.out_features, 1):
        raise AssertionError('To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got '
                             f'linear.out_features={linear.out_features} and bn.num_features={bn.num_features}')
    return _fused(linear, bn, fuse_linear_bn_weights)
