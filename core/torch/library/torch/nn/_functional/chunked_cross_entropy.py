# SPDX-License-Identifier: GPL-3.0-or-later
# The cross entropy of a linear layer, over chunks of the batch: only one chunk's logits are there at a time, in the dtype
# that sums are kept in.
import torch


def _negative_weights(target, places, weight, ignored, reduction, dtype):
    # What each sample's loss is multiplied by: 0 for ignored ones.
    if weight is None:
        weights = (~ignored).to(dtype)
    elif target.numel() > weight.numel():
        weights = torch.where(ignored, 0, weight.to(dtype).index_select(0, places))
    else:
        weights = torch.where(ignored, 0, weight.index_select(0, places).to(dtype))
    if reduction == 'mean':
        total = weights.sum()
        return weights / torch.where(total == 0, torch.nan, -total)
    return -weights if reduction == 'sum' else weights


def _kept_dtypes(dtype, options):
    # Of logits and of the sum of losses.
    if dtype == options.acc_dtype:
        return dtype, dtype
    if dtype not in (torch.float16, torch.bfloat16) or options.acc_dtype != torch.float32:
        raise RuntimeError('linear_cross_entropy supports float32 acc_dtype with float16/bfloat16 inputs, but got '
                           f'{options.acc_dtype} acc_dtype and {dtype} inputs.')
    is_half = dtype == torch.float16
    saves_memory = options.acc_policy in ('balanced', 'compact')
    return dtype if is_half and saves_memory else options.acc_dtype, options.acc_dtype if is_half else dtype


def chunked_cross_entropy(input, linear_weight, target, linear_bias, weight, reduction, ignore_index, options):
    dtype = input.dtype
    logits_dtype, output_dtype = _kept_dtypes(dtype, options)
    ignored = target == ignore_index
    is_class = 0 <= ignore_index < linear_weight.shape[0]
    places = target if is_class else torch.where(ignored, 0, target)
    weights = _negative_weights(target, places, weight, ignored, reduction, options.acc_dtype)
    matrix = linear_weight.to(logits_dtype).T
    bias = None if linear_bias is None else linear_bias.to(logits_dtype)
    count = input.shape[0]
    losses, output = [], torch.zeros((), dtype=output_dtype, device=input.device)
    if reduction == 'mean' and count == 0:
        output = output.fill_(torch.nan)
    for start in range(0, count, options.batch_chunk_size):
        size = min(options.batch_chunk_size, count - start)
        chunk, classes, factors = (each.narrow(0, start, size) for each in (input, places, weights))
        logits = torch.mm(chunk.to(logits_dtype), matrix)
        logits = logits if bias is None else logits + bias
        logits = logits - torch.amax(logits, dim=1, keepdim=True)
        wanted = logits.gather(1, classes.unsqueeze(1)).squeeze(1)
        logged = logits.exp().sum(1, dtype=options.acc_dtype).log()
        if reduction == 'none':
            losses.append(((logged - wanted.to(logged.dtype)) * factors.to(logged.dtype)).to(dtype))
        else:
            output = (output + factors.dot(wanted.to(factors.dtype))).to(output_dtype)
            output = (output - factors.to(logged.dtype).dot(logged)).to(output_dtype)
    if reduction == 'none':
        return torch.cat(losses) if losses else torch.empty(0, dtype=dtype, device=input.device)
    return output.to(dtype)
