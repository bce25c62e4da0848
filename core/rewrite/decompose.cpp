// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/decompose.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/ir/dtype.h"
#include "core/rewrite/replacement_attributes.h"
#include "core/torch/bind/call.h"
#include "core/torch/host/function_table.h"
#include "core/trace/trace_arguments.h"
#include "core/trace/trace_source.h"
#include "core/trace/tracing_host.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <filesystem>
#include <map>
#include <unordered_map>

namespace fx {

namespace {

/// Python text that gives a value again, with nodes by the names that `name` gives.
class RuleText {
public:
    explicit RuleText(std::function<std::string(NodeId)> name) : m_name(std::move(name)) {}

    std::string of(const Argument& value) const {
        if (value.node())
            return m_name(value.node());
        if (const auto* tuple = value.as<TupleValue>())
            return '(' + listed(tuple->items) + (tuple->items.size() == 1 ? ",)" : ")");
        if (const auto* list = value.as<ListValue>())
            return '[' + listed(list->items) + ']';
        if (const auto* slice = value.as<SliceValue>())
            return "slice(" + listed(slice->parts) + ')';
        if (const auto* dict = value.as<DictValue>()) {
            std::vector<std::string> items;
            for (const auto& [key, item] : dict->items)
                items.push_back(of(key) + ": " + of(item));
            return '{' + join(items, ", ") + '}';
        }
        if (const auto* device = value.as<c10::Device>())
            return "torch.device('" + deviceText(*device) + "')";
        if (const auto* function = value.as<FunctionValue>())
            return function->target.name();
        const std::string text = reprText(value, m_name);
        return value.as<double>() && (contains(text, "inf") || contains(text, "nan"))
                   ? "float('" + text + "')"
                   : text;
    }

    std::string listed(const Arguments& items) const {
        std::vector<std::string> parts;
        for (const Argument& item : items)
            parts.push_back(of(item));
        return join(parts, ", ");
    }

private:
    std::function<std::string(NodeId)> m_name;
};

/// A call as a function of the nodes that it reads: "lambda a0, a1: RULE(a0, [a1, 2], dim=1)".
struct RuleCall {
    std::string expression;
    std::vector<NodeId> inputs; ///< what a0, a1 ... are here
};

/// Whether the value is what the called function assumes without it.
bool isDefault(Target function, std::string_view keyword, const Argument& value) {
    const FunctionRow* row = findFunction(function.name());
    if (!row)
        return false;
    for (const Parameter& parameter : row->parameters)
        if (parameter.name == keyword)
            return parameter.defaultValue && *parameter.defaultValue == value;
    return false;
}

RuleCall ruleCall(const Node& node, const DecompositionRule& rule) {
    RuleCall call;
    for (const InputUse& use : node.inputs)
        call.inputs.push_back(use.node);
    const RuleText text([&](NodeId id) {
        const auto at = std::find(call.inputs.begin(), call.inputs.end(), id) - call.inputs.begin();
        return 'a' + std::to_string(at);
    });
    std::vector<std::string> parameters, arguments;
    for (size_t i = 0; i < call.inputs.size(); ++i)
        parameters.push_back('a' + std::to_string(i));
    for (const Argument& argument : node.args)
        arguments.push_back(text.of(argument));
    for (const auto& [key, argument] : node.kwargs) {
        const bool isTaken = rule.takesAnyKeyword || std::find(rule.keywords.begin(), rule.keywords.end(),
                                                               key) != rule.keywords.end();
        if (isTaken || !isDefault(node.target, key, argument))
            arguments.push_back(key + '=' + text.of(argument));
    }
    call.expression =
        "lambda " + join(parameters, ", ") + ": " + rule.function + '(' + join(arguments, ", ") + ')';
    return call;
}

class Decomposer {
public:
    Decomposer(Edit& edit, std::string path) : m_edit(edit), m_path(std::move(path)) {
        for (DecompositionRule& rule : decompositionRules(m_path))
            m_rules[{rule.opcode, rule.target.name()}] = std::move(rule);
    }

    bool run() {
        std::vector<NodeId> nodes;
        for (const Node& node : m_edit.graph())
            nodes.push_back(node.id);
        for (NodeId id : nodes) {
            const auto rule = m_rules.find({m_edit.node(id).opcode, m_edit.node(id).target.name()});
            if (rule == m_rules.end())
                continue;
            try {
                replace(id, rule->second);
            } catch (Error& error) {
                throw error.within("node '" + m_edit.node(id).name + "', decomposed by " + m_path);
            }
        }
        if (!m_fresh.empty() || m_hasRemoved)
            renameAll();
        return !m_fresh.empty() || m_hasRemoved;
    }

private:
    void replace(NodeId id, const DecompositionRule& rule) {
        const RuleCall call = ruleCall(m_edit.node(id), rule);
        const Graph& traced = tracedRule(call.expression).graph();
        std::unordered_map<NodeId, Argument> values;
        const std::function<Argument(NodeId)> valueOf = [&](NodeId source) { return values.at(source); };
        Argument result;
        std::vector<NodeId> made;
        {
            const auto point = m_edit.insertingBefore(id);
            size_t placeholders = 0;
            for (const Node& node : traced) {
                if (node.opcode == Opcode::Placeholder)
                    values[node.id] = call.inputs[placeholders++];
                else if (node.opcode == Opcode::Output)
                    result = mapNodes(node.args[0], valueOf);
                else
                    made.push_back((values[node.id] = copy(node, id, call.expression, valueOf)).node());
            }
        }
        if (!result.node())
            throw Error("", "the rule returns no tensor of the graph")
                .hint("return one value that is computed from the "
                      "arguments");
        m_edit.replaceAllUsesWith(id, result.node());
        m_edit.eraseNode(id);
        m_fresh.insert(m_fresh.end(), made.begin(), made.end());
        m_hasRemoved = true;
    }

