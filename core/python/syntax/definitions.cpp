// SPDX-License-Identifier: GPL-3.0-or-later
// Functions and classes with their decorators.
#include "core/python/syntax/statement_parser.h"

namespace fx {

void StatementParser::body(FunctionTree& function, bool isAsync, const std::string& what, uint32_t at) {
    ScopeEntry scope(*this, function, isAsync);
    function.body = block(what, at);
    function.end = lastEnd();
    takeDocstring(function);
    scope.finish();
}

void StatementParser::decorated(Block& out) {
    Statement& statement = add(out, Statement::Kind::FunctionDef);
    while (accept("@")) {
        statement.decorators.push_back(namedExpression());
        expect(Token::Kind::Newline);
    }
    const uint32_t begin = here();
    const bool isAsync = accept("async");
    if (is("class") && !isAsync)
        classDefinition(statement);
    else if (is("def"))
        functionDefinition(statement, begin, isAsync);
    else
        stumble();
}

FunctionTree& StatementParser::named(Statement& out, uint32_t begin) {
    advance();
    out.function = std::make_shared<FunctionTree>();
    out.function->begin = begin;
    out.function->name = word();
    out.target.push_back(name());
    if (typeParameters()) {
        out.kind = Statement::Kind::Unsupported;
        out.text = "type parameters";
    }
    return *out.function;
}

void StatementParser::functionDefinition(Statement& out, uint32_t begin, bool isAsync) {
    const uint32_t at = here();
    FunctionTree& function = named(out, begin);
    if (!accept("("))
        fail(here(), "expected '('");
    parameters(function, ")");
    expect(")");
    if (accept("->"))
        function.returns.push_back(annotation());
    colon(true);
    if (isAsync) {
        out.kind = Statement::Kind::Unsupported;
        out.text = "async def";
    }
    body(function, isAsync, "function definition", at);
}

void StatementParser::classDefinition(Statement& out) {
    out.kind = Statement::Kind::ClassDef;
    const uint32_t begin = here();
    FunctionTree& function = named(out, begin);
    function.kind = FunctionTree::Kind::Class;
    if (is("("))
        arguments(out.expressions, false);
    colon(false);
    body(function, false, "class definition", begin);
}

/// Python 3.12's, which nobody evaluates: "[T: int, *Ts, **P]".
bool StatementParser::typeParameters() {
    if (!accept("["))
        return false;
    do {
        if (!accept("*"))
            accept("**");
        identifier();
        if (accept(":"))
            expression();
        if (accept("="))
            starItem();
    } while (accept(",") && !is("]"));
    expect("]");
    return true;
}

} // namespace fx
