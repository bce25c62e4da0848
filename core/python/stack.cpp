// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/stack.h"

#include "core/base/error.h"

#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#define FXSCOPE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FXSCOPE_ASAN 1
#endif
#endif
#ifdef FXSCOPE_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace fx {

namespace {

constexpr size_t kGeneratorStack = 512 * 1024;
constexpr size_t kReserve = 96 * 1024; ///< for what C++ itself needs below the last call
constexpr size_t kMostAlive = 4000;

} // namespace

Stack::Stack(size_t bytes) : m_size(bytes) {
    void* memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        throw std::bad_alloc();
    m_memory = static_cast<char*>(memory);
    mprotect(m_memory, 4096, PROT_NONE);
}

Stack::~Stack() {
    munmap(m_memory, m_size);
}

const char* Stack::end() const {
    return m_memory + kReserve;
}

void StackSwitch::begin(unsigned low, unsigned high) {
    auto* self =
        reinterpret_cast<StackSwitch*>(static_cast<uintptr_t>(low) | static_cast<uintptr_t>(high) << 32);
    self->arrived();
    self->m_entry(self->m_argument);
}

void StackSwitch::prepare(const Stack& stack, void (*entry)(void*), void* argument) {
    m_entry = entry;
    m_argument = argument;
    m_bottom = stack.base();
    m_size = stack.size();
    getcontext(&m_context);
    m_context.uc_stack.ss_sp = stack.base();
    m_context.uc_stack.ss_size = stack.size();
    m_context.uc_link = nullptr;
    const auto self = reinterpret_cast<uintptr_t>(this);
    makecontext(&m_context, reinterpret_cast<void (*)()>(&StackSwitch::begin), 2, static_cast<unsigned>(self),
                static_cast<unsigned>(self >> 32));
}

/// The sanitizer knows the bounds of the stack that was left; the switch back needs them.
void StackSwitch::arrived() {
#ifdef FXSCOPE_ASAN
    __sanitizer_finish_switch_fiber(m_fake, m_left ? &m_left->m_bottom : nullptr,
                                    m_left ? &m_left->m_size : nullptr);
#endif
}

void StackSwitch::switchTo(StackSwitch& other) {
    other.m_left = this;
#ifdef FXSCOPE_ASAN
    __sanitizer_start_switch_fiber(&m_fake, other.m_bottom, other.m_size);
#endif
    swapcontext(&m_context, &other.m_context);
    arrived();
}

void StackSwitch::leaveFor(StackSwitch& other) {
    other.m_left = nullptr;
#ifdef FXSCOPE_ASAN
    __sanitizer_start_switch_fiber(nullptr, other.m_bottom, other.m_size);
#endif
    setcontext(&other.m_context);
}

std::unique_ptr<Stack> GeneratorStacks::take(WorkBudget& budget) {
    budget.step();
    if (!m_free.empty()) {
        std::unique_ptr<Stack> out = std::move(m_free.back());
        m_free.pop_back();
        return out;
    }
    if (++m_alive > kMostAlive) {
        --m_alive;
        throw Error("", "evaluation was stopped: too many generators are suspended").kind(kLimitKind);
    }
    return std::make_unique<Stack>(kGeneratorStack);
}

void GeneratorStacks::put(std::unique_ptr<Stack> stack) {
    if (!stack)
        return;
    if (m_free.size() < 16)
        m_free.push_back(std::move(stack));
    else
        --m_alive;
}

} // namespace fx
