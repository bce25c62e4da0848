// SPDX-License-Identifier: GPL-3.0-or-later
// Python source as a tree of values that own their parts, with every name resolved to where it lives.
// syntax/statement_parser.h reads it from the tokens, scopes.cpp resolves the names; the evaluator walks it.
#pragma once

#include "core/ir/python_operators.h"
#include "core/python/value.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// Where a name lives. In functions: a slot of the frame, or a cell that inner functions share. Elsewhere by
/// name.
enum class NameScope : uint8_t {
    Global, ///< the module's names, then the builtins
    Local,  ///< `slot` of the frame's locals
    Cell,   ///< `slot` of the frame's cells: first the function's own, then those it takes from outside
    Class,  ///< in a class body: the class's names, then, where `slot` is not -1, that cell, then as Global
};

struct FunctionTree;
struct Statement;
using Block = std::vector<Statement>;

struct Expression {
    enum class Kind : uint8_t {
        Name,     ///< text, scope, slot
        Constant, ///< constant (None, bool, int, float, complex, str, bytes, Ellipsis)
        Tuple,    ///< children; Starred among them
        List,     ///< children; Starred among them
        Set,      ///< children; Starred among them
        Dict, ///< children: key, value, key, value ...; the key of `**mapping` is of kind DoubleStarred and
              ///< empty
        Attribute,     ///< children[0] . text (name-mangled where Python does it)
        Subscript,     ///< children[0] [ children[1] ]
        Slice,         ///< children: start, stop, step, each perhaps the constant None
        Call,          ///< children[0] ( children[1...] ); Keyword, Starred and DoubleStarred among them
        Keyword,       ///< text = children[0]
        Starred,       ///< *children[0]
        DoubleStarred, ///< **children[0]
        Unary,         ///< op children[0]
        Binary,        ///< children[0] op children[1]
        Compare,       ///< children[0] operators[0] children[1] operators[1] children[2] ...
        And,           ///< children[0] and children[1] (and ...)
        Or,
        Not,
        Conditional,    ///< children[0] if children[1] else children[2]
        NamedValue,     ///< (children[0] := children[1]); children[0] is a Name
        Lambda,         ///< function
        Comprehension,  ///< function (see FunctionTree::comprehension); children[0]: the first iterable
        FormattedText,  ///< f-string; children: Constant texts and FormattedValue
        FormattedValue, ///< {children[0] !text :children[1]}; text: "", "r", "s" or "a"; children[1] may be
                        ///< absent
        Yield,          ///< yield children[0], which may be absent
        YieldFrom,      ///< yield from children[0]
        Unsupported,    ///< what the evaluator does not do ("await"); text says what; an error where it is
                        ///< reached
    };

    Kind kind = Kind::Constant;
    Operator op = Operator::Add;
    NameScope scope = NameScope::Global;
    uint16_t height = 1; ///< levels of expressions, this one among them
    int32_t slot = -1;
    uint32_t begin = 0, end = 0; ///< bytes of the source
    std::string text;
    Value name; ///< `text` as a str, made once
    Value constant;
    std::vector<Operator> operators;
    std::vector<Expression> children;
    std::shared_ptr<FunctionTree> function;
};

/// A pattern of `match`.
struct Pattern {
    enum class Kind : uint8_t {
        Value,    ///< equal to `expression` (literals are compared with ==, None/True/False with `is`)
        Capture,  ///< binds `target`, a Name; no target: the wildcard _
        Sequence, ///< parts; a Star may be among them
        Star,     ///< *target, or *_
        Mapping,  ///< expressions[i]: parts[i]; `target` takes the rest of **rest
        Class,    ///< expression ( parts positional, then keywords[i] = parts[positional + i] )
        Or,       ///< parts
        As,       ///< parts[0] as target
    };
    Kind kind = Kind::Capture;
    std::vector<Expression> expressions;
    std::vector<Expression> target; ///< none or one Name
    std::vector<Pattern> parts;
    std::vector<std::string> keywords;
    uint32_t begin = 0, end = 0;
};

struct Statement {
    enum class Kind : uint8_t {
        Expression,      ///< expressions[0]
        Assign,          ///< expressions: targets..., value
        AugmentedAssign, ///< expressions[0] op= expressions[1]
        AnnotatedAssign, ///< expressions[0]: expressions[1] = expressions[2], the last may be absent
        Return,          ///< expressions[0], which may be absent
        If,              ///< expressions[i] guards blocks[i]; a further block is the else
        While,           ///< while expressions[0]: blocks[0] else: blocks[1], which may be absent
        For,             ///< for expressions[0] in expressions[1]: blocks[0] else: blocks[1]
        Break,
        Continue,
        Pass,
        Raise,       ///< raise expressions[0] from expressions[1]; each may be absent
        Try,         ///< blocks: body, else and finally, each perhaps empty; handlers
        With,        ///< with items: blocks[0]
        Assert,      ///< expressions[0], expressions[1], which may be absent
        Import,      ///< imports
        ImportFrom,  ///< from `text` (with `level` leading dots) import imports; "*" among the names
        FunctionDef, ///< decorators; target; function
        ClassDef,    ///< decorators; target; function; expressions: bases and keywords, as a Call's arguments
        Delete,      ///< expressions
        Match,       ///< expressions[0]; cases
        Unsupported, ///< text says what ("async def")
    };
    struct ImportName {
        std::string name;               ///< "torch.nn", or what is taken from the module
        std::string alias;              ///< empty: none
        std::vector<Expression> target; ///< the Name that is bound; none for "*"
    };
    struct WithItem {
        Expression manager;
        std::vector<Expression> target; ///< none or one
    };
    struct Handler {
        std::vector<Expression> type;   ///< none or one
        std::vector<Expression> target; ///< none or one Name
        Block body;
    };
    struct Case {
        Pattern pattern;
        std::vector<Expression> guard; ///< none or one
        Block body;
    };

