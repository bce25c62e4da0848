// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a session's run: kept, looked at, asked for by expressions, and replaced.
#pragma once

#include "core/interpret/frame_stack.h"
#include "core/interpret/value_store.h"
#include "core/torch/live_host.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace fx {

class SessionValues {
public:
    SessionValues(const Model& model, const FrameStack& frames, uint64_t budgetBytes)
        : m_model(model), m_frames(frames), m_values(budgetBytes) {}

    /// The node has given that.
    void put(NodeRef ref, const Node& node, const Value& value);
    /// Kept, or null.
    const Value* kept(NodeRef node) const { return m_values.find(node); }
    MemoryReport report() const { return m_values.report(); }

    /// Names are nodes of the innermost graph that runs or, when the run is over, of the root.
    Value evaluate(const std::string& expression);
    Inspection inspect(const Inspect& request);
    /// Gives what the node's value is now. `paused`: the innermost interpreter, or null when the run is over.
    NodeRecord set(const SetValue& request, Interpreter* paused, std::string& said);
    /// Gives what to say of it.
    std::string save(const SaveValue& request,
                     const std::function<void(const at::Tensor&, const std::string& path)>& saveTensor) const;
    /// Lets go of what expressions have loaded.
    void endEvaluations() { m_evaluator.reset(); }

private:
    std::optional<Value> variable(const std::string& name) const;
    std::string absenceOf(NodeRef node) const;
    const Value* valueOf(NodeRef node) const;
    LiveEvaluator& evaluator();

    const Model& m_model;
    const FrameStack& m_frames;
    ValueStore m_values;
    std::map<NodeRef, std::string> m_setTo;     ///< values that a user has replaced, and by which expression
    std::unique_ptr<LiveEvaluator> m_evaluator; ///< made when it is first needed
    const Value* m_inspected = nullptr;         ///< while an index of it is evaluated
};

} // namespace fx
