// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/remove_dropout.h"

#include "core/base/text.h"
#include "core/passes/clean/call_names.h"
#include "core/passes/clean/left_alone.h"
#include "core/passes/clean/state_reads.h"
#include "core/passes/pass_options.h"
#include "core/torch/bind/call_facts.h"
#include "core/torch/bind/parameters.h"

namespace fx {

namespace {

class DropoutRemover {
public:
    DropoutRemover(Edit& edit, bool takesIdentity) : m_edit(edit), m_takesIdentity(takesIdentity) {}

    void run(PassContext& context) {
        for (const Node& node : m_edit.graph())
            visit(node);
        deleteUnreached(m_edit, m_modules);
        context.results.push_back(plural(m_count, "call") + " removed");
        m_left.tellIn(context.results);
    }

private:
    void visit(const Node& node) {
        if (const Module* module = calledModule(m_edit.model(), m_edit.module(), node)) {
            if (isRemoved(*module) && replace(node, node.id, inputOfModule(node)))
                m_modules.push_back(node.target.name());
            return;
        }
        const std::string_view name = functionOfTorch(node);
        const CallKind kind = factsOfFunction(name).kind;
        if (kind == CallKind::Dropout)
            replace(node, name == "native_dropout" ? valueOf(node) : node.id, givenArgument(node, "input"));
        else if (factsOfFunction(name).draws == FunctionFacts::Draws::ByRate)
            stopDropout(node);
    }

    bool isRemoved(const Module& module) const {
        return !module.graph && !hasHooks(module) &&
               (factsOf(module).kind == CallKind::Dropout ||
                (m_takesIdentity && module.type == "torch.nn.modules.linear.Identity"));
    }

    /// What takes the value out of the pair that the operator gives; none where the mask is read.
    NodeId valueOf(const Node& node) {
        NodeId value;
        for (const NodeId user : node.users) {
            const Node& item = m_edit.node(user);
            const bool isFirst = item.target.name() == "operator.getitem" && item.args.size() == 2 &&
                                 item.args[1] == Argument(0);
            if ((!isFirst && !item.users.empty()) || (isFirst && value)) {
                m_left.add("as its mask is read", node.name);
                return {};
            }
            if (isFirst)
                value = user;
        }
        return value;
    }

    bool replace(const Node& node, NodeId value, const Argument* input) {
        if (!value || !input || !input->node())
            return false;
        m_edit.replaceAllUsesWith(value, input->node());
        for (const NodeId user : node.users.toVector())
            m_edit.eraseNode(user);
        m_edit.eraseNode(node.id);
        ++m_count;
        return true;
    }

    void stopDropout(const Node& node) {
        const Argument* rate = givenArgument(node, "dropout_p");
        if (!rate || *rate == Argument(0.0))
            return;
        if (node.keyword("dropout_p"))
            m_edit.updateKwarg(node.id, "dropout_p", 0.0);
        else
            m_edit.updateArg(node.id, static_cast<size_t>(rate - node.args.data()), 0.0);
        ++m_count;
    }

    Edit& m_edit;
    const bool m_takesIdentity;
    std::vector<std::string> m_modules;
    LeftAlone m_left;
    size_t m_count = 0;
};

} // namespace

void runRemoveDropout(Edit& edit, const PassOptions& options, PassContext& context) {
    DropoutRemover(edit, options.flag("identity")).run(context);
}

} // namespace fx
