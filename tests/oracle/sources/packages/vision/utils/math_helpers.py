# SPDX-License-Identifier: GPL-3.0-or-later
# Numbers for layers.

CLASSES = 3
LIMIT = 6.0


def same_padding(kernel):
    return (kernel - 1) // 2
