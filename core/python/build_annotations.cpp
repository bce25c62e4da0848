// SPDX-License-Identifier: GPL-3.0-or-later
// Annotations, for which tree-sitter has kinds of nodes of their own: they become plain expressions.
#include "core/python/tree_builder.h"

namespace fx {

Expression TreeBuilder::annotationType(const SyntaxNode& node) {
    const SyntaxNode inner = children(node).at(0);
    if (isBareWalrus(inner))
        failSyntax(inner);
    return build(inner);
}

Expression TreeBuilder::genericType(const SyntaxNode& node) {
    const Nodes parts = children(node);
    const Nodes items = children(parts.at(1));
    Expression out = make(Kind::Subscript, node);
    out.children.push_back(makeName(parts[0]));
    Expression index = make(Kind::Tuple, parts[1]);
    for (const SyntaxNode& child : items)
        if (child.isNamed())
            index.children.push_back(item(child));
    const bool isTuple = holds(items, ",") || index.children.at(0).kind == Kind::Starred;
    if (!isTuple)
        index = Expression(std::move(index.children[0]));
    out.children.push_back(std::move(index));
    return out;
}

Expression TreeBuilder::unionType(const SyntaxNode& node) {
    // "A | B | C" may come as A | (B | C), or partly as an operator: all of it associates to the left.
    Nodes leaves;
    collectUnion(node, leaves);
    Expression out = operand(leaves.at(0));
    for (size_t i = 1; i < leaves.size(); ++i) {
        Expression wider = make(Kind::Binary, node);
        wider.op = Operator::Or;
        wider.end = leaves[i].end();
        wider.children.push_back(std::move(out));
        wider.children.push_back(operand(leaves[i]));
        out = std::move(wider);
    }
    return out;
}

void TreeBuilder::collectUnion(const SyntaxNode& node, Nodes& leaves) {
    const Level level(*this, node);
    const Nodes parts = children(node);
    if (node.kind() == "type")
        return collectUnion(parts.at(0), leaves);
    if (node.kind() != "union_type" && !(node.kind() == "binary_operator" && parts.at(1).kind() == "|"))
        return leaves.push_back(node);
    collectUnion(parts.at(0), leaves);
    collectUnion(parts.at(2), leaves);
}

Expression TreeBuilder::memberType(const SyntaxNode& node) {
    const Nodes parts = children(node);
    Expression out = make(Kind::Attribute, node);
    out.children.push_back(operand(parts.at(0)));
    out.text = mangled(text(parts.at(2)));
    out.name = nameValue(out.text);
    return out;
}

Expression TreeBuilder::constrainedType(const SyntaxNode& node) {
    const Nodes parts = children(node);
    Expression out = make(Kind::Slice, node);
    out.children.push_back(expression(parts.at(0)));
    out.children.push_back(expression(parts.at(2)));
    out.children.push_back(noneAt(node.end()));
    return out;
}

} // namespace fx
