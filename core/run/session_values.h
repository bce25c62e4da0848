// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a session's run: kept, looked at, asked for by expressions, and replaced.
#pragma once

#include "core/interpret/gradient_store.h"
#include "core/interpret/origin.h"
#include "core/interpret/value_store.h"
#include "core/run/frame_stack.h"
#include "core/torch/host/live_evaluator.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace fx {

class SessionValues {
public:
    /// `hasGradients`: the run will be differentiated. Values and gradients then share the budget.
    SessionValues(const Model& model, const FrameStack& frames, uint64_t budgetBytes, bool hasGradients)
        : m_model(model), m_frames(frames), m_values(hasGradients ? budgetBytes / 2 : budgetBytes),
          m_gradients(hasGradients ? budgetBytes / 2 : 0, hasGradients) {}

    /// Whether the graph that runs has it: who asks may have edited his own since.
    bool knows(NodeRef node) const;
    /// The node has given that, in the innermost frame.
    void put(NodeRef ref, const Node& node, const Value& value);
    /// What the node and those after it in its graph wrote into has been put back.
    void forgetWriters(ModuleId graph, NodeId from);
    /// What a node of the frame's graph has given in it, if it is kept; else null.
    const Value* kept(const RunningFrame& frame, NodeId node) const {
        return m_values.find({frame.node.module, node}, frame.activation);
    }
    ValueStore& store() { return m_values; }
    /// The expressions by which a user has replaced values.
    const std::map<NodeRef, std::string>& replaced() const { return m_setTo; }
    /// Values that were set and that no node has read since, each in a line.
    std::vector<std::string> unreadNotes() const;
    MemoryReport report() const;
    GradientStore& gradients() { return m_gradients; }
    /// What the caller of the run has got: `output` in expressions from now on.
    void setResult(const Value& result) { m_result = result; }

    /// Names are nodes of a graph that runs, `level` graphs further out than the innermost, or of the root
    /// when the run is over.
    Value evaluate(const std::string& expression, size_t level = 0);
    /// `isGivenUp`: as lookAt().
    Inspection inspect(const Inspect& request, const std::function<bool()>& isGivenUp);
    /// Gives what the node's value is now, and what to say of it.
    std::pair<NodeRecord, std::string>
    set(const SetValue& request,
        const std::function<Value(const std::string& path, const std::string& name)>& readValue);
    /// `findDifference`: as in DebugOptions.
    Answer findOrigin(const FindOrigin& request, const FindDifference& findDifference) const;
    Answer save(const SaveValue& request,
                const std::function<void(const at::Tensor&, const std::string& path)>& saveTensor) const;
    /// Lets go of what expressions have loaded.
    void endEvaluations() { m_evaluator.reset(); }

private:
    void noteWriter(ModuleId graph, const Node& node);
    const RunningFrame* frameAt(size_t level) const;
    size_t levelOf(NodeRef node) const;
    std::optional<Value> variable(const std::string& name) const;
    const Value& gradientOf(const std::string& name) const;
    /// What is looked at or saved, as in Inspect.
    struct Subject {
        NodeRef node;
        TensorId tensor;
        bool isGradient;
    };
    const Value* looked(const Subject& subject, std::string& absence) const;
    std::string absenceOf(NodeRef node) const;
    const Value* valueOf(NodeRef node) const;
    LiveEvaluator& evaluator();

    const Model& m_model;
    const FrameStack& m_frames;
    ValueStore m_values;
    std::map<NodeRef, std::string> m_setTo;  ///< values that a user has replaced, and by which expression
    std::map<NodeRef, std::string> m_unread; ///< those of them that no node has read since
    GradientStore m_gradients;
    std::optional<Value> m_result;
    std::unique_ptr<LiveEvaluator> m_evaluator; ///< made when it is first needed
    const Value* m_inspected = nullptr;         ///< while an index of it is evaluated
    size_t m_level = 0;                         ///< of the expression that is evaluated
};

} // namespace fx
