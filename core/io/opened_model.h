// SPDX-License-Identifier: GPL-3.0-or-later
// What opening a file gives: the model, and all that the file says about it beside the graph.
#pragma once

#include "core/base/error.h"
#include "core/module/model.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fx {

class Value;

/// The range of a symbol of dynamic shapes; an end that is absent is open.
struct SymbolRange {
    std::optional<int64_t> least, most;
};

/// An input that a caller gives, in the order of the placeholders.
struct ModelInput {
    NodeId node;
    std::string name;               ///< of the placeholder
    std::optional<ValueMeta> value; ///< as it was when the model was captured
};

/// Why a file gives a tree of modules without a graph, and what would give one.
struct NoGraph {
    std::string reason; ///< "a state_dict holds weights only"; empty: there is a graph
    std::string advice;
    bool isWeightsOnly = false; ///< the file is a state_dict: it has no code to look for
};

struct OpenedModel {
    Model model;
    std::string path;
    std::string format;             ///< for people: "torch.export archive (.pt2)"
    std::string writer;             ///< "PyTorch 2.13.0", if known
    std::vector<std::string> notes; ///< what was not understood, and what is worth knowing
    NoGraph whyNoGraph;             ///< if it is set, the graph of the root is empty and means nothing
    std::map<std::string, SymbolRange> symbols;
    /// The example that was saved with the model, one value for each input; null if there is none. May throw.
    std::function<std::vector<Value>()> examples;
    std::string layoutState; ///< of an .fxg: what the window saved with it, JSON
    /// What a .pt2 says that the module form of its graph has no place for, JSON (core/io/pt2/pt2_record.h):
    /// it is needed to write one again. Empty: the model was in none.
    std::string exportRecord;
    /// Why the graph ends before the model does: its last node stands for what could not be traced.
    std::optional<Error> traceFault = {};
};

/// The placeholders of the root graph with what is known of their values.
std::vector<ModelInput> inputsOf(const Model& model);

} // namespace fx
