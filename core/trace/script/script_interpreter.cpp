// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/script/script_interpreter.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/trace/script/script_helpers.h"
#include "core/trace/script/script_undecided.h"
#include "core/trace/script/script_values.h"

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

bool onlyRaises(const torch::jit::Block& block) {
    for (const torch::jit::Node* node : block.nodes()) {
        if (node->kind() == prim::RaiseException)
            return true;
        if (node->kind() == prim::If && onlyRaises(*node->blocks()[0]) && onlyRaises(*node->blocks()[1]))
            return true;
    }
    return false;
}

/// Whether a value is read for nothing but to raise an exception.
bool isForChecks(const torch::jit::Value* value, int depth = 0) {
    constexpr int kDeepest = 20;
    if (depth > kDeepest)
        return false;
    return std::all_of(value->uses().begin(), value->uses().end(), [&](const torch::jit::Use& use) {
        const torch::jit::Node& user = *use.user;
        if (user.kind() == prim::If)
            return onlyRaises(*user.blocks()[0]) != onlyRaises(*user.blocks()[1]);
        if (user.kind() == prim::Return) { // `a and b`
            const torch::jit::Node* owner = user.owningBlock()->owningNode();
            return owner && owner->kind() == prim::If && isForChecks(owner->outputs()[use.offset], depth + 1);
        }
        const bool isPlain = user.blocks().empty() && user.maybeSchema() && !user.hasSideEffects();
        return isPlain &&
               std::all_of(user.outputs().begin(), user.outputs().end(),
                           [&](const torch::jit::Value* output) { return isForChecks(output, depth + 1); });
    });
}

/// Whether a branch or a loop gives nothing but what a check of the inputs reads, which need not be known.
bool areForChecks(const torch::jit::Node& node) {
    return !node.outputs().empty() && std::all_of(node.outputs().begin(), node.outputs().end(),
                                                  [](const torch::jit::Value* v) { return isForChecks(v); });
}

} // namespace

ScriptInterpreter::ScriptInterpreter(ScriptTracer& tracer)
    : m_state(tracer), m_tracer(tracer), m_frames(m_state.frames), m_knowledge(m_state.knowledge),
      m_recorder(m_state), m_leaves(m_state) {
    m_state.call = [this](const torch::jit::Function& function, Values args) {
        return call(function, std::move(args));
    };
}

void ScriptInterpreter::countStep() {
    constexpr uint64_t kMostSteps = 2'000'000;
    if (++m_steps > kMostSteps)
        m_tracer.fail("", "stopped after " + countText(kMostSteps) + " steps of the program");
}

void ScriptInterpreter::failUndecided(const Value& condition) {
    m_tracer.fail("TraceError", trace_text::kControlFlow, whatDecides(m_state, condition));
}

Value ScriptInterpreter::call(const torch::jit::Function& function, Values args) {
    constexpr size_t kDeepest = 150;
    if (m_frames.depth() >= kDeepest)
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
    const ScriptFrames::Scope scope(m_frames, function.name());
    for (size_t i = 0; i < args.size(); ++i)
        m_frames.set(graph->inputs()[i], std::move(args[i]));
    runBlock(*graph->block());
    if (graph->outputs().size() == 1)
        return m_frames.value(graph->outputs()[0]);
    Values results;
    for (const JitValue* output : graph->outputs())
        results.push_back(m_frames.value(output));
    return makeTuple(std::move(results));
}

void ScriptInterpreter::runBlock(const torch::jit::Block& block) {
    for (const JitNode* node : block.nodes()) {
        countStep();
        const ScriptTracer::PlaceScope place(m_tracer, *node, m_frames.function());
        try {
            runNode(*node);
        } catch (const Error& error) {
            if (!error.place().empty())
                throw;
            m_tracer.fail(error.kind(), error.message());
        }
    }
}

Value ScriptInterpreter::constant(const JitNode& node) {
    const std::optional<c10::IValue> held = torch::jit::toIValue(node.output());
    const Value out = held ? fromIValue(*held) : Value();
    forEachTensor(out, [&](const at::Tensor& tensor) {
        if (tensor.defined())
            m_tracer.addConstant(tensor);
    });
    return out;
}

/// Nothing runs at the same time in a graph: the function is called where it was started.
void ScriptInterpreter::runFork(const JitNode& node) {
    const std::shared_ptr<torch::jit::Graph> graph = node.g(c10::attr::Subgraph);
    const Values args = m_frames.inputs(node);
    for (size_t i = 0; i < args.size() && i < graph->inputs().size(); ++i)
        m_frames.set(graph->inputs()[i], args[i]);
    runBlock(*graph->block());
    m_frames.setOutput(node, graph->outputs().empty() ? Value() : m_frames.value(graph->outputs()[0]));
}

