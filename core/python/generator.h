// SPDX-License-Identifier: GPL-3.0-or-later
// A generator: a frame that is suspended, on a stack of its own (stack.h). Internal to the evaluator's files.
#pragma once

#include "core/python/value.h"

#include <exception>

namespace fx {

struct Frame;
struct GeneratorStacks;

/// A function that is suspended at its yields. It runs on a stack of its own.
class Generator {
public:
    Generator(Evaluator& evaluator, std::unique_ptr<Frame> frame, std::string name);
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
    std::shared_ptr<GeneratorStacks> m_stacks;
    std::unique_ptr<Frame> m_frame;
    std::string m_name;
    std::unique_ptr<Context> m_context;
    Value m_sent, m_yielded, m_result;
    std::exception_ptr m_thrownIn, m_failure;
    bool m_isStarted = false, m_isRunning = false, m_isDone = false;
};

} // namespace fx
