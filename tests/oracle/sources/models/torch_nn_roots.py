# SPDX-License-Identifier: GPL-3.0-or-later
# The modules of torch.nn as roots: what their own forward records.
# case: {"expr": "nn.AdaptiveAvgPool1d(3)"}
# case: {"expr": "nn.AdaptiveAvgPool1d(1)"}
# case: {"expr": "nn.AdaptiveAvgPool2d(3)"}
# case: {"expr": "nn.AdaptiveAvgPool2d(1)"}
# case: {"expr": "nn.AdaptiveAvgPool3d(3)"}
# case: {"expr": "nn.AdaptiveAvgPool3d((3, 2, 2))"}
# case: {"expr": "nn.AdaptiveMaxPool1d(3)"}
# case: {"expr": "nn.AdaptiveMaxPool2d(3)"}
# case: {"expr": "nn.AdaptiveMaxPool2d((3, 4))"}
# case: {"expr": "nn.AvgPool1d(kernel_size=2)"}
# case: {"expr": "nn.AvgPool1d(2)"}
# case: {"expr": "nn.AvgPool2d((2, 2))"}
# case: {"expr": "nn.AvgPool2d((2, 2), (2, 2))"}
# case: {"expr": "nn.AvgPool3d((2, 2, 2))"}
# case: {"expr": "nn.AvgPool3d((2, 4, 8), 1, (1, 1, 2))"}
# case: {"expr": "nn.CELU(alpha=2.0)"}
# case: {"expr": "nn.Conv1d(4, 5, 3)"}
# case: {"expr": "nn.Conv1d(4, 5, 3, padding='same')"}
# case: {"expr": "nn.Conv2d(4, 5, 3)"}
# case: {"expr": "nn.Conv2d(4, 5, 3, padding='same')"}
# case: {"expr": "nn.Conv3d(4, 5, 3)"}
# case: {"expr": "nn.Conv3d(4, 5, 3, padding='same')"}
# case: {"expr": "nn.CosineEmbeddingLoss()"}
# case: {"expr": "nn.CosineEmbeddingLoss(reduction='sum')"}
# case: {"expr": "nn.ELU(alpha=2.0)"}
# case: {"expr": "nn.ELU()"}
# case: {"expr": "nn.L1Loss()"}
# case: {"expr": "nn.L1Loss(reduction='none')"}
# case: {"expr": "nn.SmoothL1Loss()"}
# case: {"expr": "nn.SmoothL1Loss(reduction='sum')"}
# case: {"expr": "nn.Linear(10, 8)"}
# case: {"expr": "nn.Linear(10, 8, bias=False)"}
# case: {"expr": "nn.Bilinear(2, 3, 4)"}
# case: {"expr": "nn.Bilinear(2, 3, 4, bias=False)"}
# case: {"expr": "nn.LPPool1d(1.5, 2)"}
# case: {"expr": "nn.LPPool1d(2, 2, 3)"}
# case: {"expr": "nn.LPPool2d(2, 2, 2)"}
# case: {"expr": "nn.LPPool2d(1.5, 2)"}
# case: {"expr": "nn.MaxPool1d(4)"}
# case: {"expr": "nn.MaxPool1d(4, 4)"}
# case: {"expr": "nn.MaxPool2d((3, 3), (2, 2), (1, 1))"}
# case: {"expr": "nn.MaxPool2d((3, 3), (2, 2), (1, 1), return_indices=True)"}
# case: {"expr": "nn.KLDivLoss()"}
# case: {"expr": "nn.KLDivLoss(reduction='sum')"}
# case: {"expr": "nn.MSELoss()"}
# case: {"expr": "nn.MSELoss(reduction='sum')"}
# case: {"expr": "nn.MarginRankingLoss()"}
# case: {"expr": "nn.MarginRankingLoss(reduction='sum')"}
# case: {"expr": "nn.MultiLabelMarginLoss()"}
# case: {"expr": "nn.MultiLabelMarginLoss(reduction='sum')"}
# case: {"expr": "nn.MultiMarginLoss()"}
# case: {"expr": "nn.MultiMarginLoss(reduction='sum')"}
# case: {"expr": "nn.SoftMarginLoss()"}
# case: {"expr": "nn.SoftMarginLoss(reduction='sum')"}
# case: {"expr": "nn.MultiLabelSoftMarginLoss()"}
# case: {"expr": "nn.MultiLabelSoftMarginLoss(reduction='sum')"}
# case: {"expr": "nn.NLLLoss()"}
# case: {"expr": "nn.NLLLoss(reduction='sum')"}
# case: {"expr": "nn.GaussianNLLLoss()"}
# case: {"expr": "nn.GaussianNLLLoss(reduction='sum')"}
# case: {"expr": "nn.PoissonNLLLoss()"}
# case: {"expr": "nn.PoissonNLLLoss(reduction='sum')"}
# case: {"expr": "nn.HingeEmbeddingLoss()"}
# case: {"expr": "nn.HingeEmbeddingLoss(reduction='sum')"}
# case: {"expr": "nn.HuberLoss()"}
# case: {"expr": "nn.HuberLoss(reduction='sum')"}
# case: {"expr": "nn.BCELoss()"}
# case: {"expr": "nn.BCELoss(reduction='sum')"}
# case: {"expr": "nn.BCEWithLogitsLoss()"}
# case: {"expr": "nn.BCEWithLogitsLoss(reduction='sum')"}
# case: {"expr": "nn.CrossEntropyLoss(reduction='mean')"}
# case: {"expr": "nn.CrossEntropyLoss(reduction='mean', ignore_index=1)"}
# case: {"expr": "nn.GELU('none')"}
# case: {"expr": "nn.GELU()"}
# case: {"expr": "nn.GLU()"}
# case: {"expr": "nn.GLU(1)"}
# case: {"expr": "nn.GroupNorm(3, 6, 0.001)"}
# case: {"expr": "nn.GroupNorm(3, 6, 0.001, bias=False)"}
# case: {"expr": "nn.Hardshrink(2.0)"}
# case: {"expr": "nn.Hardshrink()"}
# case: {"expr": "nn.Hardswish()"}
# case: {"expr": "nn.Hardtanh()"}
# case: {"expr": "nn.LocalResponseNorm(3)"}
# case: {"expr": "nn.LocalResponseNorm(2)"}
# case: {"expr": "nn.LayerNorm([5], 0.001)"}
# case: {"expr": "nn.LayerNorm([5], 0.001, False)"}
# case: {"expr": "nn.RMSNorm([5], 0.001)"}
# case: {"expr": "nn.RMSNorm([5], 0.001, False)"}
# case: {"expr": "nn.TransformerDecoderLayer(4, 2, 16, 0.0)"}
# case: {"expr": "nn.TransformerDecoderLayer(4, 2, 8, 0.0, bias=False)"}
# case: {"expr": "nn.Embedding(num_embeddings=4, embedding_dim=3)"}
# case: {"expr": "nn.ReLU()"}
# case: {"expr": "nn.LeakyReLU()"}
# case: {"expr": "nn.LeakyReLU(0.5)"}
# case: {"expr": "nn.ReLU6()"}
# case: {"expr": "nn.PReLU()"}
# case: {"expr": "nn.PReLU(3)"}
# case: {"expr": "nn.Sigmoid()"}
# case: {"expr": "nn.LogSigmoid()"}
# case: {"expr": "nn.SiLU()"}
# case: {"expr": "nn.Softmax(1)"}
# case: {"expr": "nn.Softmax(0)"}
# case: {"expr": "nn.LogSoftmax(1)"}
# case: {"expr": "nn.LogSoftmax(0)"}
# case: {"expr": "nn.Softmin(1)"}
# case: {"expr": "nn.Softmin(0)"}
# case: {"expr": "nn.Softplus()"}
# case: {"expr": "nn.Softplus(2)"}
# case: {"expr": "nn.Softshrink()"}
# case: {"expr": "nn.Softshrink(1)"}
# case: {"expr": "nn.Softsign()"}
# case: {"expr": "nn.Tanh()"}
# case: {"expr": "nn.Tanhshrink()"}
# case: {"expr": "nn.Threshold(2.0, 1.0)"}
# case: {"expr": "nn.Threshold(2.0, 10.0)"}
# case: {"expr": "nn.Mish()"}
# case: {"expr": "nn.ReflectionPad1d(1)"}
# case: {"expr": "nn.ReflectionPad1d((1, 2))"}
# case: {"expr": "nn.ReflectionPad2d(1)"}
# case: {"expr": "nn.ReflectionPad2d((1, 2, 3, 4))"}
# case: {"expr": "nn.ReflectionPad3d(1)"}
# case: {"expr": "nn.ReflectionPad3d((1, 2, 1, 2, 1, 2))"}
# case: {"expr": "nn.ReplicationPad1d(1)"}
# case: {"expr": "nn.ReplicationPad1d((1, 2))"}
# case: {"expr": "nn.ReplicationPad2d(1)"}
# case: {"expr": "nn.ReplicationPad2d((1, 2, 3, 4))"}
# case: {"expr": "nn.ReplicationPad3d(1)"}
# case: {"expr": "nn.SELU()"}
# case: {"expr": "nn.ZeroPad1d(1)"}
# case: {"expr": "nn.ZeroPad1d((1, 2))"}
# case: {"expr": "nn.ZeroPad2d(1)"}
# case: {"expr": "nn.ZeroPad2d((1, 2, 3, 4))"}
# case: {"expr": "nn.ZeroPad3d(1)"}
# case: {"expr": "nn.ZeroPad3d((1, 2, 3, 4, 5, 6))"}
# case: {"expr": "nn.ConstantPad1d(1, 2)"}
# case: {"expr": "nn.ConstantPad1d((1, 2), 3)"}
# case: {"expr": "nn.ConstantPad2d(1, 3)"}
# case: {"expr": "nn.ConstantPad2d((1, 2, 3, 4), 5)"}
# case: {"expr": "nn.ConstantPad3d(1, 3)"}
# case: {"expr": "nn.ConstantPad3d((1, 2, 3, 4, 5, 6), 7)"}
# case: {"expr": "nn.AlphaDropout(0.3)"}
# case: {"expr": "nn.FeatureAlphaDropout(0.3)"}
# case: {"expr": "nn.Dropout(0.25, inplace=True)"}
# case: {"expr": "nn.Dropout1d(0.3)"}
# case: {"expr": "nn.Dropout2d()"}
# case: {"expr": "nn.Dropout3d(p=0.1)"}
# case: {"expr": "nn.ChannelShuffle(3)"}
# case: {"expr": "nn.CosineSimilarity(dim=-1)"}
# case: {"expr": "nn.PairwiseDistance(p=1.0, keepdim=True)"}
# case: {"expr": "nn.EmbeddingBag(7, 3, mode=\"sum\", padding_idx=-2)"}
# case: {"expr": "nn.EmbeddingBag(7, 3, max_norm=1.0, norm_type=1.0, scale_grad_by_freq=True)"}
# case: {"expr": "nn.Embedding(5, 2, padding_idx=-1, max_norm=2.0, norm_type=3.0, scale_grad_by_freq=True)"}
# case: {"expr": "nn.Flatten()"}
# case: {"expr": "nn.Flatten(0, 2)"}
# case: {"expr": "nn.Unflatten(1, (1, 3))"}
# case: {"expr": "nn.Unflatten(-1, torch.Size([2, 2]))"}
# case: {"expr": "nn.Fold((4, 5), (2, 2))"}
# case: {"expr": "nn.Unfold((2, 2), stride=2)"}
# case: {"expr": "nn.Hardsigmoid()"}
# case: {"expr": "nn.RReLU(0.1, 0.4)"}
# case: {"expr": "nn.RReLU(inplace=True)"}
# case: {"expr": "nn.Hardtanh(min_value=-2.0, max_value=3)"}
# case: {"expr": "nn.Identity(54, unused=3)"}
# case: {"expr": "nn.SyncBatchNorm.convert_sync_batchnorm(nn.Sequential(nn.Conv2d(3, 4, 1), nn.BatchNorm2d(4, affine=False)))"}
# case: {"expr": "nn.MaxUnpool1d(2)"}
# case: {"expr": "nn.MaxUnpool2d(2, stride=2)"}
# case: {"expr": "nn.MaxUnpool3d((1, 2, 2))"}
# case: {"expr": "nn.FractionalMaxPool2d(2, output_ratio=0.5, _random_samples=torch.ones(2, 3, 2) / 2)"}
# case: {"expr": "nn.PixelShuffle(1)"}
# case: {"expr": "nn.PixelUnshuffle(2)"}
# case: {"expr": "nn.Upsample(scale_factor=2)"}
# case: {"expr": "nn.Upsample(scale_factor=(2, 1.5), mode=\"bicubic\", align_corners=False)"}
# case: {"expr": "nn.UpsamplingNearest2d(size=5)"}
# case: {"expr": "nn.UpsamplingBilinear2d(scale_factor=2)"}
# case: {"expr": "nn.NLLLoss2d()"}
# case: {"expr": "nn.TripletMarginLoss(swap=True)"}
# case: {"expr": "nn.TripletMarginWithDistanceLoss(margin=0.5)"}
# case: {"expr": "nn.Sequential(nn.Linear(4, 3), nn.ReLU(inplace=True), nn.ModuleList([nn.Sigmoid()]))"}
# case: {"expr": "nn.LinearCrossEntropyLoss(4, 6, bias=True, label_smoothing=0.1)"}

import torch
from torch import nn
