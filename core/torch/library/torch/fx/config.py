# SPDX-License-Identifier: GPL-3.0-or-later
# Settings of torch.fx, of which nothing here depends.
disable_progress = True
verbose_progress = False
do_not_emit_stack_traces = False
