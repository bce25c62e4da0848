// SPDX-License-Identifier: GPL-3.0-or-later
// Setting up and taking down, frames, and the border to those who ask for something to be evaluated.
#include "core/python/evaluator_border.h"
#include "core/python/frame.h"
#include "core/python/stack.h"

#include <pthread.h>

namespace fx {

namespace {

thread_local Evaluator* t_current = nullptr;

} // namespace

/// The lowest address of this thread's stack that calls may reach.
const char* Evaluator::threadStackEnd() {
    const auto ask = []() -> const char* {
        pthread_attr_t attributes;
        if (pthread_getattr_np(pthread_self(), &attributes) != 0) // reads a file on the main thread
            return nullptr;
        void* base = nullptr;
        size_t size = 0;
        pthread_attr_getstack(&attributes, &base, &size);
        pthread_attr_destroy(&attributes);
        constexpr size_t kReserve = 256 * 1024;
        return static_cast<const char*>(base) + kReserve;
    };
    thread_local const char* const end = ask();
    return end;
}

Evaluator* Evaluator::current() {
    return t_current;
}

Evaluator* Evaluator::enter() {
    currentWork.lineOf = &Evaluator::currentLine;
    currentWork.evaluator = this;
    return std::exchange(t_current, this);
}

void Evaluator::leave(Evaluator* previous) {
    t_current = previous;
    currentWork.evaluator = previous;
}

Evaluator::Evaluator(EvaluationLimits limits)
    : m_budget(limits), m_mostDepth(limits.depth), m_builtins(Object{DictObject()}),
      m_stacks(std::make_shared<Stacks>()) {
    addType("object");
    addObjectType(*this);
    addExceptionTypes();
    addNumberTypes(*this);
    addTextTypes(*this);
    addSequenceTypes(*this);
    addMappingTypes(*this);
    addGeneratorType(*this);
    addBuiltinFunctions(*this);
    builtins().set("__debug__", c10::IValue(true));
}

CurrentLine Evaluator::currentLine(const void* evaluator) {
    const Frame* frame = static_cast<const Evaluator*>(evaluator)->m_frame;
    while (frame && (!frame->file || frame->file->isLibrary()))
        frame = frame->back;
    if (!frame)
        return {};
    return {frame->file->path.c_str(), frame->file->position(frame->position).line};
}

Evaluator::~Evaluator() {
    // Generators that somebody still holds must not come back to an evaluator that is gone.
    m_stacks->isOver = true;
    while (!m_stacks->suspended.empty())
        (*m_stacks->suspended.begin())->abandon();
    // Classes, functions and modules refer to each other in circles.
    for (auto& [name, module] : m_modules)
        if (auto* source = module.as<SourceModuleObject>())
            source->dict.as<DictObject>()->clear();
    for (const std::weak_ptr<ClassData>& weak : m_classes)
        if (const std::shared_ptr<ClassData> data = weak.lock()) {
            data->dict.as<DictObject>()->clear();
            data->mro.clear();
            data->bases.clear();
        }
}

void Evaluator::failStack() const {
    raise("RecursionError", "maximum recursion depth exceeded");
}

FrameScope::FrameScope(Evaluator& e, Evaluator::Frame& frame) : evaluator(e), previous(e.m_frame) {
    if (e.m_depth >= e.m_mostDepth)
        e.failStack();
    e.checkStack();
    ++e.m_depth;
    frame.back = previous;
    e.m_frame = &frame;
}

FrameScope::~FrameScope() {
    --evaluator.m_depth;
    evaluator.m_frame = previous;
}

Value Evaluator::evaluate(const std::shared_ptr<const SourceFile>& expression, const Value& globals) {
    return atBorder([&] {
        Frame frame;
        frame.file = expression;
        frame.tree = expression->module.get();
        frame.module = "__main__";
        frame.globals = globals;
        frame.names = globals;
        frame.locals.resize(frame.tree->locals.size());
        const FrameScope scope(*this, frame);
        Walker walker(*this, frame);
        guardFrame(frame, [&] { walker.run(frame.tree->body); });
        return std::move(walker.result());
    });
}

Value Evaluator::runOutside(const std::function<Value()>& work) {
    return atBorder(work);
}

void Evaluator::startRequest() {
    m_budget.restart();
    m_output.clear();
    m_warnings.clear();
}

std::optional<Value> Evaluator::callerModuleGlobals(size_t outer) const {
    const Frame* frame = m_frame;
    for (; frame && outer > 0; --outer)
        frame = frame->back;
    if (!frame || frame->tree->kind != FunctionTree::Kind::Module)
        return std::nullopt;
    return frame->globals;
}

Value Evaluator::globalNames() const {
    return m_frame ? m_frame->globals : Value(Object{DictObject()});
}

Value Evaluator::localNames() const {
    if (!m_frame)
        return Object{DictObject()};
    const FunctionTree& tree = *m_frame->tree;
    if (tree.kind == FunctionTree::Kind::Module || tree.kind == FunctionTree::Kind::Class)
        return m_frame->names;
    DictObject out; // a copy, as a function's names are slots
    const auto add = [&](const std::string& name, const std::optional<Value>& value) {
        if (value)
            out.set(name, *value);
    };
    const auto cell = [&](size_t at) { return m_frame->cells[at].as<CellObject>()->value; };
    for (const bool isRest : {false, true}) // *args and **kwargs stand behind the others
        for (const FunctionTree::Parameter& p : tree.parameters)
            if (isRest == (p.kind >= FunctionTree::Parameter::Kind::Args))
                add(p.name, p.isCell ? cell(static_cast<size_t>(p.slot))
                                     : m_frame->locals[static_cast<size_t>(p.slot)]);
    for (size_t i = 0; i < tree.locals.size(); ++i)
        add(tree.locals[i], m_frame->locals[i]);
    for (size_t i = 0; i < tree.cells.size() + tree.freeNames.size(); ++i)
        add(i < tree.cells.size() ? tree.cells[i] : tree.freeNames[i - tree.cells.size()], cell(i));
    return Object{std::move(out)};
}

} // namespace fx
