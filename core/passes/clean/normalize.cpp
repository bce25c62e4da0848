// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/normalize.h"

#include "core/base/text.h"
#include "core/passes/clean/call_names.h"
#include "core/passes/clean/call_signatures.h"
#include "core/passes/pass_options.h"
#include "core/torch/bind/signatures.h"

#include <algorithm>
#include <map>

namespace fx {

namespace {

/// Functions of torch and the operator of Python that does the same with two operands.
const std::map<std::string_view, const char*> kOperatorFunctions = {
    {"torch.add", "operator.add"},
    {"torch.mul", "operator.mul"},
    {"torch.sub", "operator.sub"},
    {"torch.div", "operator.truediv"},
    {"torch.floor_divide", "operator.floordiv"},
    {"torch.remainder", "operator.mod"},
    {"torch.eq", "operator.eq"},
    {"torch.ne", "operator.ne"},
    {"torch.lt", "operator.lt"},
    {"torch.le", "operator.le"},
    {"torch.gt", "operator.gt"},
    {"torch.ge", "operator.ge"},
};

class Normalizer {
public:
    Normalizer(Edit& edit, const PassOptions& options)
        : m_edit(edit), m_arguments(options.text("arguments")), m_takesOperators(options.flag("operators")),
          m_takesMethods(options.flag("methods")) {}

    void run(PassContext& context) {
        std::vector<NodeId> nodes;
        for (const Node& node : m_edit.graph())
            nodes.push_back(node.id);
        for (const NodeId node : nodes) {
            bool hasChanged = m_takesMethods && functionForMethod(node);
            hasChanged |= m_takesOperators && operatorForFunction(node);
            hasChanged |= m_arguments != "as-written" && nameArguments(node);
            m_count += hasChanged;
        }
        context.results.push_back(plural(m_count, "call") + " written otherwise");
    }

private:
    bool functionForMethod(NodeId id) {
        const Node& node = m_edit.node(id);
        if (node.opcode != Opcode::CallMethod || node.args.empty())
            return false;
        const std::string function = "torch." + node.target.name();
        const SignatureGroup* group = findSignatures("torch.Tensor", node.target.name());
        if (!group || group->signatures.empty() || !findSignatures(function))
            return false;
        Arguments args = node.args;
        if (takesLooseNumbers(group->signatures.front()) && args.size() > 1 && !args[1].items()) {
            // x.permute(0, 2, 1): of the function the numbers are one tuple.
            if (args.size() == 2 && !args[1].as<int64_t>())
                return false; // a node, which may give one number or all
            TupleValue sizes{{args.begin() + 1, args.end()}};
            args.resize(1);
            args.emplace_back(std::move(sizes));
        }
        m_edit.setArgs(id, std::move(args));
        m_edit.setCallee(id, Opcode::CallFunction, function);
        return true;
    }

    /// Whether a method takes the numbers of its one list one by one, too.
    static bool takesLooseNumbers(const CallSignature& signature) {
        return signature.mostPositional == 1 && signature.parameters[0].type == ParameterType::IntList;
    }

    bool operatorForFunction(NodeId id) {
        const Node& node = m_edit.node(id);
        const auto found = kOperatorFunctions.find(node.target.name());
        if (node.opcode != Opcode::CallFunction || found == kOperatorFunctions.end() ||
            node.args.size() != 2 || !node.kwargs.empty())
            return false;
        m_edit.setTarget(id, found->second);
        return true;
    }

    bool nameArguments(NodeId id) {
        const Node& node = m_edit.node(id);
        const std::vector<SignatureEntry>* signature = nullptr;
        if (node.opcode == Opcode::CallFunction)
            signature = m_signatures.ofFunction(node);
        else if (const Module* module = calledModule(m_edit.model(), m_edit.module(), node);
                 module && !module->graph)
            signature = m_signatures.ofForward(module->type);
        if (!signature || !fits(*signature, node.args, node.kwargs))
            return false;
        Arguments values = boundTo(*signature, node.args, node.kwargs), args;
        // A default that no Argument can be.
        if (std::ranges::any_of(values,
                                [](const Argument& value) { return value.as<OpaqueValue>() != nullptr; }))
            return false;
        Keywords kwargs;
        for (size_t i = 0; i < values.size(); ++i)
            if (m_arguments == "positional" && i < node.args.size())
                args.push_back(std::move(values[i]));
            else
                kwargs.emplace_back((*signature)[i].name, std::move(values[i]));
        if (args == node.args && kwargs == node.kwargs)
            return false;
        m_edit.setArgs(id, std::move(args));
        m_edit.setKwargs(id, std::move(kwargs));
        return true;
    }

    Edit& m_edit;
    CallSignatures m_signatures;
    const std::string m_arguments;
    const bool m_takesOperators, m_takesMethods;
    size_t m_count = 0;
};

} // namespace

void runNormalize(Edit& edit, const PassOptions& options, PassContext& context) {
    Normalizer(edit, options).run(context);
}

} // namespace fx
