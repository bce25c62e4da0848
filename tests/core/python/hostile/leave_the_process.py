# SPDX-License-Identifier: GPL-3.0-or-later
# exit() does not end the host.
import sys

sys.exit(0)
