# SPDX-License-Identifier: GPL-3.0-or-later
# Cases of rarer arguments: each case yields functions with their arguments.
import torch

from of_losses import aten, x


def calls(op, *args, **kwargs):
    # The operator alone, with its tensors as the inputs.
    places = [place for place, arg in enumerate(args) if isinstance(arg, torch.Tensor)]

    def f1(a):
        return put(a)

    def f2(a, b):
        return put(a, b)

    def f3(a, b, c):
        return put(a, b, c)

    def f4(a, b, c, d):
        return put(a, b, c, d)

    def f5(a, b, c, d, e):
        return put(a, b, c, d, e)

    def put(*tensors):
        given = list(args)
        for place, tensor in zip(places, tensors):
            given[place] = tensor
        return op(*given, **kwargs)
    return (f1, f2, f3, f4, f5)[len(places) - 1], [args[place] for place in places]


def half(*shape):
    return x(*shape, dtype=torch.bfloat16)


def case_edges_of_shapes():
    yield lambda a: torch.eye(200) + a.sum(), (x(),)
    yield lambda a, b: torch.stack([a, b], -2), (x(), x())
    yield lambda a, b: torch.stack([a, b], -3), (x(), x())
    yield lambda a, b: torch.stack([a, b], 0), (x(), half())
    yield lambda a: torch.stack([a, a], -1), (x(6),)
    yield calls(aten.roll.default, x(), [1], [-1])
    yield calls(aten.trace.default, x(dtype=torch.int64))
    yield calls(aten.sum.default, x(dtype=torch.bool))
    yield calls(aten.mv.default, half(), half(6))
    yield calls(aten.dot.default, half(6), half(6))
    yield calls(aten.select_scatter.default, x(), x(4), -1, -2)
    yield calls(aten.affine_grid_generator.default, x(1, 3, 4), [1, 2, 2, 3, 4], False)
    yield calls(aten.affine_grid_generator.default, x(1, 2, 3), [1, 2, 3, 4], True)
    yield calls(aten.affine_grid_generator.default, x(2, 2, 3, dtype=torch.float64), [2, 1, 3, 3], False)
    yield calls(aten.diag_embed.default, x(), -1)
    yield calls(aten.diag_embed.default, x(), 0, 1, 0)
    yield calls(aten.diag_embed.default, x(2, 3, 4), 1, -3, -1)
    yield calls(aten.diag_embed.default, x(dtype=torch.bool))
    yield calls(aten.unbind.int, x(1, 2, 3), 1)
    yield calls(aten.split.Tensor, torch.ones(0, 3), 2)
    yield calls(aten.addr.default, x(dtype=torch.bool), x(4).bool(), x(6).bool())
    yield calls(aten.roll.default, torch.ones(0, 3), [1], [0])
    yield calls(aten.all.default, x().abs().to(torch.uint8))
    yield calls(aten.all.dim, x().abs().to(torch.uint8), 1)
    yield calls(aten.baddbmm.default, x(4), x(2, 4, 3), x(2, 3, 4), beta=0)
    yield calls(aten.split.Tensor, x(), 5, 1)
    yield calls(aten.im2col.default, x(2, 4, 4), [2, 2], [1, 1], [0, 0], [1, 1])
    yield calls(aten.im2col.default, x(1, 2, 6, 7), [2, 3], [2, 1], [1, 0], [2, 3])
    yield calls(aten.col2im.default, x(8, 9), [4, 4], [2, 2], [1, 1], [0, 0], [1, 1])
    yield calls(aten.col2im.default, half(8, 9), [4, 4], [2, 2], [1, 1], [0, 0], [1, 1])
    yield calls(aten.channel_shuffle.default, x(2, 6, 2), 3)
    yield lambda a, b, c: torch.block_diag(a, b, c), (x(), x(2, 3), x(5))


