# SPDX-License-Identifier: GPL-3.0-or-later
# One process and one device: wrappers that would share out the work call the module itself.
from .data_parallel import DataParallel, data_parallel
from .distributed import DistributedDataParallel
