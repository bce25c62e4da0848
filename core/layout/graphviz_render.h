// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures as files, drawn by Graphviz at the places that a diagram has already.
#pragma once

#include <string>

namespace fx {

/// `format`: "svg", "png" or "pdf". `dot` is a diagram with positions. Throws an Error.
void renderWithGraphviz(const std::string& dot, const std::string& format, const std::string& path);

} // namespace fx
