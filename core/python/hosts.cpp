// SPDX-License-Identifier: GPL-3.0-or-later
// The table, and what values of a host do that it says nothing of.
#include "core/python/hosts.h"

#include "core/ir/dtype.h"
#include "core/ir/torch_constants.h"
#include "core/python/evaluator.h"
#include "core/python/types/sequences.h"
#include "core/python/types/support.h"

namespace fx {

namespace {

bool isHostedData(const c10::IValue& data) {
    return data.isTensor() || !(data.isNone() || data.isInt() || data.isBool() || data.isDouble() ||
                                data.isString() || data.isComplexDouble() || data.isTuple() || data.isList());
}

/// None where the value is Python's own, or a handle.
std::optional<HostedKind> hostedKindOf(const Value& value) {
    if (!value.object())
        return isHostedData(value.data()) ? std::optional(HostedKind::Data) : std::nullopt;
    if (const auto* instance = value.as<InstanceObject>())
        return instance->payload.isTensor()          ? std::optional(HostedKind::Data)
               : instance->payload.as<ProxyObject>() ? std::optional(HostedKind::Proxy)
                                                     : std::nullopt;
    if (value.as<FunctionObject>())
        return HostedKind::Function;
    if (value.as<MethodObject>())
        return HostedKind::Method;
    if (value.as<NamespaceObject>())
        return HostedKind::Namespace;
    if (value.as<ProxyObject>())
        return HostedKind::Proxy;
    if (value.as<ModuleObject>())
        return HostedKind::Submodule;
    if (const auto* leaf = value.as<Argument>())
        if (leaf->as<c10::ScalarType>() || leaf->as<c10::Layout>() || leaf->as<c10::MemoryFormat>() ||
            isQScheme(*leaf))
            return HostedKind::Constant;
    return std::nullopt;
}

} // namespace

void Hosts::add(ValueHost& host, std::initializer_list<HostedKind> kinds) {
    m_hosts.push_back(&host);
    for (const HostedKind kind : kinds)
        m_ranks[static_cast<size_t>(kind)] = static_cast<Rank>(m_hosts.size() - 1);
}

Hosts::Rank Hosts::rankOfOther(const Value& value) const {
    if (const auto* handle = value.as<HandleObject>()) {
        const auto found = std::ranges::find(m_hosts, handle->host);
        return found == m_hosts.end() ? Rank() : static_cast<Rank>(found - m_hosts.begin());
    }
    const std::optional<HostedKind> kind = hostedKindOf(value);
    return kind ? m_ranks[static_cast<size_t>(*kind)] : Rank();
}

Hosts::Rank Hosts::rankWithin(const Value& value, int levels) const {
    Rank rank = rankOf(value);
    if (--levels < 0)
        return rank;
    if (const auto* sequence = plainOf(value).as<SequenceObject>())
        for (const Value& item : sequence->items)
            rank = std::max(rank, rankWithin(item, levels));
    if (const auto* dict = plainOf(value).as<DictObject>())
        for (const DictObject::Entry& entry : dict->entries())
            rank = std::max(rank, rankWithin(entry.value, levels));
    if (const auto* slice = value.as<SliceObject>())
        for (const Value* part : {&slice->start, &slice->stop, &slice->step})
            rank = std::max(rank, rankWithin(*part, levels));
    return rank;
}

ValueHost* Hosts::ofAccess(const Value& object, std::initializer_list<const Value*> operands) const {
    constexpr int kLevels = 16; // a list may hold itself
    Rank rank = rankOf(object);
    if (rank > 0 && rank + 1u < m_hosts.size())
        for (const Value* operand : operands)
            rank = std::max(rank, rankWithin(*operand, kLevels));
    return m_hosts[rank];
}

std::optional<Value> ValueHost::attribute(Evaluator& evaluator, const Value& object,
                                          const std::string& name) {
    return name == "__class__" ? std::optional(evaluator.typeOf(object)) : std::nullopt;
}

std::optional<std::vector<std::string>> ValueHost::names(Evaluator&, const Value&) {
    return std::nullopt;
}

void ValueHost::setAttribute(Evaluator&, const Value& object, const std::string& name, const Value&) {
    raise("AttributeError", '\'' + fx::typeName(object) + "' object has no attribute '" + name + '\'');
}

Value ValueHost::call(Evaluator&, const Value& function, Values, NamedValues) {
    raise("TypeError", '\'' + typeName(function) + "' object is not callable");
}

Value ValueHost::subscript(Evaluator& evaluator, const Value& object, const Value& index) {
    return getItemPlain(evaluator, plainOf(object), index); // which refuses what has no items
}

void ValueHost::setSubscript(Evaluator& evaluator, const Value& object, const Value& index,
                             const Value& value) {
    setItemPlain(evaluator, plainOf(object), index, value);
}

/// Data by what it is, objects by their identity.
static bool areSameHosted(const Value& a, const Value& b) {
    return a.isSame(b) || (a.isData() && b.isData() && a.data() == b.data());
}

Value ValueHost::operate(Evaluator&, Operator op, Values operands, bool isInPlace) {
    if (op == Operator::Eq || op == Operator::Ne)
        return c10::IValue(areSameHosted(operands[0], operands[1]) == (op == Operator::Eq));
    raise("TypeError", "unsupported operand type(s) for " + std::string(operatorSign(op)) +
                           (isInPlace ? "=: '" : ": '") + typeName(operands[0]) + "'" +
                           (operands.size() > 1 ? " and '" + typeName(operands[1]) + '\'' : ""));
}

bool ValueHost::isTrue(Evaluator&, const Value&) {
    return true;
}

Value ValueHost::iterator(Evaluator&, const Value& value) {
    raise("TypeError", '\'' + typeName(value) + "' object is not iterable");
}

int64_t ValueHost::length(Evaluator&, const Value& value) {
    raise("TypeError", "object of type '" + typeName(value) + "' has no len()");
}

int64_t ValueHost::index(Evaluator&, const Value& value) {
    raise("TypeError", '\'' + typeName(value) + "' object cannot be interpreted as an integer");
}

Values ValueHost::unpack(Evaluator& evaluator, const Value& value, size_t) {
    Values out;
    const Value iterator = this->iterator(evaluator, value);
    while (std::optional<Value> item = evaluator.next(iterator))
        out.push_back(std::move(*item));
    return out;
}

std::string ValueHost::text(Evaluator& evaluator, const Value& value, bool) {
    return defaultRepr(evaluator, value);
}

std::string ValueHost::format(Evaluator& evaluator, const Value& value, const std::string& spec) {
    if (spec.empty())
        return text(evaluator, value, false);
    raise("TypeError", "unsupported format string passed to " + typeName(value) + ".__format__");
}

std::string ValueHost::typeName(const Value& value) const {
    return fx::typeName(value);
}

std::optional<Value> ValueHost::interceptCall(Evaluator&, const Value&, Values&, NamedValues&) {
    return std::nullopt;
}

} // namespace fx
