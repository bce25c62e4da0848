// SPDX-License-Identifier: GPL-3.0-or-later
// Turns tree-sitter's nodes into the tree of tree.h: build_statements.cpp, build_functions.cpp,
// build_expressions.cpp, build_text.cpp (strings) and build_patterns.cpp have a function for each kind of
// node. What tree-sitter lets pass and Python does not is refused there, at its place; names are resolved
// afterwards, in scopes.cpp.
#pragma once

#include "core/python/tokens.h"

#include <tree_sitter/api.h>

#include <unordered_map>

namespace fx {

/// A node of tree-sitter's tree, with the field of its parent that it is.
struct SyntaxNode {
    TSNode raw{};
    std::string_view field;

    std::string_view kind() const { return ts_node_type(raw); }
    bool isNamed() const { return ts_node_is_named(raw); }
    uint32_t begin() const { return ts_node_start_byte(raw); }
    uint32_t end() const { return ts_node_end_byte(raw); }
};

class TreeBuilder {
public:
    TreeBuilder(const SourceFile& file, const TokenizedSource& source);
    ~TreeBuilder();
    TreeBuilder(const TreeBuilder&) = delete;
    TreeBuilder& operator=(const TreeBuilder&) = delete;

    /// A whole file.
    void buildModule(TSNode root, FunctionTree& module);
    /// A file of one expression: the module's body becomes one Return.
    void buildExpressionModule(TSNode root, FunctionTree& module);

private:
    using Kind = Expression::Kind;
    using Nodes = std::vector<SyntaxNode>;

    // --- The way to the nodes.
    /// A statement, clause or decorator begins here: tree-sitter also reads on in the next line where one is
    /// not complete.
    void startLine(uint32_t begin);
    /// All children but comments, in one pass: ts_node_child(i) would take time for each.
    Nodes children(const SyntaxNode& node);
    static const SyntaxNode* find(const Nodes& nodes, std::string_view field);
    static const SyntaxNode& require(const Nodes& nodes, std::string_view field);
    static bool holds(const Nodes& nodes, std::string_view kind);
    std::string_view text(const SyntaxNode& node) const;
    [[noreturn]] void fail(uint32_t at, const std::string& message) const;
    [[noreturn]] void fail(const SyntaxNode& node, const std::string& message) const;
    [[noreturn]] void failSyntax(const SyntaxNode& node) const { fail(node, "invalid syntax"); }

    // --- build_expressions.cpp
    /// Whatever stands there; the next three say what Python allows there.
    Expression build(const SyntaxNode& node);
    /// No bare star, walrus or yield.
    Expression expression(const SyntaxNode& node);
    bool isBareWalrus(const SyntaxNode& node);
    /// An operand: no bare lambda or conditional either.
    Expression operand(const SyntaxNode& node);
    /// The leftmost operand: it may be a star that belongs to the whole, see liftStar().
    Expression firstOperand(const SyntaxNode& node);
    /// A bare walrus is allowed.
    Expression namedExpression(const SyntaxNode& node);
    /// An item of a list, tuple, set or call: a star or a walrus is allowed.
    Expression item(const SyntaxNode& node);
    /// `a`, `a, *b` or, where that is allowed, a yield: what stands right of `=` and `return`.
    Expression expressions(const SyntaxNode& node, bool allowsYield = false);
    /// The same for nodes separated by commas.
    Expression commaSeparated(const Nodes& nodes, const SyntaxNode& parent);
    /// Outside of calls a star binds as tightly as `|`: `*a or b` is none.
    void checkStar(const Expression& e) const;
    Expression make(Kind kind, const SyntaxNode& node) const;
    Expression constant(const SyntaxNode& node, Value value) const;
    Expression noneAt(uint32_t at) const;
    Expression makeName(const SyntaxNode& node);
    Expression makeName(const SyntaxNode& node, std::string_view text);
    Value nameValue(const std::string& text);
    std::string mangled(std::string_view name) const;
    /// `*a + b` may come as (*a) + b: puts the star outside again.
    static void liftStar(Expression& e);

