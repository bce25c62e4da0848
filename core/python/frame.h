// SPDX-License-Identifier: GPL-3.0-or-later
// One running function, class body, comprehension or module, and the walker over its tree.
// Internal to the evaluator's files.
#pragma once

#include "core/python/evaluator.h"

#include <c10/util/SmallVector.h>

#include <exception>

namespace fx {

struct Evaluator::Frame {
    Frame* back = nullptr;
    std::shared_ptr<const SourceFile> file;
    const FunctionTree* tree = nullptr;
    std::string module;
    Value globals; ///< a DictObject
    Value names;   ///< of a module or class body: the dict that it fills
    c10::SmallVector<std::optional<Value>, 8> locals;
    Values cells; ///< CellObjects: own ones, then those from outside
    uint32_t position = 0;
    Value handled; ///< the exception that an except clause is at work on: `raise` alone raises it
    class Generator* generator = nullptr;
};

/// Makes a frame the innermost one while it lives, and bounds the depth of calls.
struct FrameScope {
    FrameScope(Evaluator& evaluator, Evaluator::Frame& frame);
    ~FrameScope();
    FrameScope(const FrameScope&) = delete;
    FrameScope& operator=(const FrameScope&) = delete;
    Evaluator& evaluator;
    Evaluator::Frame* previous;
};

template <class Work>
void Evaluator::guardFrame(Frame& frame, Work work) {
    try {
        work();
    } catch (const Error&) {
        noteFrame(frame);
        throw;
    }
}

/// `[*value]` of what is not iterable.
[[noreturn]] void refuseStarred(const Value& value);

class Walker {
public:
    Walker(Evaluator& evaluator, Evaluator::Frame& frame) : m_evaluator(evaluator), m_frame(frame) {}

    enum class Flow { Next, Break, Continue, Return };

    Value value(const Expression& e);
    Flow run(const Block& block);
    Flow run(const Statement& statement);
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
    Value yieldFrom(const Value& iterable);
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

    void store(const Expression& target, Value value);
    void unpack(const Expression& target, const Value& value);
    void remove(const Expression& target);
    void forget(const Expression& name);
    void augmentedAssign(const Statement& s);
    void defineClass(const Statement& s);
    void defineFunction(const Statement& s);
    void import(const Statement& s);
    void raiseStatement(const Statement& s);
    Flow loop(const Statement& s);
    Flow whileLoop(const Statement& s);
    Flow tryStatement(const Statement& s);
    Flow withStatement(const Statement& s, size_t index);
    Flow matchStatement(const Statement& s);
    bool matches(const Pattern& pattern, const Value& subject);
    bool matchesClass(const Pattern& pattern, const Value& subject);
    bool matchesSequence(const Pattern& pattern, const Value& subject);
    bool matchesMapping(const Pattern& pattern, const Value& subject);
    void at(uint32_t position) { m_frame.position = position; }

    Evaluator& m_evaluator;
    Evaluator::Frame& m_frame;
    Value m_result;
};

/// A function that is suspended at its yields. It runs on a stack of its own.
class Generator {
public:
    Generator(Evaluator& evaluator, std::unique_ptr<Evaluator::Frame> frame, std::string name);
    ~Generator();
    Generator(const Generator&) = delete;
    Generator& operator=(const Generator&) = delete;

    /// Runs on to the next yield; none at the end, and result() is what it returned.
    std::optional<Value> resume(Value sent);
    /// Raises the error at the yield where it stands.
    std::optional<Value> throwIn(std::exception_ptr error);
    void close();
    /// Called on the generator's own stack: hands a value out, and gives what is sent in.
    Value yield(Value value);
    const Value& result() const { return m_result; }
    const std::string& name() const { return m_name; }
    /// Takes the suspended body down without running any more of the program, at the evaluator's end.
    void abandon();
    /// First iterator of a generator expression.
    std::optional<Value> source;

private:
    struct Context;
    static void enter(void* self);
    void body();
    std::optional<Value> switchIn();

    Evaluator& m_evaluator; ///< gone where m_stacks says so
    std::shared_ptr<Evaluator::Stacks> m_stacks;
    std::unique_ptr<Evaluator::Frame> m_frame;
    std::string m_name;
    std::unique_ptr<Context> m_context;
    Value m_sent, m_yielded, m_result;
    std::exception_ptr m_thrownIn, m_failure;
    bool m_isStarted = false, m_isRunning = false, m_isDone = false;
};

/// The exception instance of an error that passes by; an error that is no Python exception gets one made.
Value exceptionOf(Evaluator& evaluator, const Error& error);
/// The same for an except clause, with __traceback__, and __context__ as what was handled where it was
/// raised.
Value caughtException(Evaluator& evaluator, const Error& error, const Evaluator::Frame& frame);
/// The error that is at work now, to be raised again outside of the handler of `handled`, which becomes its
/// context.
std::exception_ptr leavingHandler(Evaluator& evaluator, const Error& error, const Value& handled);
/// The error that is at work now with its instance, so that whoever catches it next gets the same one.
std::exception_ptr raisedWith(const Error& error, const Value& exception);
/// What sys.exc_info() would give for that frame.
Value handledIn(const Evaluator::Frame* frame);
/// Whether except clauses may see it: not where a limit is reached, or something is not
/// supported or not allowed.
bool isCatchable(const Error& error);
inline constexpr std::string_view kUnsupportedKind = "NotSupported";
inline constexpr std::string_view kNotAllowedKind = "NotAllowed";

} // namespace fx
