// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/code_reader.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/python/evaluator.h"
#include "core/python/tree.h"
#include "core/rewrite/argument_reader.h"
#include "core/rewrite/source_functions.h"
#include "core/torch/bind/call.h"
#include "core/torch/host/function_table.h"

#include <algorithm>

namespace fx {

namespace {

using Kind = Expression::Kind;
using StatementKind = Statement::Kind;

class CodeReader {
public:
    CodeReader(const Model& model, ModuleId module, const std::string& code)
        : m_model(model), m_module(module), m_file(parseSource(code, "code")),
          m_reader([this](const Expression& e) { return resolve(e); },
                   [this](const Expression& e, const std::string& message) {
                       fail(e.begin, '\'' + textOf(e) + "' " + message);
                   }) {
        // `math_sqrt` stands for math.sqrt where the graph uses it.
        for (const Node& node : model.graph(module))
            if (node.opcode == Opcode::CallFunction)
                m_globals.emplace(legalName(node.target.qualifiedName()), node.target);
    }

    std::vector<WrittenNode> read() {
        const Statement* forward = nullptr;
        for (const Statement& s : m_file->module->body)
            if (s.kind == StatementKind::FunctionDef && s.function->name == "forward")
                forward = &s;
        if (!forward)
            throw Error("code:1:1", "there is no 'def forward(self, ...):'").kind("SyntaxError");
        parameters(*forward);
        for (const Statement& s : forward->function->body)
            statement(s);
        return std::move(m_nodes);
    }

private:
    [[noreturn]] void fail(uint32_t at, const std::string& message) const {
        failAt(*m_file, at, message, {}, "");
    }

    NodeId add(WrittenNode node) {
        m_nodes.push_back(std::move(node));
        return NodeId{static_cast<int32_t>(m_nodes.size() - 1)};
    }

    std::string textOf(const Expression& e) const { return m_file->text.substr(e.begin, e.end - e.begin); }

    void parameters(const Statement& forward) {
        using ParameterKind = FunctionTree::Parameter::Kind;
        bool isFirst = true;
        for (const FunctionTree::Parameter& p : forward.function->parameters) {
            if (std::exchange(isFirst, false) && p.name == "self")
                continue;
            WrittenNode node;
            node.opcode = Opcode::Placeholder;
            node.target = (p.kind == ParameterKind::Args     ? "*"
                           : p.kind == ParameterKind::Kwargs ? "**"
                                                             : "") +
                          p.name;
            node.position = forward.begin;
            if (!p.defaultValue.empty())
                node.args.push_back(m_reader.read(p.defaultValue[0]));
            if (!p.annotation.empty())
                node.type = textOf(p.annotation[0]);
            m_variables[p.name] = add(std::move(node));
        }
    }

    void statement(const Statement& s) {
        switch (s.kind) {
        case StatementKind::Pass:
            return;
        case StatementKind::Return:
            output(s);
            return;
        case StatementKind::Expression:
            value(s.expressions[0], {});
            return;
        case StatementKind::AnnotatedAssign:
            if (s.expressions.size() == 3) {
                const NodeId node = value(s.expressions[2], s.expressions[0].text);
                m_nodes[static_cast<size_t>(node.value)].type = textOf(s.expressions[1]);
                m_variables[s.expressions[0].text] = node;
            }
            return;
        case StatementKind::AugmentedAssign: {
            WrittenNode node;
            node.target = "operator." + std::string(operatorRow(s.op).inPlaceFunction());
            node.args = {m_reader.read(s.expressions[0]), m_reader.read(s.expressions[1])};
            node.position = s.begin;
            m_unnamed = add(std::move(node));
            m_variables[s.expressions[0].text] = m_unnamed;
            return;
        }
        case StatementKind::Assign:
            assign(s);
            return;
        default:
            fail(s.begin, "cannot be a part of a graph: only calls, assignments and a return can");
        }
    }

