// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/remove_asserts.h"

#include "core/base/text.h"
#include "core/passes/clean/call_names.h"
#include "core/passes/clean/effects.h"
#include "core/passes/clean/erase_unread.h"
#include "core/passes/pass_options.h"
#include "core/torch/bind/parameters.h"

#include <set>

namespace fx {

namespace {

bool checksRange(std::string_view name) {
    static const std::set<std::string_view> kNames = {
        "sym_constrain_range", "sym_constrain_range_for_size", "_functional_sym_constrain_range",
        "_functional_sym_constrain_range_for_size", "_check_is_size"};
    return kNames.contains(name);
}

bool checksValue(std::string_view name) {
    static const std::set<std::string_view> kNames = {"_assert",
                                                      "_assert_async",
                                                      "_functional_assert_async",
                                                      "_assert_scalar",
                                                      "_functional_assert_scalar",
                                                      "_assert_tensor_metadata",
                                                      "_check",
                                                      "fx._symbolic_trace._assert_is_none"};
    return kNames.contains(name);
}

class AssertRemover {
public:
    AssertRemover(Edit& edit, bool keepsRanges, bool keepsComputed)
        : m_edit(edit), m_keepsRanges(keepsRanges), m_keepsComputed(keepsComputed) {}

    /// Also visits the graphs that nodes of this one name, such as the branches of cond.
    void visit() {
        const ModuleId module = m_edit.module();
        const Effects effects(m_edit.model(), module);
        std::vector<NodeId> checks;
        for (const Node& node : m_edit.graph()) {
            const std::string_view name = functionOfTorch(node);
            if (checksValue(name) || (checksRange(name) && !m_keepsRanges))
                checks.push_back(node.id);
        }
        for (const NodeId check : checks)
            remove(check, effects);
        std::set<ModuleId> nested;
        for (const NodeId id : m_edit.graph().findNodes(Opcode::GetAttr))
            nested.insert(m_edit.model().resolve(module, m_edit.node(id).target.name()).module);
        for (const ModuleId each : nested)
            if (each && m_edit.model().module(each).graph) {
                m_edit.enter(each);
                visit();
            }
        m_edit.enter(module);
    }

    std::string text() const {
        return plural(m_checks, "assertion") + " and " + plural(m_computed, "node") +
               " computed for them removed";
    }

private:
    void remove(NodeId check, const Effects& effects) {
        const Node& node = m_edit.node(check);
        // The functional forms pass a token on.
        if (const Argument* token = givenArgument(node, "dep_token"); token && token->node())
            m_edit.replaceAllUsesWith(check, token->node());
        if (!node.users.empty())
            return;
        ++m_checks;
        if (m_keepsComputed)
            return m_edit.eraseNode(check);
        m_computed +=
            eraseUnreadWithInputs(
                m_edit, check, [&](const Node& each) { return each.id == check || effects.isPure(each); }) -
            1;
    }

    Edit& m_edit;
    const bool m_keepsRanges, m_keepsComputed;
    size_t m_checks = 0, m_computed = 0;
};

} // namespace

void runRemoveAsserts(Edit& edit, const PassOptions& options, PassContext& context) {
    AssertRemover remover(edit, options.flag("keep-ranges"), options.flag("keep-computed"));
    remover.visit();
    context.results.push_back(remover.text());
}

} // namespace fx
