// SPDX-License-Identifier: GPL-3.0-or-later
// Statements with blocks but definitions.
#include "core/python/syntax/statement_parser.h"

namespace fx {

// --- Blocks.

/// Python asks for some colons before all else, and for others where nothing but them is missing.
void StatementParser::colon(bool isForced) {
    if (!is(":") && (isForced || is(Token::Kind::Newline)))
        fail(is(Token::Kind::Newline) ? lastEnd() : here(), "expected ':'");
    expect(":");
}

Block StatementParser::block(const std::string& what, uint32_t at) {
    Block out;
    if (!is(Token::Kind::Newline)) {
        simpleStatements(out);
        return out;
    }
    advance();
    if (!is(Token::Kind::Indent))
        fail(here(),
             "expected an indented block after " + what + " on line " +
                 std::to_string(m_file.position(at).line),
             "IndentationError");
    advance();
    while (!is(Token::Kind::Dedent))
        statement(out);
    advance();
    return out;
}

Block StatementParser::loopBody(const std::string& what, uint32_t at) {
    ++m_scopes.back().loops;
    Block out = block(what, at);
    --m_scopes.back().loops;
    return out;
}

Block StatementParser::optionalBlock(const char* word) {
    const uint32_t begin = here();
    if (!accept(word))
        return {};
    colon(true);
    return block('\'' + std::string(word) + "' statement", begin);
}

// --- if, while, for.

void StatementParser::ifStatement(Block& out) {
    Statement& statement = add(out, Statement::Kind::If);
    do {
        const uint32_t begin = here();
        const std::string what = '\'' + std::string(word()) + "' statement";
        advance();
        statement.expressions.push_back(namedExpression());
        colon(false);
        statement.blocks.push_back(block(what, begin));
    } while (is("elif"));
    if (is("else"))
        statement.blocks.push_back(optionalBlock("else"));
}

void StatementParser::whileStatement(Block& out) {
    Statement& statement = add(out, Statement::Kind::While);
    advance();
    statement.expressions.push_back(namedExpression());
    colon(false);
    statement.blocks.push_back(loopBody("'while' statement", statement.begin));
    if (is("else"))
        statement.blocks.push_back(optionalBlock("else"));
}

void StatementParser::refuseAsync(Statement& statement, const std::string& words) {
    if (!m_scopes.back().isAsync)
        later(statement.begin, '\'' + words + "' outside async function");
    statement.kind = Statement::Kind::Unsupported;
    statement.text = words;
}

void StatementParser::forStatement(Block& out, uint32_t begin, bool isAsync) {
    Statement& statement = add(out, Statement::Kind::For);
    statement.begin = begin;
    if (isAsync)
        refuseAsync(statement, "async for");
    advance();
    statement.expressions.push_back(loopTarget());
    expect("in");
    statement.expressions.push_back(expressions());
    colon(false);
    statement.blocks.push_back(loopBody("'for' statement", begin));
    if (is("else"))
        statement.blocks.push_back(optionalBlock("else"));
}

void StatementParser::asyncStatement(Block& out) {
    const uint32_t begin = here();
    advance();
    if (is("def")) {
        Statement& statement = add(out, Statement::Kind::FunctionDef);
        statement.begin = begin;
        functionDefinition(statement, begin, true);
    } else if (is("for")) {
        forStatement(out, begin, true);
    } else if (is("with")) {
        withStatement(out, begin, true);
    } else {
        stumble();
    }
}

// --- try.

void StatementParser::tryStatement(Block& out) {
    Statement& statement = add(out, Statement::Kind::Try);
    statement.blocks.resize(3);
    advance();
    colon(true);
    statement.blocks[0] = block("'try' statement", statement.begin);
    if (!is("except") && !is("finally"))
        fail(here(), "expected 'except' or 'finally' block");
    while (is("except")) {
        const uint32_t begin = here();
        statement.handlers.push_back(handler(statement));
        if (statement.handlers.back().type.empty() && is("except"))
            later(begin, "default 'except:' must be last");
    }
    if (!statement.handlers.empty())
        statement.blocks[1] = optionalBlock("else");
    statement.blocks[2] = optionalBlock("finally");
}

Statement::Handler StatementParser::handler(Statement& statement) {
    Statement::Handler out;
    const uint32_t begin = here();
    advance();
    const bool isGroup = accept("*");
    if (!statement.handlers.empty() && isGroup != (statement.text == "except*"))
        fail(begin, "cannot have both 'except' and 'except*' on the same 'try'");
    if (isGroup)
        statement.text = "except*";
    if (!is(":")) {
        const uint32_t type = here();
        if (isGroup && is(Token::Kind::Newline))
            fail(type, "expected one or more exception types");
        if (!is(Token::Kind::Newline))
            out.type.push_back(expression());
        if (is(","))
            fail(type, "multiple exception types must be parenthesized");
        if (accept("as"))
            out.target.push_back(name());
    } else if (isGroup) {
        fail(here(), "expected one or more exception types");
    }
    colon(false);
    out.body = block(isGroup ? "'except*' statement" : "'except' statement", begin);
    return out;
}

// --- with.

void StatementParser::withStatement(Block& out, uint32_t begin, bool isAsync) {
    Statement& statement = add(out, Statement::Kind::With);
    statement.begin = begin;
    if (isAsync)
        refuseAsync(statement, "async with");
    advance();
    // "with (a, b):" is two managers, not a tuple; "with (yield):" and the like are one expression.
    const size_t start = m_at;
    const std::optional<LateFault> late = m_late;
    try {
        withItems(statement, isEnclosed());
    } catch (const Stumble&) {
        if (m_source->tokens[start].end - m_source->tokens[start].begin != 1 ||
            m_file.text[m_source->tokens[start].begin] != '(')
            throw;
        goTo(start);
        m_late = late;
        statement.items.clear();
        withItems(statement, false);
    }
    colon(false);
    statement.blocks.push_back(block("'with' statement", begin));
}

/// Whether the brackets here end in front of the colon.
bool StatementParser::isEnclosed() const {
    if (!is("("))
        return false;
    size_t at = m_at + 1;
    while (m_source->tokens[at].depth > token().depth)
        ++at;
    return textOf(m_file, m_source->tokens[at + 1]) == ":";
}

void StatementParser::withItems(Statement& out, bool isEnclosed) {
    if (isEnclosed)
        advance();
    do {
        out.items.push_back({expression(), {}});
        if (accept("as"))
            out.items.back().target.push_back(target());
    } while (accept(",") && !(isEnclosed && is(")")));
    if (isEnclosed)
        expect(")");
}

// --- match.

/// `match` is a name like others, unless a value follows and the line ends with a colon.
bool StatementParser::isMatchStatement() const {
    if (!is("match"))
        return false;
    const bool isValue = beginsExpression(m_source->tokens[m_at + 1]);
    size_t last = m_at;
    while (isValue && m_source->tokens[last + 1].kind < Token::Kind::Newline)
        ++last;
    return isValue && textOf(m_file, m_source->tokens[last]) == ":";
}

void StatementParser::matchStatement(Block& out) {
    Statement& statement = add(out, Statement::Kind::Match);
    advance();
    const uint32_t begin = here();
    Expression subject = item();
    if (is(","))
        commaSeparated(subject, begin, &StatementParser::item);
    statement.expressions.push_back(std::move(subject));
    expect(":");
    expect(Token::Kind::Newline);
    if (!is(Token::Kind::Indent))
        fail(here(),
             "expected an indented block after 'match' statement on line " +
                 std::to_string(m_file.position(statement.begin).line),
             "IndentationError");
    advance();
    do {
        const uint32_t at = here();
        expect("case");
        Statement::Case& option = statement.cases.emplace_back();
        option.pattern = casePattern();
        if (accept("if"))
            option.guard.push_back(namedExpression());
        colon(false);
        option.body = block("'case' statement", at);
    } while (!is(Token::Kind::Dedent));
    advance();
    checkReachable(statement.cases);
}

} // namespace fx
