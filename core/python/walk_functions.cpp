// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions that make functions or run in frames of their own: lambda and def, comprehensions, yield from.
#include "core/python/exceptions.h"
#include "core/python/walker.h"

namespace fx {

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

Value Walker::makeFunction(const std::shared_ptr<FunctionTree>& tree) {
    auto function = std::make_shared<DefinedFunction>();
    function->file = m_frame.file;
    function->tree = tree.get();
    function->name = tree->name;
    function->qualifiedName = tree->qualifiedName;
    function->module = m_frame.module;
    function->globals = m_frame.globals;
    for (const FunctionTree::Parameter& parameter : tree->parameters) {
        std::optional<Value>& slot = function->defaults.emplace_back();
        if (!parameter.defaultValue.empty())
            slot = value(parameter.defaultValue[0]);
    }
    for (const int32_t source : tree->freeSources)
        function->cells.push_back(m_frame.cells[static_cast<size_t>(source)]);
    if (tree->hasDocstring)
        function->doc = makeText(tree->docstring);
    DictObject annotations;
    for (const FunctionTree::Parameter& parameter : tree->parameters)
        if (!parameter.annotation.empty())
            annotations.set(parameter.name, value(parameter.annotation[0]));
    if (!tree->returns.empty())
        annotations.set("return", value(tree->returns[0]));
    function->annotations = Object{std::move(annotations)};
    function->dict = Object{DictObject()};
    return Object{DefinedObject{std::move(function)}};
}

Value Walker::yieldFrom(const Value& iterable) {
    const Value iterator = m_evaluator.iterator(iterable);
    auto* held = iterator.as<GeneratorObject>();
    const std::shared_ptr<Generator> inner = held ? held->generator : nullptr;
    Value result; // the inner one's
    // Runs the inner one on to its next item; none at its end.
    const auto advance = [&](const std::function<Value()>& method) -> std::optional<Value> {
        try {
            return method();
        } catch (const Error& error) {
            const Value exception = exceptionOf(m_evaluator, error);
            if (!isCatchable(error) || !m_evaluator.isInstance(exception, m_evaluator.type("StopIteration")))
                throw;
            result = m_evaluator.attribute(exception, "value");
        }
        m_evaluator.frames().takeTrace();
        return std::nullopt;
    };
    const bool isPlain = iterator.as<IteratorObject>() || m_evaluator.hostOf(iterator);
    const auto next = [&](const Value& sent) -> std::optional<Value> {
        m_evaluator.step();
        if (inner)
            return inner->resume(sent);
        if (isPlain && sent.isNone())
            return m_evaluator.next(iterator);
        return advance([&] {
            return sent.isNone() ? m_evaluator.callMethod(iterator, "__next__")
                                 : m_evaluator.callMethod(iterator, "send", {sent});
        });
    };
    std::optional<Value> item = next(Value());
    while (item) {
        std::exception_ptr thrown;
        Value sent, exception;
        bool isExit = false;
        try {
            sent = m_frame.generator->yield(std::move(*item));
        } catch (const Error& error) {
            if (!isCatchable(error))
                throw;
            thrown = std::current_exception();
            exception = exceptionOf(m_evaluator, error);
            isExit = m_evaluator.isInstance(exception, m_evaluator.type("GeneratorExit"));
        }
        if (!thrown) {
            item = next(sent);
            continue;
        }
        // Not inside of the catch: the inner one runs on another stack.
        if (isExit) {
            if (inner)
                inner->close();
            else if (const std::optional<Value> close = m_evaluator.findAttribute(iterator, "close"))
                m_evaluator.call(*close);
            std::rethrow_exception(thrown);
        }
        if (inner) {
            item = inner->throwIn(thrown);
        } else if (const std::optional<Value> method = m_evaluator.findAttribute(iterator, "throw")) {
            item = advance([&] { return m_evaluator.call(*method, {exception}); });
        } else {
            std::rethrow_exception(thrown);
        }
    }
    return inner ? inner->result() : result;
}

} // namespace fx
