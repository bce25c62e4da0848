// SPDX-License-Identifier: GPL-3.0-or-later
// import and from ... import.
#include "core/python/syntax/statement_parser.h"

#include <algorithm>
#include <array>

namespace fx {

namespace {

constexpr std::array<std::string_view, 10> kFeatures{
    "nested_scopes",  "generators",       "division",       "absolute_import", "with_statement",
    "print_function", "unicode_literals", "barry_as_FLUFL", "generator_stop",  "annotations",
};

} // namespace

/// Blanks may stand around the dots.
std::string StatementParser::moduleName() {
    std::string out(identifier());
    while (accept("."))
        out.append(1, '.').append(identifier());
    return out;
}

Statement::ImportName StatementParser::importName(bool isFrom) {
    const uint32_t begin = here();
    Statement::ImportName out;
    out.name = isFrom ? std::string(identifier()) : moduleName();
    if (accept("as")) {
        out.alias = word();
        out.target.push_back(name());
    } else {
        const std::string_view bound = std::string_view(out.name).substr(0, out.name.find('.'));
        out.target.push_back(makeName(bound, begin, lastEnd()));
    }
    checkTarget(out.target[0]);
    return out;
}

void StatementParser::importStatement(Block& out) {
    Statement& statement = add(out, Statement::Kind::Import);
    do {
        advance();
        statement.imports.push_back(importName(false));
    } while (is(","));
}

void StatementParser::importFrom(Block& out) {
    Statement& statement = add(out, Statement::Kind::ImportFrom);
    advance();
    for (; is(".") || is("..."); advance())
        statement.level += static_cast<int>(word().size());
    if (statement.level == 0 || !is("import"))
        statement.text = moduleName();
    expect("import");
    if (is("*")) {
        if (m_scopes.back().tree->kind != FunctionTree::Kind::Module)
            later(here(), "import * only allowed at module level");
        statement.imports.push_back({"*", {}, {}});
        advance();
    } else {
        const bool isEnclosed = accept("(");
        do {
            statement.imports.push_back(importName(true));
        } while (accept(",") && !(isEnclosed && is(")")) && !is(Token::Kind::Newline));
        if (isEnclosed)
            expect(")");
        else if (m_source->tokens[m_at - 1].end - m_source->tokens[m_at - 1].begin == 1 &&
                 m_file.text[lastEnd() - 1] == ',')
            fail(lastEnd() - 1, "trailing comma not allowed without surrounding parentheses");
    }
    if (statement.text == "__future__" && statement.level == 0)
        futureFeatures(statement);
}

void StatementParser::futureFeatures(const Statement& import) {
    if (!m_isPrologue)
        later(import.begin, "from __future__ imports must occur at the beginning of the file");
    for (const Statement::ImportName& feature : import.imports) {
        if (feature.name == "braces")
            later(import.begin, "not a chance");
        if (std::find(kFeatures.begin(), kFeatures.end(), feature.name) == kFeatures.end())
            later(import.begin, "future feature " + feature.name + " is not defined");
        m_hasFutureAnnotations = m_hasFutureAnnotations || feature.name == "annotations";
    }
}

} // namespace fx
