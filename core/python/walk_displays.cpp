// SPDX-License-Identifier: GPL-3.0-or-later
// Displays of several values: their items, sets and dicts, and comprehensions.
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

void Walker::comprehend(const FunctionTree& tree, size_t depth, const Value& iterator,
                        const std::function<void()>& emit) {
    const FunctionTree::Clause& clause = tree.clauses[depth];
    while (true) {
        std::optional<Value> item = m_evaluator.next(iterator);
        if (!item)
            return;
        m_evaluator.step();
        store(clause.target[0], std::move(*item));
        const bool isWanted =
            std::all_of(clause.conditions.begin(), clause.conditions.end(), [&](const auto& c) {
                const Value condition = value(c);
                at(c.begin);
                return m_evaluator.isTrue(condition);
            });
        if (!isWanted)
            continue;
        if (depth + 1 == tree.clauses.size()) {
            emit();
            continue;
        }
        const Expression& next = tree.clauses[depth + 1].iterable[0];
        const Value inner = iterable(next);
        at(next.begin);
        comprehend(tree, depth + 1, m_evaluator.iterator(inner), emit);
    }
}

Value Walker::comprehension(const Expression& e) {
    const FunctionTree& tree = *e.function;
    const Value items = iterable(e.children[0]);
    at(e.children[0].begin);
    const Value iterator = m_evaluator.iterator(items);

    auto frame = std::make_unique<Frame>();
    frame->file = m_frame.file;
    frame->tree = &tree;
    frame->module = m_frame.module;
    frame->globals = m_frame.globals;
    frame->names = m_frame.names;
    frame->locals.resize(tree.locals.size());
    for (size_t i = 0; i < tree.cells.size(); ++i)
        frame->cells.push_back(Object{CellObject{}});
    for (const int32_t source : tree.freeSources)
        frame->cells.push_back(m_frame.cells[static_cast<size_t>(source)]);
    frame->position = e.begin;
    if (tree.kind == FunctionTree::Kind::Generator) {
        auto generator = std::make_shared<Generator>(m_evaluator, std::move(frame), "<genexpr>");
        generator->source = iterator;
        return Object{GeneratorObject{std::move(generator)}};
    }

    const FrameScope scope(m_evaluator.frames(), *frame);
    Walker walker(m_evaluator, *frame);
    SequenceObject list{{}, true};
    DictObject table;
    SetTable keys;
    walker.comprehend(tree, 0, iterator, [&] {
        if (tree.kind == FunctionTree::Kind::List) {
            list.items.push_back(walker.value(tree.element[0]));
        } else if (tree.kind == FunctionTree::Kind::Set) {
            keys.add(walker.value(tree.element[0]));
        } else {
            const Value key = walker.value(tree.element[0]);
            table.set(key, walker.value(tree.element[1]));
        }
    });
    if (tree.kind == FunctionTree::Kind::List)
        return Object{std::move(list)};
    if (tree.kind == FunctionTree::Kind::Set)
        return Object{SetObject{std::move(keys), false}};
    return Object{std::move(table)};
}

} // namespace fx
