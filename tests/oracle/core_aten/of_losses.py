# SPDX-License-Identifier: GPL-3.0-or-later
# Cases of losses, normalizations, softmax and dropout: each case yields functions with their arguments.
import torch
import torch.nn.functional as F

aten = torch.ops.aten


def x(*shape, dtype=torch.float32):
    shape = shape or (4, 6)
    count = 1
    for size in shape:
        count *= size
    return torch.linspace(-3, 3, count).reshape(shape).to(dtype)


def gradient(f, *inputs):
    # The value with the gradients of all that requires one.
    def g(*args):
        out = f(*args)
        wanted = [arg for arg in args if isinstance(arg, torch.Tensor) and arg.requires_grad]
        return out, torch.autograd.grad(out.sum(), wanted)

    def g1(a):
        return g(a)

    def g2(a, b):
        return g(a, b)

    def g3(a, b, c):
        return g(a, b, c)

    def g4(a, b, c, d):
        return g(a, b, c, d)

    def g5(a, b, c, d, e):
        return g(a, b, c, d, e)
    return (g1, g2, g3, g4, g5)[len(inputs) - 1], inputs


def leaf(*shape, dtype=torch.float32):
    return x(*shape, dtype=dtype).requires_grad_()


def case_mse_loss():
    for r in ('none', 'mean', 'sum'):
        yield gradient(lambda a, b: F.mse_loss(a, b, reduction=r), leaf(), x())
        yield gradient(lambda a, b: F.mse_loss(a, b, reduction=r), leaf(), leaf())
    yield gradient(F.mse_loss, leaf(dtype=torch.bfloat16), x(dtype=torch.bfloat16))
    for r in (0, 1, 2):
        g = x() if r == 0 else torch.tensor(1.0)
        yield lambda g, a, b: aten.mse_loss_backward(g, a, b, r), (g, x(), x())


def case_l1_loss():
    for r in ('none', 'mean', 'sum'):
        yield gradient(lambda a, b: F.l1_loss(a, b, reduction=r), leaf(), x())
        for beta in (1.0, 0.5, 0, 2):
            yield gradient(lambda a, b: F.smooth_l1_loss(a, b, reduction=r, beta=beta), leaf(), x())
    yield gradient(F.smooth_l1_loss, leaf(dtype=torch.bfloat16), x(dtype=torch.bfloat16))
    yield gradient(F.smooth_l1_loss, leaf(), leaf())
    for r in (0, 1, 2):
        g = x() if r == 0 else torch.tensor(1.0)
        yield lambda g, a, b: aten.smooth_l1_loss_backward(g, a, b, r, 1.0), (g, x(), x())


def case_huber_loss():
    for r in ('none', 'mean', 'sum'):
        for delta in (1.0, 0.5, 2):
            yield gradient(lambda a, b: F.huber_loss(a, b, reduction=r, delta=delta), leaf(), x())
    yield gradient(F.huber_loss, leaf(dtype=torch.bfloat16), x(dtype=torch.bfloat16))


def case_soft_margin_loss():
    for r in ('none', 'mean', 'sum'):
        yield gradient(lambda a, b: F.soft_margin_loss(a, b, reduction=r), leaf(), x())


def case_binary_cross_entropy():
    for r in ('none', 'mean', 'sum'):
        yield gradient(lambda a, b: F.binary_cross_entropy(a.sigmoid(), b.sigmoid(), reduction=r), leaf(), x())
        yield gradient(lambda a, b: F.binary_cross_entropy(a.sigmoid(), b.sigmoid(), b.abs(), reduction=r), leaf(), x())
        yield gradient(lambda a, b: F.binary_cross_entropy_with_logits(a, b, reduction=r), leaf(), x())
        yield gradient(lambda a, b: F.binary_cross_entropy_with_logits(a, b, b, reduction=r), leaf(), x())
        yield gradient(lambda a, b: F.binary_cross_entropy_with_logits(a, b, pos_weight=b[0], reduction=r), leaf(), x())
        yield gradient(lambda a, b: F.binary_cross_entropy_with_logits(a, b, b, pos_weight=b[0], reduction=r), leaf(),
                       x())
    yield gradient(lambda a, b: F.binary_cross_entropy(a.sigmoid(), b.sigmoid()), leaf(dtype=torch.bfloat16),
                   x(dtype=torch.bfloat16))
    yield gradient(lambda a, b: F.binary_cross_entropy_with_logits(a, b), leaf(dtype=torch.bfloat16),
                   x(dtype=torch.bfloat16))
    yield lambda a, b: aten.binary_cross_entropy_with_logits(a, b), (x(), x())
    yield lambda a, b: aten.binary_cross_entropy_with_logits(a, b, None, None, 2), (x(), x())