def case_edges_of_resizing():
    yield calls(aten.upsample_nearest2d.default, x(1, 2, 3, 4), [4, 6], 1.5, 1.5)
    yield calls(aten.upsample_nearest2d.default, half(1, 2, 3, 4), [4, 6], 1.5, 1.5)
    yield calls(aten.upsample_nearest2d.default, x(1, 2, 3, 4), [4, 6])
    yield calls(aten._upsample_nearest_exact1d.default, x(1, 2, 3), [7])
    yield calls(aten._upsample_nearest_exact3d.default, x(1, 2, 3, 2, 2), [4, 4, 4])
    yield calls(aten.upsample_linear1d.default, x(1, 2, 3), [5], True)
    yield calls(aten.upsample_linear1d.default, x(1, 2, 3), [5], False)
    yield calls(aten.upsample_linear1d.default, x(1, 2, 3), [4], False, 1.5)
    yield calls(aten.upsample_linear1d.default, half(1, 2, 3), [6], False, 2.0)
    yield calls(aten.upsample_linear1d.default, x(1, 2, 3), [1], True)
    yield calls(aten.max_unpool2d.default, x(2, 2, 2), torch.zeros(2, 2, 2, dtype=torch.int64), [4, 4])
    yield calls(aten.max_unpool3d.default, x(1, 2, 2, 2, 2), torch.zeros(1, 2, 2, 2, 2, dtype=torch.int64), [4, 4, 4],
                [2, 2, 2], [0, 0, 0])
    yield calls(aten.reflection_pad1d_backward.default, half(2, 3, 9), half(2, 3, 6), [1, 2])
    yield calls(aten.reflection_pad2d_backward.default, x(2, 3, 4, 9), x(2, 3, 4, 6), [1, 2, 0, 0])
    yield calls(aten.reflection_pad2d.default, half(2, 3, 4), [1, 2, 0, 0])


def case_edges_of_indexing():
    i, t = torch.tensor([0, 2]), x(dtype=torch.int64)
    yield calls(aten.index_add.default, torch.tensor(1.0), 0, torch.tensor([0]), torch.tensor([2.0]))
    yield calls(aten.index_copy.default, torch.tensor(1.0), 0, torch.tensor([0]), torch.tensor([2.0]))
    yield calls(aten.index_fill.int_Scalar, x(4), 0, i, 1)
    yield calls(aten.index_fill.int_Scalar, torch.tensor(1.0), 0, torch.tensor([0]), 2)
    yield calls(aten.index_add_.default, torch.tensor(1.0), 0, torch.tensor([0]), torch.tensor([2.0]))
    yield calls(aten.index_copy_.default, torch.tensor(1.0), 0, torch.tensor([0]), torch.tensor([2.0]))
    yield calls(aten.isin.Tensor_Tensor, t, torch.arange(30), assume_unique=True)
    yield calls(aten.isin.Tensor_Tensor, t, torch.arange(30), assume_unique=True, invert=True)
    yield calls(aten.isin.Tensor_Tensor, t, torch.arange(30))
    yield calls(aten.isin.Tensor_Tensor, t, torch.arange(4).view(2, 2))
    yield calls(aten.isin.Tensor_Tensor, t, torch.arange(4), invert=True)
    yield calls(aten.isin.Tensor_Scalar, x(), 2, invert=True)
    yield calls(aten.isin.Scalar_Tensor, 2, torch.arange(30))
    yield calls(aten.isin.Scalar_Tensor, 2, torch.arange(3))
    yield calls(aten.take.default, x().t(), i)
    yield calls(aten.unfold_backward.default, x(2, 3, 4, 2), [2, 3, 5], -1, 2, 1)
    yield calls(aten.slice_backward.default, x(2, 6), [4, 6], 0, -2, 4, 1)
    yield calls(aten.embedding_dense_backward.default, half(2, 2, 6), torch.tensor([[0, 1], [2, 1]]), 4, 0, True)
    yield calls(aten.embedding_dense_backward.default, x(2, 6), torch.tensor([0, 1]), 4, -1, False)


