// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/interpreter.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/higher_order.h"
#include "core/interpret/recorded_regions.h"
#include "core/interpret/restored_hooks.h"
#include "core/torch/bind/binding.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/meta_fallback.h"
#include "core/torch/bind/signature_call.h"
#include "core/torch/bind/unpack.h"
#include "core/torch/host/torch_faults.h"
#include "core/torch/values/script_objects.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>
#include <typeinfo>

namespace fx {

namespace {

/// What went wrong, in words for whoever wrote the graph: a line of their source that a call ran, but none of
/// the library's own text.
std::string causeIn(const Error& error) {
    std::string text = error.message();
    const size_t last = text.rfind('\n');
    if (!error.place().starts_with('<'))
        text = error.place().empty() ? text : error.place() + ": " + text;
    else if (last != std::string::npos && trim(text.substr(last)) == "^")
        text.resize(text.rfind('\n', last - 1) == std::string::npos ? last : text.rfind('\n', last - 1));
    return error.advice().empty() ? text : text + "; " + error.advice();
}

} // namespace

Interpreter::Interpreter(const Model& model, RunSettings settings)
    : Interpreter(std::make_shared<RunContext>(model, settings), model.root()) {}

Interpreter::Interpreter(std::shared_ptr<RunContext> context, ModuleId module, const Interpreter* parent)
    : m_context(std::move(context)), m_program(m_context->programs.program(module)), m_parent(parent) {}

void Interpreter::begin(GraphInputs inputs) {
    m_inputs = InputReader(graph(), std::move(inputs));
    m_next = 0;
    m_activation = ++m_context->activations;
    for (size_t i = 0; i < m_values.size(); ++i)
        if (m_hasValue[i])
            m_values[i] = Value();
    m_values.resize(static_cast<size_t>(graph().nextId().value));
    m_hasValue.assign(m_values.size(), false);
    m_result = Value();
    m_isPlain = typeid(*this) == typeid(Interpreter);
    if (m_parent)
        return;
    m_inputs.forEach([&](const Value& input) {
        if (!input.isTensor())
            return;
        m_context->state.noteRead(input.data().toTensor());
        if (input.data().toTensor().is_meta())
            supportMeta();
    });
    m_context->modes.reset();
    if (m_context->settings.seed)
        at::manual_seed(*m_context->settings.seed);
}

Value Interpreter::run(GraphInputs inputs) {
    const GraphInputs given = m_context->compiled.isMarked(module()) ? inputs : GraphInputs();
    begin(std::move(inputs));
    const RunModes::Scope scope(m_context->modes);
    if (std::optional<Value> result = runCompiled(module(), given))
        return std::move(*result);
    advance(std::numeric_limits<size_t>::max());
    if (!m_parent)
        m_context->state.requireUnchangedFiles();
    return std::move(m_result);
}

NodeId Interpreter::nextNode() const {
    const auto& instructions = m_program.instructions();
    return m_next < instructions.size() ? instructions[m_next].node : NodeId();
}

const Value* Interpreter::value(NodeId node) const {
    const auto index = static_cast<size_t>(node.value);
    return node && index < m_values.size() && m_hasValue[index] ? &m_values[index] : nullptr;
}

void Interpreter::jumpTo(NodeId node) {
    const auto& instructions = m_program.instructions();
    const auto found = std::find_if(instructions.begin(), instructions.end(),
                                    [&](const Instruction& instruction) { return instruction.node == node; });
    if (found == instructions.end())
        throw Error("", "cannot jump to a node of another graph");
    m_inputs.goTo(node);
    m_next = static_cast<size_t>(found - instructions.begin());
    m_hasJumped = true;
}

void Interpreter::setValue(NodeId node, Value value) {
    m_values[static_cast<size_t>(node.value)] = std::move(value);
    m_hasValue[static_cast<size_t>(node.value)] = true;
}

bool Interpreter::step() {
    const RunModes::Scope scope(m_context->modes);
    advance(1);
    return m_next < m_program.instructions().size();
}

inline bool Interpreter::holdGuards(const Instruction& instruction) const {
    for (const Guard& guard : instruction.guards)
        if (!isOfKind(m_values[static_cast<size_t>(guard.node.value)], guard.kind))
            return false;
    return true;
}

/// The operands, where all values are of the kinds that they were bound for; false, and nothing is done,
/// where one is not. `keepsValues`: else a value moves to its last reader.
inline bool Interpreter::pushPlain(const Instruction& instruction, bool keepsValues) {
    const auto slot = [](NodeId node) { return static_cast<size_t>(node.value); };
    if (!holdGuards(instruction))
        return false;
    m_stack.clear();
    for (const Operand& operand : instruction.operands) {
        if (operand.kind == Operand::Kind::Constant) {
            if (operand.constant.isNone()) // most are
                m_stack.emplace_back();
            else
                m_stack.push_back(operand.constant);
        } else if (operand.kind != Operand::Kind::Value) {
            pushMade(operand);
        } else if (operand.isLastUse && !keepsValues) {
            m_stack.push_back(std::move(m_values[slot(operand.node)].data()));
            m_hasValue[slot(operand.node)] = false;
        } else {
            m_stack.push_back(m_values[slot(operand.node)].data());
        }
    }
    return true;
}

/// An operand that is made of values.
void Interpreter::pushMade(const Operand& operand) {
    const auto valueAt = [this](NodeId node) -> const Value& {
        return m_values[static_cast<size_t>(node.value)];
    };
    if (operand.kind == Operand::Kind::Unpacked) {
        m_stack.push_back(unpackValue(*operand.parameter, valueAt(operand.node)));
    } else if (operand.kind == Operand::Kind::Tensors) {
        c10::impl::GenericList list(c10::TensorType::get());
        list.reserve(operand.items.size());
        for (const Operand::Item& item : operand.items)
            list.push_back(valueAt(item.node).data());
        m_stack.emplace_back(std::move(list));
    } else {
        c10::List<int64_t> list;
        list.reserve(operand.items.size());
        for (const Operand::Item& item : operand.items)
            list.push_back(item.node ? unpackInt(valueAt(item.node)) : item.number);
        m_stack.emplace_back(std::move(list));
    }
}

/// Lets go of what nobody reads after it.
inline void Interpreter::release(const Instruction& instruction) {
    if (m_keepsValues)
        return;
    for (const NodeId released : instruction.releases) {
        const auto at = static_cast<size_t>(released.value);
        if (std::exchange(m_hasValue[at], false))
            m_values[at] = c10::IValue();
    }
}

bool Interpreter::skipNext() {
    const Instruction& instruction = m_program.instructions()[m_next];
    const Node& node = graph().node(instruction.node);
    if (std::ranges::none_of(m_context->observers, [&](Observer* each) { return each->skips(*this, node); }))
        return false;
    ++m_next;
    release(instruction);
    return true;
}

void Interpreter::advance(size_t steps) {
    const auto& instructions = m_program.instructions();
    const std::vector<Observer*>& observers = m_context->observers;
    const NotedScope noted(currentWork.run, static_cast<const void*>(this));
    currentWork.nodeOf = &Interpreter::currentNode;
    for (; steps > 0 && m_next < instructions.size(); --steps) {
        const Instruction& instruction = instructions[m_next];
        const auto node = [&]() -> const Node& { return graph().node(instruction.node); };
        // Who watches may look at a value until its last reader has run; else it can move there.
        const bool isWatched = m_keepsValues || !observers.empty();
        if (!observers.empty() && skipNext())
            continue;
        for (Observer* observer : observers)
            observer->beforeNode(*this, node());
        if (std::exchange(m_hasJumped, false))
            continue;
        const auto index = static_cast<size_t>(instruction.node.value);
        try {
            if (m_isPlain && instruction.isPlain && pushPlain(instruction, isWatched)) {
                instruction.op->call(m_stack); // what callFunction does, without the way there
                if (instruction.givesOne)
                    m_values[index] = std::move(m_stack.back());
                else
                    m_values[index] = takeResults(instruction);
            } else {
                m_values[index] = runNode(Call(*this, instruction));
            }
        } catch (const NodeError&) {
            throw; // of a nested graph: it is told once, by the node that failed
        } catch (const Error& error) {
            fail(node(), causeIn(error), error.code());
        } catch (const c10::Error& error) {
            fail(node(), pythonMessage(error));
        } catch (const std::bad_alloc&) {
            fail(node(), "not enough memory");
        } catch (const std::exception& error) {
            fail(node(), error.what());
        }
        ++m_next;
        m_hasValue[index] = true;
        if (const NodeId rebound = instruction.rebound;
            rebound && m_hasValue[static_cast<size_t>(rebound.value)])
            m_values[static_cast<size_t>(rebound.value)] = m_values[index];
        for (Observer* observer : observers)
            observer->afterNode(*this, node(), m_values[index]);
        if (instruction.opcode == Opcode::Output) {
            m_result = m_values[index];
            m_next = instructions.size();
        }
        release(instruction);
    }
}

CurrentNode Interpreter::currentNode(const void* run) {
    const auto& self = *static_cast<const Interpreter*>(run);
    const NodeId id = self.nextNode();
    if (!id)
        return {};
    const Node& node = self.graph().node(id);
    return {node.name.c_str(), node.target.name().c_str()};
}

void Interpreter::fail(const Node& node, const std::string& message, ErrorCode code) {
    for (Observer* observer : m_context->observers)
        observer->failed(*this, node, message);
    NodeError error(nodePlace(graph(), node.id), interpreterErrorText(graph(), node.id, message));
    static_cast<Error&&>(error).code(code);
    throw error;
}

const Value& Interpreter::valueOf(NodeId node) const {
    const Value* value = this->value(node);
    if (!value)
        throw Error("", "Node referenced nonexistent value " + graph().node(node).name +
                            "! Run Graph.lint() to diagnose such issues");
    return *value;
}

Value Interpreter::mapArgument(const Argument& argument, bool isForSource) const {
    Value made = makeValue(argument, [this](NodeId node) { return valueOf(node); });
    if (argumentHoldsTensor(argument))
        made = withTensors(made);
    return isForSource && !model().sources().empty()
               ? m_context->library().withMembers(argument, std::move(made))
               : made;
}

Values Interpreter::Call::args(bool isForSource) const {
    Values out;
    for (const Argument& argument : node().args)
        out.push_back(m_interpreter.mapArgument(argument, isForSource));
    return out;
}

NamedValues Interpreter::Call::kwargs(bool isForSource) const {
    NamedValues out;
    for (const auto& [key, argument] : node().kwargs)
        out.emplace_back(key, m_interpreter.mapArgument(argument, isForSource));
    return out;
}

Value Interpreter::runNode(const Call& call) {
    switch (call.instruction().opcode) {
    case Opcode::Placeholder:
        return placeholder(call);
    case Opcode::GetAttr:
        return getAttr(call);
    case Opcode::CallFunction:
        return callFunction(call);
    case Opcode::CallMethod:
        return callMethod(call);
    case Opcode::CallModule:
        return callModule(call);
    case Opcode::Output:
        return output(call);
    }
    return {};
}

Value Interpreter::placeholder(const Call& call) {
    const Node& node = call.node();
    // An observer may go back to it.
    if (std::optional<Value> given = m_inputs.next(node, !m_context->observers.empty()))
        return std::move(*given);
    if (!node.args.empty())
        return mapArgument(node.args[0]);
    throw Error("", "Expected positional argument for parameter " + node.target.name() +
                        ", but one was not passed in!");
}

Value Interpreter::getAttr(const Call& call) {
    const std::string& path = call.target().name();
    const Attribute found = model().resolve(module(), path);
    if (found.tensor)
        return c10::IValue(m_context->state.tensor(found.tensor, found.role));
    if (found.module && isScriptClass(model().module(found.module).type))
        return m_context->state.scriptObject(found.module);
    if (found.module)
        return Object{ModuleObject{found.module}};
    if (found.value)
        return mapArgument(*found.value);
    const std::string known = model().existingPrefix(module(), path);
    const size_t next = known.empty() ? 0 : known.size() + 1;
    throw Error("", "Node referenced nonexistent target " + path.substr(0, path.find('.', next)));
}

Value Interpreter::callFunction(const Call& call) {
    if (std::optional<Value> result = callBound(call.instruction()))
        return std::move(*result);
    if (const HigherOrderFunction function = findHigherOrder(call.target()))
        return function(
            [this](ModuleId module, Values inputs) { return callGraph(module, std::move(inputs)); },
            call.args(), call.kwargs());
    if (call.target().name().starts_with("torch.classes.") ||
        call.target().name() == "torch.ops.higher_order.call_torchbind")
        throw Error("", "objects of torch.classes cannot be used here").hint("run the graph in Python");
    if (const RegionFunction function = findRegion(call.target()))
        return function(call.args(), call.kwargs());
    if (isPythonInTorch(call.target()) ||
        (!model().sources().empty() && m_context->library().knows(call.target())))
        return m_context->library().callFunction(call.target(), call.args(true), call.kwargs(true));
    return fx::callFunction(call.target(), call.args(), call.kwargs());
}

/// None where the call has to go by name.
std::optional<Value> Interpreter::callBound(const Instruction& instruction) {
    const auto kind = [this](NodeId node) { return kindOf(valueOf(node)); };
    const bool isBound = instruction.op || instruction.hand;
    const bool isFitting = (isBound && holdGuards(instruction)) || m_program.bindAgain(instruction, kind);
    if (isFitting && instruction.hand)
        return callByHand(*instruction.hand);
    const bool isPushed = isFitting && instruction.isPlain
                              ? pushPlain(instruction, true)
                              : instruction.op && !instruction.plan && pushConverted(instruction);
    if (!isPushed)
        return std::nullopt;
    if (instruction.isPacking)
        return m_context->packed.call(instruction, m_stack);
    instruction.op->call(m_stack);
    return instruction.givesOne ? Value(std::move(m_stack.back())) : takeResults(instruction);
}

Value Interpreter::callByHand(const HandCall& call) {
    const auto valueAt = [this](NodeId node) { return &m_values[static_cast<size_t>(node.value)]; };
    ParsedCall parsed;
    parsed.signature = call.signature;
    for (const HandCall::Given& given : call.given)
        parsed.values.push_back(!given.isGiven ? nullptr
                                : given.node   ? valueAt(given.node)
                                               : &given.constant);
    return call.function(parsed, call.self ? valueAt(call.self) : nullptr);
}

Value Interpreter::takeResults(const Instruction& instruction) {
    if (instruction.plan)
        return wrapResults(*instruction.plan, m_stack);
    if (m_stack.empty())
        return {};
    return c10::IValue(c10::ivalue::Tuple::create(std::move(m_stack)));
}

/// The operands of an operator of torch.ops, converted as its schema says; false where one does not fit.
bool Interpreter::pushConverted(const Instruction& instruction) {
    m_stack.clear();
    for (const Operand& operand : instruction.operands) {
        const auto position = static_cast<size_t>(&operand - instruction.operands.data());
        if (operand.kind == Operand::Kind::Constant) {
            m_stack.push_back(operand.constant);
            continue;
        }
        auto argument = argumentOf(*instruction.op->schema, position, mapArgument(*operand.tree));
        if (!argument)
            return false;
        m_stack.push_back(std::move(*argument));
    }
    return true;
}

Value Interpreter::callMethod(const Call& call) {
    if (std::optional<Value> result = callBound(call.instruction()))
        return std::move(*result);
    Values args = call.args();
    if (args.empty())
        throw Error("", "a method needs an object to be called on");
    const Value self = args[0];
    args.erase(args.begin());
    const std::string& name = call.target().name();
    if (self.as<ModuleObject>() || (self.isTensor() && LibraryRunner::knowsMethod(name)))
        return m_context->library().callMethod(self, name, std::move(args), call.kwargs());
    return fx::callMethod(self, name, args, call.kwargs());
}

Value Interpreter::callModule(const Call& call) {
    const std::string& path = call.target().name();
    const ModuleId callee = model().resolve(module(), path).module;
    if (!callee)
        throw Error("", "Node referenced nonexistent target " + path);
    if (!model().module(callee).graph)
        return m_context->library().callModule(callee, call.args(true), call.kwargs(true));
    for (const NamedValue& value : model().module(callee).values)
        if (isRecordedHooks(value.name))
            throw Error("", "the forward hooks of a module with a graph cannot be run here")
                .hint("run the graph in Python");
    return callGraph(callee, {call.args(), call.kwargs()});
}

Value Interpreter::output(const Call& call) {
    return call.node().args.empty() ? Value() : mapArgument(call.node().args[0]);
}

Value Interpreter::callGraph(ModuleId module, GraphInputs inputs) {
    constexpr int kDeepest = 100;
    int depth = 0;
    for (const Interpreter* at = this; at; at = at->parent())
        ++depth;
    if (depth > kDeepest)
        throw Error("", "graphs call each other more than " + std::to_string(kDeepest) + " levels deep");
    if (std::optional<Value> result = runCompiled(module, inputs))
        return std::move(*result);
    Interpreter nested(m_context, module, this);
    nested.m_keepsValues = m_keepsValues;
    nested.begin(std::move(inputs));
    nested.advance(std::numeric_limits<size_t>::max());
    return nested.result();
}

} // namespace fx
