// SPDX-License-Identifier: GPL-3.0-or-later
// The second graph of a comparison as a picture in HTML: modules around their nodes, and each node marked by
// how its value compares.
#pragma once

#include "core/compare/compare_runs.h"

#include <string>

namespace fx {

/// An svg element, to be styled by the classes "equal", "within", "beyond" and "alone" of its boxes; modules
/// of large graphs are one box each, which is marked as the worst in it. All text is escaped.
std::string graphPicture(const RunComparison& comparison, const Graph& graph);

} // namespace fx
