// SPDX-License-Identifier: GPL-3.0-or-later
// The scripts of tests/oracle/make_edits.py, done by core: the same verbs on the same model.
#pragma once

#include "core/io/json.h"
#include "core/module/edit.h"

#include <string>
#include <vector>

namespace fx {

/// The model that every script begins with: an empty graph, a few modules and tensors.
Model scriptModel();

class ScriptRunner {
public:
    explicit ScriptRunner(Model& model) : m_model(model) {}

    struct Outcome {
        Changes changes;
        std::string error; ///< the message, if the verb refused
        Json result;       ///< of a question
    };
    Outcome perform(const Json& step);
    /// The text of the graph and the users of each node, as the script's "state".
    std::string state() const;

private:
    void perform(Edit& edit, const Json& step, Json& result);
    void create(Edit& edit, const Json& step);
    void copyGraph(Edit& edit);
    Argument argument(const Json& value) const;
    Arguments arguments(const Json& values) const;
    Keywords keywords(const Json& items) const;
    NodeId at(const Json& index) const;
    /// Numbers the nodes that came, in graph order as the oracle does.
    void remember();

    Model& m_model;
    std::vector<NodeId> m_nodes;
    std::map<NodeId, int64_t> m_index;
};

} // namespace fx
