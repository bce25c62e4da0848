// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/function_search.h"

namespace fx {

namespace {

class Search {
public:
    Search(uint32_t begin, uint32_t end, std::string_view name) : m_begin(begin), m_end(end), m_name(name) {}

    const FunctionTree* found() const { return m_found; }

    void visit(const FunctionTree& tree) {
        const bool isCalled =
            tree.kind == FunctionTree::Kind::Function || tree.kind == FunctionTree::Kind::Lambda;
        if (isCalled && tree.begin == m_begin && tree.end == m_end && tree.name == m_name)
            m_found = &tree;
        if (m_found)
            return;
        for (const FunctionTree::Parameter& parameter : tree.parameters)
            visitAll(parameter.defaultValue, parameter.annotation);
        visitAll(tree.returns, tree.body, tree.element);
        for (const FunctionTree::Clause& clause : tree.clauses)
            visitAll(clause.target, clause.iterable, clause.conditions);
    }

private:
    template <class... Lists>
    void visitAll(const Lists&... lists) {
        const auto each = [this](const auto& list) {
            for (const auto& item : list)
                visit(item);
        };
        (each(lists), ...);
    }

    void visit(const Block& block) { visitAll(block); }

    void visit(const Expression& expression) {
        visitAll(expression.children);
        if (expression.function)
            visit(*expression.function);
    }

    void visit(const Statement& statement) {
        visitAll(statement.expressions, statement.blocks, statement.decorators);
        for (const Statement::WithItem& item : statement.items)
            visit(item.manager);
        for (const Statement::Handler& handler : statement.handlers)
            visitAll(handler.type, handler.body);
        for (const Statement::Case& each : statement.cases)
            visitAll(each.guard, each.body);
        if (statement.function)
            visit(*statement.function);
    }

    const uint32_t m_begin, m_end;
    const std::string_view m_name;
    const FunctionTree* m_found = nullptr;
};

} // namespace

const FunctionTree* findFunctionTree(const SourceFile& file, uint32_t begin, uint32_t end,
                                     std::string_view name) {
    Search search(begin, end, name);
    search.visit(*file.module);
    return search.found();
}

} // namespace fx
