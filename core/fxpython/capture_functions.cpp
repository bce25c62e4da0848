// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fxpython/capture_functions.h"

#include "core/capture/functionalizer.h"
#include "core/capture/operator_recorder.h"
#include "core/capture/python_call.h"
#include "core/fxpython/program_graph.h"
#include "core/python/types/support.h"
#include "core/torch/bind/operators.h"
#include "core/torch/values/functional_tensors.h"
#include "core/torch/values/symbolic_tensors.h"

namespace fx {

namespace {

using c10::IValue;
const char* const kRecorderType = "torch.fx.OperatorRecorder";
const char* const kSymbolsType = "torch.fx.Symbols";

/// A recorder of a program, and what the program's text has to say to it: an object with the methods
/// name_of(tensor), rule_of(function, whether above autograd), is_kept(function) and data_is_read(function).
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
        recorder.describe(node, ValueMeta{describeSymbolic(tensor)});
        return node;
    }

    bool decompose(const c10::OperatorHandle& op, torch::jit::Stack& stack) override {
        return m_hasRules && decomposed(op, stack, false);
    }

    bool decomposeAbove(const c10::OperatorHandle& op, torch::jit::Stack& stack) override {
        return decomposed(op, stack, true);
    }

    bool isKept(const c10::OperatorHandle& op) override {
        return m_evaluator.isTrue(
            m_evaluator.call(m_evaluator.attribute(m_text, "is_kept"),
                             {m_graph->function(m_evaluator, operatorTarget(op.schema().operator_name()))}));
    }

