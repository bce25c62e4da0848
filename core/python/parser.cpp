// SPDX-License-Identifier: GPL-3.0-or-later
// Text to tree: tokens are checked, tree-sitter parses, the TreeBuilder builds from its nodes,
// resolveScopes() resolves the names.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/python/faults.h"
#include "core/python/parse_expression.h"
#include "core/python/source_file.h"
#include "core/python/syntax_tree.h"
#include "core/python/tokens.h"
#include "core/python/tree_builder.h"

namespace fx {

static std::shared_ptr<const SourceFile> parse(std::shared_ptr<SourceFile> file,
                                               void (TreeBuilder::*build)(TSNode, FunctionTree&)) {
    const TokenizedSource source = tokenize(*file);
    const SyntaxTree tree(source.masked);
    if (const std::optional<uint32_t> fault = tree.fault())
        explainFault(*file, source, *fault);
    (TreeBuilder(*file, source).*build)(tree.root(), *file->module);
    resolveScopes(*file, *file->module);
    return file;
}

std::optional<Expression> tryExpression(std::string_view text) {
    try {
        const std::shared_ptr<SourceFile> file = makeSourceFile(std::string(text), {});
        const TokenizedSource source = tokenize(*file);
        const SyntaxTree tree(source.masked);
        if (tree.fault())
            return std::nullopt;
        TreeBuilder(*file, source).buildExpressionModule(tree.root(), *file->module);
        return std::move(file->module->body[0].expressions[0]);
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::shared_ptr<const SourceFile> parseSource(std::string text, std::string path) {
    return parse(makeSourceFile(std::move(text), std::move(path)), &TreeBuilder::buildModule);
}

std::shared_ptr<const SourceFile> parseExpressionSource(std::string_view text, std::string path) {
    if (trim(text).empty())
        throw Error(path, "an expression is expected, but there is none").kind("SyntaxError");
    // Blanks before an expression would read as indentation.
    return parse(makeSourceFile(std::string(trim(text)), std::move(path)),
                 &TreeBuilder::buildExpressionModule);
}

} // namespace fx
