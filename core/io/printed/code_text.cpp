// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/printed/code_text.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/printed/annotations.h"
#include "core/io/printed/code_calls.h"
#include "core/python/tree.h"
#include "core/rewrite/argument_reader.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace fx {

namespace {

using Kind = Expression::Kind;
using StatementKind = Statement::Kind;
using Parameter = FunctionTree::Parameter;

constexpr const char* kCodeAdvice =
    "a printed graph has one call in each statement, as print_readable() writes it";

/// Reads one forward.
class ForwardReader {
public:
    ForwardReader(const SourceFile& file, const FunctionTree& forward)
        : m_file(file), m_forward(forward), m_calls(file), m_nextLine(file.position(forward.begin).line + 1) {
    }

    std::vector<PrintedNode> read() {
        parameters();
        for (const Statement& s : m_forward.body)
            statement(s);
        return std::move(m_nodes);
    }

private:
    [[noreturn]] void fail(uint32_t at, const std::string& message) const { m_calls.fail(at, message); }
    std::string textOf(const Expression& e) const { return m_calls.textOf(e); }
    Argument read(const Expression& e) const { return m_calls.read(e); }
    PrintedNode& at(NodeId index) { return m_nodes[static_cast<size_t>(index.value)]; }

    NodeId add(PrintedNode node) {
        m_nodes.push_back(std::move(node));
        return NodeId{static_cast<int32_t>(m_nodes.size() - 1)};
    }

    // --- What is said of a node beside its call

    void annotate(PrintedNode& node, const Expression& annotation) const {
        const bool isText = annotation.kind == Kind::Constant && annotation.constant.isString();
        const std::string text = isText ? annotation.constant.text() : textOf(annotation);
        if (auto value = annotatedValue(text))
            node.meta.set(meta::kValue, std::move(*value));
        else
            node.type = text;
    }

    /// The comment about places that stands nearest above the statement.
    void place(PrintedNode& node, uint32_t begin) {
        for (const int line = m_file.position(begin).line; m_nextLine < line; ++m_nextLine)
            if (auto trace = stackTraceOfComment(m_file.line(m_nextLine)))
                m_trace = trace->empty() ? SharedMeta() : SharedMeta(std::move(*trace));
        if (m_trace)
            node.meta.set(meta::kStackTrace, m_trace);
    }

    // --- Placeholders

    NodeId placeholder(const std::string& target) {
        PrintedNode node;
        node.opcode = Opcode::Placeholder;
        node.target = target;
        node.name = target.substr(std::min(target.find_first_not_of('*'), target.size()));
        const std::string name = node.name;
        const NodeId index = add(std::move(node));
        m_calls.define(name, index);
        return index;
    }

    void parameters() {
        for (const Parameter& p : m_forward.parameters) {
            if (&p == &m_forward.parameters.front() && p.name == "self")
                continue;
            const char* stars = p.kind == Parameter::Kind::Args     ? "*"
                                : p.kind == Parameter::Kind::Kwargs ? "**"
                                                                    : "";
            const NodeId index = placeholder(stars + p.name);
            if (!p.defaultValue.empty()) {
                Argument value = read(p.defaultValue[0]);
                at(index).args.push_back(std::move(value));
            }
            if (!p.annotation.empty())
                annotate(at(index), p.annotation[0]);
        }
    }

    /// What nested arguments are taken apart into are the placeholders, and not what forward takes.
    void flattened(const Expression& target) {
        m_nodes.clear();
        m_calls.forgetNames();
        for (const Expression& name : target.children) {
            if (name.text == "self")
                continue;
            const NodeId index = placeholder(name.text);
            if (const auto known = m_announced.find(name.text); known != m_announced.end())
                annotate(at(index), *known->second);
        }
    }

    /// Whether the statement only takes apart what forward was called with; that is done here.
    bool takesApart(const Expression& target, const Expression& source) {
        if (source.kind != Kind::Call)
            return false;
        const std::string callee = dottedName(source.children[0]);
        if (target.kind == Kind::Tuple) {
            if (callee == "pytree.tree_leaves")
                m_leafCount = target.children.size();
            const bool isKnown = callee == "fx_pytree.tree_flatten_spec" || callee == "pytree.tree_leaves" ||
                                 callee == "self._in_shuffle_graph";
            if (isKnown)
                flattened(target);
            return isKnown;
        }
        // def forward(self, args_list): args_iter = iter(args_list), x = next(args_iter)
        const bool hasOneName =
            target.kind == Kind::Name && source.children.size() == 2 && source.children[1].kind == Kind::Name;
        if (hasOneName && callee == "iter" && source.children[1].text == "args_list" && m_nodes.size() == 1 &&
            m_nodes[0].name == "args_list") {
            m_nodes.clear();
            m_calls.forgetNames();
            m_isBoxed = true;
            return true;
        }
        if (!m_isBoxed || !hasOneName || callee != "next" || source.children[1].text != "args_iter")
            return false;
        placeholder(target.text);
        return true;
    }

    // --- Statements

