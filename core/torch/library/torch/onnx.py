# SPDX-License-Identifier: GPL-3.0-or-later
# torch.onnx: models ask whether they are being exported.


def is_in_onnx_export():
    return False
