// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions by recursive descent, their operators by precedence: expressions.cpp, atoms.cpp (names,
// displays, calls), text.cpp (strings), functions.cpp (lambdas, comprehensions, parameters), targets.cpp
// (what may be assigned to). Names are resolved afterwards, in scopes.cpp. Each level of the grammar is a
// class on the one below: pattern_parser.h, then statement_parser.h.
#pragma once

#include "core/python/syntax/operator_signs.h"
#include "core/python/syntax/token_reader.h"

#include <set>
#include <unordered_map>

namespace fx {

/// "function call", "literal": how Python's messages call an expression.
std::string_view describeKind(const Expression& e);
/// The part of a target that cannot be one, or null.
const Expression* invalidTarget(const Expression& e);

class ExpressionParser : protected TokenReader {
public:
    ExpressionParser(const SourceFile& file, const TokenizedSource& source);

    /// All of the tokens as one expression, or none where they are not; why, nobody asks.
    std::optional<Expression> tryAll();

protected:
    using Kind = Expression::Kind;

    // --- What stands where, from the widest to the narrowest.
    /// `a`, `a, *b` or a yield: what stands right of `=`.
    Expression assigned();
    /// `a` or `a, *b`.
    Expression expressions();
    /// As above, or a lone `*a`, which only some targets are.
    Expression starExpressions();
    /// One of those: `*a` or `a`.
    Expression starItem();
    /// An item of a display or call: a star or a walrus is allowed.
    Expression item();
    /// A bare walrus is allowed.
    Expression namedExpression();
    /// Makes the first item the tuple of all of them.
    void commaSeparated(Expression& first, uint32_t begin, Expression (ExpressionParser::*item)());
    Expression expression();
    /// What is neither a lambda nor a conditional.
    Expression disjunction();
    bool beginsExpression(const Token& token) const;
    /// `a, b` behind `for`: ends at an `in`.
    Expression loopTarget();
    /// One target.
    Expression target();

    // --- targets.cpp
    void requireTarget(const Expression& e);
    /// What Python checks late of something that may be assigned to.
    void checkTarget(const Expression& e);

    // --- atoms.cpp
    Expression atom();
    Expression name();
    Expression dottedName();
    std::string_view identifier();
    Expression strings();
    /// With their brackets; of a class where it is no call.
    void arguments(std::vector<Expression>& out, bool isCall);

    // --- functions.cpp
    Expression yield();
    /// Up to `close`, which is left.
    void parameters(FunctionTree& function, std::string_view close);
    Expression annotation(bool allowsStar = false);

    // --- Trees.
    Expression make(Kind kind, uint32_t begin) const;
    Expression makeName(std::string_view text, uint32_t begin, uint32_t end);
    Expression noneAt(uint32_t at) const;
    /// Notes that `part` is below `parent`, and bounds the height of the tree for everybody who walks it.
    void cover(Expression& parent, const Expression& part) const;
    /// Puts `e` below a new expression, which takes its place.
    void enclose(Expression& e, Kind kind, uint32_t begin) const;
    /// Adds a child.
    void adopt(Expression& parent, Expression child) const;
    std::string mangled(std::string_view name) const;

    /// An error that Python finds after all of the source was read: the first one is thrown at the end.
    void later(uint32_t at, std::string message);
    void throwLater() const;

    struct Level {
        int& depth;
        explicit Level(ExpressionParser& parser);
        ~Level() { --depth; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;
    };

    /// The first yield and await of a function, a comprehension or a part of them that may become one.
    struct Marks {
        std::optional<uint32_t> yield, await;
    };
    /// A function, class or comprehension whose body is being read.
    struct Scope {
        FunctionTree* tree;
        bool isAsync = false;
        Marks marks;
        int loops = 0;
    };
    struct ScopeEntry {
        ExpressionParser& parser;
        ScopeEntry(ExpressionParser& p, FunctionTree& tree, bool isAsync, Marks marks = {});
        ~ScopeEntry() { parser.m_scopes.pop_back(); }
        ScopeEntry(const ScopeEntry&) = delete;
        ScopeEntry& operator=(const ScopeEntry&) = delete;
        /// All of it was read.
        void finish();
    };

