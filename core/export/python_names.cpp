// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/python_names.h"

#include "core/base/error.h"
#include "core/python/parse_expression.h"

namespace fx {

namespace {

using Kind = Expression::Kind;

/// "a.b.c" of names and attributes as its parts; empty where it begins with something else.
std::vector<std::string> chainOf(const Expression& e) {
    if (e.kind == Kind::Name)
        return {e.text};
    if (e.kind != Kind::Attribute)
        return {};
    std::vector<std::string> out = chainOf(e.children[0]);
    if (!out.empty())
        out.push_back(e.text);
    return out;
}

/// The first name of `a.b[0].c` and of `a.b(x).c`.
std::string rootOf(const Expression& e) {
    const Expression* at = &e;
    while (at->kind == Kind::Attribute || at->kind == Kind::Subscript || at->kind == Kind::Call)
        at = &at->children[0];
    return at->kind == Kind::Name ? at->text : std::string();
}

class NameReader {
public:
    StatementNames read(const Statement& statement) {
        visit(statement, true);
        return std::move(m_out);
    }

private:
    // `runs`: it runs when the statement does, and is not in the body of a function or class.

    void visit(const Statement& s, bool runs) {
        if (const std::optional<ImportSyntax> import = importOf(s)) {
            m_out.imports.push_back(*import);
            for (const ImportSyntax::Name& name : import->names)
                if (runs)
                    m_out.binds.insert(name.bound());
            return;
        }
        using Statements = Statement::Kind;
        const bool isLoop = s.kind == Statements::For || s.text == "async for";
        for (size_t i = 0; i < s.expressions.size(); ++i) {
            const bool isTarget = s.kind == Statements::Assign
                                      ? i + 1 < s.expressions.size()
                                      : s.kind == Statements::Delete ||
                                            (i == 0 && (isLoop || s.kind == Statements::AugmentedAssign ||
                                                        s.kind == Statements::AnnotatedAssign));
            if (isTarget && runs)
                store(s.expressions[i]);
            if (s.kind == Statements::AnnotatedAssign && i == 1)
                annotation(s.expressions[i]);
            visit(s.expressions[i], runs && !s.function);
        }
        all(s.decorators, runs);
        targets(s.target, runs);
        for (const Statement::WithItem& item : s.items) {
            visit(item.manager, runs);
            targets(item.target, runs);
        }
        for (const Statement::Handler& handler : s.handlers) {
            all(handler.type, runs);
            targets(handler.target, runs);
            block(handler.body, runs);
        }
        for (const Statement::Case& option : s.cases) {
            visit(option.pattern, runs);
            all(option.guard, runs);
            block(option.body, runs);
        }
        for (const Block& part : s.blocks)
            block(part, runs);
        if (s.function)
            visit(*s.function);
    }

    void visit(const FunctionTree& function) {
        for (const FunctionTree::Parameter& parameter : function.parameters) {
            m_out.uses.insert({parameter.name});
            all(parameter.defaultValue, false);
            for (const Expression& e : parameter.annotation)
                annotation(e);
        }
        for (const Expression& e : function.returns)
            annotation(e);
        for (const FunctionTree::Clause& clause : function.clauses) {
            all(clause.target, false);
            all(clause.iterable, false);
            all(clause.conditions, false);
        }
        all(function.element, false);
        block(function.body, false);
    }

    void visit(const Expression& e, bool runs) {
        if (runs && e.kind == Kind::NamedValue)
            store(e.children[0]);
        if (runs && e.kind == Kind::Call)
            change(e);
        if (const std::vector<std::string> chain = chainOf(e); !chain.empty()) {
            m_out.uses.insert(chain);
            return;
        }
        all(e.children, runs && !e.function);
        if (e.function)
            visit(*e.function);
    }

    void visit(const Pattern& pattern, bool runs) {
        all(pattern.expressions, runs);
        targets(pattern.target, runs);
        for (const Pattern& part : pattern.parts)
            visit(part, runs);
    }

    /// It may be text: so is all of them with "from __future__ import annotations".
    void annotation(const Expression& e) {
        if (e.kind != Kind::Constant || !e.constant.isString())
            return visit(e, false);
        try {
            visit(parseExpression(e.constant.text(), "annotation"), false);
        } catch (const Error&) { // other text
        }
    }

    void all(const std::vector<Expression>& list, bool runs) {
        for (const Expression& e : list)
            visit(e, runs);
    }

    void block(const Block& statements, bool runs) {
        for (const Statement& statement : statements)
            visit(statement, runs);
    }

    void targets(const std::vector<Expression>& list, bool runs) {
        for (const Expression& e : list)
            if (runs)
                store(e);
        all(list, runs);
    }

    void store(const Expression& target) {
        if (target.kind == Kind::Name)
            m_out.binds.insert(target.text);
        else if (target.kind == Kind::Attribute || target.kind == Kind::Subscript)
            m_out.changes.insert(rootOf(target));
        else
            for (const Expression& child : target.children)
                store(child);
    }

    /// `table.update(...)` and `setattr(Net, ...)` may write into `table` and `Net`.
    void change(const Expression& call) {
        if (call.children[0].kind == Kind::Attribute)
            m_out.changes.insert(rootOf(call.children[0]));
        for (size_t i = 1; i < call.children.size(); ++i)
            if (call.children[i].kind == Kind::Name)
                m_out.changes.insert(call.children[i].text);
    }

    StatementNames m_out;
};

} // namespace

std::string ImportSyntax::Name::bound() const {
    return alias.empty() ? name.substr(0, name.find('.')) : alias;
}

std::optional<ImportSyntax> importOf(const Statement& statement) {
    ImportSyntax out;
    out.isFrom = statement.kind == Statement::Kind::ImportFrom;
    if ((!out.isFrom && statement.kind != Statement::Kind::Import) ||
        (statement.text == "__future__" && statement.level == 0))
        return std::nullopt;
    out.begin = statement.begin;
    out.end = statement.end;
    out.level = statement.level;
    out.module = statement.text;
    for (const Statement::ImportName& name : statement.imports) {
        if (name.name == "*")
            out.isStar = true;
        else
            out.names.push_back({name.name, name.alias});
    }
    return out;
}

StatementNames namesOf(const Statement& statement) {
    return NameReader().read(statement);
}

} // namespace fx