    void assign(const Statement& s) {
        const Expression& source = s.expressions.back();
        const Expression& target = s.expressions[0];
        // `a = b = None` frees values.
        const bool areNames = std::all_of(s.expressions.begin(), s.expressions.end() - 1,
                                          [](const Expression& e) { return e.kind == Kind::Name; });
        if (areNames && source.kind == Kind::Constant && source.constant.isNone())
            return;
        if (target.kind == Kind::Subscript) {
            WrittenNode node;
            node.target = "operator.setitem";
            node.args = {m_reader.read(target.children[0]), m_reader.read(target.children[1]),
                         m_reader.read(source)};
            node.position = s.begin;
            m_unnamed = add(std::move(node));
            return;
        }
        if (target.kind == Kind::Tuple || target.kind == Kind::List) {
            // The arguments taken apart into the placeholders.
            const bool isFlattening =
                source.kind == Kind::Call && dottedName(source.children[0]) == "fx_pytree.tree_flatten_spec";
            if (!isFlattening)
                fail(s.begin, "cannot be a part of a graph: take the items one by one, as in a = x[0]");
            flattened(target);
            return;
        }
        if (target.kind != Kind::Name || !areNames)
            fail(s.begin, "cannot be a part of a graph");
        if (source.kind == Kind::Name) {
            const auto known = m_variables.find(source.text);
            if (known == m_variables.end())
                fail(source.begin, "'" + source.text + "' is no node of this graph");
            // `x += y;  iadd = x` gives the node its name.
            WrittenNode* fresh = m_unnamed ? &m_nodes[static_cast<size_t>(m_unnamed.value)] : nullptr;
            const bool namesSetItem = fresh && fresh->target == Target("operator.setitem");
            if (fresh && (known->second == m_unnamed || namesSetItem)) {
                fresh->name = target.text;
                m_variables[target.text] = m_unnamed;
                m_unnamed = NodeId();
            } else {
                m_variables[target.text] = known->second;
            }
            return;
        }
        m_variables[target.text] = value(source, target.text);
    }

    /// With nested arguments, the placeholders are what they are taken apart into.
    void flattened(const Expression& target) {
        std::vector<WrittenNode> placeholders;
        for (const Expression& name : target.children) {
            if (name.text == "self")
                continue;
            WrittenNode node;
            node.opcode = Opcode::Placeholder;
            node.target = name.text;
            node.position = name.begin;
            placeholders.push_back(std::move(node));
        }
        m_nodes = std::move(placeholders);
        m_variables.clear();
        for (size_t i = 0; i < m_nodes.size(); ++i)
            m_variables[m_nodes[i].target.name()] = NodeId{static_cast<int32_t>(i)};
    }

    void output(const Statement& s) {
        WrittenNode node;
        node.opcode = Opcode::Output;
        node.target = "output";
        node.name = "output";
        node.position = s.begin;
        if (s.expressions.empty()) {
            node.args.emplace_back();
        } else {
            const Expression* e = &s.expressions[0];
            if (e->kind == Kind::Call && dottedName(e->children[0]) == "pytree.tree_unflatten" &&
                e->children.size() > 1)
                e = &e->children[1];
            node.args.push_back(m_reader.read(*e));
        }
        add(std::move(node));
    }

    /// What is read as an argument but is a node: variables, and calls within calls.
    std::optional<Argument> resolve(const Expression& e) {
        if (e.kind == Kind::Name) {
            const auto known = m_variables.find(e.text);
            return known == m_variables.end() ? std::nullopt : std::optional(Argument(known->second));
        }
        const bool isLiteralCall =
            e.kind == Kind::Call &&
            (dottedName(e.children[0]) == "slice" || dottedName(e.children[0]) == "device" ||
             dottedName(e.children[0]) == "torch.device" || dottedName(e.children[0]) == "range");
        const bool isCall = (e.kind == Kind::Call && !isLiteralCall) || e.kind == Kind::Binary ||
                            e.kind == Kind::Compare || e.kind == Kind::Subscript;
        const bool isNegatedNode =
            e.kind == Kind::Unary && e.children[0].kind != Kind::Constant &&
            !(e.children[0].kind == Kind::Name && !m_variables.contains(e.children[0].text));
        const bool isOfNode = e.kind == Kind::Attribute && (isNode(e.children[0]) || modulePath(e));
        if (isCall || isNegatedNode || isOfNode)
            return Argument(value(e, {}));
        return std::nullopt;
    }

    bool isNode(const Expression& e) const {
        if (e.kind == Kind::Name)
            return m_variables.contains(e.text);
        return e.kind == Kind::Call || e.kind == Kind::Subscript || e.kind == Kind::Binary ||
               (e.kind == Kind::Attribute && isNode(e.children[0]));
    }

    std::optional<std::string> modulePath(const Expression& e) const {
        return m_variables.contains("self") ? std::nullopt : pathBelowSelf(e);
    }