    Kind kind = Kind::Pass;
    Operator op = Operator::Add;
    uint32_t begin = 0, end = 0;
    int level = 0;
    std::string text;
    std::vector<Expression> expressions;
    std::vector<Block> blocks;
    std::vector<ImportName> imports;
    std::vector<WithItem> items;
    std::vector<Handler> handlers;
    std::vector<Case> cases;
    std::vector<Expression> target;         ///< of FunctionDef and ClassDef: the Name that is bound
    std::vector<Expression> decorators;     ///< of FunctionDef and ClassDef
    std::shared_ptr<FunctionTree> function; ///< of FunctionDef; of ClassDef: its body, which is a scope
};

/// A function, a lambda, a comprehension, a class body or a whole module: whatever has names of its own.
struct FunctionTree {
    enum class Kind : uint8_t { Module, Class, Function, Lambda, List, Set, Dict, Generator };
    struct Parameter {
        enum class Kind : uint8_t { PositionalOnly, Positional, KeywordOnly, Args, Kwargs };
        std::string name;
        Kind kind = Kind::Positional;
        bool isCell = false; ///< lives in cell `slot`, else in local `slot`
        int32_t slot = -1;
        /// Each none or one; resolved in the scope around the function.
        std::vector<Expression> defaultValue, annotation;
    };
    /// One `for target in iterable if conditions`; the iterable of the first stands outside.
    struct Clause {
        std::vector<Expression> target;   ///< one
        std::vector<Expression> iterable; ///< one, but for the first clause
        std::vector<Expression> conditions;
    };

    Kind kind = Kind::Function;
    std::string name;          ///< "forward", "<lambda>", "<genexpr>", the class's or module's name
    std::string qualifiedName; ///< "Net.forward", "outer.<locals>.inner"
    std::vector<Parameter> parameters;
    std::vector<Expression> returns; ///< the annotation: none or one
    Block body;                      ///< a Lambda's is one Return
    std::vector<Clause> clauses;     ///< of a comprehension
    std::vector<Expression> element; ///< of a comprehension: one, or key and value of a Dict
    bool isGenerator = false;        ///< holds a yield, or is a generator expression
    std::string docstring;
    bool hasDocstring = false;
    uint32_t begin = 0, end = 0;

    /// Filled in by resolveScopes().
    std::vector<std::string> locals;    ///< names of the slots, the parameters that are no cells among them
    std::vector<std::string> cells;     ///< names of its own cells
    std::vector<std::string> freeNames; ///< names of the cells that it takes from outside ...
    std::vector<int32_t> freeSources;   ///< ... and which cell of the scope around it each is
    int32_t classCell = -1; ///< of a Class: the own cell named __class__, which its methods read; else -1
};

/// A parsed source. Functions that were defined in it keep it alive.
struct SourceFile {
    std::string path; ///< as shown in errors
    std::string text;
    std::vector<uint32_t> lineStarts;
    std::shared_ptr<FunctionTree> module;

    struct Position {
        int line, column; ///< from 1; the column counts bytes
    };
    Position position(uint32_t offset) const;
    /// Part of the program, not of the user's source: its path is in angle brackets.
    bool isLibrary() const { return path.starts_with('<'); }
    std::string_view line(int number) const;
};

/// Parses a whole file, or throws an Error with kind "SyntaxError" at its place. The whole syntax of
/// Python 3.11 is parsed; what the evaluator does not do becomes Unsupported.
std::shared_ptr<const SourceFile> parseSource(std::string text, std::string path);
/// Parses one expression, as a module whose body is one Return. `path` names the source in errors.
std::shared_ptr<const SourceFile> parseExpressionSource(std::string_view text, std::string path);
/// Resolves all names of a tree (called by the two above).
void resolveScopes(const SourceFile& file, FunctionTree& module);

/// Throws an Error at byte `begin` of the source: "PATH:1:7: message", the line and a caret below it.
[[noreturn]] void failAt(const SourceFile& file, uint32_t begin, const std::string& message,
                         const std::string& advice = {}, std::string_view kind = "SyntaxError");

} // namespace fx
