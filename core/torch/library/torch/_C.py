# SPDX-License-Identifier: GPL-3.0-or-later
# What of PyTorch's C++ side models call as they are made, beside what core/torch has of it.


def _log_api_usage_once(event):
    pass


def _log_api_usage_metadata(event, metadata_map):
    pass