def case_nll_loss():
    t = torch.tensor([0, 5, 2, 1])
    w = x(6).abs() + 1
    for r in ('none', 'mean', 'sum'):
        yield gradient(lambda a, b: F.cross_entropy(a, b, reduction=r), leaf(), t)
        yield gradient(lambda a, b, w: F.cross_entropy(a, b, w, reduction=r), leaf(), t, w)
        yield gradient(lambda a, b, w: F.cross_entropy(a, b, w, reduction=r, label_smoothing=0.1), leaf(), t, w)
        yield gradient(lambda a, b: F.cross_entropy(a, b, ignore_index=1, reduction=r), leaf(), t)
        yield gradient(lambda a, b: F.nll_loss(a, b, ignore_index=1, reduction=r), leaf(), t)
        yield gradient(lambda a, b: F.nll_loss(a, b, reduction=r), leaf(6), t[2])
        yield gradient(lambda a, b, w: F.nll_loss(a, b, w, reduction=r), leaf(6), t[2], w)
        yield gradient(lambda a, b: F.cross_entropy(a, b, reduction=r), leaf(2, 3, 2, 2),
                       t.view(1, 2, 2).expand(2, 2, 2) % 3)
        yield gradient(lambda a, b, w: F.cross_entropy(a, b, w, reduction=r), leaf(2, 3, 2, 2),
                       t.view(1, 2, 2).expand(2, 2, 2) % 3, w[:3])
        yield gradient(lambda a, b: F.cross_entropy(a, b, reduction=r), leaf(), x().softmax(1))
        yield gradient(lambda a, b: F.cross_entropy(a, b, reduction=r), leaf(2, 3, 4), t.view(1, 4).expand(2, 4) % 3)
    yield gradient(lambda a, b: F.cross_entropy(a, b), leaf(dtype=torch.bfloat16), t)
    yield gradient(lambda a, b: F.cross_entropy(a, b, label_smoothing=0.1), leaf(), t)
    yield lambda a, b: aten.nll_loss_forward(a, b, None, 1, -100), (x(), t)
    yield lambda a, b: aten.nll_loss_forward(a, b, None, 2, -100), (x(), t)
    yield lambda a, b: aten.nll_loss_forward(a, b, None, 0, -100), (x(), t)


def case_other_losses():
    t = torch.tensor([0, 5, 2, 1])
    yield gradient(F.kl_div, leaf(), x())
    yield gradient(lambda a, b: F.kl_div(a, b, reduction='batchmean', log_target=True), leaf(), x())
    yield gradient(F.poisson_nll_loss, leaf(), x())
    yield gradient(F.hinge_embedding_loss, leaf(), x().sign())
    yield gradient(lambda a, b: F.margin_ranking_loss(a, b, b.sign()), leaf(), leaf())
    yield gradient(lambda a, b: F.cosine_embedding_loss(a, b, b[:, 0].sign()), leaf(), leaf())
    yield gradient(F.triplet_margin_loss, leaf(), leaf(), leaf())
    yield gradient(F.multi_margin_loss, leaf(), t)
    yield gradient(F.multilabel_soft_margin_loss, leaf(), x())
    yield gradient(F.cosine_similarity, leaf(), leaf())
    yield gradient(F.pairwise_distance, leaf(), leaf())


def case_softmax():
    for dim in (-1, 0):
        yield gradient(lambda a: a.softmax(dim), leaf())
        yield gradient(lambda a: a.log_softmax(dim), leaf())
        yield gradient(lambda a: a.softmax(dim), leaf(dtype=torch.bfloat16))
        yield gradient(lambda a: a.log_softmax(dim), leaf(dtype=torch.bfloat16))
    yield gradient(lambda a: a.softmax(-1, dtype=torch.float64), leaf())
    yield lambda a: aten._softmax(a, -1, False), (x(),)
    yield lambda a: aten._safe_softmax(a, -1), (x(),)
    yield lambda a: aten._safe_softmax(a, 0, torch.float64), (x(),)
    yield lambda a: aten._log_softmax(a, 1, False), (x(),)
    yield lambda g, y: aten._softmax_backward_data(g, y, -1, torch.float32), (x(), x())
    yield lambda g, y: aten._log_softmax_backward_data(g, y, -1, torch.float32), (x(), x())
    yield lambda g, y: aten._softmax_backward_data(g, y, -1, torch.bfloat16), (x(), x())
    yield lambda g, y: aten._log_softmax_backward_data(g, y, -1, torch.bfloat16), (x(), x())


