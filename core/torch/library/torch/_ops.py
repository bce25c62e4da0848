# SPDX-License-Identifier: GPL-3.0-or-later
# torch._ops: the classes of operators, for isinstance. What they are is in core/torch/host/torch_names.cpp.


class _OverloadMeta(type):
    def __instancecheck__(cls, value):
        return _is_overload(value)


class OpOverload(metaclass=_OverloadMeta):
    pass


class _PacketMeta(type):
    def __instancecheck__(cls, value):
        return _is_packet(value)


class OpOverloadPacket(metaclass=_PacketMeta):
    pass


class OperatorBase(metaclass=_OverloadMeta):
    pass


class _HigherOrderMeta(type):
    def __instancecheck__(cls, value):
        return getattr(value, '__module__', None) == 'torch.ops.higher_order'


class HigherOrderOperator(metaclass=_HigherOrderMeta):
    pass
