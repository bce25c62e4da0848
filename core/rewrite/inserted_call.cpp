// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/inserted_call.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/python/parse_expression.h"
#include "core/python/tree.h"
#include "core/rewrite/argument_reader.h"
#include "core/rewrite/code_reader.h"
#include "core/rewrite/made_module.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>

namespace fx {

namespace {

constexpr const char* kPlace = "the call";

/// Short names that people write, and what generated code has for them.
constexpr std::pair<std::string_view, std::string_view> kShortNames[] = {
    {"F", "torch.nn.functional"}, {"nn", "torch.nn"}, {"aten", "torch.ops.aten"}};

/// "batch_norm2d" of "torch.nn.BatchNorm2d", "relu" of "torch.nn.ReLU".
std::string snakeCase(std::string_view type) {
    const auto isUpper = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
    const std::string_view name = type.substr(type.rfind('.') + 1);
    std::string out;
    for (size_t i = 0; i < name.size(); ++i) {
        const bool beginsWord = i > 0 && i + 1 < name.size() && isUpper(name[i]) && !isUpper(name[i - 1]) &&
                                !isUpper(name[i + 1]);
        if (beginsWord)
            out += '_';
        out += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
    }
    return out;
}

/// Lines without the spaces that all of them begin with.
std::string unindented(const std::string& text) {
    const std::string plain = replaceAll(text, "\r", "");
    size_t depth = std::string::npos;
    for (const std::string_view line : split(plain, '\n'))
        if (!trim(line).empty())
            depth = std::min(depth, line.find_first_not_of(" \t"));
    std::vector<std::string_view> out;
    for (const std::string_view line : split(plain, '\n'))
        out.push_back(line.substr(std::min(depth, line.size())));
    return join(out, "\n");
}

class CallText {
public:
    CallText(Edit& edit, const std::string& text) : m_edit(edit), m_text(trim(text)) {
        if (m_text.empty())
            throw Error(kPlace, "is empty").hint("write one, as in torch.relu(x)");
        static const std::regex kNaming("^\\w+\\s*=[^=]");
        if (m_text.find('\n') == std::string::npos && !std::regex_search(m_text, kNaming))
            visitCall(parseExpression(m_text, kPlace), 0);
        else
            visitLines(unindented(text));
    }

    /// As the body of generated code would have it.
    std::string written() {
        std::string out = m_text;
        std::ranges::stable_sort(m_replaced, std::greater<>(), &Replacement::begin);
        for (const Replacement& each : m_replaced)
            out.replace(each.begin, each.end - each.begin, each.text);
        return out + (m_result.empty() ? "" : "\nreturn " + m_result) + '\n';
    }
    const std::set<std::string>& nodeNames() const { return m_nodeNames; }

private:
    struct Replacement {
        uint32_t begin, end;
        std::string text;
    };

    /// `begin`: of the expression's text, with the brackets around it.
    void visitCall(const Expression& e, uint32_t begin) {
        visit(e);
        m_result.clear();
        m_replaced.push_back({begin, begin, "return "});
    }

    void visitLines(std::string lines) {
        m_text = std::move(lines);
        const std::shared_ptr<const SourceFile> file = parseSource(m_text, kPlace);
        for (const Statement& line : file->module->body) {
            const bool isLast = &line == &file->module->body.back();
            if (line.kind == Statement::Kind::Expression && isLast)
                return visitCall(line.expressions[0], line.begin);
            const bool isNaming =
                line.kind == Statement::Kind::Assign &&
                std::all_of(line.expressions.begin(), line.expressions.end() - 1,
                            [](const Expression& e) { return e.kind == Expression::Kind::Name; });
            if (!isNaming)
                failAt(*file, line.begin, "expected a line 'name = call', or at the end a call");
            const Expression& value = line.expressions.back();
            const bool isFreeing = value.kind == Expression::Kind::Constant; // as generated code frees values
            if (!isFreeing)
                visit(value);
            for (size_t i = 0; i + 1 < line.expressions.size(); ++i)
                if (!isFreeing)
                    m_made.insert(m_result = line.expressions[i].text);
            if (isFreeing)
                m_replaced.push_back({line.begin, line.end, ""});
        }
    }