def case_attention():
    for causal in (False, True):
        yield gradient(lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=causal), leaf(1, 2, 4, 8),
                       leaf(1, 2, 4, 8), leaf(1, 2, 4, 8))
        yield lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=causal), (x(1, 2, 4, 8), x(1, 2, 4, 8),
                                                                                    x(1, 2, 4, 8))
    yield lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m), (x(1, 2, 4, 8), x(1, 2, 4, 8), x(1, 2, 4, 8),
                                                                      x(4, 4))
    yield lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m), (x(1, 2, 4, 8), x(1, 2, 4, 8), x(1, 2, 4, 8),
                                                                      x(4, 4) > 0)
    yield lambda q, k, v: F.scaled_dot_product_attention(q, k, v, scale=0.3), (x(1, 2, 4, 8), x(1, 2, 5, 8),
                                                                          x(1, 2, 5, 8))
    yield lambda q, k, v: F.scaled_dot_product_attention(q, k, v), (x(1, 2, 4, 8, dtype=torch.bfloat16),) * 3
    yield lambda q, k, v: F.scaled_dot_product_attention(q, k, v), (x(2, 4, 8),) * 3


def case_layer_norm():
    w, b = leaf(6), leaf(6)
    yield gradient(lambda a, w, b: F.layer_norm(a, (6,), w, b), leaf(), w, b)
    yield gradient(lambda a, w, b: F.layer_norm(a, (6,), w, b), leaf(2, 3, 6), w, b)
    yield gradient(lambda a, w: F.layer_norm(a, (6,), w), leaf(2, 3, 6), w)
    yield gradient(lambda a: F.layer_norm(a, (6,)), leaf())
    yield gradient(lambda a: F.layer_norm(a, (3, 6)), leaf(2, 3, 6))
    yield gradient(lambda a, w, b: F.layer_norm(a, (3, 6), w, b), leaf(2, 3, 6), leaf(3, 6), leaf(3, 6))
    yield gradient(lambda a, w, b: F.layer_norm(a, (6,), w, b), x(), w, b)
    yield gradient(lambda a, w, b: F.layer_norm(a, (6,), w, b), leaf(), w.detach(), b.detach())
    yield gradient(lambda a, w, b: F.layer_norm(a, (6,), w, b), x(), w.detach(), b)
    yield gradient(lambda a, w, b: F.layer_norm(a, (6,), w, b), leaf(6), w, b)
    yield gradient(lambda a, w, b: F.layer_norm(a, (6,), w, b), leaf(dtype=torch.bfloat16),
                   leaf(6, dtype=torch.bfloat16), leaf(6, dtype=torch.bfloat16))


def case_group_norm():
    yield gradient(lambda a, w, b: F.group_norm(a, 3, w, b), leaf(2, 6, 4), leaf(6), leaf(6))
    yield gradient(lambda a, w, b: F.group_norm(a, 2, w, b), leaf(2, 6, 2, 2), leaf(6), leaf(6))
    yield gradient(lambda a: F.group_norm(a, 2), leaf(2, 6, 2, 2))
    yield gradient(lambda a, w: F.group_norm(a, 2, w), leaf(2, 6, 2, 2), leaf(6))
    yield gradient(lambda a, w, b: F.group_norm(a, 2, w, b), leaf(2, 6, 2, 2), x(6), x(6))
    yield gradient(lambda a, w, b: F.group_norm(a, 2, w, b), x(2, 6, 2, 2), leaf(6), leaf(6))
    yield gradient(lambda a, w, b: F.group_norm(a, 2, w, b), x(2, 6, 2, 2), x(6), leaf(6))