    Expression number(const SyntaxNode& node);
    Expression trueConstant(const SyntaxNode& node);
    Expression falseConstant(const SyntaxNode& node);
    Expression noneConstant(const SyntaxNode& node);
    Expression ellipsis(const SyntaxNode& node);
    Expression parenthesized(const SyntaxNode& node);
    Expression tuple(const SyntaxNode& node);
    Expression tuplePattern(const SyntaxNode& node);
    Expression list(const SyntaxNode& node);
    Expression set(const SyntaxNode& node);
    Expression sequence(const SyntaxNode& node, Kind kind);
    Expression dictionary(const SyntaxNode& node);
    Expression attribute(const SyntaxNode& node);
    Expression subscript(const SyntaxNode& node);
    Expression slice(const SyntaxNode& node);
    Expression call(const SyntaxNode& node);
    void arguments(const SyntaxNode& list, std::vector<Expression>& out);
    Expression keyword(const SyntaxNode& node);
    Expression starred(const SyntaxNode& node);
    Expression doubleStarred(const SyntaxNode& node);
    Expression unary(const SyntaxNode& node);
    Expression binary(const SyntaxNode& node);
    Expression bitwise(const SyntaxNode& node);
    void collectBitwise(const SyntaxNode& node, Nodes& operands, std::vector<Operator>& operators);
    static Expression joinBinary(Expression left, Operator op, Expression right);
    Expression boolean(const SyntaxNode& node);
    Expression notOperator(const SyntaxNode& node);
    Expression comparison(const SyntaxNode& node);
    Expression conditional(const SyntaxNode& node);
    Expression conditionalOf(const Nodes& parts, const SyntaxNode& node);
    Expression namedValue(const SyntaxNode& node);
    Expression yield(const SyntaxNode& node);
    Expression await(const SyntaxNode& node);
    Expression expressionList(const SyntaxNode& node);
    Expression annotationType(const SyntaxNode& node);
    Expression genericType(const SyntaxNode& node);
    Expression unionType(const SyntaxNode& node);
    void collectUnion(const SyntaxNode& node, Nodes& leaves);
    Expression memberType(const SyntaxNode& node);
    Expression constrainedType(const SyntaxNode& node);

    // --- build_targets.cpp
    /// Builds what is assigned to.
    Expression target(const SyntaxNode& node);
    void checkTarget(const Expression& e) const;
    void checkDeletable(const Expression& e) const;

    // --- build_text.cpp
    Expression string(const SyntaxNode& node);
    Expression concatenatedString(const SyntaxNode& node);
    /// Appends one literal: texts to the Constant at the end of `parts`.
    void appendString(const SyntaxNode& node, Expression& out, bool& isBytes, bool& isFormatted);
    void appendText(Expression& out, uint32_t begin, uint32_t end, const std::string& text);
    void appendInterpolation(const SyntaxNode& node, Expression& out, int depth, bool isRaw);
    Expression formatSpec(const SyntaxNode& node, int depth, bool isRaw);
    Expression joined(Expression parts, bool isBytes, bool isFormatted);
    std::string literalText(uint32_t begin, uint32_t end, bool isRaw, bool isBytes, bool isFormatted);

    // --- build_functions.cpp
    Expression lambda(const SyntaxNode& node);
    Expression listComprehension(const SyntaxNode& node);
    Expression setComprehension(const SyntaxNode& node);
    Expression dictComprehension(const SyntaxNode& node);
    Expression generator(const SyntaxNode& node);
    Expression comprehension(const SyntaxNode& node, FunctionTree::Kind kind);
    void parameters(const SyntaxNode& node, FunctionTree& function, std::vector<Expression>& defaults);
    Expression annotation(const SyntaxNode& node, bool allowsStar = false);
    void functionDefinition(const SyntaxNode& node, Statement& out);
    void classDefinition(const SyntaxNode& node, Statement& out);
    void decorated(const SyntaxNode& node, Statement& out);
    void body(const SyntaxNode& node, FunctionTree& function);
    static void takeDocstring(FunctionTree& function);

