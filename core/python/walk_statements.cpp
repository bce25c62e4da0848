// SPDX-License-Identifier: GPL-3.0-or-later
// Statements, and storing into names, attributes and items.
#include "core/python/class_names.h"
#include "core/python/exceptions.h"
#include "core/python/pattern_matcher.h"
#include "core/python/set_attributes.h"
#include "core/python/walker.h"

#include <algorithm>

namespace fx {

namespace {

using StatementKind = Statement::Kind;
using ExprKind = Expression::Kind;

Expression nameAt(uint32_t begin, const char* text) {
    Expression out;
    out.kind = ExprKind::Name;
    out.begin = begin;
    out.text = text;
    return out;
}

} // namespace

void Walker::forget(const Expression& name) {
    if (name.scope == NameScope::Local)
        m_frame.locals[static_cast<size_t>(name.slot)].reset();
    else if (name.scope == NameScope::Cell)
        cell(name.slot).value.reset();
    else
        eraseName(m_evaluator, name.scope == NameScope::Class ? m_frame.names : m_frame.globals,
                  makeText(name.text));
}

void Walker::store(const Expression& target, Value value) {
    switch (target.kind) {
    case ExprKind::Name:
        switch (target.scope) {
        case NameScope::Local:
            m_frame.locals[static_cast<size_t>(target.slot)] = std::move(value);
            return;
        case NameScope::Cell:
            cell(target.slot).value = std::move(value);
            return;
        case NameScope::Class:
            setName(m_evaluator, m_frame.names, target.name, std::move(value));
            return;
        case NameScope::Global:
            m_frame.globals.as<DictObject>()->set(target.text, std::move(value));
            return;
        }
        return;
    case ExprKind::Attribute: {
        const Value object = this->value(target.children[0]);
        at(target.begin);
        setAttribute(m_evaluator, object, target.text, std::move(value));
        return;
    }
    case ExprKind::Subscript: {
        const Value object = this->value(target.children[0]);
        const Value index = this->value(target.children[1]);
        at(target.begin);
        setSubscript(m_evaluator, object, index, std::move(value));
        return;
    }
    case ExprKind::Tuple:
    case ExprKind::List:
        unpack(target, value);
        return;
    default:
        at(target.begin);
        raise("SyntaxError", "cannot assign to expression");
    }
}

void Walker::unpack(const Expression& target, const Value& value) {
    at(target.begin);
    const std::vector<Expression>& targets = target.children;
    const auto star = std::find_if(targets.begin(), targets.end(),
                                   [](const Expression& e) { return e.kind == ExprKind::Starred; });
    const bool hasStar = star != targets.end();
    const size_t wanted = targets.size() - (hasStar ? 1 : 0);
    Values items;
    const Value* own = value.as<InstanceObject>() ? m_evaluator.classOf(value).find("__iter__") : nullptr;
    const bool isAsked = !hasStar && !(own && own->as<DefinedObject>());
    if (ValueHost* host = isAsked ? m_evaluator.hostOf(value) : nullptr) {
        // A host may know how many are wanted: a proxy gives so many items.
        items = host->unpack(m_evaluator, value, wanted);
    } else {
        if (!isIterable(m_evaluator, value))
            raise("TypeError", "cannot unpack non-iterable " + typeName(value) + " object");
        const Value iterator = m_evaluator.iterator(value);
        while (std::optional<Value> item = m_evaluator.next(iterator)) {
            m_evaluator.step();
            items.push_back(std::move(*item));
            if (!hasStar && items.size() > wanted)
                raise("ValueError", "too many values to unpack (expected " + std::to_string(wanted) + ')');
        }
    }
    if (items.size() < wanted)
        raise("ValueError", "not enough values to unpack (expected " +
                                std::string(hasStar ? "at least " : "") + std::to_string(wanted) + ", got " +
                                std::to_string(items.size()) + ')');
    const auto before = static_cast<size_t>(star - targets.begin());
    size_t next = 0;
    for (size_t i = 0; i < targets.size(); ++i) {
        if (!hasStar || i != before) {
            store(targets[i], items[next++]);
            continue;
        }
        const size_t count = items.size() - wanted;
        const auto begin = items.begin() + static_cast<ptrdiff_t>(next);
        store(targets[i].children[0], makeList(Values(begin, begin + static_cast<ptrdiff_t>(count))));
        next += count;
    }
}

void Walker::remove(const Expression& target) {
    at(target.begin);
    if (target.kind == ExprKind::Tuple || target.kind == ExprKind::List) {
        for (const Expression& part : target.children)
            remove(part);
        return;
    }
    if (target.kind == ExprKind::Attribute) {
        const Value object = value(target.children[0]);
        deleteAttribute(m_evaluator, object, target.text);
        return;
    }
    if (target.kind == ExprKind::Subscript) {
        const Value object = value(target.children[0]);
        deleteSubscript(m_evaluator, object, value(target.children[1]));
        return;
    }
    if (target.scope == NameScope::Local || target.scope == NameScope::Cell)
        load(target); // raises where there is nothing
    if (target.scope == NameScope::Local)
        m_frame.locals[static_cast<size_t>(target.slot)].reset();
    else if (target.scope == NameScope::Cell)
        cell(target.slot).value.reset();
    else if (!eraseName(m_evaluator, target.scope == NameScope::Class ? m_frame.names : m_frame.globals,
                        makeText(target.text)))
        raise("NameError", "name '" + target.text + "' is not defined");
}

void Walker::augmentedAssign(const Statement& s) {
    const Expression& target = s.expressions[0];
    if (target.kind == ExprKind::Attribute) {
        const Value object = value(target.children[0]);
        at(target.begin);
        const Value old = m_evaluator.attribute(object, target.text);
        const Value operand = value(s.expressions[1]);
        at(s.begin);
        setAttribute(m_evaluator, object, target.text, operateInPlace(m_evaluator, s.op, old, operand));
    } else if (target.kind == ExprKind::Subscript) {
        const Value object = value(target.children[0]);
        const Value index = value(target.children[1]);
        at(target.begin);
        const Value old = m_evaluator.subscript(object, index);
        const Value operand = value(s.expressions[1]);
        at(s.begin);
        setSubscript(m_evaluator, object, index, operateInPlace(m_evaluator, s.op, old, operand));
    } else {
        const Value old = load(target);
        const Value operand = value(s.expressions[1]);
        at(s.begin);
        store(target, operateInPlace(m_evaluator, s.op, old, operand));
    }
}

void Walker::import(const Statement& s) {
    at(s.begin);
    const Importer importer{m_frame.file.get(), m_frame.globals, !areImportsTried(m_frame)};
    Modules& modules = m_evaluator.modules();
    if (s.kind == StatementKind::Import) {
        for (const Statement::ImportName& name : s.imports) {
            Value module = modules.importModule(name.name, importer);
            // `import a.b` binds a; `import a.b as c` binds what a.b is.
            if (name.alias.empty() && name.name.find('.') != std::string::npos)
                module = modules.importModule(name.name.substr(0, name.name.find('.')), importer);
            store(name.target[0], std::move(module));
        }
        return;
    }
    const Value module = modules.importFrom(s.text, s.level, importer);
    for (const Statement::ImportName& name : s.imports) {
        at(s.begin);
        if (name.name == "*") {
            for (auto& [key, item] : modules.publicNames(module))
                m_frame.globals.as<DictObject>()->set(key, item);
            continue;
        }
        store(name.target[0], modules.importName(module, name.name, importer));
    }
}

Walker::Flow Walker::whileLoop(const Statement& s) {
    while (true) {
        const Value condition = value(s.expressions[0]);
        at(s.expressions[0].begin);
        m_evaluator.step();
        if (!m_evaluator.isTrue(condition))
            break;
        const Flow flow = run(s.blocks[0]);
        if (flow == Flow::Break)
            return Flow::Next;
        if (flow == Flow::Return)
            return flow;
    }
    return s.blocks.size() > 1 ? run(s.blocks[1]) : Flow::Next;
}

Walker::Flow Walker::loop(const Statement& s) {
    const Value items = iterable(s.expressions[1]);
    at(s.expressions[1].begin);
    const Value iterator = m_evaluator.iterator(items);
    while (true) {
        at(s.expressions[1].begin);
        std::optional<Value> item = m_evaluator.next(iterator);
        if (!item)
            break;
        m_evaluator.step();
        store(s.expressions[0], std::move(*item));
        const Flow flow = run(s.blocks[0]);
        if (flow == Flow::Break)
            return Flow::Next;
        if (flow == Flow::Return)
            return flow;
    }
    return s.blocks.size() > 1 ? run(s.blocks[1]) : Flow::Next;
}

Walker::Flow Walker::matchStatement(const Statement& s) {
    const Value subject = value(s.expressions[0]);
    PatternMatcher matcher(m_evaluator, *this);
    for (const Statement::Case& option : s.cases) {
        at(option.pattern.begin);
        m_evaluator.step();
        if (!matcher.matches(option.pattern, subject))
            continue;
        if (!option.guard.empty()) {
            const Value guard = value(option.guard[0]);
            at(option.guard[0].begin);
            if (!m_evaluator.isTrue(guard))
                continue;
        }
        return run(option.body);
    }
    return Flow::Next;
}

Walker::Flow Walker::run(const Block& block) {
    for (const Statement& s : block)
        if (const Flow flow = run(s); flow != Flow::Next)
            return flow;
    return Flow::Next;
}

Walker::Flow Walker::run(const Statement& s) {
    m_evaluator.step();
    switch (s.kind) {
    case StatementKind::Expression:
        value(s.expressions[0]);
        return Flow::Next;
    case StatementKind::Assign: {
        const Value assigned = value(s.expressions.back());
        for (size_t i = 0; i + 1 < s.expressions.size(); ++i)
            store(s.expressions[i], assigned);
        return Flow::Next;
    }
    case StatementKind::AugmentedAssign:
        augmentedAssign(s);
        return Flow::Next;
    case StatementKind::AnnotatedAssign: {
        if (s.expressions.size() > 2) {
            Value given = value(s.expressions[2]);
            if (m_frame.recordsAsserts)
                given = m_evaluator.call(loadGlobal(nameAt(s.begin, "annotate")),
                                         {given, value(s.expressions[1])});
            store(s.expressions[0], std::move(given));
        }
        const bool isNamed = s.expressions[0].kind == ExprKind::Name;
        const FunctionTree::Kind kind = m_frame.tree->kind;
        if (isNamed && (kind == FunctionTree::Kind::Class || kind == FunctionTree::Kind::Module)) {
            const Value key = makeText("__annotations__");
            if (!findName(m_evaluator, m_frame.names, key))
                setName(m_evaluator, m_frame.names, key, Object{DictObject()});
            Value annotation = value(s.expressions[1]);
            setSubscript(m_evaluator, findName(m_evaluator, m_frame.names, key).value(),
                         makeText(s.expressions[0].text), std::move(annotation));
        }
        return Flow::Next;
    }
    case StatementKind::Return:
        m_result = s.expressions.empty() ? Value() : value(s.expressions[0]);
        return Flow::Return;
    case StatementKind::If:
        for (size_t i = 0; i < s.expressions.size(); ++i) {
            const Value condition = value(s.expressions[i]);
            at(s.expressions[i].begin);
            if (m_evaluator.isTrue(condition))
                return run(s.blocks[i]);
        }
        return s.blocks.size() > s.expressions.size() ? run(s.blocks.back()) : Flow::Next;
    case StatementKind::While:
        return whileLoop(s);
    case StatementKind::For:
        return loop(s);
    case StatementKind::Break:
        return Flow::Break;
    case StatementKind::Continue:
        return Flow::Continue;
    case StatementKind::Pass:
        return Flow::Next;
    case StatementKind::Raise:
        raiseStatement(s);
        return Flow::Next;
    case StatementKind::Try:
        return tryStatement(s);
    case StatementKind::With:
        return withStatement(s, 0);
    case StatementKind::Assert: {
        const Value condition = value(s.expressions[0]);
        at(s.begin);
        if (!m_frame.recordsAsserts && m_evaluator.isTrue(condition))
            return Flow::Next;
        Values args;
        if (s.expressions.size() > 1)
            args.push_back(value(s.expressions[1]));
        at(s.begin);
        if (m_frame.recordsAsserts) {
            m_evaluator.call(m_evaluator.attribute(loadGlobal(nameAt(s.begin, "torch")), "_assert"),
                             {condition, args.empty() ? makeText("") : args[0]});
            return Flow::Next;
        }
        raiseException(m_evaluator, makeException(m_evaluator, "AssertionError", std::move(args)));
    }
    case StatementKind::Import:
    case StatementKind::ImportFrom:
        import(s);
        return Flow::Next;
    case StatementKind::FunctionDef:
        defineFunction(s);
        return Flow::Next;
    case StatementKind::ClassDef:
        defineClass(s);
        return Flow::Next;
    case StatementKind::Delete:
        for (const Expression& target : s.expressions)
            remove(target);
        return Flow::Next;
    case StatementKind::Match:
        return matchStatement(s);
    case StatementKind::Unsupported:
        at(s.begin);
        if (s.text == "async def") { // defining it harms nothing; calling it is refused
            store(s.target[0], makeNative(s.function->name, [](Evaluator&, Values&, NamedValues&) -> Value {
                      throw Error("", "not supported: 'async def'").kind(kUnsupportedKind);
                  }));
            return Flow::Next;
        }
        throw Error("", "not supported: '" + s.text + '\'')
            .hint("capture the model with torch.export in your own Python and open the .pt2")
            .kind(kUnsupportedKind);
    }
    return Flow::Next;
}

} // namespace fx