def case_batch_norm():
    m, v = torch.zeros(3), torch.ones(3)
    for training in (True, False):
        yield gradient(lambda a, m, v, w, b: F.batch_norm(a, m, v, w, b, training), leaf(2, 3, 2, 2), m, v, leaf(3),
                       leaf(3))
        yield gradient(lambda a, m, v, w, b: F.batch_norm(a, m, v, w, b, training), leaf(2, 3, 2, 2), m, v, x(3), x(3))
        yield gradient(lambda a, m, v, w, b: F.batch_norm(a, m, v, w, b, training), x(2, 3, 2, 2), m, v, leaf(3),
                       leaf(3))
        yield gradient(lambda a, m, v: F.batch_norm(a, m, v, training=training), leaf(2, 3, 2, 2), m, v)
        yield gradient(lambda a, m, v, w, b: F.batch_norm(a, m, v, w, b, training), leaf(2, 3), m, v, leaf(3), leaf(3))
        yield gradient(lambda a, m, v, w, b: F.batch_norm(a, m, v, w, b, training),
                       leaf(2, 3, 4, dtype=torch.bfloat16), m.bfloat16(), v.bfloat16(),
                       leaf(3, dtype=torch.bfloat16), leaf(3, dtype=torch.bfloat16))
    yield gradient(lambda a, w, b: F.batch_norm(a, None, None, w, b, True), leaf(2, 3, 2, 2), leaf(3), leaf(3))
    yield gradient(lambda a, w, b: F.instance_norm(a, None, None, w, b), leaf(2, 3, 2, 2), leaf(3), leaf(3))
    yield gradient(lambda a: F.instance_norm(a), leaf(2, 3, 4))


def case_rms_norm():
    yield gradient(lambda a, w: F.rms_norm(a, (6,), w), leaf(), leaf(6))
    yield gradient(lambda a, w: F.rms_norm(a, (6,), w, 1e-5), leaf(2, 3, 6), leaf(6))
    yield gradient(lambda a: F.rms_norm(a, (6,)), leaf())
    yield lambda a, w: F.rms_norm(a, (6,), w), (x(), x(6))
    yield lambda a, w: aten._fused_rms_norm(a, [6], w, 1e-5), (x(), x(6))
    yield lambda a, w: aten._fused_rms_norm(a, [6], w, None), (x(), x(6))
    yield lambda a, w: aten._fused_rms_norm(a, [6], w, 1e-5), (x(dtype=torch.bfloat16), x(6, dtype=torch.bfloat16))
    yield lambda a: aten._fused_rms_norm(a, [4, 6], None, 1e-5), (x(),)
    for mask in ([True, True], [True, False], [False, True]):
        yield lambda g, a, r, w: aten._fused_rms_norm_backward(g, a, [6], r, w, mask), (x(), x(), x(4, 1), x(6))
    yield lambda g, a, r: aten._fused_rms_norm_backward(g, a, [6], r, None, [True, False]), (x(), x(), x(4, 1))


def case_dropout():
    for train in (True, False):
        yield gradient(lambda a: F.dropout(a, 0.3, train), leaf())
        yield lambda a: F.dropout(a, 0.3, train), (x(),)
        yield lambda a: torch.native_dropout(a, 0.3, train), (x(),)
    yield lambda g, m: aten.native_dropout_backward(g, m, 1.5), (x(), x() > 0)
    yield lambda g, m: aten.native_dropout_backward(g, m, 2), (x(dtype=torch.bfloat16), x() > 0)
    yield lambda a: torch.bernoulli(a.sigmoid()), (x(),)
    yield lambda a: torch.bernoulli(a, 0.3), (x(),)
    yield lambda a: a.clone().bernoulli_(0.3), (x(),)
    yield gradient(lambda a: F.alpha_dropout(a, 0.3, True), leaf())
    yield gradient(lambda a: F.dropout1d(a, 0.3, True), leaf())


def case_embedding():
    i = torch.tensor([[0, 2], [1, 3]])
    yield gradient(lambda w, i: F.embedding(i, w), leaf(), i)
    yield gradient(lambda w, i: F.embedding(i, w, 1), leaf(), i)
    yield gradient(lambda w, i: F.embedding(i, w, scale_grad_by_freq=True), leaf(), i)
    yield gradient(lambda w, i: F.embedding(i, w), leaf(dtype=torch.bfloat16), i)
    yield gradient(lambda w, i: F.embedding(i, w), leaf(), i.int())
    yield lambda g, i: aten.embedding_dense_backward(g, i, 4, -1, False), (x(2, 2, 6), i)
    yield lambda g, i: aten.embedding_dense_backward(g, i, 4, 1, True), (x(2, 2, 6), i)


def case_weight_norm():
    yield gradient(lambda v, g: torch._weight_norm(v, g, 0), leaf(), leaf(4, 1))
    yield lambda v, g: torch._weight_norm(v, g, 1), (x(), x(1, 6))
    yield lambda v, g: aten._weight_norm_interface(v, g, 0), (x(), x(4, 1))
    yield lambda v, g: aten._weight_norm_interface(v, g, 1), (x(), x(1, 6))
