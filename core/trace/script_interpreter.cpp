// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/script_interpreter.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/trace/script_values.h"

#include <ATen/ATen.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/constants.h>

namespace fx {

namespace prim = c10::prim;

namespace {

/// A value that nobody needs to know.
Value unknown() {
    return Object{CellObject{}};
}
bool isUnknown(const Value& value) {
    return value.as<CellObject>() != nullptr;
}

std::string qualifiedName(const torch::jit::Function& function) {
    return demangled(function.qualname().qualifiedName());
}

} // namespace

const Value& ScriptInterpreter::value(const JitValue* key) const {
    const auto found = m_frames.back().values.find(key);
    if (found == m_frames.back().values.end())
        throw Error("", "the program reads a value before it is made: %" + key->debugName());
    return found->second;
}

Values ScriptInterpreter::inputs(const JitNode& node) const {
    Values out;
    out.reserve(node.inputs().size());
    for (const JitValue* input : node.inputs())
        out.push_back(input->type()->kind() == c10::TypeKind::FunctionType ? Value() : value(input));
    return out;
}

void ScriptInterpreter::setOutputs(const JitNode& node, const Values& values) {
    for (size_t i = 0; i < node.outputs().size(); ++i)
        set(node.outputs()[i], i < values.size() ? values[i] : Value());
}

void ScriptInterpreter::countStep() {
    constexpr uint64_t kMostSteps = 2'000'000;
    if (++m_steps > kMostSteps)
        m_tracer.fail("", "stopped after " + countText(kMostSteps) + " steps of the program");
}

Value ScriptInterpreter::call(const torch::jit::Function& function, Values args) {
    constexpr size_t kDeepest = 150;
    if (m_frames.size() >= kDeepest)
        m_tracer.fail("RecursionError", "calls nest more than " + std::to_string(kDeepest) + " levels deep");
    if (!function.isGraphFunction())
        m_tracer.fail("", "calls '" + qualifiedName(function) + "', which has no code in the file");
    const std::shared_ptr<torch::jit::Graph> graph = torch::jit::toGraphFunction(function).graph();
    if (args.size() < graph->inputs().size()) { // defaults
        const auto& parameters = function.getSchema().arguments();
        for (size_t i = args.size(); i < parameters.size() && parameters[i].default_value(); ++i)
            args.push_back(fromIValue(*parameters[i].default_value()));
    }
    if (args.size() != graph->inputs().size())
        m_tracer.fail("TypeError", qualifiedName(function) + "() takes " +
                                       std::to_string(graph->inputs().size()) + " arguments but got " +
                                       std::to_string(args.size()));
    struct Pop {
        std::vector<Frame>& frames;
        ~Pop() { frames.pop_back(); }
    };
    const std::string qualified = qualifiedName(function);
    const size_t dot = qualified.rfind('.');
    m_frames.push_back(
        {{}, function.name(), dot == std::string::npos ? std::string() : qualified.substr(0, dot)});
    const Pop pop{m_frames};
    for (size_t i = 0; i < args.size(); ++i)
        set(graph->inputs()[i], std::move(args[i]));
    runBlock(*graph->block());
    if (graph->outputs().size() == 1)
        return value(graph->outputs()[0]);
    Values results;
    for (const JitValue* output : graph->outputs())
        results.push_back(value(output));
    return makeTuple(std::move(results));
}

void ScriptInterpreter::runBlock(const torch::jit::Block& block) {
    for (const JitNode* node : block.nodes()) {
        countStep();
        const ScriptTracer::PlaceScope place(m_tracer, *node, m_frames.back().function);
        try {
            runNode(*node);
        } catch (const Error& error) {
            if (!error.place().empty())
                throw;
            m_tracer.fail(error.kind(), error.message());
        }
    }
}

void ScriptInterpreter::runNode(const JitNode& node) {
    switch (node.kind()) {
    case prim::Constant: {
        if (node.outputs().size() != 1 || node.output()->type()->kind() == c10::TypeKind::FunctionType)
            return;
        const std::optional<c10::IValue> constant = torch::jit::toIValue(node.output());
        const Value held = constant ? fromIValue(*constant) : Value();
        forEachTensor(held, [&](const at::Tensor& tensor) {
            if (tensor.defined())
                m_tracer.addConstant(tensor);
        });
        return setOutput(node, held);
    }
    case prim::If:
        return runIf(node);
    case prim::Loop:
        return runLoop(node);
    case prim::CallMethod:
        return callMethod(node);
    case prim::CallFunction:
        return callFunction(node);
    case prim::GetAttr:
        return setOutput(node, attribute(node));
    case prim::SetAttr:
        return setAttribute(node);
    case prim::RaiseException:
        raiseProgramError(node);
    case prim::CreateObject: {
        const Value made = Object{InstanceObject{{}, Object{DictObject()}, {}}};
        m_classes[made.object().get()] = node.output()->type()->expect<c10::ClassType>();
        m_kept.push_back(made);
        return setOutput(node, made);
    }
    case prim::fork: {
        // Nothing runs at the same time in a graph: the function is called where it was started.
        const std::shared_ptr<torch::jit::Graph> graph = node.g(c10::attr::Subgraph);
        const Values args = inputs(node);
        for (size_t i = 0; i < args.size() && i < graph->inputs().size(); ++i)
            set(graph->inputs()[i], args[i]);
        runBlock(*graph->block());
        return setOutput(node, graph->outputs().empty() ? Value() : value(graph->outputs()[0]));
    }
    default:
        break;
    }
    Values args = inputs(node);
    if (std::any_of(args.begin(), args.end(), isUnknown))
        return setOutputs(node, Values(node.outputs().size(), unknown()));
    if (runHelper(node))
        return;
    if (std::optional<Values> known = fold(node, args))
        return setOutputs(node, *known);
    if (std::optional<Values> shapes = foldShapes(node, args)) {
        bool areNumbers = !node.outputs().empty();
        for (const Value& shape : *shapes)
            areNumbers = areNumbers && !holdsTensor(shape);
        if (areNumbers)
            return setOutputs(node, *shapes);
        record(node, std::move(args));
        for (size_t i = 0; i < node.outputs().size() && !m_subscripts.contains(node.outputs()[0]); ++i)
            keepShapes(value(node.outputs()[i]), (*shapes)[i]);
        return;
    }
    if (m_shadows > 0)
        throw Error("", "the shape is not known");
    record(node, std::move(args));
}

bool ScriptInterpreter::onlyRaises(const torch::jit::Block& block) {
    for (const JitNode* node : block.nodes()) {
        if (node->kind() == prim::RaiseException)
            return true;
        if (node->kind() == prim::If && onlyRaises(*node->blocks()[0]) && onlyRaises(*node->blocks()[1]))
            return true;
    }
    return false;
}

bool ScriptInterpreter::isForChecks(const JitValue* value, int depth) {
    constexpr int kDeepest = 20;
    if (depth > kDeepest)
        return false;
    return std::all_of(value->uses().begin(), value->uses().end(), [&](const torch::jit::Use& use) {
        const JitNode& user = *use.user;
        if (user.kind() == prim::If)
            return onlyRaises(*user.blocks()[0]) != onlyRaises(*user.blocks()[1]);
        const bool isPlain = user.blocks().empty() && user.maybeSchema() && !user.hasSideEffects();
        return isPlain && std::all_of(user.outputs().begin(), user.outputs().end(),
                                      [&](const JitValue* output) { return isForChecks(output, depth + 1); });
    });
}

void ScriptInterpreter::runIf(const JitNode& node) {
    const Value condition = value(node.input());
    bool isTaken = false;
    if (condition.isBool()) {
        isTaken = condition.data().toBool();
    } else if (condition.isTensor() && isKnown(condition) && condition.data().toTensor().numel() == 1 &&
               !condition.data().toTensor().is_meta()) {
        isTaken = condition.data().toTensor().item().toBool();
    } else if (onlyRaises(*node.blocks()[0]) != onlyRaises(*node.blocks()[1])) {
        // A check of the inputs: the graph is of the inputs that pass it.
        isTaken = onlyRaises(*node.blocks()[1]);
        if (m_shadows == 0)
            m_tracer.note("a check of the inputs is not part of the graph" +
                          (m_tracer.currentPlace().file.empty() ? std::string()
                                                                : ": " + m_tracer.currentPlace().name()));
    } else {
        m_tracer.fail("TraceError", trace_text::kControlFlow);
    }
    const torch::jit::Block& block = *node.blocks()[isTaken ? 0 : 1];
    runBlock(block);
    for (size_t i = 0; i < node.outputs().size(); ++i)
        set(node.outputs()[i], value(block.outputs()[i]));
}

void ScriptInterpreter::runLoop(const JitNode& node) {
    const torch::jit::Block& body = *node.blocks()[0];
    const Value most = value(node.inputs()[0]);
    Value goesOn = value(node.inputs()[1]);
    Values carried;
    for (size_t i = 2; i < node.inputs().size(); ++i)
        carried.push_back(value(node.inputs()[i]));
    for (int64_t trip = 0;; ++trip) {
        countStep();
        if (!most.isInt() || !goesOn.isBool()) {
            // What only a check of the inputs reads need not be known.
            if (std::all_of(node.outputs().begin(), node.outputs().end(),
                            [](const JitValue* output) { return isForChecks(output); }) &&
                !node.outputs().empty())
                return setOutputs(node, Values(node.outputs().size(), unknown()));
            m_tracer.fail("TraceError", trace_text::kControlFlow);
        }
        if (trip >= most.data().toInt() || !goesOn.data().toBool())
            break;
        set(body.inputs()[0], makeInt(trip));
        for (size_t i = 0; i < carried.size(); ++i)
            set(body.inputs()[i + 1], carried[i]);
        runBlock(body);
        goesOn = value(body.outputs()[0]);
        for (size_t i = 0; i < carried.size(); ++i)
            carried[i] = value(body.outputs()[i + 1]);
    }
    setOutputs(node, carried);
}

void ScriptInterpreter::raiseProgramError(const JitNode& node) {
    const Value message = value(node.inputs()[0]);
    std::string text = message.isString() ? message.text() : std::string("the program raises an exception");
    std::string kind = "RuntimeError";
    if (node.inputs().size() > 1)
        if (const Value type = value(node.inputs()[1]); type.isString())
            kind = type.text().substr(type.text().rfind('.') + 1);
    if (text.starts_with("AssertionError: ") || text == "AssertionError") {
        kind = "AssertionError";
        text = text.size() > 16 ? text.substr(16) : std::string("assertion failed");
    }
    if (text.starts_with(kind + ": "))
        text = text.substr(kind.size() + 2);
    m_tracer.fail(kind, text);
}

Value ScriptInterpreter::instanceOf(const c10::IValue& object) {
    const auto& shared = object.toObject();
    if (const auto known = m_instances.find(shared.get()); known != m_instances.end())
        return known->second;
    const Value made = Object{InstanceObject{{}, Object{DictObject()}, {}}};
    m_instances[shared.get()] = made;
    m_kept.push_back(object);
    m_kept.push_back(made);
    m_classes[made.object().get()] = shared->type();
    DictObject& fields = *made.as<InstanceObject>()->dict.as<DictObject>();
    for (size_t i = 0; i < shared->type()->numAttributes(); ++i) {
        Value field =
            fromIValue(shared->getSlot(i), [&](const c10::IValue& inner) { return instanceOf(inner); });
        forEachTensor(field, [&](const at::Tensor& tensor) {
            if (tensor.defined())
                m_tracer.addConstant(tensor);
        });
        fields.set(shared->type()->getAttributeName(i), std::move(field));
    }
    return made;
}

Value ScriptInterpreter::attribute(const JitNode& node) {
    const std::string& name = node.s(c10::attr::name);
    const Value object = value(node.input());
    if (const auto* instance = object.as<InstanceObject>()) {
        const Value* found = instance->dict.as<DictObject>()->find(name);
        if (!found)
            m_tracer.fail("AttributeError", "the object has no attribute '" + name + '\'');
        return *found;
    }
    if (!object.isData() || !object.data().isObject())
        m_tracer.fail("", "the attribute '" + name + "' of a value that the program gets cannot be read");
    const auto& shared = object.data().toObject();
    if (const auto kept = m_attributes.find({shared.get(), name}); kept != m_attributes.end())
        return kept->second;
    const c10::IValue held = shared->getAttr(name);
    if (held.isTensor() && held.toTensor().defined()) {
        if (m_shadows > 0)
            return c10::IValue(held.toTensor().to(at::kMeta));
        return m_tracer.readAttribute(held.toTensor());
    }
    Value read = fromIValue(held, [&](const c10::IValue& inner) { return instanceOf(inner); });
    if (!read.isData()) {
        forEachTensor(read, [&](const at::Tensor& tensor) {
            if (tensor.defined() && !m_tracer.isOfModel(tensor))
                m_tracer.addConstant(tensor);
        });
        m_attributes[{shared.get(), name}] = read;
    }
    return read;
}

void ScriptInterpreter::setAttribute(const JitNode& node) {
    const std::string& name = node.s(c10::attr::name);
    const Value object = value(node.inputs()[0]);
    const Value assigned = value(node.inputs()[1]);
    if (auto* instance = object.as<InstanceObject>()) {
        instance->dict.as<DictObject>()->set(name, assigned);
        return;
    }
    if (!object.isData() || !object.data().isObject())
        m_tracer.fail("", "an attribute of a value that the program gets cannot be set");
    m_attributes[{object.data().toObject().get(), name}] = assigned;
    if (m_shadows == 0)
        m_tracer.note(
            "the program sets self." + name + ", which the graph does not do" +
            (m_tracer.currentPlace().file.empty() ? std::string() : ": " + m_tracer.currentPlace().name()));
}

void ScriptInterpreter::callMethod(const JitNode& node) {
    const std::string& name = node.s(c10::attr::name);
    Values args = inputs(node);
    const Value& self = args[0];
    if (self.as<InstanceObject>()) {
        const c10::ClassTypePtr type = m_classes.at(self.object().get());
        return setOutput(node, call(type->getMethod(name), std::move(args)));
    }
    if (!self.isData() || !self.data().isObject())
        m_tracer.fail("", "a method of a value that the program gets cannot be called: " + name);
    const c10::ClassTypePtr type = self.data().toObjectRef().type();
    const torch::jit::Function& method = type->getMethod(name);
    if (!type->is_module()) {
        args[0] = instanceOf(self.data());
        return setOutput(node, call(method, std::move(args)));
    }
    const torch::jit::Module module = self.data().toModule();
    // A call of another method of the same module stays in its scope.
    const bool isForward = name == "forward" || name.starts_with("forward__");
    if (!isForward || m_shadows > 0)
        return setOutput(node, call(method, std::move(args)));
    setOutput(node, callModule(node, module, method, std::move(args)));
}

Value ScriptInterpreter::callModule(const JitNode& node, const torch::jit::Module& module,
                                    const torch::jit::Function& method, Values args) {
    const ScriptTracer::ModuleScope scope(m_tracer, module);
    const std::string path = m_tracer.pathOf(module);
    const std::string type = demangled(module.type()->name()->qualifiedName());
    if (!path.empty() && m_tracer.isLeaf(type, path) && completeLeaf(module, type, path)) {
        const std::optional<Value> shape = shapeOfCall(method, args);
        Value out = recordLeaf(node, path, method, args);
        if (shape)
            keepShapes(out, *shape);
        return out;
    }
    return call(method, std::move(args));
}

void ScriptInterpreter::callFunction(const JitNode& node) {
    const auto type = node.inputs()[0]->type()->expect<c10::FunctionType>();
    const torch::jit::Function& function = *type->function();
    Values args = inputs(node);
    args.erase(args.begin());
    if (m_shadows == 0)
        if (std::optional<Value> recorded = recordFunction(node, function, args)) {
            if (const std::optional<Value> shape = shapeOfCall(function, args))
                keepShapes(*recorded, *shape);
            return setOutput(node, std::move(*recorded));
        }
    setOutput(node, call(function, std::move(args)));
}

} // namespace fx
