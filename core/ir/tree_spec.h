// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of nested inputs and outputs (torch.utils._pytree): how flat values form lists, tuples and dicts.
#pragma once

#include "core/ir/argument.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

struct TreeSpec {
    enum class Kind { Leaf, Tuple, List, Dict, NamedTuple, Other };

    Kind kind = Kind::Leaf;
    std::string type; ///< Python's class: "builtins.tuple"
    Arguments keys; ///< of a dict, one for each child; of a class that a program has registered, its context
    std::vector<TreeSpec> children;

    /// The kind of a class: List of "collections.deque", Other of what is not known.
    static Kind kindOf(std::string_view type);
    size_t leafCount() const;
    bool operator==(const TreeSpec&) const = default;
};

/// A named tuple class that inputs or outputs use, under the name it was registered with.
struct NamedTupleClass {
    std::string name;
    std::vector<std::string> fields;
    bool operator==(const NamedTupleClass&) const = default;
};

/// How a graph is called when it was captured from nested arguments (torch.fx's _PyTreeCodeGen).
struct Signature {
    std::vector<std::string> argumentNames; ///< the parameters of forward
    TreeSpec inputs;                        ///< usually a tuple (args, kwargs)
    std::optional<TreeSpec> outputs;
    std::string inputsText, outputsText; ///< as pytree.treespec_dumps wrote them; empty: not known
    std::vector<NamedTupleClass> namedTuples;

    bool operator==(const Signature&) const = default;
    /// Whether `inputs` is (positional tuple, keyword dict).
    bool hasKeywords() const;
};

} // namespace fx