    // --- build_statements.cpp
    void statement(const SyntaxNode& node, Block& out);
    bool isText(const SyntaxNode& node);
    Block block(const SyntaxNode& node);
    Block loopBody(const SyntaxNode& node);
    Block elseBlock(const SyntaxNode& clause);
    Block lastBlock(const Nodes& parts);
    Statement& add(Block& out, Statement::Kind kind, const SyntaxNode& node);
    void expressionStatement(const SyntaxNode& node, Block& out);
    void assignment(const SyntaxNode& node, Block& out);
    void augmentedAssignment(const SyntaxNode& node, Block& out);
    void returnStatement(const SyntaxNode& node, Block& out);
    void ifStatement(const SyntaxNode& node, Block& out);
    void whileStatement(const SyntaxNode& node, Block& out);
    void forStatement(const SyntaxNode& node, Block& out);
    void breakStatement(const SyntaxNode& node, Block& out);
    void continueStatement(const SyntaxNode& node, Block& out);
    void passStatement(const SyntaxNode& node, Block& out);
    void raiseStatement(const SyntaxNode& node, Block& out);
    void tryStatement(const SyntaxNode& node, Block& out);
    Statement::Handler handler(const SyntaxNode& node);
    void withStatement(const SyntaxNode& node, Block& out);
    void withItems(Nodes items, std::vector<Expression>& out);
    void assertStatement(const SyntaxNode& node, Block& out);
    // --- build_imports.cpp
    void importStatement(const SyntaxNode& node, Block& out);
    void importFrom(const SyntaxNode& node, Block& out);
    void futureImport(const SyntaxNode& node, Block& out);
    void importNames(const Nodes& parts, bool isFrom, Statement& out);
    std::string dottedName(const SyntaxNode& node);

    // --- build_functions.cpp, build_statements.cpp
    void functionStatement(const SyntaxNode& node, Block& out);
    void classStatement(const SyntaxNode& node, Block& out);
    void decoratedStatement(const SyntaxNode& node, Block& out);
    void deleteStatement(const SyntaxNode& node, Block& out);
    void scopeStatement(const SyntaxNode& node, Block& out);
    void printStatement(const SyntaxNode& node, Block& out);
    void execStatement(const SyntaxNode& node, Block& out);
    void typeStatement(const SyntaxNode& node, Block& out);
    void matchStatement(const SyntaxNode& node, Block& out);

    // --- build_patterns.cpp
    Statement::Case matchCase(const SyntaxNode& node);
    Pattern pattern(const SyntaxNode& node);
    Pattern valuePattern(const Nodes& parts, const SyntaxNode& node);
    Pattern sequenceOf(const Nodes& nodes, const SyntaxNode& parent);
    Expression dottedExpression(const SyntaxNode& node);
    Pattern makePattern(Pattern::Kind kind, const SyntaxNode& node) const;
    Pattern sequencePattern(const SyntaxNode& node);
    Pattern dottedPattern(const SyntaxNode& node);
    Pattern classPattern(const SyntaxNode& node);
    Pattern mappingPattern(const SyntaxNode& node);
    Pattern splatPattern(const SyntaxNode& node);
    Pattern unionPattern(const SyntaxNode& node);
    /// "inner as name".
    Pattern bound(Pattern inner, const SyntaxNode& name, const SyntaxNode& node);
    Pattern asPattern(const SyntaxNode& node);

    /// A function, class or comprehension whose body is being built.
    struct Scope {
        FunctionTree* tree;
        bool isAsync = false;
        int loops = 0;
        bool hasAwait = false;
    };
    struct ScopeEntry {
        TreeBuilder& builder;
        ScopeEntry(TreeBuilder& b, FunctionTree& tree, bool isAsync);
        ~ScopeEntry() { builder.m_scopes.pop_back(); }
    };
    struct Level {
        int& depth;
        Level(TreeBuilder& builder, const SyntaxNode& node);
        ~Level() { --depth; }
    };

    /// One function for each kind of node, by the number that tree-sitter gives the kind.
    using BuildExpression = Expression (TreeBuilder::*)(const SyntaxNode&);
    using BuildStatement = void (TreeBuilder::*)(const SyntaxNode&, Block&);
    static const std::vector<BuildExpression>& expressionRows();
    static const std::vector<BuildStatement>& statementRows();

    const SourceFile& m_file;
    std::vector<uint32_t> m_lines; ///< where the logical lines begin, the end of the source behind them
    size_t m_line = 0;             ///< the first of them that no statement has begun yet
    TSTreeCursor m_cursor;
    int m_depth = 0;
    bool m_isPrologue = true; ///< only the docstring and __future__ imports were seen
    bool m_hasFutureAnnotations = false;
    std::vector<Scope> m_scopes;
    std::string m_unknownName;                      ///< in the literal that is being built, see Unescaped
    std::unordered_map<std::string, Value> m_names; ///< each name's Value, made once
};

/// "+" is Operator::Add.
std::optional<Operator> binaryOperator(std::string_view sign);
/// "function call", "literal": how Python's messages call an expression.
std::string_view describeKind(const Expression& e);

} // namespace fx
