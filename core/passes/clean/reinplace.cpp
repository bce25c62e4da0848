// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/reinplace.h"

#include "core/base/text.h"
#include "core/passes/clean/call_names.h"
#include "core/passes/clean/effects.h"
#include "core/passes/clean/in_place_forms.h"
#include "core/passes/clean/left_alone.h"
#include "core/passes/pass_options.h"

#include <algorithm>

namespace fx {

namespace {

class Reinplacer {
public:
    explicit Reinplacer(Edit& edit)
        : m_edit(edit), m_effects(edit.model(), edit.module()), m_reads(edit.model()),
          m_lastRead(static_cast<size_t>(edit.graph().nextId().value)), m_isOuter(m_lastRead.size()) {
        for (const Node& node : edit.graph()) {
            for (const InputUse& input : node.inputs)
                memory(m_lastRead, input.node) = node.order;
            if (node.opcode == Opcode::Placeholder || node.opcode == Opcode::GetAttr)
                memory(m_isOuter, node.id) = true;
        }
    }

    void run(PassContext& context) {
        size_t count = 0;
        std::vector<NodeId> nodes;
        for (const Node& node : m_edit.graph())
            nodes.push_back(node.id);
        for (const NodeId node : nodes)
            count += visit(m_edit.node(node));
        context.results.push_back(plural(count, "call") + " in place");
        m_left.tellIn(context.results);
    }

private:
    template <class T>
    T& memory(std::vector<T>& of, NodeId node) const {
        return of[static_cast<size_t>(m_effects.memoryOf(node))];
    }

    bool visit(const Node& node) {
        const NodeId self = writtenInto(node);
        if (!self || !m_effects.givesNewMemory(node) || memory(m_isOuter, self) ||
            memory(m_lastRead, self) > node.order)
            return false;
        const auto write = inPlaceForm(m_edit.model(), m_edit.module(), node);
        if (!write || !isAlone(node, self))
            return false;
        switch (fit(node, self)) {
        case Fit::Unknown:
            m_left.add("as their shapes are not recorded (shape-prop records them)", node.name);
            return false;
        case Fit::No:
            return false;
        case Fit::Yes:
            break;
        }
        write(m_edit);
        const uint64_t last = memory(m_lastRead, node.id);
        m_effects.shareMemory(node.id, self);
        memory(m_lastRead, node.id) = std::max(last, node.order);
        memory(m_isOuter, node.id) = false;
        return true;
    }

    NodeId writtenInto(const Node& node) const {
        if (node.opcode == Opcode::CallModule) {
            const Argument* input = inputOfModule(node);
            const ModuleId callee = m_edit.model().resolve(m_edit.module(), node.target.name()).module;
            return input && callee && m_reads.callsOf(callee) == 1 ? input->node() : NodeId();
        }
        if (node.opcode != Opcode::CallFunction && node.opcode != Opcode::CallMethod)
            return {};
        return node.args.empty() ? NodeId() : node.args[0].node();
    }

    /// Whether the call reads that memory once, by its first argument.
    bool isAlone(const Node& node, NodeId self) const {
        size_t count = 0;
        forEachNode(node.args, node.kwargs,
                    [&](NodeId input) { count += m_effects.memoryOf(input) == m_effects.memoryOf(self); });
        return count == 1;
    }

    enum class Fit { Yes, No, Unknown };
    /// Whether the result is a tensor that fits where the argument lies.
    Fit fit(const Node& node, NodeId self) const {
        const ValueMeta *result = knownValue(node.meta), *given = knownValue(m_edit.node(self).meta);
        if (!result || !given)
            return Fit::Unknown;
        const auto* to = std::get_if<TensorMeta>(&given->value);
        const auto* from = std::get_if<TensorMeta>(&result->value);
        if (!to || !from || to->dtype != from->dtype || to->shape != from->shape ||
            to->device != from->device || to->layout != from->layout || to->stride != from->stride)
            return Fit::No;
        // Memory that stands for several numbers at once cannot take them.
        for (size_t i = 0; i < to->stride.size(); ++i)
            if (to->stride[i] == Dimension(int64_t(0)) && to->shape[i] != Dimension(int64_t(1)))
                return Fit::No;
        return Fit::Yes;
    }

    Edit& m_edit;
    Effects m_effects;
    StateReads m_reads;
    // By memory.
    mutable std::vector<uint64_t> m_lastRead; ///< the place of who reads it last
    mutable std::vector<char> m_isOuter;      ///< of inputs and weights
    LeftAlone m_left;
};

} // namespace

void runReinplace(Edit& edit, const PassOptions&, PassContext& context) {
    Reinplacer(edit).run(context);
}

} // namespace fx