    void statement(const Statement& s) {
        const auto& parts = s.expressions;
        switch (s.kind) {
        case StatementKind::Pass:
            return;
        case StatementKind::Return:
            output(s);
            return;
        case StatementKind::Expression:
            if (parts[0].kind == Kind::Constant || (m_isBoxed && textOf(parts[0]) == "args_list.clear()"))
                return;
            fail(s.begin, "computes a value and gives it no name");
        case StatementKind::AnnotatedAssign:
            if (parts.size() == 2)
                m_announced[parts[0].text] = &parts[1];
            else
                assign(s, parts[0], parts[2], &parts[1]);
            return;
        case StatementKind::AugmentedAssign:
            inPlace(s, "operator." + std::string(operatorRow(s.op).inPlaceFunction()),
                    {read(parts[0]), read(parts[1])});
            return;
        case StatementKind::Assign: {
            // `a = b = None` frees values.
            const Expression& source = parts.back();
            const bool areNames = std::all_of(parts.begin(), parts.end() - 1,
                                              [](const Expression& e) { return e.kind == Kind::Name; });
            if (areNames && source.kind == Kind::Constant && source.constant.isNone())
                return;
            if (parts.size() != 2)
                fail(s.begin, "cannot be a part of a graph");
            if (parts[0].kind == Kind::Subscript)
                inPlace(s, "operator.setitem",
                        {read(parts[0].children[0]), read(parts[0].children[1]), read(source)});
            else
                assign(s, parts[0], source, nullptr);
            return;
        }
        default:
            fail(s.begin, "cannot be a part of a graph: only calls, assignments and a return can");
        }
    }

    /// `x += y;  iadd = x`: the second names the node.
    void inPlace(const Statement& s, const std::string& target, Arguments args) {
        PrintedNode node;
        node.target = target;
        node.args = std::move(args);
        place(node, s.begin);
        m_unnamed = add(std::move(node));
    }

    void assign(const Statement& s, const Expression& target, const Expression& source,
                const Expression* annotation) {
        if (takesApart(target, source))
            return;
        if (target.kind != Kind::Name)
            fail(s.begin, "cannot be a part of a graph: take the items one by one, as in a = x[0]");
        NodeId index;
        if (source.kind == Kind::Name && m_unnamed) {
            index = std::exchange(m_unnamed, NodeId());
        } else if (source.kind == Kind::Name) {
            index = m_calls.indexOf(source.text);
            if (!index)
                fail(source.begin, "'" + source.text + "' is no node of this graph");
            // `l_x_ = L_x_`: a placeholder's name, where that is not its parameter's.
            if (at(index).opcode != Opcode::Placeholder)
                fail(s.begin, "gives a node a second name");
        } else {
            PrintedNode node = m_calls.call(source);
            place(node, s.begin);
            index = add(std::move(node));
        }
        at(index).name = target.text;
        if (annotation)
            annotate(at(index), *annotation);
        m_calls.define(target.text, index);
    }

    void output(const Statement& s) {
        PrintedNode node;
        node.opcode = Opcode::Output;
        node.target = "output";
        node.name = "output";
        const Expression* e = s.expressions.empty() ? nullptr : &s.expressions[0];
        const auto isCallOf = [&](std::string_view name) {
            return e && e->kind == Kind::Call && e->children.size() > 1 && dottedName(e->children[0]) == name;
        };
        if (isCallOf("pytree.tree_unflatten"))
            e = &e->children[1];
        if (isCallOf("self._out_shuffle_graph")) {
            TupleValue results;
            for (size_t i = 1 + m_leafCount; i < e->children.size(); ++i)
                results.items.push_back(read(e->children[i]));
            node.args.emplace_back(std::move(results));
        } else {
            node.args.push_back(e ? read(*e) : Argument());
        }
        if (!m_forward.returns.empty())
            node.type = textOf(m_forward.returns[0]);
        add(std::move(node));
    }

    const SourceFile& m_file;
    const FunctionTree& m_forward;
    CallReader m_calls;
    std::vector<PrintedNode> m_nodes;
    std::unordered_map<std::string, const Expression*> m_announced; ///< `x: "f32[2]"; ` before its value
    NodeId m_unnamed;                                               ///< computed in place
    size_t m_leafCount = 0;                                         ///< of pytree.tree_leaves
    bool m_isBoxed = false;                                         ///< forward(self, args_list)
    int m_nextLine;                                                 ///< the next that place() looks at
    SharedMeta m_trace;
};

constexpr int kDeepestGraph = 200; ///< levels of graphs within graphs

PrintedGraph graphOfClass(const SourceFile& file, const Statement& s, const std::map<int, std::string>& names,
                          int depth) {
    if (depth > kDeepestGraph)
        failAt(file, s.begin, "is nested too deeply", {}, "");
    PrintedGraph out;
    const auto name = names.find(file.position(s.begin).line);
    out.name = name == names.end() ? s.function->name : name->second;
    const Statement* forward = nullptr;
    for (const Statement& part : s.function->body) {
        if (part.kind == StatementKind::ClassDef)
            out.children.push_back(graphOfClass(file, part, names, depth + 1));
        else if (part.kind == StatementKind::FunctionDef && part.function->name == "forward" && !forward)
            forward = &part;
        else if (part.kind != StatementKind::Pass)
            failAt(file, part.begin, "is nothing that a printed graph has beside its forward", kCodeAdvice,
                   "");
    }
    if (!forward)
        failAt(file, s.begin, "has no 'def forward(self, ...):'", kCodeAdvice, "");
    out.nodes = ForwardReader(file, *forward->function).read();
    return out;
}

} // namespace

PrintedGraph readPrintedCode(const std::string& text, const std::string& path,
                             const std::map<int, std::string>& names) {
    const std::shared_ptr<const SourceFile> file = parseSource(text, path);
    for (const Statement& s : file->module->body) {
        if (s.kind == StatementKind::ClassDef)
            return graphOfClass(*file, s, names, 0);
        if (s.kind == StatementKind::FunctionDef)
            return {"GraphModule", ForwardReader(*file, *s.function).read(), {}};
    }
    throw Error(path, "holds no graph");
}

} // namespace fx
