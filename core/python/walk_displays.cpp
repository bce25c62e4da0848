// SPDX-License-Identifier: GPL-3.0-or-later
// Displays of several values: their items, sets and dicts.
#include "core/python/walker.h"

#include <algorithm>
#include <iterator>

namespace fx {

using Kind = Expression::Kind;

namespace {

bool areConstant(const std::vector<Expression>& list);

/// What CPython computes while it compiles.
bool isConstant(const Expression& e) {
    return e.kind == Kind::Constant ||
           ((e.kind == Kind::Tuple || e.kind == Kind::Unary || e.kind == Kind::Binary) &&
            areConstant(e.children));
}

bool areConstant(const std::vector<Expression>& list) {
    return std::all_of(list.begin(), list.end(), isConstant);
}

} // namespace

/// CPython makes a frozenset of constants twice, and fills the set from it: that shows in the order.
Value Walker::setDisplay(const Expression& e) {
    SetTable out;
    if (e.children.size() >= 3 && areConstant(e.children)) {
        out.merge(frozenDisplay(e));
        return Object{SetObject{std::move(out), false}};
    }
    for (const Value& item : values(e.children)) {
        at(e.begin);
        out.add(item);
    }
    return Object{SetObject{std::move(out), false}};
}

SetTable Walker::frozenDisplay(const Expression& e) {
    SetTable first, out;
    for (const Value& item : values(e.children)) {
        at(e.begin);
        first.add(item);
    }
    for (const SetTable::Entry& entry : first.entries())
        out.add(entry.key);
    return out;
}

Value Walker::iterable(const Expression& e) {
    if (e.kind == Kind::Set && areConstant(e.children))
        return Object{SetObject{frozenDisplay(e), true}};
    return value(e);
}

void refuseStarred(const Value& value) {
    raise("TypeError", "Value after * must be an iterable, not " + typeName(value));
}

Values Walker::values(const std::vector<Expression>& list, size_t first) {
    Values out;
    out.reserve(list.size() - first);
    for (size_t i = first; i < list.size(); ++i) {
        if (list[i].kind != Kind::Starred) {
            out.push_back(value(list[i]));
            continue;
        }
        const Value iterable = value(list[i].children[0]);
        at(list[i].begin);
        if (!isIterable(m_evaluator, iterable))
            refuseStarred(iterable);
        Values items = m_evaluator.items(iterable);
        std::move(items.begin(), items.end(), std::back_inserter(out));
    }
    return out;
}

Value Walker::dictionary(const Expression& e) {
    DictObject out;
    for (size_t i = 0; i + 1 < e.children.size(); i += 2) {
        if (e.children[i].kind != Kind::DoubleStarred) {
            const Value key = value(e.children[i]);
            Value item = value(e.children[i + 1]);
            at(e.children[i].begin);
            out.set(key, std::move(item));
            continue;
        }
        const Value mapping = value(e.children[i + 1]);
        at(e.children[i + 1].begin);
        if (const auto* dict = plainOf(mapping).as<DictObject>()) {
            for (const DictObject::Entry& entry : dict->entries())
                out.set(entry.key, entry.value);
            continue;
        }
        if (!m_evaluator.findAttribute(mapping, "keys"))
            raise("TypeError", '\'' + typeName(mapping) + "' object is not a mapping");
        for (const Value& key : m_evaluator.items(m_evaluator.callMethod(mapping, "keys")))
            out.set(key, m_evaluator.subscript(mapping, key));
    }
    return Object{std::move(out)};
}

} // namespace fx