    NodeId copy(const Node& node, NodeId instead, const std::string& rule,
                const std::function<Argument(NodeId)>& valueOf) {
        Target target = node.target;
        if (node.opcode == Opcode::GetAttr) {
            std::string& path = m_constants[{rule, target.name()}];
            if (path.empty())
                path = copyConstant(m_edit, tracedRule(rule), target.name());
            target = path;
        }
        const NodeId made =
            m_edit.createNode(node.opcode, target, mapNodes(node.args, valueOf),
                              mapNodes(node.kwargs, valueOf), std::nullopt, node.type.toOptional());
        for (std::string_view key : {meta::kModuleStack, meta::kStackTrace})
            if (const MetaValue* value = m_edit.node(instead).meta.find(key))
                m_edit.setMeta(made, key, MetaValue(*value));
        return made;
    }

    /// Calls with the same constants are traced once.
    const Model& tracedRule(const std::string& expression) {
        const auto known = m_traced.find(expression);
        if (known != m_traced.end())
            return known->second;
        SourceRequest request;
        request.path = m_path;
        request.expression = expression;
        return m_traced.emplace(expression, traceSource(request).model).first->second;
    }

    /// torch.fx writes a new graph, in which a name belongs to the node that asks for it first: old nodes for
    /// the name that they have, new ones for that of what they call.
    void renameAll() {
        const std::unordered_set<NodeId> fresh(m_fresh.begin(), m_fresh.end());
        NameTable table;
        std::vector<std::pair<NodeId, std::string>> wanted;
        for (const Node& node : m_edit.graph()) {
            const std::string wish = fresh.contains(node.id)
                                         ? nameFromTarget(node.target, node.opcode == Opcode::CallFunction)
                                         : node.name;
            wanted.emplace_back(node.id, table.create(wish));
        }
        for (const auto& [id, name] : wanted) {
            if (m_edit.node(id).name == name)
                continue;
            // A name that was never given out is asked for, so that nobody else gets it.
            if (m_edit.graph().names().isTaken(name))
                m_edit.setName(id, name);
            else
                m_edit.rename(id, name);
        }
    }

    Edit& m_edit;
    std::string m_path;
    std::map<std::pair<Opcode, std::string>, DecompositionRule> m_rules;
    std::unordered_map<std::string, Model> m_traced;
    std::map<std::pair<std::string, std::string>, std::string>
        m_constants; ///< rule and path there, path here
    std::vector<NodeId> m_fresh;
    bool m_hasRemoved = false;
};

void takeSignature(DecompositionRule& rule, const FunctionTree& function) {
    using Kind = FunctionTree::Parameter::Kind;
    for (const FunctionTree::Parameter& parameter : function.parameters) {
        rule.takesAnyKeyword = rule.takesAnyKeyword || parameter.kind == Kind::Kwargs;
        if (parameter.kind == Kind::Positional || parameter.kind == Kind::KeywordOnly)
            rule.keywords.push_back(parameter.name);
    }
}

/// What a key of the dict stands for; none where it is neither a function nor a string.
std::optional<DecompositionRule> ruleFor(Evaluator& evaluator, const Value& key) {
    DecompositionRule rule;
    if (key.isString()) {
        rule.opcode = Opcode::CallMethod;
        rule.target = key.text();
        return rule;
    }
    if (!key.as<FunctionObject>() && !key.as<NativeObject>() && !key.as<DefinedObject>())
        return std::nullopt;
    rule.target = targetOfFunction(evaluator, key, "");
    return rule;
}

} // namespace

std::vector<DecompositionRule> decompositionRules(const std::string& path) {
    const at::NoGradGuard noGrad;
    TorchHosts torch;
    TracingHost tracing(torch);
    Evaluator evaluator;
    torch.addTo(evaluator);
    tracing.addTo(evaluator);
    std::vector<DecompositionRule> rules;
    std::vector<std::string> names;
    guarded([&] {
        const Value module =
            evaluator.modules().importFile(path, std::filesystem::path(path).stem().string());
        for (const DictObject::Entry& global :
             module.as<SourceModuleObject>()->dict.as<DictObject>()->entries()) {
            const DictObject* table = global.value.as<DictObject>();
            if (!table || table->entries().empty() || global.key.text().starts_with('_'))
                continue;
            std::vector<DecompositionRule> found;
            bool isTable = true;
            for (const DictObject::Entry& entry : table->entries()) {
                std::optional<DecompositionRule> rule = ruleFor(evaluator, entry.key);
                const auto* function = entry.value.as<DefinedObject>();
                isTable = isTable && rule && function;
                if (!isTable)
                    break;
                takeSignature(*rule, *function->function->tree);
                rule->function =
                    "list(" + global.key.text() + ".values())[" + std::to_string(found.size()) + ']';
                found.push_back(std::move(*rule));
            }
            if (!isTable)
                continue;
            names.push_back(global.key.text());
            rules = std::move(found);
        }
    });
    if (names.empty())
        throw Error(path, "has no dict from functions to functions")
            .hint("write one such as decomposition_rules = {torch.relu: my_relu}");
    if (names.size() > 1)
        throw Error(path, "has several tables of rules: " + join(names, ", ")).hint("leave one of them");
    return rules;
}

bool decompose(Edit& edit, const std::string& path) {
    return Decomposer(edit, path).run();
}

} // namespace fx
