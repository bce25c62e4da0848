// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/idle_roundings.h"

#include "core/passes/clean/recorded.h"
#include "core/passes/lower/integer_values.h"
#include "core/passes/quantize/units.h"

#include <algorithm>
#include <optional>

namespace fx {

namespace {

/// Of a call of oneDNN's that gives integers: the place of the scale of its result, behind which come its
/// zero point and its dtype. None of one with a sum, which is written over integers.
std::optional<size_t> resultPlace(const Node& node) {
    const std::string& name = node.target.name();
    const size_t place = name.starts_with("torch.ops.onednn.qlinear_pointwise.") ? 7
                         : name.starts_with("torch.ops.onednn.qconv_pointwise.") ? 11
                                                                                 : 0;
    if (place == 0 || node.args.size() < place + 3 || !(node.args[place + 2] == Argument(at::kByte)))
        return std::nullopt;
    return place;
}

class IdleRoundings {
public:
    explicit IdleRoundings(Edit& edit) : m_edit(edit), m_writes(edit.model(), edit.module()) {}

    size_t drop() {
        std::vector<NodeId> nodes;
        for (const Node& node : m_edit.graph())
            nodes.push_back(node.id);
        for (const NodeId id : nodes)
            if (m_edit.graph().contains(id) && !takeValue(id))
                giveFloat(id);
        return m_dropped;
    }

private:
    /// What reads a value through its integers reads the value.
    bool takeValue(NodeId id) {
        const auto rounding = quantizationAt(m_edit.graph(), id);
        if (!rounding)
            return false;
        const TensorMeta* value = recordedTensor(m_edit.node(rounding->input));
        if (!value || value->dtype != at::kFloat || m_writes.concerns(rounding->input))
            return true;
        const std::vector<NodeId> readers(m_edit.node(id).users.begin(), m_edit.node(id).users.end());
        for (const NodeId reader : readers) {
            const auto restored = restorationAt(m_edit.graph(), reader);
            if (!restored || !restored->isLike(*rounding) || m_writes.isWritten(reader))
                continue;
            m_edit.replaceAllUsesWith(reader, rounding->input);
            m_edit.eraseNode(reader);
            ++m_dropped;
        }
        eraseUnreadRounding(id);
        return true;
    }

    void eraseUnreadRounding(NodeId id) {
        const Node& node = m_edit.node(id);
        const bool isRounding = node.target.name().starts_with("torch.ops.quantized_decomposed.") ||
                                node.target.name() == "operator.getitem";
        if (!node.users.empty() || node.opcode != Opcode::CallFunction || !isRounding)
            return;
        std::vector<NodeId> read;
        for (const InputUse& use : node.inputs)
            read.push_back(use.node);
        m_edit.eraseNode(id);
        for (const NodeId each : read) // what has found a scale in each run
            if (m_edit.graph().contains(each))
                eraseUnreadRounding(each);
    }

    /// A call whose integers are only restored gives float32.
    void giveFloat(NodeId id) {
        const std::optional<size_t> place = resultPlace(m_edit.node(id));
        const std::vector<NodeId> readers(m_edit.node(id).users.begin(), m_edit.node(id).users.end());
        if (!place || readers.empty() || !std::ranges::all_of(readers, [&](NodeId reader) {
                const auto restored = restorationAt(m_edit.graph(), reader);
                return restored && restored->isConstant() && !m_writes.isWritten(reader);
            }))
            return;
        Arguments args = m_edit.node(id).args;
        args[*place] = 1.0;
        args[*place + 1] = 0;
        args[*place + 2] = at::kFloat;
        m_edit.setArgs(id, std::move(args));
        copyRecorded(m_edit, readers.front(), id);
        for (const NodeId reader : readers) {
            m_edit.replaceAllUsesWith(reader, id);
            m_edit.eraseNode(reader);
            ++m_dropped;
        }
    }

    Edit& m_edit;
    const SharedWrites m_writes;
    size_t m_dropped = 0;
};

} // namespace

size_t dropIdleRoundings(Edit& edit) {
    return IdleRoundings(edit).drop();
}

} // namespace fx