    struct LateFault {
        uint32_t at;
        std::string message;
    };

    std::vector<Scope> m_scopes;
    std::optional<LateFault> m_late;
    bool m_hasFutureAnnotations = false;
    int m_depth = 0;

private:
    // --- expressions.cpp
    Expression operation(int least);
    Expression prefixed(int least);
    Expression unary(int least);
    // These make what was read a part of themselves.
    void binary(Expression& left, const BinarySign& sign);
    void logical(Expression& first, Kind kind, uint32_t begin);
    void comparison(Expression& first, uint32_t begin);
    void alternatives(Expression& value, uint32_t begin);
    void namedValue(Expression& name);
    void moreItems(Expression& out, Expression (ExpressionParser::*item)());
    Expression conditional();
    Expression starred(Kind kind, bool isLoose);

    // --- atoms.cpp
    Expression primary();
    Expression number();
    Expression constant(Value value);
    Expression grouped();
    /// What stands in parentheses or, with an empty `close`, between an f-string's braces.
    Expression groupContent(uint32_t begin, std::string_view close);
    void endGroup(std::string_view close);
    Expression listDisplay();
    Expression braces();
    void display(Expression& out, FunctionTree::Kind kind, std::string_view close, const Marks& before);
    void dictDisplay(Expression& out, const Marks& before);
    void call(Expression& callee, uint32_t begin);
    Expression argument(bool isCall, bool isFirst, uint32_t open);
    Expression keyword();
    Expression positional(bool isCall, bool isFirst, uint32_t open);
    void attribute(Expression& object, uint32_t begin);
    void subscript(Expression& object, uint32_t begin);
    void slice(Expression& first, uint32_t begin);
    Expression subscriptItem();
    Value nameValue(const std::string& text);

    // --- functions.cpp
    bool isComprehension() const { return is("for") || is("async"); }
    /// The children of `out` become the element. `before`: what beginPart() gave before it.
    void comprehension(Expression& out, FunctionTree::Kind kind, std::string_view close, const Marks& before);
    /// Up to the iterable; whether it is an async one.
    bool clause(FunctionTree& function);
    struct ParameterOrder {
        std::set<std::string> names;
        std::optional<uint32_t> bareStar; ///< and no name behind it yet
        bool hasStar = false, hasSlash = false, hasDefault = false, hasKwargs = false;
    };
    void parameter(FunctionTree& function, ParameterOrder& order, bool isLambda);
    Expression await();
    Expression looseTarget();
    Expression lambda();
    /// Begins a part that may become a comprehension's, and gives what is to be restored.
    Marks beginPart() { return std::exchange(m_scopes.back().marks, {}); }
    void endPart(const Marks& before);

    // --- text.cpp
    void literal(Expression& out, bool& isBytes, bool& isFormatted);
    std::string literalText(uint32_t begin, uint32_t end, bool isRaw, bool isBytes, bool isFormatted);
    /// Adds the values before `end` and the texts between them, and gives the place behind the last.
    uint32_t formatted(Expression& out, uint32_t at, uint32_t end, int depth, bool isRaw);
    void formattedValue(const FormatValue& value, Expression& out, int depth, bool isRaw);
    /// `isShown`: a "=" stands behind it.
    Expression formatExpression(uint32_t begin, uint32_t end, bool& isShown);
    Expression formatSpec(uint32_t begin, uint32_t end, int depth, bool isRaw);

    size_t m_value = 0;                             ///< the next of the source's format values
    std::string m_unknownName;                      ///< in the literal that is being read, see Unescaped
    std::unordered_map<std::string, Value> m_names; ///< each name's Value, made once
};

} // namespace fx
