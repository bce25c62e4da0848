// SPDX-License-Identifier: GPL-3.0-or-later
// What a method or function of a program takes for a call that a node makes: its arguments one by one, under
// the names that they have in Python, constants too, as who reads the program learns of them there.
#pragma once

#include "core/io/script/graph_lowering.h"

#include <string>
#include <vector>

namespace fx {

class CallParameters {
public:
    CallParameters(GraphLowering& caller, const Node& node);

    /// Whether each argument of a function has a name, and is a type of TorchScript's.
    static bool areNamed(const Node& node);
    /// What the caller hands on.
    const std::vector<JitValue*>& values() const { return m_values; }
    /// Tells calls apart that cannot share what they call.
    std::string key() const;
    /// Adds the inputs; gives the values of the nodes that the call reads (nodesIn).
    std::vector<Lowered> inputsIn(torch::jit::Graph& to) const;

private:
    const Node& m_node;
    std::vector<std::string> m_names;
    std::vector<JitValue*> m_values;
    std::vector<Lowered> m_given; ///< for m_values
};

} // namespace fx
