// SPDX-License-Identifier: GPL-3.0-or-later
// The run behind the pass `capture` (capture_pass.h).
#pragma once

#include "core/capture/functionalizer.h"
#include "core/capture/operator_recorder.h"
#include "core/interpret/interpreter.h"
#include "core/passes/pass_options.h"
#include "core/passes/run_progress.h"
#include "core/torch/values/functional_tensors.h"

#include <map>
#include <set>

namespace fx {

/// Runs the graph of a model and records it into another, whose modules and tensors are the same.
class GraphCapture : public OperatorRecorder::Owner, public Observer {
public:
    GraphCapture(Edit& edit, const PassOptions& options, PassContext& context);

    void run(GraphInputs inputs);

    const Model& model() const { return m_model; }
    const NodeMap& placeholders() const { return m_placeholders; }
    /// Tensors that are none of the model's.
    const std::vector<std::pair<std::string, at::Tensor>>& constants() const { return m_constants; }

    // --- What the interpreter says.
    void beforeNode(Interpreter& interpreter, const Node& node) override;
    void afterNode(const Interpreter&, const Node& node, const Value& value) override;

    // --- What the recorder asks.
    NodeId untracked(const at::Tensor& tensor) override;
    bool decompose(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;
    bool dataIsRead(const c10::OperatorHandle&) override;
    Meta meta(const OperatorRecorder::Moment& moment) override;

private:
    /// What is called while it lives is recorded.
    struct Recording {
        explicit Recording(GraphCapture& capture) : recorder(capture.m_recorder) {
            if (capture.m_functionalizer)
                functionalize.emplace();
        }
        OperatorRecorder::Scope recorder;
        std::optional<FunctionalizeScope> functionalize;
    };

    /// What a tensor of the run is in the graph: calls that write into it afterwards are recorded by then.
    NodeId nodeOf(const at::Tensor& tensor);
    RunSettings settingsOf(RunSettings settings) const;

    /// The operators that are no core ones, and have a function that does their work by those.
    void findRules();
    std::string freshName() const;
    void warnOnce(const std::string& text);

    /// The tensors of the model, made before anything is recorded.
    void findState();

    void trackInput(const Value& given, NodeId node, const std::string& name);
    void trackItem(const Value& item, NodeId node, Argument key, const std::string& name);

    Argument argumentOf(const Value& given);

    // --- Gradients.
    void collectOutputs(const Value& given, std::vector<at::Tensor>& out) const;

    /// Those that require a gradient, by name.
    std::vector<std::pair<std::string, at::Tensor>> wanted() const;

    /// A dict from the names to the gradients; None for what the outputs do not depend on.
    Argument gradients(const Value& result);
    at::Tensor tangent(const at::Tensor& output, size_t number);

    const Model& m_source;
    const ModuleId m_module;
    PassContext& m_context;
    const bool m_isBackward;
    const std::string m_gradientsOf;
    Model m_model;
    Edit m_edit;
    OperatorRecorder m_recorder;
    std::optional<Functionalizer> m_functionalizer;
    const bool m_isCore;
    std::set<std::string> m_rules; ///< "aten.addmm.default"
    std::shared_ptr<RunContext> m_run;
    RunProgress m_progress;
    const Node* m_current = nullptr;
    ModuleId m_currentModule;
    bool m_isOuter = false;
    NodeMap m_placeholders; ///< the model's by those recorded
    std::unordered_map<const c10::TensorImpl*, std::string> m_paths;
    std::map<std::string, NodeId> m_attributes;
    std::vector<std::pair<std::string, at::Tensor>> m_parameters, m_inputs, m_constants;
    std::map<int64_t, Meta> m_forward; ///< of the calls, by autograd's number
    std::vector<std::string> m_warnings;
    std::set<std::string> m_warned;
};

} // namespace fx
