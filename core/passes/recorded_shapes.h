// SPDX-License-Identifier: GPL-3.0-or-later
// Records the shapes of values again after an edit.
#pragma once

#include "core/module/edit.h"

#include <vector>

namespace fx {

/// Whether sizes of the tensor depend on symbols.
bool isSymbolic(const TensorMeta& tensor);

/// Of which nodes shapes are worked out.
enum class ShapeRule {
    Checked,   ///< of the calls and of all that depends on them; what cannot take them is an Error
    Unchecked, ///< likewise, as far as they fit
    OfCalls    ///< of the calls alone
};
/// Records the shapes that calls, which are new or read other values than before, have now.
void recordShapes(Edit& edit, const std::vector<NodeId>& calls, ShapeRule rule);

} // namespace fx
