# SPDX-License-Identifier: GPL-3.0-or-later
# Passes over graphs of certain operators.