bool ScriptInterpreter::runControl(const JitNode& node) {
    switch (node.kind()) {
    case prim::Constant:
        if (node.outputs().size() == 1 && node.output()->type()->kind() != c10::TypeKind::FunctionType)
            m_frames.setOutput(node, constant(node));
        return true;
    case prim::If:
        runIf(node);
        return true;
    case prim::Loop:
        runLoop(node);
        return true;
    case prim::CallMethod:
        callMethod(node);
        return true;
    case prim::CallFunction:
        callFunction(node);
        return true;
    case prim::GetAttr:
        m_frames.setOutput(node,
                           m_state.instances.attribute(m_frames.value(node.input()), node.s(c10::attr::name),
                                                       m_knowledge.isShadow()));
        return true;
    case prim::SetAttr:
        m_state.instances.setAttribute(m_frames.value(node.inputs()[0]), node.s(c10::attr::name),
                                       m_frames.value(node.inputs()[1]), m_knowledge.isShadow());
        return true;
    case prim::RaiseException:
        raiseProgramError(node);
    case prim::CreateObject:
        m_frames.setOutput(node, m_state.instances.make(node.output()->type()->expect<c10::ClassType>()));
        return true;
    case prim::fork:
        runFork(node);
        return true;
    default:
        return false;
    }
}

void ScriptInterpreter::runNode(const JitNode& node) {
    if (runControl(node))
        return;
    Values args = m_frames.inputs(node);
    if (std::any_of(args.begin(), args.end(), isUnknown))
        return m_frames.setOutputs(node, Values(node.outputs().size(), unknown()));
    if (runHelper(m_state, node))
        return;
    if (std::optional<Values> known = m_knowledge.fold(node, args))
        return m_frames.setOutputs(node, *known);
    if (std::optional<Values> shapes = m_knowledge.foldShapes(node, args)) {
        bool areNumbers = !node.outputs().empty();
        for (const Value& shape : *shapes)
            areNumbers = areNumbers && !holdsTensor(shape);
        if (areNumbers)
            return m_frames.setOutputs(node, *shapes);
        m_recorder.record(node, std::move(args));
        for (size_t i = 0; i < node.outputs().size() && !m_recorder.isOpenSubscript(node.outputs()[0]); ++i)
            m_knowledge.keepShapes(m_frames.value(node.outputs()[i]), (*shapes)[i]);
        return;
    }
    m_recorder.record(node, std::move(args));
}

void ScriptInterpreter::runIf(const JitNode& node) {
    const Value condition = m_frames.value(node.input());
    bool isTaken = false;
    if (condition.isBool()) {
        isTaken = condition.data().toBool();
    } else if (condition.isTensor() && m_knowledge.isKnown(condition) &&
               condition.data().toTensor().numel() == 1 && !condition.data().toTensor().is_meta()) {
        isTaken = condition.data().toTensor().item().toBool();
    } else if (onlyRaises(*node.blocks()[0]) != onlyRaises(*node.blocks()[1])) {
        // A check of the inputs: the graph is of the inputs that pass it.
        isTaken = onlyRaises(*node.blocks()[1]);
        if (!m_knowledge.isShadow())
            m_tracer.note("a check of the inputs is not part of the graph" +
                          (m_tracer.currentPlace().file.empty() ? std::string()
                                                                : ": " + m_tracer.currentPlace().name()));
    } else if (areForChecks(node)) {
        return m_frames.setOutputs(node, Values(node.outputs().size(), unknown()));
    } else {
        failUndecided(condition);
    }
    const torch::jit::Block& block = *node.blocks()[isTaken ? 0 : 1];
    runBlock(block);
    for (size_t i = 0; i < node.outputs().size(); ++i)
        m_frames.set(node.outputs()[i], m_frames.value(block.outputs()[i]));
}

void ScriptInterpreter::runLoop(const JitNode& node) {
    const torch::jit::Block& body = *node.blocks()[0];
    const Value most = m_frames.value(node.inputs()[0]);
    Value goesOn = m_frames.value(node.inputs()[1]);
    Values carried;
    for (size_t i = 2; i < node.inputs().size(); ++i)
        carried.push_back(m_frames.value(node.inputs()[i]));
    for (int64_t trip = 0;; ++trip) {
        countStep();
        if (!most.isInt() || !goesOn.isBool()) {
            if (areForChecks(node))
                return m_frames.setOutputs(node, Values(node.outputs().size(), unknown()));
            failUndecided(most.isInt() ? goesOn : most);
        }
        if (trip >= most.data().toInt() || !goesOn.data().toBool())
            break;
        m_frames.set(body.inputs()[0], makeInt(trip));
        for (size_t i = 0; i < carried.size(); ++i)
            m_frames.set(body.inputs()[i + 1], carried[i]);
        runBlock(body);
        goesOn = m_frames.value(body.outputs()[0]);
        for (size_t i = 0; i < carried.size(); ++i)
            carried[i] = m_frames.value(body.outputs()[i + 1]);
    }
    m_frames.setOutputs(node, carried);
}

