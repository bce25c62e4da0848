# SPDX-License-Identifier: GPL-3.0-or-later
# torch.nn.functional with positional, keyword and default arguments.
# case: {"expr": "forward", "inputs": "torch.randn(2, 3, 8, 8), torch.randn(4, 3, 3, 3)"}
# case: {"expr": "activations", "inputs": "torch.randn(2, 4)"}
# case: {"expr": "losses", "inputs": "torch.randn(4, 5), torch.tensor([1, 0, 3, 4])"}
# case: {"expr": "others", "inputs": "torch.randn(1, 2, 6), torch.tensor([0, 2])"}
# case: {"expr": "poolings", "inputs": "torch.randn(1, 2, 8, 8)"}

import torch
import torch.nn.functional as F
from torch.nn.functional import linear, relu


def forward(x, w):
    a = F.conv2d(x, w)
    b = F.conv2d(input=x, weight=w, bias=None, stride=2, padding=(1, 1))
    c = F.conv2d(x, w, padding="same", dilation=2)
    d = relu(linear(a.flatten(2), torch.ones(5, 36)))
    e = F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)
    f = F.interpolate(x, size=4)
    g = F.pad(x, (1, 2, 3, 4), mode="constant", value=0.5)
    h = F.pad(x, [1, 1, 1, 1], "reflect")
    i = F.unfold(x, 3, padding=1)
    j = F.pixel_shuffle(b[:, :4], 2)
    k = F.grid_sample(x, torch.zeros(2, 4, 4, 2), align_corners=True)
    l = F.batch_norm(x, torch.zeros(3), torch.ones(3), training=False, eps=0.001)
    m = F.layer_norm(x, (8, 8)) + F.group_norm(x, 3) + F.instance_norm(x) + F.local_response_norm(x, 2)
    return a, b, c, d, e, f, g, h, i, j, k, l, m


def activations(x):
    return [
        F.relu(x),
        F.relu6(x),
        F.elu(x, alpha=0.5),
        F.selu(x),
        F.celu(x, 2.0),
        F.leaky_relu(x, 0.2, True),
        F.gelu(x),
        F.gelu(x, approximate="tanh"),
        F.silu(x),
        F.mish(x),
        F.softplus(x, beta=2),
        F.softsign(x),
        F.tanhshrink(x),
        F.hardshrink(x),
        F.softshrink(x, 0.1),
        F.hardtanh(x, -2, 2),
        F.hardsigmoid(x),
        F.hardswish(x),
        F.sigmoid(x),
        F.tanh(x),
        F.logsigmoid(x),
        F.glu(x, dim=1),
        F.softmax(x, dim=1),
        F.softmax(x, -1, dtype=torch.float64),
        F.log_softmax(x, dim=-1),
        F.softmin(x, dim=0),
        F.threshold(x, 0.1, 5.0),
        F.prelu(x, torch.tensor([0.25])),
        F.rrelu(x),
        F.normalize(x, dim=0),
        F.dropout(x, 0.5, False),
    ]


def losses(x, y):
    t = torch.zeros_like(x)
    return (
        F.cross_entropy(x, y),
        F.cross_entropy(x, y, label_smoothing=0.1, reduction="sum"),
        F.nll_loss(F.log_softmax(x, 1), y, ignore_index=0),
        F.mse_loss(x, t),
        F.l1_loss(x, t, reduction="none"),
        F.smooth_l1_loss(x, t, beta=0.5),
        F.huber_loss(x, t, delta=2.0),
        F.kl_div(x, t, reduction="batchmean"),
        F.binary_cross_entropy_with_logits(x, t, pos_weight=torch.ones(5)),
        F.hinge_embedding_loss(x, t + 1),
        F.margin_ranking_loss(x, t, t + 1, margin=0.1),
        F.triplet_margin_loss(x, t, t + 1),
        F.cosine_embedding_loss(x, t, torch.ones(4)),
        F.multi_margin_loss(x, y),
        F.poisson_nll_loss(x, t),
        F.gaussian_nll_loss(x, t, torch.ones(4, 5)),
        F.soft_margin_loss(x, t + 1),
    )


def others(x, idx):
    table = torch.arange(6.0).view(3, 2)
    a = F.embedding(idx, table)
    b = F.embedding(idx, table, padding_idx=0, max_norm=None)
    c = F.embedding_bag(idx, table, torch.tensor([0]), mode="sum")
    d = F.one_hot(idx, 4)
    e = F.conv1d(x, torch.ones(2, 2, 3), stride=1, padding=1)
    f = F.conv_transpose1d(x, torch.ones(2, 1, 3))
    g = F.avg_pool1d(x, 2)
    h = F.max_pool1d(x, 2, stride=1, return_indices=True)
    i = F.adaptive_max_pool1d(x, 3)
    j = F.bilinear(x, x, torch.ones(1, 6, 6))
    k = F.pairwise_distance(x[:, 0], x[:, 1], p=1.0)
    l = F.cosine_similarity(x[:, 0], x[:, 1])
    m = F.pdist(x[0])
    n = F.scaled_dot_product_attention(x, x, x, is_causal=True)
    o = F.multi_head_attention_forward if False else None
    p = F.lp_pool1d(x, 2.0, 2)
    return a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p


def poolings(x):
    a = F.max_pool2d(x, 2)
    b = F.max_pool2d(x, (2, 2), 1, padding=1, ceil_mode=True)
    c, indices = F.max_pool2d(x, kernel_size=2, return_indices=True)
    d = F.max_unpool2d(c, indices, 2)
    e = F.avg_pool2d(x, 2, stride=1, count_include_pad=False)
    f = F.adaptive_avg_pool2d(x, (3, None))
    g = F.adaptive_max_pool2d(x, 2)
    h = F.fractional_max_pool2d if False else F.lp_pool2d(x, 2, 2)
    return a, b, d, e, f, g, h, F.dropout2d(x, training=False), F.alpha_dropout(x), F.feature_alpha_dropout(x)
