// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/merge_matmul.h"

#include "core/base/text.h"
#include "core/passes/clean/effects.h"
#include "core/passes/clean/left_alone.h"
#include "core/passes/pass_options.h"

#include <algorithm>

namespace fx {

namespace {

bool isMatrixProduct(const Node& node) {
    static const std::unordered_set<Target> kProducts = {"torch.matmul", "torch.mm", "operator.matmul",
                                                         "torch.ops.aten.matmul.default",
                                                         "torch.ops.aten.mm.default"};
    return node.opcode == Opcode::CallFunction && kProducts.contains(node.target) && node.args.size() == 2 &&
           node.kwargs.empty() && node.args[0].node() && node.args[1].node();
}

class Merger {
public:
    Merger(Edit& edit, bool takesUnknown)
        : m_edit(edit), m_effects(edit.model(), edit.module()), m_takesUnknown(takesUnknown),
          m_budget(16 * edit.graph().size()) {}

    void run(PassContext& context) {
        std::vector<std::vector<NodeId>> groups;
        std::unordered_map<std::string, size_t> byRight;
        for (const Node& node : m_edit.graph()) {
            if (!isMatrixProduct(node))
                continue;
            const auto [at, isNew] = byRight.try_emplace(rightSide(node), groups.size());
            if (isNew)
                groups.emplace_back();
            groups[at->second].push_back(node.id);
        }
        size_t count = 0;
        for (const std::vector<NodeId>& group : groups)
            if (group.size() > 1 && isMergeable(group)) {
                merge(group);
                ++count;
            }
        context.results.push_back(plural(count, "group") + " merged");
        m_left.tellIn(context.results);
    }

private:
    /// The same for products by the same value; a weight is the same whoever reads it.
    std::string rightSide(const Node& node) const {
        const Node& right = m_edit.node(node.args[1].node());
        const bool isWeight = right.opcode == Opcode::GetAttr && !m_effects.isWritten(right.id);
        return node.target.name() +
               (isWeight ? '.' + right.target.name() : '%' + std::to_string(right.id.value));
    }

    const TensorMeta* tensorOf(NodeId node) const {
        if (const TensorSlot* read = tensorRead(m_edit.model(), m_edit.module(), node))
            return &read->meta();
        const ValueMeta* value = knownValue(m_edit.node(node).meta);
        return value ? std::get_if<TensorMeta>(&value->value) : nullptr;
    }

    bool isMergeable(const std::vector<NodeId>& group) {
        const std::string reason = obstacle(group);
        if (!reason.empty())
            for (const NodeId node : group)
                m_left.add(reason, m_edit.node(node).name);
        return reason.empty();
    }

    std::string obstacle(const std::vector<NodeId>& group) {
        const Node& first = m_edit.node(group[0]);
        std::vector<NodeId> operands = {first.args[1].node()};
        for (const NodeId product : group)
            operands.push_back(m_edit.node(product).args[0].node());
        for (const NodeId node : group)
            if (m_effects.isWritten(node))
                return "as the graph writes into them";
        for (const NodeId operand : operands) {
            if (m_effects.isWritten(operand))
                return "as the graph writes into their operands";
            const TensorMeta* tensor = tensorOf(operand);
            if (!tensor && !m_takesUnknown)
                return "as their shapes are not recorded (shape-prop records them)";
            if (tensor && tensor->shape.size() != 2)
                return "as they are no products of matrices";
            if (tensor && tensorOf(operands[0]) && tensor->dtype != tensorOf(operands[0])->dtype)
                return "as their dtypes differ";
        }
        return gather(group) ? "" : "as they depend on each other";
    }