void ScriptInterpreter::raiseProgramError(const JitNode& node) {
    const Value message = m_frames.value(node.inputs()[0]);
    std::string text = message.isString() ? message.text() : std::string("the program raises an exception");
    std::string kind = "RuntimeError";
    if (node.inputs().size() > 1)
        if (const Value type = m_frames.value(node.inputs()[1]); type.isString())
            kind = type.text().substr(type.text().rfind('.') + 1);
    if (text.starts_with("AssertionError: ") || text == "AssertionError") {
        kind = "AssertionError";
        text = text.size() > 16 ? text.substr(16) : std::string("assertion failed");
    }
    if (text.starts_with(kind + ": "))
        text = text.substr(kind.size() + 2);
    m_tracer.fail(kind, text);
}

void ScriptInterpreter::callMethod(const JitNode& node) {
    const std::string& name = node.s(c10::attr::name);
    Values args = m_frames.inputs(node);
    const Value& self = args[0];
    if (self.as<InstanceObject>()) {
        const c10::ClassTypePtr type = m_state.instances.classOf(self);
        return m_frames.setOutput(node, call(type->getMethod(name), std::move(args)));
    }
    if (!self.isData() || !self.data().isObject())
        m_tracer.fail("", "a method of a value that the program gets cannot be called: " + name);
    const c10::ClassTypePtr type = self.data().toObjectRef().type();
    const torch::jit::Function& method = type->getMethod(name);
    if (!type->is_module()) {
        args[0] = m_state.instances.instanceOf(self.data());
        return m_frames.setOutput(node, call(method, std::move(args)));
    }
    const torch::jit::Module module = self.data().toModule();
    // A call of another method of the same module stays in its scope.
    const bool isForward = name == "forward" || name.starts_with("forward__");
    if (!isForward || m_knowledge.isShadow())
        return m_frames.setOutput(node, call(method, std::move(args)));
    m_frames.setOutput(node, callModule(node, module, method, std::move(args)));
}

Value ScriptInterpreter::callModule(const JitNode& node, const torch::jit::Module& module,
                                    const torch::jit::Function& method, Values args) {
    const ScriptTracer::ModuleScope scope(m_tracer, module);
    const std::string path = m_tracer.pathOf(module);
    const std::string type = demangled(module.type()->name()->qualifiedName());
    if (!path.empty() && m_tracer.isLeaf(type, path) && m_leaves.complete(module, type, path)) {
        const std::optional<Value> shape = shapeOfCall(method, args);
        Value out = m_leaves.record(node, path, method, args);
        if (shape)
            m_knowledge.keepShapes(out, *shape);
        return out;
    }
    return call(method, std::move(args));
}

std::optional<Value> ScriptInterpreter::shapeOfCall(const torch::jit::Function& function,
                                                    const Values& args) {
    if (!m_knowledge.hasShapes())
        return std::nullopt;
    Values shapes;
    for (const Value& arg : args) {
        const bool isObject = arg.isData() && arg.data().isObject();
        const std::optional<Value> shape = isObject ? std::optional(arg) : m_knowledge.shapeOf(arg);
        if (!shape)
            return std::nullopt;
        shapes.push_back(*shape);
    }
    struct Kept {
        ScriptInstances& instances;
        ScriptInstances::Attributes before = instances.attributes();
        ~Kept() { instances.restore(std::move(before)); }
    } kept{m_state.instances};
    const ScriptKnowledge::Shadow shadow(m_knowledge);
    try {
        return call(function, std::move(shapes));
    } catch (const Error&) {
        return std::nullopt; // the sizes that follow are not known
    }
}

void ScriptInterpreter::callFunction(const JitNode& node) {
    const auto type = node.inputs()[0]->type()->expect<c10::FunctionType>();
    const torch::jit::Function& function = *type->function();
    Values args = m_frames.inputs(node);
    args.erase(args.begin());
    if (!m_knowledge.isShadow())
        if (std::optional<Value> recorded = recordFunction(m_state, node, function, args)) {
            if (const std::optional<Value> shape = shapeOfCall(function, args))
                m_knowledge.keepShapes(*recorded, *shape);
            return m_frames.setOutput(node, std::move(*recorded));
        }
    m_frames.setOutput(node, call(function, std::move(args)));
}

} // namespace fx
