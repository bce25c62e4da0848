// SPDX-License-Identifier: GPL-3.0-or-later
// Which node stands for a number that depends on symbols, while operators are recorded. What is computed with
// such numbers is the call of Python's operator; a size of a tensor is a call that reads it there, made when
// it is first used, as most are not.
#pragma once

#include "core/capture/operator_arguments.h"
#include "core/module/edit.h"
#include "core/torch/values/symbolic_number.h"

#include <functional>
#include <unordered_map>

namespace fx {

class NumberNodes final : public SymbolEnvironment::Listener {
public:
    /// New nodes go to where the edit puts them.
    explicit NumberNodes(Edit& edit) : m_edit(edit) {}

    /// The sizes of a tensor that a node stands for, and what follows from them.
    void trackSizes(const at::Tensor& tensor, NodeId node, SymbolEnvironment& environment);
    void track(const c10::SymNode& number, NodeId node);
    /// The node, or the number that it is by now.
    Argument argument(const c10::SymNode& number);

    void computed(Operator op, const std::vector<c10::SymNode>& operands,
                  const c10::SymNode& result) override;
    void madeFloat(const c10::SymNode& number, const c10::SymNode& result) override;

private:
    struct Tracked {
        c10::SymNode number; ///< so that nothing else comes to lie there
        std::function<NodeId()> make;
        NodeId node;
    };
    void track(const c10::SymNode& number, std::function<NodeId()> make);
    Tracked* find(const c10::SymNode& number);
    NodeId create(const char* target, Arguments args, const char* name, const c10::SymNode& number);

    Edit& m_edit;
    std::unordered_map<const c10::SymNodeImpl*, Tracked> m_tracked;
    std::map<std::string, c10::SymNode> m_symbols; ///< the first number that is this symbol alone
};

/// What is known of such a number, for the metadata of its node.
ValueMeta describeNumber(const c10::SymNode& number);

} // namespace fx
