// SPDX-License-Identifier: GPL-3.0-or-later
// Parts by hand: nodes are moved to a part one after the other, by its tag, and what has none stays where it
// is. Parts that would wait for each other are refused when they come about.
#pragma once

#include "core/passes/split/parts.h"

#include <set>

namespace fx {

class Edit;
class PassOptions;
struct PassContext;
struct PassOption;

/// The key of the metadata.
inline constexpr std::string_view kPartTag = "tag";

/// The nodes of each tag, an order in which they can run. Throws an Error for a tag that is no name, or is
/// `taken`, and where parts, or a part and a node without a tag, would wait for each other.
std::vector<Part> taggedParts(const Graph& graph, const std::string& key,
                              const std::set<std::string>& taken = {});

std::vector<PassOption> moveToPartOptions();
void runMoveToPart(Edit& edit, const PassOptions& options, PassContext& context);

} // namespace fx
