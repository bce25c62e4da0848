// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures, drawn by Graphviz at the places that a diagram has already.
#pragma once

#include <string>

namespace fx {

/// Bytes of the picture. `format`: "svg", "png" or "pdf". `dot` is a diagram with positions. Throws an Error.
std::string renderedByGraphviz(const std::string& dot, const std::string& format);

} // namespace fx
