// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/script/script_interpreter.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/trace/script/script_checks.h"
#include "core/trace/script/script_helpers.h"
#include "core/trace/script/script_values.h"

#include <ATen/ATen.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/constants.h>

namespace fx {

namespace prim = c10::prim;

namespace {

std::string qualifiedName(const torch::jit::Function& function) {
    return demangled(function.qualname().qualifiedName());
}

/// A packed sequence, whose parts may be None: of what a leaf would give back that is not known.
bool takesNamedTuple(const torch::jit::Function& method) {
    return std::ranges::any_of(method.getSchema().arguments(), [](const c10::Argument& parameter) {
        const auto* tuple = parameter.type()->castRaw<c10::TupleType>();
        return tuple && tuple->schema();
    });
}

} // namespace

ScriptInterpreter::ScriptInterpreter(ScriptTracer& tracer)
    : m_state(tracer), m_tracer(tracer), m_frames(m_state.frames), m_knowledge(m_state.knowledge),
      m_recorder(m_state), m_leaves(m_state),
      m_control(m_state, [this](const torch::jit::Block& block) { runBlock(block); }) {
    m_state.call = [this](const torch::jit::Function& function, Values args) {
        return call(function, std::move(args));
    };
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
        m_state.countStep();
        const ScriptTracer::PlaceScope place(m_tracer, *node, m_frames.function());
        try {
            runNode(*node);
            for (const JitValue* output : node->outputs())
                if (const Value* made = m_frames.find(output))
                    m_state.noteType(*made, output->type());
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
        m_control.runIf(node);
        return true;
    case prim::Loop:
        m_control.runLoop(node);
        return true;
    case prim::CallMethod:
        callMethod(node);
        return true;
    case prim::CallFunction:
        callFunction(node);
        return true;
    case prim::GetAttr:
        if (m_frames.value(node.input()).as<ProxyObject>() && !m_knowledge.isShadow()) {
            const Value read =
                m_tracer.record(Opcode::CallFunction, "getattr",
                                {m_frames.value(node.input()), makeText(node.s(c10::attr::name))});
            m_tracer.setErasable(m_tracer.nodeOf(read));
            m_frames.setOutput(node, read);
            return true;
        }
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
        return m_frames.setOutputs(node, Values(node.outputs().size(), unknownValue()));
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
    if (const auto type = node.inputs()[0]->type()->cast<c10::ClassType>();
        type && self.as<ProxyObject>() && type->findMethod(name))
        return m_frames.setOutput(node, call(type->getMethod(name), std::move(args)));
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
    if (!path.empty() && m_tracer.isLeaf(type, path) && !takesNamedTuple(method) &&
        m_leaves.complete(module, type, path)) {
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
