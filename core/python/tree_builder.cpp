// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of functions by kind of node, the way to the nodes, and whole modules.
#include "core/python/tree_builder.h"

#include "core/base/error.h"
#include "core/python/syntax_tree.h"

#include <algorithm>
#include <unordered_map>

namespace fx {

static_assert(std::is_nothrow_move_constructible_v<Expression> &&
              std::is_nothrow_move_constructible_v<Statement>); // else growing vectors would copy whole trees

namespace {

/// Bounds the recursion here and in everybody who walks the tree.
constexpr int kDeepest = 200;

/// For each kind of node of the grammar the row of that name.
template <class Row>
std::vector<Row> rowsBySymbol(const std::unordered_map<std::string_view, Row>& rows) {
    const TSLanguage* language = tree_sitter_python();
    std::vector<Row> out(ts_language_symbol_count(language), nullptr);
    for (TSSymbol symbol = 0; symbol < out.size(); ++symbol)
        if (const auto row = rows.find(ts_language_symbol_name(language, symbol));
            row != rows.end() && ts_language_symbol_type(language, symbol) == TSSymbolTypeRegular)
            out[symbol] = row->second;
    return out;
}

} // namespace

TreeBuilder::TreeBuilder(const SourceFile& file, const TokenizedSource& source) : m_file(file), m_cursor() {
    for (size_t i = 0; i < source.tokens.size(); ++i)
        if (i == 0 || source.tokens[i - 1].kind == Token::Kind::Newline)
            m_lines.push_back(source.tokens[i].begin);
    m_lines.push_back(static_cast<uint32_t>(file.text.size()));
}

TreeBuilder::~TreeBuilder() {
    if (m_cursor.tree)
        ts_tree_cursor_delete(&m_cursor);
}

TreeBuilder::Level::Level(TreeBuilder& builder, const SyntaxNode& node) : depth(builder.m_depth) {
    if (depth >= kDeepest)
        builder.fail(node, "too deeply nested");
    ++depth;
}

const std::vector<TreeBuilder::BuildExpression>& TreeBuilder::expressionRows() {
    using B = TreeBuilder;
    static const std::vector<BuildExpression> rows = rowsBySymbol<BuildExpression>({
        {"identifier", &B::makeName},
        {"integer", &B::number},
        {"float", &B::number},
        {"true", &B::trueConstant},
        {"false", &B::falseConstant},
        {"none", &B::noneConstant},
        {"ellipsis", &B::ellipsis},
        {"string", &B::string},
        {"concatenated_string", &B::concatenatedString},
        {"parenthesized_expression", &B::parenthesized},
        {"parenthesized_list_splat", &B::parenthesized},
        {"tuple", &B::tuple},
        {"tuple_pattern", &B::tuplePattern},
        {"list", &B::list},
        {"list_pattern", &B::list},
        {"set", &B::set},
        {"dictionary", &B::dictionary},
        {"expression_list", &B::expressionList},
        {"pattern_list", &B::expressionList},
        {"list_comprehension", &B::listComprehension},
        {"set_comprehension", &B::setComprehension},
        {"dictionary_comprehension", &B::dictComprehension},
        {"generator_expression", &B::generator},
        {"attribute", &B::attribute},
        {"subscript", &B::subscript},
        {"slice", &B::slice},
        {"call", &B::call},
        {"keyword_argument", &B::keyword},
        {"list_splat", &B::starred},
        {"list_splat_pattern", &B::starred},
        {"splat_type", &B::starred},
        {"dictionary_splat", &B::doubleStarred},
        {"unary_operator", &B::unary},
        {"binary_operator", &B::binary},
        {"boolean_operator", &B::boolean},
        {"not_operator", &B::notOperator},
        {"comparison_operator", &B::comparison},
        {"conditional_expression", &B::conditional},
        {"named_expression", &B::namedValue},
        {"lambda", &B::lambda},
        {"yield", &B::yield},
        {"await", &B::await},
        {"type", &B::annotationType},
        {"generic_type", &B::genericType},
        {"union_type", &B::unionType},
        {"member_type", &B::memberType},
        {"constrained_type", &B::constrainedType},
    });
    return rows;
}

const std::vector<TreeBuilder::BuildStatement>& TreeBuilder::statementRows() {
    using B = TreeBuilder;
    static const std::vector<BuildStatement> rows = rowsBySymbol<BuildStatement>({
        {"expression_statement", &B::expressionStatement},
        {"return_statement", &B::returnStatement},
        {"if_statement", &B::ifStatement},
        {"while_statement", &B::whileStatement},
        {"for_statement", &B::forStatement},
        {"break_statement", &B::breakStatement},
        {"continue_statement", &B::continueStatement},
        {"pass_statement", &B::passStatement},
        {"raise_statement", &B::raiseStatement},
        {"try_statement", &B::tryStatement},
        {"with_statement", &B::withStatement},
        {"assert_statement", &B::assertStatement},
        {"import_statement", &B::importStatement},
        {"import_from_statement", &B::importFrom},
        {"future_import_statement", &B::futureImport},
        {"function_definition", &B::functionStatement},
        {"class_definition", &B::classStatement},
        {"decorated_definition", &B::decoratedStatement},
        {"delete_statement", &B::deleteStatement},
        {"global_statement", &B::scopeStatement},
        {"nonlocal_statement", &B::scopeStatement},
        {"print_statement", &B::printStatement},
        {"exec_statement", &B::execStatement},
        {"type_alias_statement", &B::typeStatement},
        {"match_statement", &B::matchStatement},
    });
    return rows;
}

// --- The way to the nodes.

void TreeBuilder::startLine(uint32_t begin) {
    if (m_lines[m_line] < begin)
        fail(static_cast<uint32_t>(m_file.text.find_last_not_of(" \t\n", m_lines[m_line] - 1)) + 1,
             "invalid syntax");
    if (m_lines[m_line] == begin && m_line + 1 < m_lines.size())
        ++m_line;
}

TreeBuilder::Nodes TreeBuilder::children(const SyntaxNode& node) {
    Nodes out;
    out.reserve(ts_node_child_count(node.raw));
    if (m_cursor.tree)
        ts_tree_cursor_reset(&m_cursor, node.raw);
    else
        m_cursor = ts_tree_cursor_new(node.raw);
    if (!ts_tree_cursor_goto_first_child(&m_cursor))
        return out;
    do {
        const TSNode child = ts_tree_cursor_current_node(&m_cursor);
        const char* field = ts_tree_cursor_current_field_name(&m_cursor);
        if (!ts_node_is_extra(child))
            out.push_back({child, field ? field : std::string_view()});
    } while (ts_tree_cursor_goto_next_sibling(&m_cursor));
    return out;
}

const SyntaxNode* TreeBuilder::find(const Nodes& nodes, std::string_view field) {
    const auto found =
        std::find_if(nodes.begin(), nodes.end(), [&](const SyntaxNode& node) { return node.field == field; });
    return found == nodes.end() ? nullptr : &*found;
}

const SyntaxNode& TreeBuilder::require(const Nodes& nodes, std::string_view field) {
    const SyntaxNode* node = find(nodes, field);
    if (!node)
        throw Error("", "the syntax tree has no '" + std::string(field) + "'");
    return *node;
}

bool TreeBuilder::holds(const Nodes& nodes, std::string_view kind) {
    return std::any_of(nodes.begin(), nodes.end(),
                       [&](const SyntaxNode& node) { return !node.isNamed() && node.kind() == kind; });
}

std::string_view TreeBuilder::text(const SyntaxNode& node) const {
    return std::string_view(m_file.text).substr(node.begin(), node.end() - node.begin());
}

void TreeBuilder::fail(uint32_t at, const std::string& message) const {
    failAt(m_file, at, message);
}

void TreeBuilder::fail(const SyntaxNode& node, const std::string& message) const {
    failAt(m_file, node.begin(), message);
}

// --- Whole sources.

void TreeBuilder::buildModule(TSNode root, FunctionTree& module) {
    const ScopeEntry entry(*this, module, false);
    const Nodes parts = children({root, {}});
    module.body.reserve(parts.size());
    for (const SyntaxNode& child : parts)
        if (child.isNamed())
            statement(child, module.body);
    startLine(m_lines.back());
    takeDocstring(module);
}

void TreeBuilder::buildExpressionModule(TSNode root, FunctionTree& module) {
    const ScopeEntry entry(*this, module, false);
    const SyntaxNode node{root, {}};
    const Nodes parts = children(node);
    if (parts.size() != 1)
        fail(parts.empty() ? node : parts[1], "one expression is expected here");
    if (parts[0].kind() != "expression_statement")
        fail(parts[0], "an expression is expected here, not a statement");
    const Nodes inner = children(parts[0]);
    if (inner.size() == 1 && (inner[0].kind() == "assignment" || inner[0].kind() == "augmented_assignment"))
        fail(parts[0], "an expression is expected here, not an assignment");
    startLine(parts[0].begin());
    startLine(m_lines.back());
    Statement& result = add(module.body, Statement::Kind::Return, parts[0]);
    result.expressions.push_back(inner.size() == 1 ? expressions(inner[0]) : commaSeparated(inner, parts[0]));
}

} // namespace fx
