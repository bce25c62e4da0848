// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/small_tables.h"

#include "core/base/text.h"
#include "core/passes/clean/call_names.h"
#include "core/passes/clean/effects.h"
#include "core/passes/clean/erase_unread.h"
#include "core/passes/clean/recorded.h"
#include "core/passes/lower/integer_values.h"
#include "core/passes/lower/whole_times.h"
#include "core/passes/pass.h"
#include "core/torch/bind/parameters.h"

namespace fx {

namespace {

struct SmallTable {
    NodeId node, rows; ///< the embedding, and which rows it reads
    IntegerWeight weight;
};

std::vector<SmallTable> tablesOf(const Model& model, ModuleId module) {
    std::vector<SmallTable> out;
    const Effects effects(model, module);
    for (const Node& node : model.graph(module)) {
        if (functionOfTorch(node) != "embedding")
            continue;
        const auto weight = integerWeightAt(model, module, nodeOf(givenArgument(node, "weight")));
        const Argument* rows = givenArgument(node, "indices");
        const NodeId read = nodeOf(rows ? rows : givenArgument(node, "input"));
        if (weight && read && !effects.isWritten(weight->restored))
            out.push_back({node.id, read, *weight});
    }
    return out;
}

void writeTables(Edit& edit, const std::vector<SmallTable>& tables) {
    for (const SmallTable& table : tables) {
        const Edit::InsertPoint point = edit.insertingBefore(table.node);
        const auto call = [&](const char* function, Arguments args) {
            const NodeId made = edit.callFunction(function, std::move(args));
            copyPlace(edit, table.node, made);
            return made;
        };
        constexpr const char* kEmbedding = "torch.ops.aten.embedding.default";
        const NodeId rows = call(kEmbedding, {table.weight.integers, table.rows});
        NodeId scale = table.weight.scale.node();
        if (table.weight.isByChannel)
            scale = call(kEmbedding, {call("torch.ops.aten.unsqueeze.default", {scale, 1}), table.rows});
        NodeId made = call("torch.ops.aten.mul.Tensor", {rows, scale});
        if (table.weight.dtype != at::kFloat)
            made = call("torch.ops.aten.to.dtype", {made, table.weight.dtype});
        copyRecorded(edit, table.node, made);
        edit.replaceAllUsesWith(table.node, made);
        eraseUnread(edit, {table.node});
        eraseUnreadWithInputs(edit, table.weight.restored);
    }
}

} // namespace

void lowerSmallTables(Edit& edit, const GraphInputs& inputs, bool isAlways, PassContext& context) {
    const std::vector<SmallTable> tables = tablesOf(edit.model(), edit.module());
    if (tables.empty())
        return;
    const auto write = [&](Edit& into) { writeTables(into, tables); };
    if (!isAlways && !isFasterWith(edit, inputs, context.settings, write, context.results))
        return;
    write(edit);
    context.results.push_back(plural(tables.size(), "embedding") + " by the rows that are read");
}

} // namespace fx
