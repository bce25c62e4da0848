# SPDX-License-Identifier: GPL-3.0-or-later
# Passes that fit graphs of any functional operators.
