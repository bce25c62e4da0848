// SPDX-License-Identifier: GPL-3.0-or-later
// Where a value that is not as it should be comes from: back along the nodes that have it, too, to the first.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/module/model.h"
#include "core/python/value.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// What is looked for in the tensors of a value.
struct Trait {
    enum class Kind { Nan, Inf, AllZero, Above }; ///< Above: magnitudes beyond `limit`
    Kind kind = Kind::Nan;
    double limit = 0;
};
/// "nan", "inf", "zero", "> 1e4"; empty: none, and the value is to say whether it is NaN or Inf. Throws an
/// Error for other words.
std::optional<Trait> parseTrait(std::string_view text);

/// The way back from the node along inputs that are so to the first; of several, to the one that ran first.
std::vector<NodeRef> wayBack(const Model& model, NodeRef node, const std::function<bool(NodeRef)>& isSo);
/// "\n  from there: relu -> add", from its end; empty for a way of one node.
std::string wayText(const Model& model, const std::vector<NodeRef>& way);

struct Origin {
    std::vector<NodeRef> path; ///< from the node that was asked about to the one that made it first
    std::string text;          ///< which that is, at which element, out of what
};
/// Holds values against those of a run that a file has, and gives the first that is another one.
using FindDifference = std::function<Origin(const FindOrigin& request, const Model& model,
                                            const std::function<const Value*(NodeRef)>& valueOf)>;

/// `valueOf`: null where there is none; `describe`: why. Throws an Error where the node's value is not so.
Origin originOf(const Model& model, NodeRef node, std::optional<Trait> trait,
                const std::function<const Value*(NodeRef)>& valueOf,
                const std::function<std::string(NodeRef)>& whyNone);

} // namespace fx
