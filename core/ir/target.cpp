// SPDX-License-Identifier: GPL-3.0-or-later
// The pool of interned targets. Entries live as long as the process; models repeat the same few names.
#include "core/ir/target.h"

#include "core/base/text.h"

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <unordered_set>

namespace fx {

namespace {

constexpr std::string_view kOps = "torch.ops.";
constexpr std::string_view kHigherOrder = "torch.ops.higher_order.";

} // namespace

/// What is asked of a name again and again is found out once.
struct Target::Entry {
    explicit Entry(std::string_view text);

    std::string name;
    size_t functionStart; ///< where functionName() begins
    bool isBuiltin, isFromTorch, isHigherOrder, isOperatorOverload;
};

Target::Entry::Entry(std::string_view text) : name(text) {
    isBuiltin = !contains(text, ".");
    // Methods of Tensor belong to no module for Python, although their names say so.
    isFromTorch = text.starts_with("torch.") && text != "torch.device";
    for (std::string_view other : {"torch._dynamo.", "torch._inductor.", "torch.Tensor."})
        isFromTorch &= !text.starts_with(other);
    isHigherOrder = text.starts_with(kHigherOrder);
    isOperatorOverload = text.starts_with(kOps) && !isHigherOrder &&
                         std::count(text.begin() + kOps.size(), text.end(), '.') >= 2;
    size_t dot = text.rfind('.');
    if (isOperatorOverload)
        dot = text.rfind('.', dot - 1);
    functionStart = dot == std::string_view::npos ? 0 : dot + 1;
}

Target::Target(std::string_view name) {
    struct Hash {
        using is_transparent = void;
        size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
        size_t operator()(const Entry& entry) const { return (*this)(std::string_view(entry.name)); }
    };
    struct Equal {
        using is_transparent = void;
        bool operator()(const Entry& a, const Entry& b) const { return a.name == b.name; }
        bool operator()(std::string_view a, const Entry& b) const { return a == b.name; }
        bool operator()(const Entry& a, std::string_view b) const { return a.name == b; }
    };
    // Node-based: the address of an entry never changes.
    static std::unordered_set<Entry, Hash, Equal> pool;
    static std::shared_mutex mutex;
    {
        std::shared_lock lock(mutex);
        if (const auto found = pool.find(name); found != pool.end()) {
            m_entry = &*found;
            return;
        }
    }
    std::unique_lock lock(mutex);
    m_entry = &*pool.emplace(name).first;
}

const std::string& Target::name() const {
    static const std::string kNone;
    return m_entry ? m_entry->name : kNone;
}

bool Target::isBuiltin() const {
    return !m_entry || m_entry->isBuiltin;
}

bool Target::isOperatorOverload() const {
    return m_entry && m_entry->isOperatorOverload;
}

bool Target::isHigherOrder() const {
    return m_entry && m_entry->isHigherOrder;
}

bool Target::isFromTorch() const {
    return m_entry && m_entry->isFromTorch;
}

std::string_view Target::functionName() const {
    return m_entry ? std::string_view(m_entry->name).substr(m_entry->functionStart) : std::string_view();
}

std::string Target::qualifiedName() const {
    return name().starts_with("operator.") ? '_' + name() : name();
}

} // namespace fx
