// SPDX-License-Identifier: GPL-3.0-or-later
// Walks the tree of a frame. Internal to the evaluator's files.
#pragma once

#include "core/python/evaluator.h"
#include "core/python/frame.h"
#include "core/python/generator.h"

namespace fx {

/// `[*value]` of what is not iterable.
[[noreturn]] void refuseStarred(const Value& value);

class Walker {
public:
    Walker(Evaluator& evaluator, Frame& frame) : m_evaluator(evaluator), m_frame(frame) {}

    enum class Flow { Next, Break, Continue, Return };

    Value value(const Expression& e);
    Flow run(const Block& block);
    Flow run(const Statement& statement);
    void store(const Expression& target, Value value);
    /// Where an error that is thrown now is said to be.
    void at(uint32_t position) { m_frame.position = position; }
    /// What a `return` has left.
    Value& result() { return m_result; }
    /// The clauses from `depth` on, the first one over `iterator`; `emit` gets control for each element.
    void comprehend(const FunctionTree& tree, size_t depth, const Value& iterator,
                    const std::function<void()>& emit);

private:
    Value binary(const Expression& e);
    Value call(const Expression& e);
    Value comparison(const Expression& e);
    Value dictionary(const Expression& e);
    Value comprehension(const Expression& e);
    Value formatted(const Expression& e);
    Value load(const Expression& name);
    Value loadGlobal(const Expression& name);
    Values values(const std::vector<Expression>& list, size_t first = 0);
    Value setDisplay(const Expression& e);
    SetTable frozenDisplay(const Expression& e);
    /// What a loop goes through.
    Value iterable(const Expression& e);
    /// `function` is what the arguments are for, for the messages.
    void arguments(const std::vector<Expression>& list, size_t first, const Value& function, Values& args,
                   NamedValues& kwargs);
    Value makeFunction(const std::shared_ptr<FunctionTree>& tree);
    CellObject& cell(int32_t slot) { return *m_frame.cells[static_cast<size_t>(slot)].as<CellObject>(); }

    void unpack(const Expression& target, const Value& value);
    void remove(const Expression& target);
    void forget(const Expression& name);
    void augmentedAssign(const Statement& s);
    void defineClass(const Statement& s);
    /// What its decorators make of a function or class.
    Value decorated(const Statement& s, const Values& decorators, Value made);
    void defineFunction(const Statement& s);
    void import(const Statement& s);
    void raiseStatement(const Statement& s);
    Flow loop(const Statement& s);
    Flow whileLoop(const Statement& s);
    Flow tryStatement(const Statement& s);
    /// The handlers of an `except*`: the exception that leaves them, or None.
    Value starHandlers(const Statement& s, const Value& caught);
    Flow withStatement(const Statement& s, size_t index);
    Flow matchStatement(const Statement& s);

    Evaluator& m_evaluator;
    Frame& m_frame;
    Value m_result;
    bool m_isRaisedAgain = false; ///< the latest `raise` of this frame named no exception
};

} // namespace fx