def case_edges_of_losses():
    t = torch.tensor([1, 2, 3, 0])
    yield calls(aten.multi_margin_loss.default, x(), t, 2, 0.5, x(6))
    yield calls(aten.multi_margin_loss.default, x(), t, 1, 1, None, 0)
    yield calls(aten.multi_margin_loss.default, x(), t, 1, 1, None, 2)
    yield calls(aten.multi_margin_loss.default, x(6), torch.tensor(1))
    yield calls(aten.multi_margin_loss.default, x(6), torch.tensor(1), 1, 1, None, 0)
    yield calls(aten.multi_margin_loss.default, x(6), torch.tensor(1), 1, 1, None, 2)
    yield calls(aten.soft_margin_loss.default, half(), half(), 1)
    yield calls(aten.soft_margin_loss_backward.default, half(), half(), half(), 1)
    yield calls(aten.binary_cross_entropy_with_logits.default, half(), half(), half(), half(6))
    yield calls(aten.nll_loss_forward.default, half(), t, half(6), 1, 2)
    yield calls(aten.nll_loss_backward.default, half(4), half(), t, half(6), 0, 2, torch.tensor(1.0).bfloat16())
    yield calls(aten.nll_loss2d_forward.default, x(2, 6, 1, 2), t.view(2, 1, 2), x(6), 1, 2)
    yield calls(aten._safe_softmax.default, half(), -1)
    yield calls(aten._log_softmax_backward_data.default, half(), half(), 0, torch.bfloat16)
    yield calls(aten.logsumexp.default, x(2, 3, 4), [0, -1])
    yield calls(aten.logsumexp.default, x(dtype=torch.float64), [1], True)


