// SPDX-License-Identifier: GPL-3.0-or-later
// Statements but definitions (build_functions.cpp), imports (build_imports.cpp) and match
// (build_patterns.cpp).
#include "core/base/text.h"
#include "core/python/tree_builder.h"

#include <algorithm>

namespace fx {

// --- Blocks.

Statement& TreeBuilder::add(Block& out, Statement::Kind kind, const SyntaxNode& node) {
    Statement& statement = out.emplace_back();
    statement.kind = kind;
    statement.begin = node.begin();
    statement.end = node.end();
    return statement;
}

void TreeBuilder::statement(const SyntaxNode& node, Block& out) {
    const Level level(*this, node);
    startLine(node.begin());
    const BuildStatement row = statementRows()[ts_node_symbol(node.raw)];
    if (!row)
        failSyntax(node);
    m_isPrologue =
        m_isPrologue && (node.kind() == "future_import_statement" || (out.empty() && isText(node)));
    (this->*row)(node, out);
}

bool TreeBuilder::isText(const SyntaxNode& node) {
    const Nodes parts = children(node);
    return node.kind() == "expression_statement" && parts.size() == 1 &&
           (parts[0].kind() == "string" || parts[0].kind() == "concatenated_string");
}

Block TreeBuilder::block(const SyntaxNode& node) {
    Block out;
    const Nodes parts = children(node);
    out.reserve(parts.size());
    for (const SyntaxNode& child : parts)
        if (child.isNamed())
            statement(child, out);
    if (out.empty())
        fail(node, "expected an indented block");
    return out;
}

Block TreeBuilder::loopBody(const SyntaxNode& node) {
    ++m_scopes.back().loops;
    Block out = block(node);
    --m_scopes.back().loops;
    return out;
}

Block TreeBuilder::elseBlock(const SyntaxNode& clause) {
    startLine(clause.begin());
    return lastBlock(children(clause));
}

Block TreeBuilder::lastBlock(const Nodes& parts) {
    if (parts.empty() || parts.back().kind() != "block")
        fail(parts.empty() ? 0 : parts.back().begin(), "expected an indented block");
    return block(parts.back());
}

// --- Simple statements.

void TreeBuilder::expressionStatement(const SyntaxNode& node, Block& out) {
    const Nodes parts = children(node);
    if (parts.size() == 1 && parts[0].kind() == "assignment")
        return assignment(parts[0], out);
    if (parts.size() == 1 && parts[0].kind() == "augmented_assignment")
        return augmentedAssignment(parts[0], out);
    Statement& statement = add(out, Statement::Kind::Expression, node);
    statement.expressions.push_back(parts.size() == 1 ? expressions(parts[0], true)
                                                      : commaSeparated(parts, node));
}

void TreeBuilder::assignment(const SyntaxNode& node, Block& out) {
    Statement& statement = add(out, Statement::Kind::Assign, node);
    Nodes parts = children(node);
    if (const SyntaxNode* type = find(parts, "type")) {
        statement.kind = Statement::Kind::AnnotatedAssign;
        const SyntaxNode& left = require(parts, "left");
        statement.expressions.push_back(target(left));
        const Expression& single = statement.expressions[0];
        if (single.kind == Kind::Tuple || single.kind == Kind::List)
            fail(left, "only single target (not " + std::string(describeKind(single)) + ") can be annotated");
        statement.expressions.push_back(annotation(*type));
        if (const SyntaxNode* value = find(parts, "right"))
            statement.expressions.push_back(expressions(*value, true));
        return;
    }
    // a = b = c comes as a = (b = c).
    for (;;) {
        statement.expressions.push_back(target(require(parts, "left")));
        const SyntaxNode value = require(parts, "right");
        if (value.kind() != "assignment") {
            statement.expressions.push_back(expressions(value, true));
            return;
        }
        parts = children(value);
        if (find(parts, "type"))
            failSyntax(value);
    }
}

void TreeBuilder::augmentedAssignment(const SyntaxNode& node, Block& out) {
    Statement& statement = add(out, Statement::Kind::AugmentedAssign, node);
    const Nodes parts = children(node);
    std::string_view sign = text(require(parts, "operator"));
    sign.remove_suffix(1);
    statement.op = binaryOperator(sign).value();
    Expression left = build(require(parts, "left"));
    if (left.kind != Kind::Name && left.kind != Kind::Attribute && left.kind != Kind::Subscript)
        fail(require(parts, "left"),
             "'" + std::string(describeKind(left)) + "' is an illegal expression for augmented assignment");
    checkTarget(left);
    statement.expressions.push_back(std::move(left));
    statement.expressions.push_back(expressions(require(parts, "right"), true));
}

void TreeBuilder::returnStatement(const SyntaxNode& node, Block& out) {
    if (m_scopes.back().tree->kind != FunctionTree::Kind::Function)
        fail(node, "'return' outside function");
    Statement& statement = add(out, Statement::Kind::Return, node);
    for (const SyntaxNode& child : children(node))
        if (child.isNamed())
            statement.expressions.push_back(expressions(child));
}

void TreeBuilder::breakStatement(const SyntaxNode& node, Block& out) {
    if (m_scopes.back().loops == 0)
        fail(node, "'break' outside loop");
    add(out, Statement::Kind::Break, node);
}

void TreeBuilder::continueStatement(const SyntaxNode& node, Block& out) {
    if (m_scopes.back().loops == 0)
        fail(node, "'continue' not properly in loop");
    add(out, Statement::Kind::Continue, node);
}

void TreeBuilder::passStatement(const SyntaxNode& node, Block& out) {
    add(out, Statement::Kind::Pass, node);
}

void TreeBuilder::raiseStatement(const SyntaxNode& node, Block& out) {
    Statement& statement = add(out, Statement::Kind::Raise, node);
    for (const SyntaxNode& child : children(node)) {
        if (!child.isNamed())
            continue;
        // "raise from x" has nothing to raise, "raise A, b" is Python 2's.
        if (statement.expressions.empty() == (child.field == "cause") || child.kind() == "expression_list")
            failSyntax(child);
        statement.expressions.push_back(expression(child));
    }
}

void TreeBuilder::assertStatement(const SyntaxNode& node, Block& out) {
    Statement& statement = add(out, Statement::Kind::Assert, node);
    for (const SyntaxNode& child : children(node)) {
        if (!child.isNamed())
            continue;
        if (statement.expressions.size() == 2)
            failSyntax(child);
        statement.expressions.push_back(expression(child));
    }
}

void TreeBuilder::deleteStatement(const SyntaxNode& node, Block& out) {
    Statement& statement = add(out, Statement::Kind::Delete, node);
    for (const SyntaxNode& child : children(node)) {
        if (!child.isNamed())
            continue;
        Expression what = build(child);
        checkDeletable(what);
        if (child.kind() == "expression_list")
            std::move(what.children.begin(), what.children.end(), std::back_inserter(statement.expressions));
        else
            statement.expressions.push_back(std::move(what));
    }
}

void TreeBuilder::scopeStatement(const SyntaxNode& node, Block& out) {
    // scopes.cpp reads the declaration off; whoever runs it has nothing to do.
    Statement& statement = add(out, Statement::Kind::Pass, node);
    for (const SyntaxNode& child : children(node)) {
        if (child.isNamed())
            statement.expressions.push_back(makeName(child));
        else if (child.kind() != ",")
            statement.text = child.kind();
    }
}

// --- What newer and older Pythons have.

void TreeBuilder::printStatement(const SyntaxNode& node, Block& out) {
    const Nodes parts = children(node);
    if (parts.at(1).kind() != "chevron")
        fail(node, "Missing parentheses in call to 'print'. Did you mean print(...)?");
    // "print >>f, x" is the tuple (print >> f, x): wrong, but not in its syntax.
    Expression shift = make(Kind::Binary, parts[1]);
    shift.op = Operator::RShift;
    shift.begin = node.begin();
    shift.children.push_back(makeName(parts[0]));
    shift.children.push_back(operand(children(parts[1]).at(1)));
    Statement& statement = add(out, Statement::Kind::Expression, node);
    if (parts.size() == 2) {
        statement.expressions.push_back(std::move(shift));
        return;
    }
    Expression tuple = make(Kind::Tuple, node);
    tuple.children.push_back(std::move(shift));
    for (size_t i = 2; i < parts.size(); ++i)
        if (parts[i].isNamed())
            tuple.children.push_back(item(parts[i]));
    statement.expressions.push_back(std::move(tuple));
}

void TreeBuilder::execStatement(const SyntaxNode& node, Block& out) {
    const Nodes parts = children(node);
    if (parts.size() < 3 || parts[1].kind() == "string")
        fail(node, "Missing parentheses in call to 'exec'. Did you mean exec(...)?");
    (void)out;
    failSyntax(parts[1]);
}

void TreeBuilder::typeStatement(const SyntaxNode& node, Block& out) {
    add(out, Statement::Kind::Unsupported, node).text = "type statement";
}

// --- Compound statements.

void TreeBuilder::ifStatement(const SyntaxNode& node, Block& out) {
    Statement& statement = add(out, Statement::Kind::If, node);
    const Nodes parts = children(node);
    statement.expressions.push_back(namedExpression(require(parts, "condition")));
    statement.blocks.push_back(block(require(parts, "consequence")));
    for (const SyntaxNode& child : parts) {
        if (child.kind() == "elif_clause") {
            startLine(child.begin());
            const Nodes clause = children(child);
            statement.expressions.push_back(namedExpression(require(clause, "condition")));
            statement.blocks.push_back(block(require(clause, "consequence")));
        } else if (child.kind() == "else_clause") {
            statement.blocks.push_back(elseBlock(child));
        }
    }
}

void TreeBuilder::whileStatement(const SyntaxNode& node, Block& out) {
    Statement& statement = add(out, Statement::Kind::While, node);
    const Nodes parts = children(node);
    statement.expressions.push_back(namedExpression(require(parts, "condition")));
    statement.blocks.push_back(loopBody(require(parts, "body")));
    if (const SyntaxNode* clause = find(parts, "alternative"))
        statement.blocks.push_back(elseBlock(*clause));
}

void TreeBuilder::forStatement(const SyntaxNode& node, Block& out) {
    Statement& statement = add(out, Statement::Kind::For, node);
    const Nodes parts = children(node);
    if (holds(parts, "async")) {
        if (!m_scopes.back().isAsync)
            fail(node, "'async for' outside async function");
        statement.kind = Statement::Kind::Unsupported;
        statement.text = "async for";
    }
    statement.expressions.push_back(target(require(parts, "left")));
    statement.expressions.push_back(expressions(require(parts, "right")));
    statement.blocks.push_back(loopBody(require(parts, "body")));
    if (const SyntaxNode* clause = find(parts, "alternative"))
        statement.blocks.push_back(elseBlock(*clause));
}

void TreeBuilder::tryStatement(const SyntaxNode& node, Block& out) {
    Statement& statement = add(out, Statement::Kind::Try, node);
    const Nodes parts = children(node);
    const auto isHandler = [](const SyntaxNode& part) { return part.kind().starts_with("except"); };
    const auto lastHandler = std::find_if(parts.rbegin(), parts.rend(), isHandler);
    statement.blocks.resize(3);
    statement.blocks[0] = block(require(parts, "body"));
    for (const SyntaxNode& child : parts) {
        if (child.kind() == "else_clause")
            statement.blocks[1] = elseBlock(child);
        else if (child.kind() == "finally_clause")
            statement.blocks[2] = elseBlock(child);
        if (!isHandler(child))
            continue;
        if (child.kind() == "except_group_clause") {
            statement.kind = Statement::Kind::Unsupported;
            statement.text = "except*";
        }
        statement.handlers.push_back(handler(child));
        if (statement.handlers.back().type.empty() && &child != &*lastHandler)
            fail(child, "default 'except:' must be last");
    }
}

Statement::Handler TreeBuilder::handler(const SyntaxNode& node) {
    startLine(node.begin());
    Statement::Handler out;
    const Nodes clause = children(node);
    for (const SyntaxNode& part : clause) {
        if (part.kind() == ",")
            fail(clause[1], "multiple exception types must be parenthesized");
        if (!part.isNamed() || part.kind() == "block")
            continue;
        const bool isBound = part.kind() == "as_pattern";
        const Nodes binding = children(part);
        out.type.push_back(expression(isBound ? binding.at(0) : part));
        if (!isBound)
            continue;
        out.target.push_back(target(children(require(binding, "alias")).at(0)));
        if (out.target[0].kind != Kind::Name)
            failSyntax(require(binding, "alias"));
    }
    out.body = lastBlock(clause);
    return out;
}

void TreeBuilder::withStatement(const SyntaxNode& node, Block& out) {
    Statement& statement = add(out, Statement::Kind::With, node);
    const Nodes parts = children(node);
    if (holds(parts, "async")) {
        if (!m_scopes.back().isAsync)
            fail(node, "'async with' outside async function");
        statement.kind = Statement::Kind::Unsupported;
        statement.text = "async with";
    }
    for (const SyntaxNode& part : parts)
        if (part.kind() == "with_clause")
            withItems(children(part), statement.expressions);
    statement.blocks.push_back(block(require(parts, "body")));
}

void TreeBuilder::withItems(Nodes items, std::vector<Expression>& out) {
    if (items.back().kind() == ",")
        failSyntax(items.back());
    std::erase_if(items, [](const SyntaxNode& item) { return !item.isNamed(); });
    for (SyntaxNode& item : items)
        if (item.kind() == "with_item")
            item = children(item).at(0);
    // "with (a, b):" is two managers, not a tuple, and "with (a as b):" is one.
    if (items.size() == 1 && (items[0].kind() == "tuple" || items[0].kind() == "parenthesized_expression")) {
        Nodes inner = children(items[0]);
        std::erase_if(inner, [](const SyntaxNode& item) { return !item.isNamed(); });
        const bool isPlain = std::none_of(inner.begin(), inner.end(), [&](const SyntaxNode& item) {
            return isBareWalrus(item) || item.kind() == "yield" || text(item).starts_with('*');
        });
        if (isPlain && !inner.empty())
            items = std::move(inner);
    }
    for (const SyntaxNode& item : items) {
        Nodes parts = children(item);
        std::erase_if(parts, [](const SyntaxNode& part) { return !part.isNamed(); });
        const bool isConditional = item.kind() == "conditional_expression" && parts.size() == 3;
        if (item.kind() == "as_pattern") {
            out.push_back(expression(parts.at(0)));
            out.push_back(target(children(parts.at(1)).at(0)));
        } else if (isConditional && parts[2].kind() == "as_pattern") {
            // "with a if b else c as d:" comes with "c as d" as its last part.
            const Nodes binding = children(parts[2]);
            parts[2] = binding.at(0);
            out.push_back(conditionalOf(parts, item));
            out.push_back(target(children(require(binding, "alias")).at(0)));
        } else {
            out.push_back(expression(item));
            out.push_back(noneAt(item.end()));
        }
    }
}

} // namespace fx
