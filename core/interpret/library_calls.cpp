// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/library_calls.h"

#include "core/base/error.h"
#include "core/fxpython/python_names.h"
#include "core/python/tree.h"
#include "core/trace/meta_tracer.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

/// Records operators alone: modules and functions of Python's are entered, tensors of the model are read
/// where they are needed. What is known of the inputs decides branches; sizes stay nodes.
class OperatorTracer : public MetaTracer {
public:
    using Paths = std::unordered_map<const c10::TensorImpl*, std::string>;
    OperatorTracer(Evaluator* evaluator, const Value& given, const Paths& paths, bool fixesSizes)
        : MetaTracer(evaluator, given), m_paths(paths), m_fixesSizes(fixesSizes) {
        TracerOptions options;
        options.entersPython = true;
        setOptions(options);
    }

    std::map<std::string, at::Tensor> constants;

    Value callModule(const Value&, const std::function<Value(Values, NamedValues)>& forward, Values args,
                     NamedValues kwargs) override {
        return forward(std::move(args), std::move(kwargs));
    }

    Value moduleAttribute(const Value&, const std::string&, const Value& found) override {
        return isActive() && plainOf(found).isTensor() ? readOf(plainOf(found).data().toTensor()) : found;
    }

    Argument createArg(const Value& value) override {
        return plainOf(value).isTensor() ? Argument(nodeOf(readOf(plainOf(value).data().toTensor())))
                                         : MetaTracer::createArg(value);
    }

    Value createProxy(Opcode opcode, Target target, const Values& args, const NamedValues& kwargs,
                      std::optional<std::string_view> name, std::optional<std::string> type) override {
        if (opcode == Opcode::CallMethod)
            if (const std::optional<Value> text = tensorLibraryMethod(*evaluator(), target.name()))
                return evaluator()->call(*text, args, kwargs);
        return MetaTracer::createProxy(opcode, target, args, kwargs, name, std::move(type));
    }

    std::optional<Value> proxyAttribute(const Value& proxy, const std::string& name) override {
        const bool isSize = name == "shape" || name == "size";
        return isSize && !m_fixesSizes ? std::nullopt : MetaTracer::proxyAttribute(proxy, name);
    }

private:
    Value readOf(const at::Tensor& tensor) {
        const auto [read, isNew] = m_reads.try_emplace(tensor.unsafeGetTensorImpl());
        if (!isNew)
            return read->second;
        const auto path = m_paths.find(tensor.unsafeGetTensorImpl());
        std::string name = path == m_paths.end() ? "" : path->second;
        if (name.empty()) {
            if (tensor.is_meta())
                throw Error("", "makes a tensor of the model's tensors while it is traced");
            name = "_tensor_constant" + std::to_string(constants.size());
            constants[name] = tensor;
        }
        const NodeId node = createNode(Opcode::GetAttr, name, {}, {});
        recorded(node, c10::IValue(tensor));
        read->second = proxyOf(node);
        return read->second;
    }

    const Paths& m_paths;
    const bool m_fixesSizes;
    std::unordered_map<const c10::TensorImpl*, Value> m_reads;
};

/// Sizes, and what was worked out of them to decide a branch.
void removeUnread(Model& model) {
    const auto isOfSizes = [](const Node& node) {
        const std::string& name = node.target.name();
        return node.opcode == Opcode::GetAttr || name == "getattr" || name == "size" ||
               name.starts_with("math.") || (name.starts_with("operator.") && name != "operator.setitem");
    };
    Edit edit(model, Edit::WithoutHistory());
    for (NodeId id = edit.graph().last(); id;) {
        const Node& node = edit.node(id);
        const NodeId previous = node.previous;
        if (node.users.empty() && isOfSizes(node))
            edit.eraseNode(id);
        id = previous;
    }
    edit.finish();
}

std::string parameterOf(size_t index) {
    return "x" + std::to_string(index);
}

} // namespace

std::vector<NodeId> nodesIn(const Node& node) {
    std::vector<NodeId> out;
    forEachNode(node.args, node.kwargs, [&](NodeId id) {
        if (std::ranges::find(out, id) == out.end())
            out.push_back(id);
    });
    return out;
}

LibraryCalls::LibraryCalls(const Model& model)
    : m_model(model), m_sources(model.sources()),
      m_instances(model, m_evaluator, m_sources,
                  {[this](TensorId tensor, TensorRole role) { return twinOf(tensor, role); },
                   [](ModuleId) -> Value {
                       throw Error("", "holds an object of torch.classes, which is not written");
                   }}) {
    m_torch.addTo(m_evaluator);
    m_tracing.addTo(m_evaluator);
    m_sources.addTo(m_evaluator);
}

