// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/argument_text_edit.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/python/parse_expression.h"
#include "core/rewrite/argument_reader.h"

namespace fx::ui {

Argument parseArgument(const std::string& text, const Graph& graph) {
    const std::string bare(trim(text));
    const ArgumentReader reader(
        [&](const Expression& e) -> std::optional<Argument> {
            const NodeId node = e.kind == Expression::Kind::Name ? graph.find(e.text) : NodeId();
            return node ? std::optional(Argument(node)) : std::nullopt;
        },
        [&](const Expression& e, const std::string& message) {
            throw Error("", "'" + bare.substr(e.begin, e.end - e.begin) + "' " + message);
        });
    return reader.read(parseExpression(bare, "argument"));
}

std::string argumentText(const Argument& argument, const Graph& graph) {
    return reprText(argument, [&](NodeId node) { return graph.node(node).name; });
}

} // namespace fx::ui
