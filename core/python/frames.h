// SPDX-License-Identifier: GPL-3.0-or-later
// Where a program is: the frames that run, innermost first, how deep that is, and the places that an error
// has left.
#pragma once

#include "core/base/current_work.h"
#include "core/base/error.h"
#include "core/python/tree.h"
#include "core/python/work_budget.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {

struct Frame;
struct GeneratorStacks;

/// Where in the source a call was made.
struct CallSite {
    std::shared_ptr<const SourceFile> file;
    int line = 0, column = 0;
    std::string function;
};

class Frames {
public:
    Frames(int mostDepth, WorkBudget& budget);

    /// Null while nothing runs.
    Frame* innermost() const { return m_innermost; }
    /// Where the innermost running Python code is, and its callers, innermost first.
    CallSite callSite() const;
    std::vector<CallSite> callStack() const;
    /// The functions of the user's own source that run, innermost first, and the bytes where they stand;
    /// `most` of them. The same as before means the same callStack(), for less.
    using Places = std::vector<std::pair<const FunctionTree*, uint32_t>>;
    void findPlaces(Places& out, size_t most) const;
    /// The call of one of those functions; 0 is the innermost.
    CallSite userSite(size_t level) const;
    /// For a handler of signals, of the frames that are there.
    static CurrentLine currentLine(const void* frames);

    /// The names of the module whose top level runs `outer` frames outside of the innermost one; none where
    /// that frame is a function's.
    std::optional<Value> callerModuleGlobals(size_t outer) const;
    /// globals() and locals() of the innermost frame.
    Value globalNames() const;
    Value localNames() const;

    /// Where an error that is on its way came from: each frame that it has left, innermost first.
    using Trace = std::vector<CallSite>;
    const Trace& trace() const { return m_trace; }
    Trace takeTrace() { return std::exchange(m_trace, {}); }
    void restoreTrace(Trace trace) { m_trace = std::move(trace); }
    /// Runs the work of a frame, and notes the frame in the trace of an error that leaves it.
    template <class Work>
    void guard(const Frame& frame, Work work) {
        try {
            work();
        } catch (const Error&) {
            note(frame);
            throw;
        }
    }
    /// Throws the error that is caught now with its place, the source line and a caret.
    [[noreturn]] void locate(const Error& error);

    /// Throws RecursionError where the stack that runs now is nearly full.
    void checkStack() const {
        const char here = 0;
        if (&here < m_stackEnd)
            failDepth();
    }
    /// Lives while work runs that was asked for from outside, on whichever thread.
    class Border {
    public:
        explicit Border(Frames& frames);
        ~Border();
        Border(const Border&) = delete;
        Border& operator=(const Border&) = delete;
        bool isOutermost() const { return m_frames.m_borders == 1; }

    private:
        Frames& m_frames;
        const char* m_previousEnd;
    };
    /// The innermost frame, and the lowest address of its stack that calls may reach.
    struct Position {
        Frame* frame;
        const char* stackEnd;
    };
    /// Goes on elsewhere, as a generator does; gives where it was.
    Position moveTo(Position position);
    /// Of generators, which may outlive this.
    const std::shared_ptr<GeneratorStacks>& generatorStacks() const { return m_generatorStacks; }
    /// Takes down what is suspended: nothing of it may run any more.
    void abandonGenerators();

private:
    friend struct FrameScope;
    CallSite siteOf(const Frame& frame) const;
    void note(const Frame& frame);
    [[noreturn]] void failDepth() const;

    WorkBudget& m_budget;
    Frame* m_innermost = nullptr;
    Trace m_trace;
    const int m_mostDepth;
    int m_depth = 0;
    int m_borders = 0;
    const char* m_stackEnd = nullptr; ///< of the stack that runs now: calls stop before it is full
    std::shared_ptr<GeneratorStacks> m_generatorStacks;
};

} // namespace fx
