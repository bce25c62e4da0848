// SPDX-License-Identifier: GPL-3.0-or-later
// Setting up and taking down, and the border to those who ask for something to be evaluated.
#include "core/python/evaluator.h"

#include "core/python/walker.h"

namespace fx {

namespace {

thread_local Evaluator* t_current = nullptr;

/// Whoever comes in from outside may be on another thread than the last one.
class Entered {
public:
    explicit Entered(Evaluator& evaluator) : m_previous(std::exchange(t_current, &evaluator)) {
        currentWork.lineOf = &Frames::currentLine;
        currentWork.evaluator = &evaluator.frames();
    }
    ~Entered() {
        t_current = m_previous;
        currentWork.evaluator = m_previous ? &m_previous->frames() : nullptr;
    }
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;

private:
    Evaluator* const m_previous;
};

} // namespace

Evaluator* Evaluator::current() {
    return t_current;
}

Evaluator::Evaluator(EvaluationLimits limits)
    : m_budget(limits), m_frames(limits.depth, m_budget), m_types(m_hosts), m_modules(*this) {
    m_types.add("object");
    addObjectType(*this);
    addExceptionTypes(*this);
    addNumberTypes(*this);
    addTextTypes(*this);
    addSequenceTypes(*this);
    addMappingTypes(*this);
    addGeneratorType(*this);
    addBuiltinFunctions(*this);
    builtins().set("__debug__", c10::IValue(true));
}

Evaluator::~Evaluator() {
    // Generators that somebody still holds must not come back to an evaluator that is gone.
    m_frames.abandonGenerators();
    // Classes, functions and modules refer to each other in circles.
    m_modules.clear();
    m_types.clear();
}

Value Evaluator::evaluate(const std::shared_ptr<const SourceFile>& expression, const Value& globals) {
    return runOutside([&] {
        Frame frame;
        frame.file = expression;
        frame.tree = expression->module.get();
        const Value* name = globals.as<DictObject>()->find("__name__");
        frame.module = name && name->isString() ? name->text() : "__main__";
        frame.globals = globals;
        frame.names = globals;
        frame.locals.resize(frame.tree->locals.size());
        const FrameScope scope(m_frames, frame);
        Walker walker(*this, frame);
        m_frames.guard(frame, [&] { walker.run(frame.tree->body); });
        return std::move(walker.result());
    });
}

Value Evaluator::runOutside(const std::function<Value()>& work) {
    const Entered entered(*this);
    const Frames::Border border(m_frames);
    if (!border.isOutermost())
        return work();
    try {
        return work();
    } catch (const Error& error) {
        m_frames.locate(error);
    }
}

void Evaluator::startRequest() {
    m_budget.restart();
    m_output.clear();
    m_warnings.clear();
}

} // namespace fx