    void visit(const Expression& e) {
        if (e.kind == Expression::Kind::Call && e.children[0].kind == Expression::Kind::Call)
            if (const std::string type = constructedClass(
                    m_text.substr(e.children[0].begin, e.children[0].end - e.children[0].begin));
                !type.empty()) {
                const Expression& made = e.children[0];
                m_replaced.push_back({made.begin, made.end, "self." + makeModule(made, type)});
                for (size_t i = 1; i < e.children.size(); ++i)
                    visit(e.children[i]);
                return;
            }
        if (e.kind == Expression::Kind::Name) {
            if (m_made.contains(e.text))
                return;
            if (m_edit.graph().find(e.text))
                m_nodeNames.insert(e.text);
            else
                for (const auto& [shortName, name] : kShortNames)
                    if (e.text == shortName)
                        m_replaced.push_back({e.begin, e.end, std::string(name)});
        }
        for (const Expression& child : e.children)
            visit(child);
    }

    /// Gives the name under which it is registered.
    std::string makeModule(const Expression& made, const std::string& type) {
        const Model& model = m_edit.model();
        const std::string wish = snakeCase(type);
        std::string name = wish;
        for (int i = 1; model.resolve(m_edit.module(), name) || m_edit.graph().find(name); ++i)
            name = wish + '_' + std::to_string(i);
        const ModuleId fresh = fx::makeModule(m_edit, m_text.substr(made.begin, made.end - made.begin), type,
                                              model.module(m_edit.module()).isTraining);
        m_edit.addSubmodule(name, fresh);
        return name;
    }

    Edit& m_edit;
    std::string m_text;
    std::vector<Replacement> m_replaced;
    std::set<std::string> m_nodeNames;
    std::set<std::string> m_made; ///< by lines before
    std::string m_result;         ///< of these, the last; empty: the last line is a call
};

/// The text as a graph of its own, whose inputs are the nodes that it names.
std::vector<WrittenNode> readCall(Edit& edit, CallText& text) {
    std::string code = "def forward(self";
    for (const std::string& name : text.nodeNames())
        code += ", " + name;
    code += "):\n";
    const std::string body = text.written();
    if (trim(body).empty())
        throw Error(kPlace, "is no call: all of it frees values");
    for (const std::string_view line : split(body, '\n'))
        code += "    " + std::string(line) + '\n';
    try {
        return readCode(edit.model(), edit.module(), code);
    } catch (Error& error) {
        // Its lines are ours.
        throw Error(kPlace, error.message()).kind(error.kind()).code(error.code());
    }
}

/// Where inputs come first, they go on doing so.
NodeId behindInputs(const Graph& graph, NodeId anchor) {
    if (graph.node(anchor).opcode != Opcode::Placeholder)
        return anchor;
    return graph.findNodes(Opcode::Placeholder).back();
}

} // namespace

std::vector<NodeId> insertCall(Edit& edit, const CallToInsert& call) {
    CallText text(edit, call.text);
    std::vector<WrittenNode> written = readCall(edit, text);
    const Graph& graph = edit.graph();
    const NodeId result = written.back().args.empty() ? NodeId() : written.back().args[0].node();
    written.pop_back();
    const size_t inputs = text.nodeNames().size();
    // What is written last is what the whole of it gives.
    if (!result || static_cast<size_t>(result.value) != written.size() - 1 || written.size() == inputs)
        throw Error(kPlace,
                    "'" + std::string(trim(call.text)) + "' is no call: a node computes one value by a call");
    std::vector<NodeId> nodes;
    NodeId last;
    for (const std::string& name : text.nodeNames()) {
        nodes.push_back(graph.find(name));
        if (!last || graph.precedes(last, nodes.back()))
            last = nodes.back();
    }
    NodeId before = call.before ? call.before : graph.outputNode(), after = call.after;
    if (!call.before && !call.after && last)
        after = last;
    if (after)
        after = behindInputs(graph, after);
    if (last && (after ? graph.precedes(after, last) : !graph.precedes(last, before)))
        throw Error(kPlace, "reads '" + graph.node(last).name + "', which is computed later")
            .hint("put it after that one");
    std::vector<NodeId> fresh;
    for (size_t i = inputs; i < written.size(); ++i) {
        const auto map = [&](NodeId index) { return Argument(nodes[static_cast<size_t>(index.value)]); };
        const auto point = after ? edit.insertingAfter(after) : edit.insertingBefore(before);
        const std::string& name = i + 1 == written.size() && !call.name.empty() ? call.name : written[i].name;
        fresh.push_back(edit.createNode(written[i].opcode, written[i].target, mapNodes(written[i].args, map),
                                        mapNodes(written[i].kwargs, map),
                                        name.empty() ? std::nullopt : std::optional<std::string_view>(name)));
        nodes.push_back(fresh.back());
        if (after)
            after = fresh.back();
    }
    return fresh;
}

} // namespace fx
