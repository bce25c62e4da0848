# SPDX-License-Identifier: GPL-3.0-or-later
# There is no environment.
import os

print(os.environ["HOME"])
