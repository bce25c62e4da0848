// SPDX-License-Identifier: GPL-3.0-or-later
// The functions that a model's sources define, as calls in its graphs name them.
#pragma once

#include "core/rewrite/callables.h"

#include <string>
#include <vector>

namespace fx {

struct SourceFunction {
    std::string name;   ///< "net.scale_up"
    std::string module; ///< "net"
    CallForm form;
};

/// Those at the top of the sources, in their order. A source that cannot be parsed has none.
std::vector<SourceFunction> sourceFunctions(const Model& model);

} // namespace fx
