// SPDX-License-Identifier: GPL-3.0-or-later
// Text to tree: tokens, syntax, and the resolving of names.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/python/source_file.h"
#include "core/python/syntax/faults.h"
#include "core/python/syntax/statement_parser.h"

namespace fx {

static std::shared_ptr<const SourceFile> parse(const std::shared_ptr<SourceFile>& file,
                                               void (StatementParser::*read)(FunctionTree&)) {
    const TokenizedSource source = tokenize(*file);
    try {
        (StatementParser(*file, source).*read)(*file->module);
    } catch (const Stumble& stumble) {
        explainStumble(*file, source, stumble.token);
    }
    resolveScopes(*file, *file->module);
    return file;
}

std::shared_ptr<const SourceFile> parseSource(std::string text, std::string path) {
    return parse(makeSourceFile(std::move(text), std::move(path)), &StatementParser::readModule);
}

std::shared_ptr<const SourceFile> parseExpressionSource(std::string_view text, std::string path) {
    if (trim(text).empty())
        throw Error(path, "an expression is expected, but there is none").kind("SyntaxError");
    // Blanks before an expression would read as indentation.
    return parse(makeSourceFile(std::string(trim(text)), std::move(path)), &StatementParser::readExpression);
}

} // namespace fx
