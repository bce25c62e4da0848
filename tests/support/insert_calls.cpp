// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/insert_calls.h"

#include "core/passes/pass_options.h"
#include "core/passes/registry.h"

namespace fx {

void runInsertCalls(Edit& edit, const PassOptions& options, PassContext& context) {
    for (const NodeId node : options.nodes("after", edit.graph())) {
        const auto point = edit.insertingAfter(node);
        const NodeId fresh =
            edit.callFunction("torch.ops.aten." + options.text("function") + ".default", {node});
        edit.replaceAllUsesWith(node, fresh, [&](NodeId user) { return user != fresh; });
        context.results.push_back(edit.node(fresh).name + " follows " + edit.node(node).name);
    }
}

void registerInsertCalls() {
    using enum OptionType;
    static const bool isDone = [] {
        addPass(
            {"insert-calls",
             "Insert calls",
             "call a function on the values of some nodes",
             kAnyDialect,
             {{.name = "after", .type = Nodes, .help = "the nodes whose values it takes", .isRequired = true},
              {"function", Choice, "what is called", "relu", {"relu", "neg"}}},
             runInsertCalls});
        return true;
    }();
    (void)isDone;
}

} // namespace fx
