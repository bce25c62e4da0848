// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/text.h"
#include "tests/core/python/tree_text.h"

#include <algorithm>

namespace fx {

namespace {

/// Walks one scope: its inner scopes are gathered, and each Name is held against the slot that it points at.
class Walker {
public:
    explicit Walker(const FunctionTree& tree) : m_tree(tree) {}

    std::vector<std::string> inner;

    void own() {
        block(m_tree.body);
        for (const FunctionTree::Clause& clause : m_tree.clauses) {
            all(clause.target);
            all(clause.iterable);
            all(clause.conditions);
        }
        all(m_tree.element);
        for (const FunctionTree::Parameter& parameter : m_tree.parameters) {
            const auto& names = parameter.isCell ? m_tree.cells : m_tree.locals;
            require(names.at(static_cast<size_t>(parameter.slot)) == parameter.name, parameter.name);
        }
    }

private:
    static void require(bool isSo, const std::string& name) {
        if (!isSo)
            throw Error("", "name '" + name + "' is resolved to another one's place");
    }

    bool isHeld(const std::string& name) const {
        const auto holds = [&](const std::vector<std::string>& names) {
            return std::find(names.begin(), names.end(), name) != names.end();
        };
        return holds(m_tree.locals) || holds(m_tree.cells) || holds(m_tree.freeNames);
    }

    std::string cell(int32_t slot) const {
        const auto index = static_cast<size_t>(slot);
        return index < m_tree.cells.size() ? m_tree.cells[index]
                                           : m_tree.freeNames.at(index - m_tree.cells.size());
    }

    void name(const Expression& e) const {
        switch (e.scope) {
        case NameScope::Global:
            return require(!isHeld(e.text) || m_tree.kind == FunctionTree::Kind::Class, e.text);
        case NameScope::Local:
            return require(m_tree.locals.at(static_cast<size_t>(e.slot)) == e.text, e.text);
        case NameScope::Cell:
            return require(cell(e.slot) == e.text, e.text);
        case NameScope::Class:
            require(m_tree.kind == FunctionTree::Kind::Class, e.text);
            return require(e.slot < 0 || cell(e.slot) == e.text, e.text);
        }
    }

    void all(const std::vector<Expression>& list) {
        for (const Expression& e : list) {
            if (e.kind == Expression::Kind::Name)
                name(e);
            all(e.children);
            if (e.function)
                function(*e.function);
        }
    }

    void function(const FunctionTree& tree) {
        for (const FunctionTree::Parameter& parameter : tree.parameters)
            for (const auto* part : {&parameter.defaultValue, &parameter.annotation})
                all(*part);
        all(tree.returns);
        for (size_t i = 0; i < tree.freeNames.size(); ++i)
            require(cell(tree.freeSources.at(i)) == tree.freeNames[i], tree.freeNames[i]);
        inner.push_back(scopeText(tree));
    }

    void pattern(const Pattern& p) {
        all(p.expressions);
        all(p.target);
        for (const Pattern& part : p.parts)
            pattern(part);
    }

    void block(const Block& statements) {
        for (const Statement& s : statements) {
            all(s.decorators);
            if (s.text != "global" && s.text != "nonlocal")
                all(s.expressions);
            for (const Statement::WithItem& item : s.items) {
                all({item.manager});
                all(item.target);
            }
            all(s.target);
            if (s.function)
                function(*s.function);
            for (const Block& b : s.blocks)
                block(b);
            for (const Statement::ImportName& import : s.imports)
                all(import.target);
            for (const Statement::Handler& handler : s.handlers) {
                all(handler.type);
                all(handler.target);
                block(handler.body);
            }
            for (const Statement::Case& c : s.cases) {
                pattern(c.pattern);
                all(c.guard);
                block(c.body);
            }
        }
    }

    const FunctionTree& m_tree;
};

} // namespace

std::string scopeText(const FunctionTree& tree) {
    std::vector<std::string> names;
    for (const std::string& name : tree.locals)
        names.push_back(name + ":local");
    for (const std::string& name : tree.cells)
        if (tree.kind != FunctionTree::Kind::Class) // whose __class__ Python does not list
            names.push_back(name + ":cell");
    for (const std::string& name : tree.freeNames)
        names.push_back(name + ":free");
    std::sort(names.begin(), names.end());
    Walker walker(tree);
    walker.own();
    std::sort(walker.inner.begin(), walker.inner.end());
    return (tree.qualifiedName.empty() ? tree.name : tree.qualifiedName) + '(' + join(names, " ") + "){" +
           join(walker.inner, " ") + '}';
}

} // namespace fx
