// SPDX-License-Identifier: GPL-3.0-or-later
// Unique Python names, given out as torch.fx's namespaces give them (FX naming rules N1-N5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace fx {

class Target;

/// Puts '_' before each A-Z that follows an a-z, then lowers all letters.
std::string snakeCase(std::string_view text);
/// The name that a node calling `target` asks for when it is given none.
std::string nameFromTarget(Target target, bool isFunction);
/// Python's keywords and builtins, and the globals that every generated function sees.
bool isReservedName(std::string_view name);

/// The family of names whose counter a candidate shares: "add" for "add", "add_1" and "add.1".
std::string nameFamily(std::string_view candidate);
/// Whether the candidate can be a name as it stands, if it is free.
bool isLegalName(std::string_view candidate);

/// A name as it was given out, with what is needed to give it back.
struct NameGrant {
    std::string name;
    std::string base;                   ///< the family whose counter moved
    int64_t count = 0;                  ///< that counter afterwards
    std::optional<int64_t> countBefore; ///< and before, if it was known at all
};

class NameTable {
public:
    /// The grant that `candidate` would get now. `reservedIsOwn`: the object itself is the reserved thing,
    /// so that it may carry the reserved name.
    NameGrant propose(std::string_view candidate, bool reservedIsOwn = false) const;
    void take(const NameGrant& grant);
    /// Undoes take(). Grants are given back in the reverse order.
    void giveBack(const NameGrant& grant);

    bool isTaken(const std::string& name) const { return m_taken.contains(name); }
    std::string create(std::string_view candidate, bool reservedIsOwn = false);

private:
    std::unordered_set<std::string> m_taken;
    std::unordered_map<std::string, int64_t> m_counts;
};

} // namespace fx
