// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes of what operators give on the device meta where LibTorch has no kernel for it: those that PyTorch
// has in Python alone.
#pragma once

namespace fx {

/// From here on such an operator is worked out on the processor with inputs of the same shape, of which each
/// is one number in memory; only its result is ever there. An operator whose result has a shape that depends
/// on data is refused. For the whole process, once.
void supportMeta();

} // namespace fx
