# SPDX-License-Identifier: GPL-3.0-or-later
# There is no clock.
import time

time.sleep(100)
