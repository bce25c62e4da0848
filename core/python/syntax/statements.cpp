// SPDX-License-Identifier: GPL-3.0-or-later
// Whole sources, and statements without a block.
#include "core/python/syntax/operator_signs.h"
#include "core/python/syntax/statement_parser.h"

namespace fx {

// --- Whole sources.

void StatementParser::readModule(FunctionTree& module) {
    ScopeEntry scope(*this, module, false);
    while (!is(Token::Kind::End))
        statement(module.body);
    scope.finish();
    throwLater();
    takeDocstring(module);
}

void StatementParser::takeDocstring(FunctionTree& function) {
    if (function.body.empty() || function.body[0].kind != Statement::Kind::Expression)
        return;
    const Expression& first = function.body[0].expressions[0];
    if (first.kind == Kind::Constant && first.constant.isString()) {
        function.hasDocstring = true;
        function.docstring = first.constant.text();
    }
}

void StatementParser::readExpression(FunctionTree& module) {
    using Statements = Statement::Kind;
    ScopeEntry scope(*this, module, false);
    while (!is(Token::Kind::End))
        statement(module.body);
    if (module.body.size() != 1)
        fail(module.body.empty() ? here() : module.body[1].begin, "one expression is expected here");
    Statement& only = module.body[0];
    if (only.kind == Statements::Assign || only.kind == Statements::AugmentedAssign ||
        only.kind == Statements::AnnotatedAssign)
        fail(only.begin, "an expression is expected here, not an assignment");
    if (only.kind != Statements::Expression)
        fail(only.begin, "an expression is expected here, not a statement");
    only.kind = Statements::Return;
    scope.finish();
    throwLater();
}

Statement& StatementParser::add(Block& out, Statement::Kind kind) const {
    Statement& statement = out.emplace_back();
    statement.kind = kind;
    statement.begin = here();
    return statement;
}

void StatementParser::statement(Block& out) {
    const Level level(*this);
    const uint32_t begin = here();
    if (is(Token::Kind::Name) || is(Token::Kind::Keyword) || is("@")) {
        const size_t before = out.size();
        if (is("if"))
            ifStatement(out);
        else if (is("for"))
            forStatement(out, begin, false);
        else if (is("def"))
            functionDefinition(add(out, Statement::Kind::FunctionDef), begin, false);
        else if (is("with"))
            withStatement(out, begin, false);
        else if (is("class"))
            classDefinition(add(out, Statement::Kind::ClassDef));
        else if (is("try"))
            tryStatement(out);
        else if (is("while"))
            whileStatement(out);
        else if (is("@"))
            decorated(out);
        else if (is("async"))
            asyncStatement(out);
        else if (isMatchStatement())
            matchStatement(out);
        if (out.size() > before) {
            out.back().end = lastEnd();
            m_isPrologue = false;
            return;
        }
    }
    simpleStatements(out);
}

void StatementParser::simpleStatements(Block& out) {
    do {
        simpleStatement(out);
        out.back().end = lastEnd();
    } while (accept(";") && !is(Token::Kind::Newline));
    expect(Token::Kind::Newline);
}

void StatementParser::simpleStatement(Block& out) {
    const bool mayBeDocstring = is(Token::Kind::String) && out.empty();
    const bool isFrom = is("from");
    m_isPrologue = m_isPrologue && (mayBeDocstring || (isFrom && followingWord() == "__future__"));
    if (is(Token::Kind::Name) && isTypeStatement())
        return typeStatement(out);
    if (!is(Token::Kind::Keyword))
        return expressionStatement(out);
    if (is("return"))
        return returnStatement(out);
    if (is("import"))
        return importStatement(out);
    if (isFrom)
        return importFrom(out);
    if (is("raise"))
        return raiseStatement(out);
    if (is("assert"))
        return assertStatement(out);
    if (is("del"))
        return deleteStatement(out);
    if (is("global") || is("nonlocal"))
        return scopeStatement(out);
    if (is("pass")) {
        add(out, Statement::Kind::Pass);
        return advance();
    }
    if (!is("break") && !is("continue"))
        return expressionStatement(out);
    const Statement& jump = add(out, is("break") ? Statement::Kind::Break : Statement::Kind::Continue);
    if (m_scopes.back().loops == 0)
        later(jump.begin, is("break") ? "'break' outside loop" : "'continue' not properly in loop");
    advance();
}

// --- Expressions and assignments.

void StatementParser::expressionStatement(Block& out) {
    Statement& statement = add(out, Statement::Kind::Expression);
    Expression first = is("yield") ? yield() : starExpressions();
    if (is("=")) {
        statement.kind = Statement::Kind::Assign;
        statement.expressions.push_back(std::move(first));
        while (is("=")) {
            if (invalidTarget(statement.expressions.back()))
                stumble();
            checkTarget(statement.expressions.back());
            advance();
            statement.expressions.push_back(is("yield") ? yield() : starExpressions());
        }
    } else if (is(":")) {
        statement.kind = Statement::Kind::AnnotatedAssign;
        statement.expressions.push_back(std::move(first));
        return annotatedAssignment(statement);
    } else if (word().size() > 1 && word().back() == '=' && binarySign(word().substr(0, word().size() - 1))) {
        statement.kind = Statement::Kind::AugmentedAssign;
        statement.op = binarySign(word().substr(0, word().size() - 1))->op;
        if (first.kind != Kind::Name && first.kind != Kind::Attribute && first.kind != Kind::Subscript)
            fail(statement.begin, "'" + std::string(describeKind(first)) +
                                      "' is an illegal expression for augmented assignment");
        checkTarget(first);
        advance();
        statement.expressions.push_back(std::move(first));
        statement.expressions.push_back(assigned());
        return;
    } else {
        statement.expressions.push_back(std::move(first));
    }
    if (statement.expressions.back().kind == Kind::Starred)
        later(statement.expressions.back().begin, "can't use starred expression here");
}

void StatementParser::annotatedAssignment(Statement& out) {
    const Expression& target = out.expressions[0];
    if (target.kind == Kind::Tuple || target.kind == Kind::List)
        fail(out.begin,
             "only single target (not " + std::string(describeKind(target)) + ") can be annotated");
    if (target.kind == Kind::Starred || invalidTarget(target))
        stumble();
    checkTarget(target);
    advance();
    out.expressions.push_back(annotation());
    if (accept("="))
        out.expressions.push_back(assigned());
}

// --- What begins with a word of its own.

void StatementParser::returnStatement(Block& out) {
    Statement& statement = add(out, Statement::Kind::Return);
    if (m_scopes.back().tree->kind != FunctionTree::Kind::Function)
        later(statement.begin, "'return' outside function");
    advance();
    if (beginsExpression(token()))
        statement.expressions.push_back(expressions());
}

void StatementParser::raiseStatement(Block& out) {
    Statement& statement = add(out, Statement::Kind::Raise);
    advance();
    if (!beginsExpression(token()))
        return;
    statement.expressions.push_back(expression());
    if (accept("from"))
        statement.expressions.push_back(expression());
}

void StatementParser::assertStatement(Block& out) {
    Statement& statement = add(out, Statement::Kind::Assert);
    advance();
    statement.expressions.push_back(expression());
    if (accept(","))
        statement.expressions.push_back(expression());
}

void StatementParser::deleteStatement(Block& out) {
    Statement& statement = add(out, Statement::Kind::Delete);
    advance();
    do {
        statement.expressions.push_back(starItem());
        const Expression& target = statement.expressions.back();
        const Expression* part = target.kind == Kind::Starred ? &target : invalidTarget(target);
        if (part)
            fail(part->begin, "cannot delete " + std::string(describeKind(*part)));
        if (target.kind == Kind::Name && target.text == "__debug__")
            later(target.begin, "cannot delete __debug__");
    } while (accept(",") && beginsExpression(token()));
}

/// scopes.cpp reads the declaration off; whoever runs it has nothing to do.
void StatementParser::scopeStatement(Block& out) {
    Statement& statement = add(out, Statement::Kind::Pass);
    statement.text = word();
    do {
        advance();
        statement.expressions.push_back(name());
    } while (is(","));
}

// --- What newer Pythons have.

/// `type` is a name like others where no name follows.
bool StatementParser::isTypeStatement() const {
    return is("type") && m_source->tokens[m_at + 1].kind == Token::Kind::Name;
}

void StatementParser::typeStatement(Block& out) {
    add(out, Statement::Kind::Unsupported).text = "type statement";
    advance();
    identifier();
    typeParameters();
    expect("=");
    expression();
}

} // namespace fx