def case_edges_of_values():
    yield calls(aten.empty_like.default, x(), memory_format=torch.contiguous_format)
    yield calls(aten.empty_like.default, x(1, 2, 3, 4).to(memory_format=torch.channels_last))
    yield calls(aten.empty_like.default, x(1, 2, 3, 4), memory_format=torch.channels_last)
    yield calls(aten.empty_like.default, x(1, 6).expand(3, 6))
    yield calls(aten.empty_like.default, x(2, 3, 4).permute(2, 0, 1))
    yield calls(aten.empty_like.default, x(2, 1, 4).permute(1, 2, 0))
    yield calls(aten.empty_like.default, x(1, 2, 3, 1).permute(0, 2, 3, 1))
    yield calls(aten.empty_like.default, x(3, 1, 1, 2).expand(3, 4, 1, 2).permute(3, 2, 0, 1))
    yield calls(aten.ones_like.default, x(1, 2, 3, 4).to(memory_format=torch.channels_last))
    yield calls(aten.new_full.default, x(), [2], True)
    yield calls(aten.new_zeros.default, x(), [2], dtype=torch.bool)
    yield calls(aten.fill.Tensor, x(), torch.tensor(1.0))
    yield calls(aten.fill_.Tensor, x(), torch.tensor(1.0))
    yield calls(aten.zero_.default, x())
    yield calls(aten.masked_fill.Scalar, x(), x() > 0, True)
    yield calls(aten.masked_fill.Scalar, x(dtype=torch.bool), x() > 0, 1)
    yield calls(aten.masked_fill.Scalar, x(6), x() > 0, 1)
    yield calls(aten.masked_fill.Tensor, x(6), x() > 0, torch.tensor(1.0))
    yield calls(aten.softshrink.default, half())
    yield calls(aten.masked_fill.Scalar, x(dtype=torch.complex64), x() > 0, 1)
    yield calls(aten.sgn.default, x(dtype=torch.complex64))
    yield calls(aten.std.correction, x(), [], correction=0)
    yield calls(aten.std.correction, x(), [1], correction=1.5)
    yield calls(aten.norm.Scalar, half(), 2)
    yield calls(aten.norm.ScalarOpt_dim, half(), 2, [1])
    yield calls(aten.renorm.default, x(2, 3, 4), 2, -1, 1.5)
    yield calls(aten.renorm_.default, x(), 2, 0, 1.5)
    yield calls(aten.lerp.Scalar, x(), x(6), 0.3)
    yield calls(aten.lerp.Scalar, half(), half(6), 0.3)
    yield calls(aten.addcmul.default, x(dtype=torch.int64), x(dtype=torch.int64), x(), value=2)
    yield calls(aten.addcmul.default, x(), torch.tensor(2.0), x(dtype=torch.float64))
    yield calls(aten.sigmoid_backward.default, x(), half())
    yield calls(aten.hardtanh_backward.default, x(dtype=torch.float64), x(dtype=torch.float64), -1, 1)
    yield calls(aten.threshold_backward.default, x(), x().t().reshape(4, 6), 0)
    yield calls(aten._prelu_kernel.default, half(), half(1))
    yield calls(aten.elu_backward.default, half(), 0.5, 2, 1, True, half())
    yield calls(aten.logaddexp.default, x(6), x())
    yield calls(aten.logaddexp2.default, x(), x(6))
    yield calls(aten.nan_to_num.default, x(dtype=torch.bool))
    yield calls(aten.floor_divide.default, x(), 2.5)
    yield calls(aten.floor_divide.Scalar, x(), 2)
    yield calls(aten.clamp_min.Tensor, x(), torch.tensor(0.5))
    yield lambda a: torch.linspace(0, 1, 0).sum() + a, (x(),)
    yield lambda a: torch.linspace(1, -1, 4, dtype=torch.bfloat16).sum() + a, (x(),)
    yield lambda a: torch.linspace(0, 10, 4, dtype=torch.int32).sum() + a, (x(),)
    yield lambda a: torch.logspace(0, 1, 5, 2) + a.sum(), (x(),)
    yield lambda a: torch.logspace(0, 1, 5, 2.5, dtype=torch.float64) + a.sum(), (x(),)
    yield lambda a: torch.logspace(0, 4, 5, 2, dtype=torch.int64) + a.sum(), (x(),)
    yield lambda a: torch.hann_window(1) * a, (x(),)
    yield lambda a: torch.hann_window(4, dtype=torch.bfloat16) * a.sum(), (x(),)
    yield lambda a: torch.hann_window(0).sum() * a, (x(),)
    yield lambda a: torch.arange(3, dtype=torch.bfloat16).sum() * a, (x(),)
    yield lambda a: torch.arange(3).sum() * a, (x(),)


def case_edges_of_norms():
    g, rstd = half(2, 3, 6), x(2, 3, 1)
    yield calls(aten._fused_rms_norm_backward.default, x(), x(), [6], x(4, 1), None, [True, False])
    yield calls(aten.native_layer_norm_backward.default, torch.ones(0, 6), torch.ones(0, 6), [6], torch.ones(0, 1),
                torch.ones(0, 1), None, None, [True] * 3)
    yield calls(aten._fused_rms_norm_backward.default, x(4), x(4), [4], x(1), None, [True, False])
    yield lambda g, a, r, w: aten._fused_rms_norm_backward.default(g, a, [6], r, w, [True, True]), (g, g, rstd, half(6))
    yield lambda g, a, m, r: aten.native_layer_norm_backward.default(g, a, [6], m, r, None, None, [True, True, True]), (
        x(2, 3, 6), x(2, 3, 6), rstd, rstd)
    yield lambda g, a, m, r, w: aten.native_group_norm_backward.default(g, a, m, r, w, 2, 4, 3, 2, [True] * 3), (
        half(2, 4, 3), half(2, 4, 3), x(2, 2), x(2, 2), x(4))
    yield lambda g, a, m, r: aten.native_group_norm_backward.default(g, a, m, r, None, 2, 4, 3, 2, [True] * 3), (
        half(2, 4, 3), half(2, 4, 3), half(2, 2), half(2, 2))
