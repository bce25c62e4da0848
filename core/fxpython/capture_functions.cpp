// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fxpython/capture_functions.h"

#include "core/capture/operator_recorder.h"
#include "core/capture/python_call.h"
#include "core/fxpython/program_graph.h"
#include "core/python/types/support.h"
#include "core/torch/bind/operators.h"

namespace fx {

namespace {

using c10::IValue;
const char* const kRecorderType = "torch.fx.OperatorRecorder";

/// A recorder of a program, and what the program's text has to say to it: an object with the methods
/// name_of(tensor), decompose(function, args, kwargs) and data_is_read(function).
class ProgramRecorder : public OperatorRecorder::Owner {
public:
    ProgramRecorder(Evaluator& evaluator, std::shared_ptr<ProgramGraph> graph, OperatorRecorder::Level level,
                    Value text)
        : m_evaluator(evaluator), m_graph(std::move(graph)), m_text(std::move(text)),
          m_hasRules(evaluator.isTrue(evaluator.attribute(m_text, "rules"))),
          recorder(m_graph->edit(), level, *this) {}

    ProgramGraph& graph() const { return *m_graph; }

    NodeId untracked(const at::Tensor& tensor) override {
        std::string& name = m_names[tensor.unsafeGetTensorImpl()];
        if (name.empty()) {
            m_kept.push_back(tensor);
            name = m_evaluator.call(m_evaluator.attribute(m_text, "name_of"), {IValue(tensor)}).text();
        }
        const NodeId node = m_graph->edit().createNode(Opcode::GetAttr, Target(name));
        recorder.describe(node, ValueMeta{fx::describe(tensor)});
        return node;
    }

    bool decompose(const c10::OperatorHandle& op, torch::jit::Stack& stack) override {
        if (!m_hasRules)
            return false;
        const c10::FunctionSchema& schema = op.schema();
        const Value function = m_graph->function(m_evaluator, operatorTarget(schema.operator_name()));
        if (!m_evaluator.isTrue(m_evaluator.call(m_evaluator.attribute(m_text, "has_rule"), {function})))
            return false;
        PythonCall call = pythonCall(schema, torch::jit::last(stack, schema.arguments().size()));
        torch::jit::drop(stack, schema.arguments().size());
        DictObject kwargs;
        for (auto& [name, value] : call.kwargs)
            kwargs.set(name, std::move(value));
        pushResults(schema,
                    m_evaluator.call(m_evaluator.attribute(m_text, "decompose"),
                                     {function, makeTuple(std::move(call.args)), Object{std::move(kwargs)}}),
                    stack);
        return true;
    }

    bool dataIsRead(const c10::OperatorHandle& op) override {
        m_evaluator.call(m_evaluator.attribute(m_text, "data_is_read"),
                         {m_graph->function(m_evaluator, operatorTarget(op.operator_name()))});
        return true;
    }

private:
    Evaluator& m_evaluator;
    std::shared_ptr<ProgramGraph> m_graph;
    Value m_text;
    bool m_hasRules;
    std::unordered_map<const c10::TensorImpl*, std::string> m_names; ///< of attributes
    std::vector<at::Tensor> m_kept;

public:
    OperatorRecorder recorder;
};

ProgramRecorder& requireRecorder(const Value& value) {
    const auto* handle = value.as<HandleObject>();
    if (!handle || handle->typeName != kRecorderType)
        raise("TypeError", "expected a recorder, not " + typeName(value));
    return *static_cast<ProgramRecorder*>(handle->content.get());
}

/// (graph, is composite, text)
Value makeRecorder(Evaluator& evaluator, Values& args) {
    const auto level =
        evaluator.isTrue(args[1]) ? OperatorRecorder::Level::Composite : OperatorRecorder::Level::Aten;
    return Object{HandleObject{nullptr, kRecorderType,
                               std::make_shared<ProgramRecorder>(
                                   evaluator, requireGraph(args[0]).shared_from_this(), level, args[2])}};
}

/// (recorder, tensor, node)
Value track(Evaluator&, Values& args) {
    ProgramRecorder& recorder = requireRecorder(args[0]);
    const Value& tensor = plainOf(args[1]);
    if (!tensor.isTensor())
        return {};
    const NodeId node = requireNode(args[2]).id;
    recorder.recorder.track(tensor.data().toTensor(), node);
    recorder.recorder.describe(node, ValueMeta{fx::describe(tensor.data().toTensor())});
    return {};
}

/// (recorder, tensor): the node that stands for it, or None.
Value nodeOf(Evaluator& evaluator, Values& args) {
    ProgramRecorder& recorder = requireRecorder(args[0]);
    const Value& tensor = plainOf(args[1]);
    const NodeId node =
        tensor.isTensor() ? recorder.recorder.trackedNode(tensor.data().toTensor()) : NodeId();
    return node ? recorder.graph().node(evaluator, node) : Value();
}

} // namespace

void addCaptureFunctions(NativeModule& module) {
    module.add("recorder", 3, 3, makeRecorder);
    module.add("recorder_track", 3, 3, track);
    module.add("recorder_node", 2, 2, nodeOf);
    // (recorder, function): the result of function(), which is recorded.
    module.add("recorder_run", 2, 2, [](Evaluator& evaluator, Values& args) {
        const OperatorRecorder::Scope scope(requireRecorder(args[0]).recorder);
        return evaluator.call(args[1], {});
    });
}

} // namespace fx
