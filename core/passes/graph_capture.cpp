// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/graph_capture.h"

#include "core/base/error.h"
#include "core/capture/python_call.h"
#include "core/fxpython/python_names.h"
#include "core/ir/input_tree.h"
#include "core/torch/bind/operators.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <torch/autograd.h>

#include <algorithm>

namespace fx {

namespace {

constexpr std::string_view kOperatorsHead = "torch.ops.";

/// What an input is, of a dict with one entry for each of its values.
ValueMeta describeInput(const Value& given) {
    const Value& value = plainOf(given);
    std::vector<ValueMeta> parts;
    if (const auto* dict = value.as<DictObject>()) {
        for (const DictObject::Entry& entry : dict->entries())
            parts.push_back(describeInput(entry.value));
        return {std::move(parts)};
    }
    const std::optional<Values> items = itemsOf(value);
    if (!items)
        return describeValue(value);
    for (const Value& item : *items)
        parts.push_back(describeInput(item));
    return {std::move(parts)};
}

/// The value with None for each leaf. None where it holds a container that is no list, tuple or dict of
/// Python's own.
std::optional<Argument> structureOf(const Value& value) {
    const bool isOwn = value.as<InstanceObject>() != nullptr; // of a class of the program
    if (const auto* dict = value.as<DictObject>()) {
        DictValue out;
        for (const DictObject::Entry& entry : dict->entries()) {
            std::optional<Argument> key = plainArgument(entry.key), item = structureOf(entry.value);
            if (!key || !item)
                return std::nullopt;
            out.items.emplace_back(std::move(*key), std::move(*item));
        }
        return out;
    }
    const std::optional<Values> items = itemsOf(value);
    if (!items)
        return isOwn && !plainOf(value).isTensor() ? std::nullopt : std::optional(Argument());
    if (isOwn)
        return std::nullopt;
    Arguments out;
    for (const Value& item : *items) {
        std::optional<Argument> structure = structureOf(item);
        if (!structure)
            return std::nullopt;
        out.push_back(std::move(*structure));
    }
    const auto* sequence = value.as<SequenceObject>();
    if (sequence ? sequence->isList : value.isData() && value.data().isList())
        return ListValue{std::move(out)};
    return TupleValue{std::move(out)};
}

} // namespace

GraphCapture::GraphCapture(Edit& edit, const PassOptions& options, PassContext& context)
    : m_source(edit.model()), m_module(edit.module()), m_context(context),
      m_isBackward(options.flag("backward")), m_gradientsOf(options.text("gradients-of")),
      m_model(m_source.withEmptyRootGraph()), m_edit(m_model, Edit::WithoutHistory()),
      m_recorder(m_edit,
                 options.text("level") == "composite" ? OperatorRecorder::Level::Composite
                                                      : OperatorRecorder::Level::Aten,
                 *this),
      m_isCore(options.text("level") == "core-aten"),
      m_run(std::make_shared<RunContext>(m_source, settingsOf(context.settings))),
      m_progress(context.progress, edit.graph().size()) {
    if (!options.flag("keep-aliases"))
        m_recorder.leaveOutAliases();
    m_run->observers = {&m_progress, this};
    if (!options.flag("functional"))
        return;
    if (options.text("level") == "composite")
        throw Error("--functional", "needs a --level below autograd, where views and writes are told apart")
            .hint("choose aten or core-aten");
    m_functionalizer.emplace();
    m_run->state.wrapTensors([this](const at::Tensor& tensor) { return m_functionalizer->wrap(tensor); });
}

void GraphCapture::run(GraphInputs inputs) {
    findState();
    if (m_functionalizer) {
        for (Value& value : inputs.values)
            value = m_functionalizer->wrapAll(value);
        for (auto& [name, value] : inputs.keywords)
            value = m_functionalizer->wrapAll(value);
    }
    if (m_isCore)
        findRules();
    Interpreter interpreter(m_run, m_module);
    Value result;
    {
        const Recording recording(*this);
        result = interpreter.run(std::move(inputs));
    }
    Argument output = argumentOf(result);
    if (m_isBackward)
        output = TupleValue{{std::move(output), gradients(result)}};
    if (m_functionalizer) {
        const OperatorRecorder::Scope recording(m_recorder);
        const at::NoGradGuard noGrad;
        m_functionalizer->writeBack();
    }
    m_edit.output(std::move(output));
    for (const std::string& warning : m_warnings)
        m_context.warnings.push_back(warning);
}

void GraphCapture::beforeNode(Interpreter& interpreter, const Node& node) {
    m_current = &node;
    m_currentModule = interpreter.module();
    m_isOuter = !interpreter.parent();
}

void GraphCapture::afterNode(const Interpreter&, const Node& node, const Value& value) {
    if (node.opcode != Opcode::Placeholder || !m_isOuter)
        return;
    const NodeId made = m_edit.createNode(Opcode::Placeholder, node.target, node.args, {}, node.name,
                                          node.type ? std::optional(*node.type) : std::nullopt, node.meta);
    m_recorder.describe(made, describeInput(value));
    if (std::optional<Argument> structure = structureOf(value); structure && !structure->isNone())
        m_edit.setMeta(made, meta::kInputTree, MetaValue(std::move(*structure)));
    m_placeholders[made] = node.id;
    trackInput(value, made, node.name);
}

NodeId GraphCapture::untracked(const at::Tensor& tensor) {
    std::string& path = m_paths[tensor.unsafeGetTensorImpl()];
    if (path.empty()) {
        path = freshName();
        m_constants.emplace_back(path, tensor.detach());
    }
    const auto [known, isNew] = m_attributes.try_emplace(path);
    if (isNew) {
        known->second = m_edit.createNode(Opcode::GetAttr, Target(path));
        m_recorder.describe(known->second, ValueMeta{fx::describe(tensor)});
    }
    return known->second;
}

bool GraphCapture::decompose(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
    if (!m_isCore)
        return false;
    const c10::FunctionSchema& schema = op.schema();
    const std::string name = operatorTarget(schema.operator_name()).name().substr(kOperatorsHead.size());
    if (!m_rules.contains(name))
        return false;
    PythonCall call = pythonCall(schema, torch::jit::last(stack, schema.arguments().size()));
    torch::jit::drop(stack, schema.arguments().size());
    call.args.insert(call.args.begin(), makeText(name));
    pushResults(schema,
                m_run->library().callFunction(Target("torch._decomp.decomposed"), std::move(call.args),
                                              std::move(call.kwargs)),
                stack);
    return true;
}

bool GraphCapture::dataIsRead(const c10::OperatorHandle&) {
    warnOnce((m_current ? nodePlace(m_source.graph(m_currentModule), m_current->id) : "the model") +
             " reads a number out of a tensor; the graph keeps the one that it was");
    return false;
}

Meta GraphCapture::meta(const OperatorRecorder::Moment& moment) {
    Meta out;
    if (moment.isBackward) {
        if (const auto forward = m_forward.find(moment.sequence); forward != m_forward.end()) {
            out.set(meta::kStackTrace, forward->second.shared(meta::kStackTrace));
            out.set("fwd_nn_module_stack", forward->second.shared(meta::kModuleStack));
        }
        out.set(meta::kPartition, std::string(meta::kIsBackward));
    } else if (m_current) {
        for (const std::string_view key : {meta::kStackTrace, meta::kModuleStack, meta::kSourceFunction})
            if (const SharedMeta value = m_current->meta.shared(key))
                out.set(key, value);
        m_forward.try_emplace(moment.sequence, out);
    }
    if (m_isBackward)
        out.set(meta::kSequence, Argument(moment.sequence));
    return out;
}

NodeId GraphCapture::nodeOf(const at::Tensor& tensor) {
    const OperatorRecorder::Scope recording(m_recorder);
    return m_recorder.nodeOf(functionalValue(tensor));
}

RunSettings GraphCapture::settingsOf(RunSettings settings) const {
    settings.gradMode = m_isBackward ? GradMode::Grad : GradMode::NoGrad;
    return settings;
}

void GraphCapture::findRules() {
    const Value names = m_run->library().callFunction(Target("torch._decomp.decomposed_names"), {}, {});
    for (const Value& name : itemsOf(names).value_or(Values()))
        m_rules.insert(name.text());
}

std::string GraphCapture::freshName() const {
    for (size_t number = 0;; ++number) {
        std::string name = "_tensor_constant" + std::to_string(number);
        const bool isTaken =
            !m_source.existingPrefix(m_module, name).empty() ||
            std::ranges::any_of(m_constants, [&](const auto& entry) { return entry.first == name; });
        if (!isTaken)
            return name;
    }
}

void GraphCapture::warnOnce(const std::string& text) {
    if (m_warned.insert(text).second)
        m_warnings.push_back(text);
}

void GraphCapture::findState() {
    m_source.forEachModule(m_module, [&](ModuleId id, const std::string& path) {
        for (const NamedTensor& entry : m_source.module(id).tensors) {
            if (!entry.tensor)
                continue;
            const at::Tensor tensor = m_run->state.tensor(entry.tensor, entry.role);
            const std::string name = path.empty() ? entry.name : path + '.' + entry.name;
            const bool isNew =
                m_paths.try_emplace(functionalValue(tensor).unsafeGetTensorImpl(), name).second;
            if (isNew && entry.role == TensorRole::Parameter)
                m_parameters.emplace_back(name, tensor);
        }
    });
}

void GraphCapture::trackInput(const Value& given, NodeId node, const std::string& name) {
    const Value& value = plainOf(given);
    if (value.isTensor()) {
        if (m_isBackward && m_gradientsOf != "parameters" && value.data().toTensor().is_floating_point() &&
            value.data().toTensor().is_leaf()) {
            value.data().toTensor().set_requires_grad(true);
            m_inputs.emplace_back(name, value.data().toTensor());
        }
        m_recorder.track(functionalValue(value.data().toTensor()), node);
        return;
    }
    if (const auto* dict = value.as<DictObject>()) {
        for (const DictObject::Entry& entry : dict->entries())
            if (const std::optional<Argument> key = plainArgument(entry.key))
                trackItem(entry.value, node, *key, name);
        return;
    }
    if (const std::optional<Values> items = itemsOf(value)) {
        for (size_t i = 0; i < items->size(); ++i)
            trackItem((*items)[i], node, static_cast<int64_t>(i), name);
        return;
    }
    if (!value.isNone())
        warnOnce("what the model does depends on the value of its input '" + name +
                 "'; the graph keeps what it did with " + valueText(value));
}

void GraphCapture::trackItem(const Value& item, NodeId node, Argument key, const std::string& name) {
    const NodeId made = m_edit.createNode(Opcode::CallFunction, Target("operator.getitem"), {node, key});
    m_recorder.describe(made, describeValue(plainOf(item)));
    trackInput(item, made, name);
}

Argument GraphCapture::argumentOf(const Value& given) {
    const Value& value = plainOf(given);
    if (value.isTensor())
        return nodeOf(value.data().toTensor());
    if (const auto* dict = value.as<DictObject>()) {
        DictValue out;
        for (const DictObject::Entry& entry : dict->entries())
            out.items.emplace_back(argumentOf(entry.key), argumentOf(entry.value));
        return out;
    }
    if (const std::optional<Values> items = itemsOf(value)) {
        Arguments out;
        for (const Value& item : *items)
            out.push_back(argumentOf(item));
        const auto* sequence = value.as<SequenceObject>();
        if (sequence ? sequence->isList : value.isData() && value.data().isList())
            return ListValue{std::move(out)};
        return TupleValue{std::move(out)};
    }
    if (std::optional<Argument> plain = plainArgument(value))
        return std::move(*plain);
    throw Error("the result", "is a " + typeName(value) + ", which a recorded graph cannot give");
}

void GraphCapture::collectOutputs(const Value& given, std::vector<at::Tensor>& out) const {
    const Value& value = plainOf(given);
    if (value.isTensor()) {
        if (value.data().toTensor().requires_grad())
            out.push_back(value.data().toTensor());
    } else if (const auto* dict = value.as<DictObject>()) {
        for (const DictObject::Entry& entry : dict->entries())
            collectOutputs(entry.value, out);
    } else if (const std::optional<Values> items = itemsOf(value)) {
        for (const Value& item : *items)
            collectOutputs(item, out);
    }
}

std::vector<std::pair<std::string, at::Tensor>> GraphCapture::wanted() const {
    std::vector<std::pair<std::string, at::Tensor>> out = m_inputs;
    if (m_gradientsOf != "inputs")
        for (const auto& entry : m_parameters)
            if (entry.second.requires_grad())
                out.push_back(entry);
    return out;
}

Argument GraphCapture::gradients(const Value& result) {
    std::vector<at::Tensor> outputs;
    collectOutputs(result, outputs);
    const auto of = wanted();
    if (of.empty() || outputs.empty())
        throw Error("--backward", of.empty() ? "nothing here requires a gradient"
                                             : "no output depends on what requires a gradient")
            .hint(of.empty() && m_gradientsOf == "parameters"
                      ? "--gradients-of inputs works out those of the inputs"
                      : "is every output an integer, or detached?");
    const c10::InferenceMode plain(false);
    const at::AutoGradMode enabled(true);
    // What comes in from behind: 1 for a loss, and an input of the graph for anything else.
    std::vector<at::Tensor> incoming;
    const bool isLoss = outputs.size() == 1 && outputs[0].numel() == 1;
    for (size_t i = 0; !isLoss && i < outputs.size(); ++i)
        incoming.push_back(tangent(outputs[i], i));
    std::vector<at::Tensor> inputs, found;
    for (const auto& [name, tensor] : of)
        inputs.push_back(tensor);
    {
        m_current = nullptr;
        const Recording recording(*this);
        if (isLoss)
            incoming.push_back(at::ones_like(outputs[0], {}, c10::MemoryFormat::Preserve));
        found = torch::autograd::grad(outputs, inputs, incoming, std::nullopt, false, true);
    }
    DictValue out;
    for (size_t i = 0; i < of.size(); ++i)
        out.items.emplace_back(of[i].first,
                               found[i].defined() ? Argument(nodeOf(found[i])) : Argument(NoneValue()));
    return out;
}

at::Tensor GraphCapture::tangent(const at::Tensor& output, size_t number) {
    at::Tensor made = at::ones_like(output);
    const std::string name = "tangents_" + std::to_string(number + 1);
    NodeId last;
    for (const Node& node : m_edit.graph())
        if (node.opcode == Opcode::Placeholder)
            last = node.id;
    const Edit::InsertPoint behind = m_edit.insertingAfter(last);
    const NodeId node = m_edit.createNode(Opcode::Placeholder, Target(name), {}, {}, name);
    m_recorder.describe(node, ValueMeta{fx::describe(made)});
    m_recorder.track(functionalValue(made), node);
    return made;
}

} // namespace fx
