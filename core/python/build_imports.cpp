// SPDX-License-Identifier: GPL-3.0-or-later
// import and from ... import.
#include "core/python/tree_builder.h"

#include <algorithm>
#include <array>

namespace fx {

namespace {

constexpr std::array<std::string_view, 10> kFeatures{
    "nested_scopes",  "generators",       "division",       "absolute_import", "with_statement",
    "print_function", "unicode_literals", "barry_as_FLUFL", "generator_stop",  "annotations",
};

} // namespace

std::string TreeBuilder::dottedName(const SyntaxNode& node) {
    // Blanks may stand around the dots.
    std::string out;
    for (const SyntaxNode& part : children(node)) {
        if (part.isNamed())
            makeName(part);
        out += text(part);
    }
    return out;
}

void TreeBuilder::importNames(const Nodes& parts, bool isFrom, Statement& out) {
    for (const SyntaxNode& part : parts) {
        if (part.kind() == "wildcard_import") {
            if (m_scopes.back().tree->kind != FunctionTree::Kind::Module)
                fail(part, "import * only allowed at module level");
            out.imports.push_back({"*", {}, {}});
        }
        if (part.field != "name")
            continue;
        Statement::ImportName import;
        const Nodes inner = children(part);
        const bool isAliased = part.kind() == "aliased_import";
        const SyntaxNode name = isAliased ? require(inner, "name") : part;
        import.name = dottedName(name);
        if (isFrom && import.name.find('.') != std::string::npos)
            failSyntax(name);
        if (isAliased) {
            import.alias = text(require(inner, "alias"));
            import.target.push_back(makeName(require(inner, "alias")));
        } else {
            import.target.push_back(
                makeName(part, std::string_view(import.name).substr(0, import.name.find('.'))));
        }
        checkTarget(import.target[0]);
        out.imports.push_back(std::move(import));
    }
    // With parentheses around the names they are the last.
    if (parts.back().kind() == ",")
        fail(parts.back(),
             isFrom ? "trailing comma not allowed without surrounding parentheses" : "invalid syntax");
}

void TreeBuilder::importStatement(const SyntaxNode& node, Block& out) {
    importNames(children(node), false, add(out, Statement::Kind::Import, node));
}

void TreeBuilder::importFrom(const SyntaxNode& node, Block& out) {
    Statement& statement = add(out, Statement::Kind::ImportFrom, node);
    const Nodes parts = children(node);
    const SyntaxNode& module = require(parts, "module_name");
    if (module.kind() == "relative_import") {
        for (const SyntaxNode& part : children(module)) {
            if (part.kind() == "dotted_name")
                statement.text = dottedName(part);
            else
                for (const char c : text(part))
                    statement.level += c == '.';
        }
    } else {
        statement.text = dottedName(module);
    }
    importNames(parts, true, statement);
}

void TreeBuilder::futureImport(const SyntaxNode& node, Block& out) {
    if (!m_isPrologue)
        fail(node, "from __future__ imports must occur at the beginning of the file");
    Statement& statement = add(out, Statement::Kind::ImportFrom, node);
    statement.text = "__future__";
    importNames(children(node), true, statement);
    for (const Statement::ImportName& import : statement.imports) {
        if (import.name == "braces")
            fail(node, "not a chance");
        if (std::find(kFeatures.begin(), kFeatures.end(), import.name) == kFeatures.end())
            fail(node, "future feature " + import.name + " is not defined");
        m_hasFutureAnnotations = m_hasFutureAnnotations || import.name == "annotations";
    }
}

} // namespace fx
