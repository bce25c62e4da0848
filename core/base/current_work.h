// SPDX-License-Identifier: GPL-3.0-or-later
// What the process is busy with, for the line that says where it crashed. Names are noted as pointers, which
// costs next to nothing; the handler of a signal reads them (core/process/crash_report.h).
#pragma once

#include <atomic>

namespace fx {

/// A node and what it calls; null where they are not known.
struct CurrentNode {
    const char* name = nullptr;
    const char* target = nullptr;
};

/// A line of Python; null where none is evaluated.
struct CurrentLine {
    const char* path = nullptr;
    int line = 0;
};

struct CurrentWork {
    std::atomic<const char*> call{nullptr}; ///< "torch._stack", by name
    /// The run under way: who runs it, and how to ask it for its node.
    std::atomic<const void*> run{nullptr};
    std::atomic<CurrentNode (*)(const void* run)> nodeOf{nullptr};
    /// The same for the evaluator that is at work.
    std::atomic<const void*> evaluator{nullptr};
    std::atomic<CurrentLine (*)(const void* evaluator)> lineOf{nullptr};
};
inline CurrentWork currentWork;

/// Notes a pointer while it lives.
template <class Pointer>
class NotedScope {
public:
    NotedScope(std::atomic<Pointer>& place, Pointer pointer)
        : m_place(place), m_before(place.load(std::memory_order_relaxed)) {
        place.store(pointer, std::memory_order_relaxed);
    }
    ~NotedScope() { m_place.store(m_before, std::memory_order_relaxed); }
    NotedScope(const NotedScope&) = delete;
    NotedScope& operator=(const NotedScope&) = delete;

private:
    std::atomic<Pointer>& m_place;
    Pointer m_before;
};

} // namespace fx
