// SPDX-License-Identifier: GPL-3.0-or-later
// Finds a function in the tree of a source by its place: how a function without a name that leads to it is
// named in a model.
#pragma once

#include "core/python/tree.h"

namespace fx {

/// The def or lambda of that name at these bytes of the source; null where there is none.
const FunctionTree* findFunctionTree(const SourceFile& file, uint32_t begin, uint32_t end,
                                     std::string_view name);

} // namespace fx
