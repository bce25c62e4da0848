// SPDX-License-Identifier: GPL-3.0-or-later
// One system call of a confined process, made by its guard if OutputRules allow it.
#pragma once

#include "core/process/output_rules.h"

#include <cstdint>
#include <span>
#include <string>
#include <sys/types.h>

struct seccomp_notif;

namespace fx {

/// Numbers of the system calls that a guard makes for its process; everything else that writes is refused.
/// kill and tgkill are among them: signals to the process itself, and to processes that it has forked.
std::span<const int> guardedCalls();

class GuardedCall {
public:
    struct Result {
        int error = 0; ///< errno; 0: it was made
        int64_t value = 0;
    };

    GuardedCall(OutputRules& rules, const seccomp_notif& request, int listener)
        : m_rules(rules), m_request(request), m_listener(listener) {}

    Result make();

private:
    Result open(int folder, uint64_t path, uint64_t flags, uint64_t mode);
    Result makeFolder(int folder, uint64_t path, uint64_t mode);
    Result remove(int folder, uint64_t path, bool isFolder);
    Result rename(int fromFolder, uint64_t from, int toFolder, uint64_t to, uint64_t flags);
    /// A second name for an output: of the files in a folder that is replaced as a whole.
    Result link(int fromFolder, uint64_t from, int toFolder, uint64_t to, uint64_t flags);
    Result changeMode(const std::filesystem::path& place, uint64_t mode);
    Result signal(int64_t process, int64_t thread, int64_t number);

    /// Where the path in the other process's memory leads to. Throws an errno as int.
    std::filesystem::path placeAt(int folder, uint64_t path) const;
    std::filesystem::path placeOfDescriptor(int number) const;
    std::string textAt(uint64_t address) const;
    /// Throws an errno where the caller has ended: what was read of its number may be another process's.
    void requireCaller() const;
    OutputRules::Right rightOn(const std::filesystem::path& place) const { return m_rules.rightOn(place); }
    OutputRules::Right rightBetween(const std::filesystem::path& source,
                                    const std::filesystem::path& target) const;

    OutputRules& m_rules;
    const seccomp_notif& m_request;
    const int m_listener;
};

} // namespace fx
