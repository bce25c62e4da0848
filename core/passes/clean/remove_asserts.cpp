// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/remove_asserts.h"

#include "core/base/text.h"
#include "core/passes/clean/call_names.h"
#include "core/passes/pass_options.h"
#include "core/torch/bind/purity.h"

#include <set>

namespace fx {

namespace {

bool checksRange(std::string_view name) {
    return name == "sym_constrain_range" || name == "sym_constrain_range_for_size" ||
           name == "_check_is_size";
}

bool checksValue(std::string_view name) {
    static const std::set<std::string_view> kNames = {"_assert", "_assert_async", "_assert_scalar",
                                                      "_assert_tensor_metadata", "_functional_assert_scalar"};
    return kNames.contains(name);
}

/// Erases what nobody reads and what has no effect, from a node on to what it reads.
size_t eraseUnread(Edit& edit, NodeId id) {
    const Node& node = edit.node(id);
    if (node.opcode == Opcode::Placeholder || !node.users.empty() ||
        isImpure(edit.model(), edit.module(), node))
        return 0;
    std::set<NodeId> inputs;
    for (const InputUse& use : node.inputs)
        inputs.insert(use.node);
    edit.eraseNode(id);
    size_t count = 1;
    for (const NodeId input : inputs)
        count += eraseUnread(edit, input);
    return count;
}

} // namespace

void runRemoveAsserts(Edit& edit, const PassOptions& options, PassContext& context) {
    std::vector<NodeId> checks;
    for (const Node& node : edit.graph()) {
        const std::string_view name = functionOfTorch(node);
        if (node.users.empty() && (checksValue(name) || (checksRange(name) && !options.flag("keep-ranges"))))
            checks.push_back(node.id);
    }
    size_t computed = 0;
    for (const NodeId check : checks) {
        std::set<NodeId> inputs;
        for (const InputUse& use : edit.node(check).inputs)
            inputs.insert(use.node);
        edit.eraseNode(check);
        if (!options.flag("keep-computed"))
            for (const NodeId input : inputs)
                computed += eraseUnread(edit, input);
    }
    context.results.push_back(plural(checks.size(), "assertion") + " and " + plural(computed, "node") +
                              " computed for them removed");
}

} // namespace fx