    /// What the left sides need that stands behind the first product; false where a product is among it.
    bool gather(const std::vector<NodeId>& group) {
        m_moved.clear();
        const uint64_t begin = m_edit.node(group[0]).order;
        std::unordered_set<NodeId> seen;
        std::vector<NodeId> open;
        for (const NodeId product : group)
            open.push_back(m_edit.node(product).args[0].node());
        while (!open.empty()) {
            const NodeId id = open.back();
            open.pop_back();
            const Node& node = m_edit.node(id);
            if (node.order < begin || !seen.insert(id).second)
                continue;
            // In long searches they are taken to depend, as torch.fx does.
            if (m_budget == 0 || std::ranges::find(group, id) != group.end() || m_effects.isWritten(id) ||
                !(m_effects.isPure(node) || node.opcode == Opcode::Placeholder))
                return false;
            --m_budget;
            m_moved.push_back(id);
            for (const InputUse& input : node.inputs) {
                if (m_effects.isWritten(input.node))
                    return false;
                open.push_back(input.node);
            }
        }
        std::ranges::sort(m_moved, [&](NodeId a, NodeId b) { return m_edit.graph().precedes(a, b); });
        return true;
    }

    void merge(const std::vector<NodeId>& group) {
        const NodeId first = group[0];
        for (const NodeId node : m_moved)
            m_edit.moveBefore(node, first);
        const Target product = m_edit.node(first).target;
        const bool isAten = product.isOperatorOverload();
        Arguments left, rows;
        std::vector<NodeId> results;
        {
            const Edit::InsertPoint point = m_edit.insertingBefore(first);
            for (const NodeId node : group) {
                const NodeId side = m_edit.node(node).args[0].node();
                left.emplace_back(side);
                rows.push_back(rowsOf(side, isAten));
            }
            const NodeId all =
                m_edit.callFunction(isAten ? "torch.ops.aten.cat.default" : "torch.cat", {ListValue{left}});
            const NodeId merged = m_edit.callFunction(product, {all, m_edit.node(first).args[1]});
            const NodeId parts =
                m_edit.callFunction(isAten ? "torch.ops.aten.split_with_sizes.default" : "torch.split",
                                    {merged, ListValue{rows}});
            for (size_t i = 0; i < group.size(); ++i)
                results.push_back(m_edit.callFunction("operator.getitem", {parts, static_cast<int64_t>(i)}));
        }
        for (size_t i = 0; i < group.size(); ++i) {
            for (const std::string_view key :
                 {meta::kValue, meta::kTensorMeta, meta::kModuleStack, meta::kStackTrace})
                if (const SharedMeta known = m_edit.node(group[i]).meta.shared(key))
                    m_edit.setMeta(results[i], key, known);
            const NodeId right = m_edit.node(group[i]).args[1].node();
            m_edit.replaceAllUsesWith(group[i], results[i]);
            m_edit.eraseNode(group[i]);
            if (m_edit.node(right).opcode == Opcode::GetAttr && m_edit.node(right).users.empty())
                m_edit.eraseNode(right);
        }
    }

    /// A number where every run has it: of a weight, or as the graph was exported for. Shapes of one run are
    /// of that run.
    Argument rowsOf(NodeId side, bool isAten) {
        const auto* exported = m_edit.node(side).meta.find<ValueMeta>(meta::kValue);
        const TensorMeta* tensor = m_edit.node(side).opcode == Opcode::GetAttr ? tensorOf(side)
                                   : exported ? std::get_if<TensorMeta>(&exported->value)
                                              : nullptr;
        if (tensor)
            if (const auto* rows = std::get_if<int64_t>(&tensor->shape[0]))
                return *rows;
        return isAten ? m_edit.callFunction("torch.ops.aten.sym_size.int", {side, 0})
                      : m_edit.callMethod("size", {side, 0});
    }

    Edit& m_edit;
    const Effects m_effects;
    const bool m_takesUnknown;
    size_t m_budget; ///< nodes that searches may yet look at
    std::vector<NodeId> m_moved;
    LeftAlone m_left;
};

} // namespace

void runMergeMatmul(Edit& edit, const PassOptions& options, PassContext& context) {
    Merger(edit, options.flag("assume-matrices")).run(context);
}

} // namespace fx
