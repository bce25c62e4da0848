// SPDX-License-Identifier: GPL-3.0-or-later
// What of a graph oneDNN computes by one of its own calls over a weight in its own layout: a convolution or a
// linear layer, with what follows it - a sum, an activation - where nothing else reads what lies between.
#pragma once

#include "core/passes/clean/effects.h"
#include "core/passes/fuse/layers.h"
#include "core/passes/lower/convolution_settings.h"

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <vector>

namespace fx {

struct OnednnCall {
    NodeId layer;
    NodeId sum;        ///< layer + other, where that is done, too
    NodeId activation; ///< of either
    NodeId input;
    NodeId transposed;      ///< of a product: what turns its weight for it alone
    std::string weightPath; ///< from the module of the graph; of small numbers empty
    NodeId restored;        ///< what makes a weight of small numbers (small_weight.h), which a run does once
    std::optional<std::string> biasPath;
    bool isConvolution = true;
    ConvolutionSettings settings;
    std::vector<int64_t> inputSizes;
    int64_t groups = 1;
    std::string unary = "none"; ///< oneDNN's word for the activation
    Arguments scalars;          ///< its numbers
    std::string algorithm;

    NodeId last() const { return activation ? activation : sum ? sum : layer; }
    /// Whether two calls differ in nothing but their weights.
    bool isLike(const OnednnCall& other) const;
};

/// The operands of a + b, if that is all.
std::optional<std::pair<NodeId, NodeId>> operandsOfSum(const Node& node);

/// Finds them in a graph whose values were recorded in a run (ShapeProp).
class OnednnCalls {
public:
    OnednnCalls(const Model& model, ModuleId module);

    /// In the order of the graph.
    const std::vector<OnednnCall>& found() const { return m_found; }
    /// Why layers are none, with their names.
    const std::vector<std::pair<std::string, std::string>>& leftAlone() const { return m_leftAlone; }

private:
    void visit(const Node& node);
    /// Why it is none; empty: it is one.
    std::string describe(const Node& node, const Layer& layer, OnednnCall& call) const;
    void extend(OnednnCall& call);
    bool takeActivation(OnednnCall& call);
    bool takeSum(OnednnCall& call);
    bool canMove(const OnednnCall& call, NodeId to) const;
    bool writesOnly(NodeId node, NodeId value) const;
    bool isOverwritable(NodeId other, const OnednnCall& call, NodeId reader) const;
    const Graph& graph() const { return m_model.graph(m_module); }

    const Model& m_model;
    const ModuleId m_module;
    const Effects m_effects;
    std::unordered_map<int32_t, uint64_t> m_lastRead;             ///< by memory, as places in the graph
    std::unordered_map<int32_t, std::vector<uint64_t>> m_written; ///< likewise
    std::unordered_set<int32_t> m_given;                          ///< memory of inputs and weights
    std::unordered_set<NodeId> m_taken;
    std::vector<OnednnCall> m_found;
    std::vector<std::pair<std::string, std::string>> m_leftAlone;
};

} // namespace fx
