# SPDX-License-Identifier: GPL-3.0-or-later
# torch._ops: the classes of operators. What operators are is in core/torch/host/operator_attributes.cpp.
import torch

OpOverload = type(torch.ops.aten.relu.default)
OpOverloadPacket = type(torch.ops.aten.relu)
HigherOrderOperator = type(torch.ops.higher_order.cond)
OperatorBase = OpOverload.__base__
