// SPDX-License-Identifier: GPL-3.0-or-later
// What can be typed next in an expression over a graph's values, or in the target of a node, and what the
// call takes whose brackets are open. Texts and names alone: nothing is evaluated.
#pragma once

#include "core/rewrite/callables.h"

#include <string>
#include <string_view>
#include <vector>

namespace fx {

struct ExpressionOffer {
    std::string text;  ///< for the whole of the word
    std::string about; ///< "node", "method of Tensor"
};

struct ExpressionHelp {
    size_t begin = 0; ///< of the word that the text ends in
    std::vector<ExpressionOffer> offers;
    std::string signature; ///< "torch.clamp(input: Tensor, min=None, max=None)"; empty: of no call
};

class ExpressionHelper {
public:
    /// `names`: what there is beside the graph's nodes, such as "value".
    ExpressionHelper(const Model& model, ModuleId graph, std::vector<std::string> names = {});

    /// `text`: as far as the cursor.
    ExpressionHelp expression(std::string_view text) const;
    /// The text is all of a target of a node of that opcode.
    ExpressionHelp target(std::string_view text, Opcode opcode) const;

private:
    std::string signatureOf(std::string_view text) const;
    const Callable* callableNamed(std::string_view callee) const;

    const Model& m_model;
    const ModuleId m_graph;
    std::vector<ExpressionOffer> m_names;
    std::vector<Callable> m_callables;
    std::vector<std::string> m_tensors; ///< paths
};

} // namespace fx
