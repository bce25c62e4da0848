// SPDX-License-Identifier: GPL-3.0-or-later
// Stacks of their own, and switching between them: generators are suspended on theirs.
#pragma once

#include "core/python/work_budget.h"

#include <memory>
#include <ucontext.h>
#include <unordered_set>
#include <vector>

namespace fx {

class Stack {
public:
    explicit Stack(size_t bytes);
    ~Stack();
    Stack(const Stack&) = delete;
    Stack& operator=(const Stack&) = delete;
    char* base() const { return m_memory; }
    size_t size() const { return m_size; }
    /// Below this address a call would not have room enough.
    const char* end() const;

private:
    char* m_memory;
    size_t m_size;
};

/// One side of a switch: where it stood.
class StackSwitch {
public:
    void prepare(const Stack& stack, void (*entry)(void*), void* argument);
    /// Stands still here, and goes on there; comes back when somebody switches to this.
    void switchTo(StackSwitch& other);
    /// The last switch of a stack that is done.
    void leaveFor(StackSwitch& other);

private:
    static void begin(unsigned low, unsigned high);
    void arrived();

    ucontext_t m_context = {};
    void (*m_entry)(void*) = nullptr;
    void* m_argument = nullptr;
    const void* m_bottom = nullptr; ///< of its stack, for the address sanitizer
    size_t m_size = 0;
    [[maybe_unused]] void* m_fake = nullptr; ///< likewise
    StackSwitch* m_left = nullptr;           ///< who switched to this; null when its stack is done
};

struct GeneratorStacks {
    std::unique_ptr<Stack> take(WorkBudget& budget);
    void put(std::unique_ptr<Stack> stack);

    std::unordered_set<Generator*> suspended; ///< those with a stack of their own
    bool isOver = false;                      ///< the evaluator comes to its end, or is gone

private:
    std::vector<std::unique_ptr<Stack>> m_free;
    size_t m_alive = 0;
};

} // namespace fx
