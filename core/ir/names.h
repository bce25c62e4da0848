// SPDX-License-Identifier: GPL-3.0-or-later
// Unique Python names, given out as torch.fx's namespaces give them (FX naming rules N1-N5).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace fx {

class Target;

/// Puts '_' before each A-Z that follows an a-z, then lowers all letters.
std::string snakeCase(std::string_view text);
/// The name that a node calling `target` asks for when it is given none.
std::string nameFromTarget(Target target, bool isFunction);
/// Python's keywords and builtins, and the globals that every generated function sees.
bool isReservedName(std::string_view name);

/// The candidate with each run of characters that no name may hold as one '_'.
std::string legalName(std::string_view candidate);
/// The family of names whose counter a candidate shares: "add" for "add", "add_1" and "add.1".
std::string nameFamily(std::string_view candidate);
/// Whether the candidate can be a name as it stands, if it is free.
bool isLegalName(std::string_view candidate);

/// A name as it was given out, with what is needed to give it back.
struct NameGrant {
    std::string name;
    int64_t count = 0;                  ///< the counter of its family afterwards
    std::optional<int64_t> countBefore; ///< and before, if it was known at all
};

/// A set of numbers that mostly follow one another, as the suffixes of names do.
class NumberRuns {
public:
    using Run = std::pair<int64_t, int64_t>; ///< first and last

    NumberRuns() = default;
    /// Throws an Error unless the runs ascend, do not touch and are numbers of names.
    explicit NumberRuns(const std::vector<Run>& runs);
    std::vector<Run> runs() const { return {m_runs.begin(), m_runs.end()}; }

    bool contains(int64_t number) const { return firstMissing(number) != number; }
    /// The least number from `number` on that is not in the set.
    int64_t firstMissing(int64_t number) const;
    void insert(int64_t number);
    void erase(int64_t number);
    bool empty() const { return m_runs.empty(); }

private:
    std::map<int64_t, int64_t> m_runs; ///< first to last; runs do not touch
};

/// What a NameTable knows of one family of names.
struct NameFamily {
    std::string base;
    std::optional<int64_t> count;
    bool isPlainTaken = false;
    std::vector<NumberRuns::Run> takenNumbers;
};
/// All that a NameTable knows, in a fixed order.
struct NameTableContent {
    std::vector<NameFamily> families;
    std::vector<std::string> takenWithZeros;
};

/// The highest counter of a family and number of a name.
constexpr int64_t kHighestName = 1'000'000'000'000'000'000;

class NameTable {
public:
    NameTable() = default;
    /// Throws an Error where no table can be so.
    explicit NameTable(const NameTableContent& content);
    NameTableContent content() const;

    /// The grant that `candidate` would get now. `reservedIsOwn`: the object itself is the reserved thing,
    /// so that it may carry the reserved name.
    NameGrant propose(std::string_view candidate, bool reservedIsOwn = false) const;
    void take(const NameGrant& grant);
    /// Undoes take(). Grants are given back in the reverse order.
    void giveBack(const NameGrant& grant);

    bool isTaken(std::string_view name) const;
    /// Whether take() and giveBack() of the grant are what comes next: for grants that somebody else tells
    /// of.
    bool canTake(const NameGrant& grant) const;
    bool canGiveBack(const NameGrant& grant) const;
    std::string create(std::string_view candidate, bool reservedIsOwn = false);

private:
    /// "add", "add_1" and "add_2": nearly always the plain name and a run of numbers.
    struct Family {
        std::optional<int64_t> count;
        bool isPlainTaken = false;
        NumberRuns takenNumbers;
    };
    struct Hash {
        using is_transparent = void;
        size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    void setTaken(std::string_view name, Family& family, bool isTaken);

    std::unordered_map<std::string, Family, Hash, std::equal_to<>> m_families;
    std::unordered_set<std::string, Hash, std::equal_to<>> m_takenWithZeros; ///< "add_01"
};

} // namespace fx
