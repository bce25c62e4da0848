// SPDX-License-Identifier: GPL-3.0-or-later
// Statements and whole sources: statements.cpp, compound_statements.cpp, definitions.cpp,
// import_statements.cpp.
#pragma once

#include "core/python/syntax/pattern_parser.h"

namespace fx {

class StatementParser : protected PatternParser {
public:
    using PatternParser::PatternParser;

    /// A whole file.
    void readModule(FunctionTree& module);
    /// A file of one expression: the module's body becomes one Return.
    void readExpression(FunctionTree& module);

private:
    // --- statements.cpp
    void statement(Block& out);
    Statement& add(Block& out, Statement::Kind kind) const;
    void simpleStatements(Block& out);
    void simpleStatement(Block& out);
    void expressionStatement(Block& out);
    void annotatedAssignment(Statement& out);
    void returnStatement(Block& out);
    void raiseStatement(Block& out);
    void assertStatement(Block& out);
    void deleteStatement(Block& out);
    void scopeStatement(Block& out);
    bool isTypeStatement() const;
    void typeStatement(Block& out);

    // --- import_statements.cpp
    void importStatement(Block& out);
    void importFrom(Block& out);
    void futureFeatures(const Statement& import);
    Statement::ImportName importName(bool isFrom);
    std::string moduleName();

    // --- compound_statements.cpp
    /// `what` and the place of its first word go into the error where a block is missing.
    Block block(const std::string& what, uint32_t at);
    Block loopBody(const std::string& what, uint32_t at);
    /// Behind a loop or a try: a block after that word, or none.
    Block optionalBlock(const char* word);
    void colon(bool isForced);
    void ifStatement(Block& out);
    void whileStatement(Block& out);
    void refuseAsync(Statement& statement, const std::string& words);
    void forStatement(Block& out, uint32_t begin, bool isAsync);
    void tryStatement(Block& out);
    Statement::Handler handler(Statement& statement);
    void withStatement(Block& out, uint32_t begin, bool isAsync);
    void withItems(Statement& out, bool isEnclosed);
    bool isEnclosed() const;
    void asyncStatement(Block& out);
    bool isMatchStatement() const;
    void matchStatement(Block& out);

    // --- definitions.cpp
    void decorated(Block& out);
    /// What follows "def" or "class": a name, and what it is the name of.
    FunctionTree& named(Statement& out, uint32_t begin);
    void functionDefinition(Statement& out, uint32_t begin, bool isAsync);
    void classDefinition(Statement& out);
    void body(FunctionTree& function, bool isAsync, const std::string& what, uint32_t at);
    static void takeDocstring(FunctionTree& function);
    bool typeParameters();

    bool m_isPrologue = true; ///< only the docstring and __future__ imports were seen
};

} // namespace fx