    bool dataIsRead(const c10::OperatorHandle& op) override {
        m_evaluator.call(m_evaluator.attribute(m_text, "data_is_read"),
                         {m_graph->function(m_evaluator, operatorTarget(op.operator_name()))});
        return true;
    }

private:
    bool decomposed(const c10::OperatorHandle& op, torch::jit::Stack& stack, bool isAbove) {
        const c10::FunctionSchema& schema = op.schema();
        const Value function = m_graph->function(m_evaluator, operatorTarget(schema.operator_name()));
        const Value rule =
            m_evaluator.call(m_evaluator.attribute(m_text, "rule_of"), {function, makeBool(isAbove)});
        if (rule.isNone())
            return false;
        callInstead(m_evaluator, rule, schema, stack);
        return true;
    }

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

/// The symbols of one recording.
struct Symbols {
    std::shared_ptr<SymbolEnvironment> environment;
};

Value makeSymbols(std::shared_ptr<SymbolEnvironment> environment) {
    return Object{
        HandleObject{nullptr, kSymbolsType, std::make_shared<Symbols>(Symbols{std::move(environment)})}};
}

const std::shared_ptr<SymbolEnvironment>& requireSymbols(const Value& value) {
    const auto* handle = value.as<HandleObject>();
    if (!handle || handle->typeName != kSymbolsType)
        raise("TypeError", "expected symbols, not " + typeName(value));
    return static_cast<Symbols*>(handle->content.get())->environment;
}

/// (symbols, tensor, names): one without data, whose sizes are these symbols, or as they are where there is
/// None.
Value fakeInput(Evaluator&, Values& args) {
    SymbolEnvironment& symbols = *requireSymbols(args[0]);
    const Value& given = plainOf(args[1]);
    const Values names = itemsOf(args[2]).value_or(Values());
    if (!given.isTensor() || names.size() != static_cast<size_t>(given.data().toTensor().dim()))
        raise("TypeError", "expected a tensor, and a name for each of its sizes");
    const at::Tensor& tensor = given.data().toTensor();
    std::vector<c10::SymInt> sizes;
    for (size_t i = 0; i < names.size(); ++i) {
        const int64_t size = tensor.size(static_cast<int64_t>(i));
        sizes.push_back(names[i].isString() ? c10::SymInt(symbols.symbol(names[i].text(), size))
                                            : c10::SymInt(size));
    }
    at::Tensor out = fakeTensor(sizes, symbolicStrides(tensor, sizes), tensor.storage_offset(),
                                tensor.scalar_type(), tensor.device());
    if (tensor.requires_grad())
        out.set_requires_grad(true);
    return IValue(out);
}

/// (tensor, device): one without data, of the same sizes, which may be symbols.
Value fakeLike(Evaluator&, Values& args) {
    const Value &given = plainOf(args[0]), &device = args[1];
    if (!given.isTensor() || !device.isData() || !device.data().isDevice())
        raise("TypeError", "expected a tensor and a device");
    const at::Tensor& tensor = given.data().toTensor();
    return IValue(fakeTensor(tensor.sym_sizes(), tensor.sym_strides(), tensor.sym_storage_offset(),
                             tensor.scalar_type(), device.data().toDevice()));
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
    if (tensor.isData() && tensor.data().isSymInt()) {
        const c10::SymNode number = tensor.data().toSymInt().toSymNode();
        recorder.recorder.numbers().track(number, requireNode(args[2]).id);
        recorder.graph().edit().setMeta(requireNode(args[2]).id, meta::kValue, describeNumber(number));
    }
    if (!tensor.isTensor())
        return {};
    const NodeId node = requireNode(args[2]).id;
    recorder.recorder.track(tensor.data().toTensor(), node);
    recorder.recorder.describe(node, ValueMeta{describeSymbolic(tensor.data().toTensor())});
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
    // (recorder, symbolic number): its node, or what it is by now.
    module.add("recorder_number", 2, 2, [](Evaluator& evaluator, Values& args) {
        ProgramRecorder& recorder = requireRecorder(args[0]);
        const IValue& data = plainOf(args[1]).data();
        const c10::SymNode number = data.isSymInt()     ? data.toSymInt().toSymNode()
                                    : data.isSymFloat() ? data.toSymFloat().toSymNodeImpl()
                                                        : data.toSymBool().toSymNodeImpl();
        const Argument argument = recorder.recorder.numbers().argument(number);
        const NodeId node = argument.node();
        return node ? recorder.graph().node(evaluator, node) : makeValue(argument, nullptr);
    });
    // (function, tuple): function(*tuple) by operators that write nowhere; what was written is copied back
    // after it.
    module.add("run_functional", 2, 2, [](Evaluator& evaluator, Values& args) {
        Functionalizer functional;
        const Value inputs = functional.wrapAll(args[1]);
        Value out;
        {
            const FunctionalizeScope scope;
            out = evaluator.call(args[0], evaluator.items(inputs));
        }
        out = Functionalizer::unwrapAll(out);
        functional.writeBack();
        return out;
    });
    // (recorder, symbols, may take tensors that have data)
    module.add("recorder_symbolic", 3, 3, [](Evaluator& evaluator, Values& args) {
        ProgramRecorder& recorder = requireRecorder(args[0]);
        recorder.recorder.leaveOutData(requireSymbols(args[1]), evaluator.isTrue(args[2]));
        recorder.graph().setSymbols(requireSymbols(args[1]));
        return Value();
    });
    // (recorder, tensor, number): what the tensor has in it.
    module.add("recorder_item", 3, 3, [](Evaluator&, Values& args) {
        requireRecorder(args[0]).recorder.dataSymbols().setNumber(plainOf(args[1]).data().toTensor(),
                                                                  symbolicNode(plainOf(args[2]).data()));
        return Value();
    });
    module.add("symbols_new", 0, 0,
               [](Evaluator&, Values&) { return makeSymbols(std::make_shared<SymbolEnvironment>()); });
    // Those of the metadata of a graph.
    module.add("symbols_of", 1, 1,
               [](Evaluator&, Values& args) { return makeSymbols(requireGraph(args[0]).symbols()); });
    module.add("fake_input", 3, 3, fakeInput);
    module.add("fake_like", 2, 2, fakeLike);
    // What was decided about them, as texts.
    module.add("symbols_guards", 1, 1, [](Evaluator&, Values& args) {
        Values out;
        for (const std::string& guard : requireSymbols(args[0])->guards())
            out.push_back(makeText(guard));
        return makeList(std::move(out));
    });
    // (symbols, name, value): an int of a program.
    module.add("symbol", 3, 3, [](Evaluator& evaluator, Values& args) {
        return symbolicValue(requireSymbols(args[0])->symbol(args[1].text(), evaluator.index(args[2])));
    });
    // (recorder, function): the result of function(), which is recorded.
    module.add("recorder_run", 2, 2, [](Evaluator& evaluator, Values& args) {
        const OperatorRecorder::Scope scope(requireRecorder(args[0]).recorder);
        return evaluator.call(args[1], {});
    });
}

} // namespace fx
