// SPDX-License-Identifier: GPL-3.0-or-later
// The pool of interned targets. Entries live as long as the process; models repeat the same few names.
#include "core/ir/target.h"

#include "core/base/text.h"

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <unordered_set>

namespace fx {

struct Target::Entry {
    std::string name;
};

namespace {

constexpr std::string_view kOps = "torch.ops.";
constexpr std::string_view kHigherOrder = "torch.ops.higher_order.";

} // namespace

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
    m_entry = &*pool.insert(Entry{std::string(name)}).first;
}

const std::string& Target::name() const {
    static const std::string kNone;
    return m_entry ? m_entry->name : kNone;
}

std::string Target::displayName() const {
    return contains(name(), ".") ? name() : "builtins." + name();
}

bool Target::isOperatorOverload() const {
    return name().starts_with(kOps) && !isHigherOrder() &&
           std::count(name().begin() + kOps.size(), name().end(), '.') >= 2;
}

bool Target::isHigherOrder() const {
    return name().starts_with(kHigherOrder);
}

std::string_view Target::functionName() const {
    const std::string_view text = name();
    size_t dot = text.rfind('.');
    if (isOperatorOverload())
        dot = text.rfind('.', dot - 1);
    return dot == std::string_view::npos ? text : text.substr(dot + 1);
}

std::string Target::qualifiedName() const {
    return name().starts_with("operator.") ? '_' + name() : name();
}

bool Target::isFromTorch() const {
    const std::string_view text = name();
    // Methods of Tensor belong to no module for Python, although their names say so.
    for (std::string_view other : {"torch._dynamo.", "torch._inductor.", "torch.Tensor."})
        if (text.starts_with(other))
            return false;
    return text.starts_with("torch.") && text != "torch.device";
}

} // namespace fx
