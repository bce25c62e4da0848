// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/pattern_matcher.h"

#include "core/python/walker.h"

#include <algorithm>

namespace fx {

bool PatternMatcher::matches(const Pattern& pattern, const Value& subject) {
    switch (pattern.kind) {
    case Pattern::Kind::Value: {
        const Value wanted = m_walker.value(pattern.expressions[0]);
        m_walker.at(pattern.begin);
        if (wanted.isNone() || wanted.isBool())
            return wanted.isSame(subject);
        return areEqual(m_evaluator, subject, wanted);
    }
    case Pattern::Kind::Capture:
    case Pattern::Kind::Star:
        if (!pattern.target.empty())
            m_walker.store(pattern.target[0], subject);
        return true;
    case Pattern::Kind::Sequence:
        return matchesSequence(pattern, subject);
    case Pattern::Kind::Mapping:
        return matchesMapping(pattern, subject);
    case Pattern::Kind::Class:
        return matchesClass(pattern, subject);
    case Pattern::Kind::Or:
        return std::any_of(pattern.parts.begin(), pattern.parts.end(),
                           [&](const Pattern& part) { return matches(part, subject); });
    case Pattern::Kind::As:
        if (!matches(pattern.parts[0], subject))
            return false;
        m_walker.store(pattern.target[0], subject);
        return true;
    }
    return false;
}

bool PatternMatcher::matchesSequence(const Pattern& pattern, const Value& subject) {
    const bool isRange = plainOf(subject).as<RangeObject>() != nullptr;
    const std::optional<Values> items = isRange ? m_evaluator.items(subject) : itemsOf(subject);
    if (!items)
        return false;
    const std::vector<Pattern>& parts = pattern.parts;
    const auto star = std::find_if(parts.begin(), parts.end(),
                                   [](const Pattern& p) { return p.kind == Pattern::Kind::Star; });
    if (star == parts.end() ? items->size() != parts.size() : items->size() + 1 < parts.size())
        return false;
    size_t next = 0;
    for (const Pattern& part : parts) {
        if (part.kind != Pattern::Kind::Star) {
            if (!matches(part, (*items)[next++]))
                return false;
            continue;
        }
        const size_t count = items->size() + 1 - parts.size();
        const auto begin = items->begin() + static_cast<ptrdiff_t>(next);
        matches(part, makeList(Values(begin, begin + static_cast<ptrdiff_t>(count))));
        next += count;
    }
    return true;
}

bool PatternMatcher::matchesMapping(const Pattern& pattern, const Value& subject) {
    auto* dict = plainOf(subject).as<DictObject>();
    if (!dict)
        return false;
    DictObject rest = *dict;
    for (size_t i = 0; i < pattern.expressions.size(); ++i) {
        const Value key = m_walker.value(pattern.expressions[i]);
        const Value* found = dict->find(key);
        if (!found || !matches(pattern.parts[i], Value(*found)))
            return false;
        rest.erase(key);
    }
    if (!pattern.target.empty())
        m_walker.store(pattern.target[0], Object{std::move(rest)});
    return true;
}

bool PatternMatcher::matchesClass(const Pattern& pattern, const Value& subject) {
    const Value type = m_walker.value(pattern.expressions[0]);
    m_walker.at(pattern.begin);
    if (!type.as<ClassObject>())
        raise("TypeError", "called match pattern must be a class");
    if (!m_evaluator.isInstance(subject, type))
        return false;
    const size_t positional = pattern.parts.size() - pattern.keywords.size();
    const ClassData& data = *type.as<ClassObject>()->data;
    std::vector<std::string> names;
    if (positional > 0) {
        static constexpr std::string_view kSelf[] = {
            "bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"};
        const Value* given = data.find("__match_args__");
        if (given) {
            for (const Value& name : m_evaluator.items(*given))
                names.push_back(name.text());
        } else if (positional == 1 && data.isBuiltin &&
                   std::find(std::begin(kSelf), std::end(kSelf), data.name) != std::end(kSelf)) {
            return matches(pattern.parts[0], subject);
        }
        if (names.size() < positional)
            raise("TypeError", data.name + "() accepts " + std::to_string(names.size()) +
                                   " positional sub-patterns (" + std::to_string(positional) + " given)");
        names.resize(positional);
    }
    names.insert(names.end(), pattern.keywords.begin(), pattern.keywords.end());
    for (size_t i = 0; i < names.size(); ++i) {
        const std::optional<Value> found = m_evaluator.findAttribute(subject, names[i]);
        if (!found || !matches(pattern.parts[i], *found))
            return false;
    }
    return true;
}

} // namespace fx