    void arguments(const Expression& call, WrittenNode& node) {
        for (size_t i = 1; i < call.children.size(); ++i) {
            const Expression& argument = call.children[i];
            if (argument.kind == Kind::Keyword)
                node.kwargs.emplace_back(argument.text, m_reader.read(argument.children[0]));
            else if (argument.kind == Kind::Starred || argument.kind == Kind::DoubleStarred)
                fail(argument.begin, "cannot be a part of a graph: * and ** in a call");
            else
                node.args.push_back(m_reader.read(argument));
        }
    }

    Target function(const Expression& callee) const {
        const std::string name = dottedName(callee);
        if (name.empty())
            fail(callee.begin, "cannot be called in a graph");
        if (const auto known = m_globals.find(name); known != m_globals.end())
            return known->second;
        if (const FunctionRow* row = findFunction(name); row && row->target && name.starts_with("torch."))
            return row->target;
        const bool isLibrary = name.starts_with("math.") || name.starts_with("operator.");
        if (isKnownFunction(name) || isLibrary || name.starts_with("torch.ops."))
            return name;
        for (const SourceFunction& each : sourceFunctions(m_model))
            if (each.name == name)
                return name;
        fail(callee.begin, "'" + name + "' is no function that is known here");
    }

    /// The node that computes the expression.
    NodeId value(const Expression& e, const std::string& name) {
        WrittenNode node;
        node.name = name;
        node.position = e.begin;
        const auto operation = [&](std::string_view op) { node.target = "operator." + std::string(op); };
        switch (e.kind) {
        case Kind::Call: {
            const Expression& callee = e.children[0];
            if (const std::optional<std::string> path = modulePath(e)) { // getattr(self, "0")
                node.opcode = Opcode::GetAttr;
                node.target = requireAttribute(e, *path, false);
                break;
            }
            if (const std::optional<std::string> path = modulePath(callee)) {
                node.opcode = Opcode::CallModule;
                node.target = requireAttribute(callee, *path, true);
                arguments(e, node);
                break;
            }
            if (callee.kind == Kind::Attribute && isNode(callee.children[0])) {
                node.opcode = Opcode::CallMethod;
                node.target = callee.text;
                node.args.push_back(m_reader.read(callee.children[0]));
                arguments(e, node);
                break;
            }
            node.target = function(callee);
            arguments(e, node);
            break;
        }
        case Kind::Attribute:
            if (const std::optional<std::string> path = modulePath(e)) {
                node.opcode = Opcode::GetAttr;
                node.target = requireAttribute(e, *path, false);
            } else if (isNode(e.children[0])) {
                node.target = "getattr";
                node.args = {m_reader.read(e.children[0]), Argument(e.text)};
            } else {
                fail(e.begin, "'" + textOf(e) + "' is no node of this graph");
            }
            break;
        case Kind::Subscript:
            operation("getitem");
            node.args = {m_reader.read(e.children[0]), m_reader.read(e.children[1])};
            break;
        case Kind::Binary:
            operation(operatorName(e.op));
            node.args = {m_reader.read(e.children[0]), m_reader.read(e.children[1])};
            break;
        case Kind::Compare:
            if (e.operators.size() != 1)
                fail(e.begin, "cannot be a part of a graph: compare two values at a time");
            operation(operatorName(e.operators[0]));
            node.args = {m_reader.read(e.children[0]), m_reader.read(e.children[1])};
            break;
        case Kind::Unary:
            operation(operatorName(e.op));
            node.args = {m_reader.read(e.children[0])};
            break;
        case Kind::Name:
            if (const auto known = m_variables.find(e.text); known != m_variables.end())
                return known->second;
            fail(e.begin, "'" + e.text + "' is no node of this graph");
        default:
            fail(e.begin, "'" + textOf(e) + "' is no call: a graph computes values by calls");
        }
        return add(std::move(node));
    }

    std::string requireAttribute(const Expression& e, const std::string& path, bool isCalled) const {
        const Attribute found = m_model.resolve(m_module, path);
        if (isCalled ? !found.module : !found)
            fail(e.begin, isCalled ? "there is no submodule '" + path + '\''
                                   : "there is no attribute '" + path + '\'');
        return path;
    }

    const Model& m_model;
    ModuleId m_module;
    std::shared_ptr<const SourceFile> m_file;
    ArgumentReader m_reader;
    std::unordered_map<std::string, Target> m_globals;
    std::unordered_map<std::string, NodeId> m_variables; ///< indices into m_nodes
    NodeId m_unnamed;                                    ///< computed in place, not yet given its name
    std::vector<WrittenNode> m_nodes;
};

} // namespace

std::vector<WrittenNode> readCode(const Model& model, ModuleId module, const std::string& code) {
    return CodeReader(model, module, code).read();
}

} // namespace fx
