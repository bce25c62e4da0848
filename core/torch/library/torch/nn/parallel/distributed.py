# SPDX-License-Identifier: GPL-3.0-or-later
# Training in several processes, which is refused.


class DistributedDataParallel:
    def __init__(self, *args, **kwargs):
        raise NotImplementedError('not supported: DistributedDataParallel, which needs a process group; trace the module that '
                                  'it wraps')