at::Tensor LibraryCalls::twinOf(TensorId tensor, TensorRole role) {
    at::Tensor& twin = m_twins[{tensor, role}];
    if (!twin.defined()) {
        const TensorMeta& meta = m_model.tensor(tensor).meta();
        twin = withoutData(meta).set_requires_grad(meta.requiresGrad);
    }
    return twin;
}

/// None for what is no function of Python's.
std::optional<Value> LibraryCalls::functionOf(const Node& node) {
    if (node.opcode == Opcode::CallMethod)
        return tensorLibraryMethod(m_evaluator, node.target.name());
    if (node.opcode != Opcode::CallFunction)
        return std::nullopt;
    if (isPythonInTorch(node.target))
        return Value(Object{FunctionObject{node.target}});
    const std::string& name = node.target.name();
    if (m_model.sources().empty() || name.starts_with("torch.") || name.find('.') == std::string::npos)
        return std::nullopt;
    return m_sources.find(m_evaluator, name);
}

bool LibraryCalls::knows(const Node& node) {
    return functionOf(node).has_value();
}

CallBody LibraryCalls::body(const Node& node, const Examples& examples) {
    m_paths.clear();
    const std::optional<Value> function = functionOf(node);
    return traced(
        node,
        [&](Values args, NamedValues kwargs) {
            return m_evaluator.call(*function, std::move(args), std::move(kwargs));
        },
        examples);
}

CallBody LibraryCalls::body(const Node& node, ModuleId module, std::optional<bool> isTraining,
                            const Examples& examples) {
    const Value instance = m_instances.of(module);
    m_paths.clear();
    m_model.forEachModule(module, [&](ModuleId id, const std::string& path) {
        for (const NamedTensor& entry : m_model.module(id).tensors)
            if (entry.tensor)
                m_paths.try_emplace(twinOf(entry.tensor, entry.role).unsafeGetTensorImpl(),
                                    path.empty() ? entry.name : path + '.' + entry.name);
    });
    if (isTraining)
        m_evaluator.callMethod(instance, "train", {c10::IValue(*isTraining)});
    return traced(
        node,
        [&](Values args, NamedValues kwargs) {
            return m_evaluator.call(instance, std::move(args), std::move(kwargs));
        },
        examples);
}

/// Sizes stay open where the code lets them.
CallBody LibraryCalls::traced(const Node& node, const Callee& callee, const Examples& examples) {
    DictObject given;
    const std::vector<NodeId> inputs = nodesIn(node);
    for (size_t i = 0; i < inputs.size(); ++i)
        if (std::optional<Value> example = examples(inputs[i]))
            given.set(parameterOf(i), std::move(*example));
    const Value known = Object{std::move(given)};
    try {
        return attempt(node, callee, known, false);
    } catch (const Error& error) {
        if (known.as<DictObject>()->empty())
            throw Error("", error.message())
                .hint("the sizes of its inputs would decide: give inputs by --input, or apply the pass "
                      "shape-prop first");
    }
    return attempt(node, callee, known, true);
}

CallBody LibraryCalls::attempt(const Node& node, const Callee& callee, const Value& given, bool fixesSizes) {
    // Kernels that give no gradients are for who asks for none; a program is for both.
    const at::AutoGradMode gradients(true);
    m_evaluator.startRequest();
    const std::vector<NodeId> inputs = nodesIn(node);
    const auto call = [&](Evaluator&, Values& values, NamedValues&) -> Value {
        const auto valueOf = [&](NodeId id) {
            return values[static_cast<size_t>(std::ranges::find(inputs, id) - inputs.begin())];
        };
        Values args;
        for (const Argument& argument : node.args)
            args.push_back(makeValue(argument, valueOf));
        NamedValues kwargs;
        for (const auto& [key, argument] : node.kwargs)
            kwargs.emplace_back(key, makeValue(argument, valueOf));
        return callee(std::move(args), std::move(kwargs));
    };
    std::string parameters;
    for (size_t i = 0; i < inputs.size(); ++i)
        parameters += (i ? ", " : "") + parameterOf(i);
    const Value globals = makeGlobals("torch.nn.functional");
    globals.as<DictObject>()->set("_call", makeNative("_call", call));
    const Value function = m_evaluator.evaluate(
        parseExpressionSource("lambda " + parameters + ": _call(" + parameters + ')', "<call>"), globals);
    const auto tracer = std::make_shared<OperatorTracer>(&m_evaluator, given, m_paths, fixesSizes);
    tracer->traceProgram(function, Value(), Value());
    CallBody out{std::move(tracer->take().model), std::move(tracer->constants), fixesSizes};
    removeUnread(out.model);
    return out;
}

} // namespace fx
