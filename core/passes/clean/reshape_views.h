// SPDX-License-Identifier: GPL-3.0-or-later
// A view needs its numbers in a certain order, reshape takes them as they lie: what passes make of views
// where values come to lie in another order.
#pragma once

#include "core/module/edit.h"

namespace fx {

struct ReshapedViews {
    size_t count = 0;
    std::vector<NodeId> written; ///< views that the graph writes into; they stay
};

/// Calls of view with sizes, where `isConcerned`; all of them without it.
ReshapedViews reshapeViews(Edit& edit, const std::function<bool(const Node& view)>& isConcerned = nullptr);
/// Those of values with four dimensions or more, which convolutions give with their channels last.
ReshapedViews reshapeImageViews(Edit& edit);

} // namespace fx
