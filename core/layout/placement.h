// SPDX-License-Identifier: GPL-3.0-or-later
// Gives every box of a diagram its place and every edge its way: scope by scope from the inside out, so that
// each layout is small and equal scopes are laid out once.
#pragma once

#include "core/layout/diagram.h"

#include <functional>

namespace fx {

/// Lays out one level; layoutLinearly is one, the worker's another.
using LevelLayouter = std::function<LevelLayout(const Level&)>;

/// Room that an expanded scope keeps around its content.
inline constexpr double kScopePadding = 16;
inline constexpr double kScopeTitle = 30;

/// `diagram` has the sizes of all boxes; of an expanded scope the width that its title needs. `foldsLong`:
/// what is higher than wide becomes columns (fold.h) of about one height, if the whole is seen larger then.
void place(Diagram& diagram, const LevelLayouter& layouter, bool foldsLong);

} // namespace fx
