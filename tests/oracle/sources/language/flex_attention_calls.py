# SPDX-License-Identifier: GPL-3.0-or-later
# torch.nn.attention.flex_attention: recorded by functions that are wrapped, refused by torch.fx elsewhere, and computed of what is known.
# case: {"expr": "wrapped", "inputs": "*qkv()"}
# case: {"expr": "scaled", "inputs": "*qkv()"}
# case: {"expr": "masked", "inputs": "*qkv()"}
# case: {"expr": "known", "inputs": "torch.ones(2)"}
# case: {"expr": "masks", "inputs": "torch.ones(2)"}
# case: {"expr": "blocks", "inputs": "torch.ones(2)"}
# case: {"expr": "inside", "fails": "error"}
import torch
from torch.nn.attention import flex_attention as flex
from torch.nn.attention.flex_attention import and_masks, create_block_mask, create_mask, flex_attention, or_masks

flex._FLEX_ATTENTION_DISABLE_COMPILE_DEBUG = True


def qkv():
    torch.manual_seed(0)
    return [torch.randn(1, 2, 32, 8) for _ in range(3)]


def causal(b, h, q_idx, kv_idx):
    return q_idx >= kv_idx


def near(b, h, q_idx, kv_idx):
    return q_idx - kv_idx < 8


def closer(score, b, h, q_idx, kv_idx):
    return score - (q_idx - kv_idx).abs() * 0.1 * (h + 1)


def attend(q, k, v):
    return flex_attention(q, k, v)


def attend_scaled(q, k, v, scale):
    return flex_attention(q, k, v, closer, scale=scale, return_lse=True)


def attend_masked(q, k, v):
    return flex_attention(q, k, v, block_mask=create_block_mask(and_masks(causal, near), None, None, 32, 32, device="cpu", BLOCK_SIZE=8))


torch.fx.wrap("attend")
torch.fx.wrap("attend_scaled")
torch.fx.wrap("attend_masked")


def wrapped(q, k, v):
    return attend(q, k, v) * 2


def scaled(q, k, v):
    out, lse = attend_scaled(q, k, v, 0.3)
    return out, lse


def masked(q, k, v):
    return attend_masked(q, k, v) + 1


def known(x):
    q, k, v = qkv()
    return x.sum() + flex_attention(q, k, v, closer).sum(-1)


def masks(x):
    return x.sum() + create_mask(or_masks(causal, near), 1, 1, 5, 6, device="cpu"), create_mask(closer, None, 2, 4, 4, device="cpu")


def blocks(x):
    mask = create_block_mask(causal, 2, None, 48, 48, device="cpu", BLOCK_SIZE=16)
    return x + mask.sparsity(), mask.to_dense(), mask.kv_indices, mask.full_q_num_blocks, mask[0].kv_num_blocks, list(mask.shape)


def inside(q, k, v):
    return flex_attention(q, k, v)
