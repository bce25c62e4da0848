// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/going_on.h"

#include "core/interpret/interpreter.h"

#include <algorithm>
#include <utility>

namespace fx {

GoesOn GoingOn::from(EarlierRun earlier, std::set<NodeRef> changed) {
    changed.merge(earlier.again);
    Rerun again = rerunOf(m_model, changed, earlier);
    if (!again.whyAll.empty())
        return {0, again.whyAll};
    m_activations = earlier.activations;
    m_drew = std::move(earlier.drew);
    m_random = std::move(earlier.random);
    m_values.store() = std::move(earlier.values);
    for (const Node& node : m_model.graph()) {
        if (again.nodes.contains(node.id))
            continue;
        const Value* value = m_values.store().find({m_model.root(), node.id});
        m_known.emplace(node.id, value ? std::optional(*value) : std::nullopt);
    }
    m_open = std::move(again.nodes);
    m_isToBegin = true;
    return {m_known.size(), ""};
}

EarlierRun GoingOn::leave() {
    std::set<NodeRef> again;
    for (const auto& [node, expression] : m_values.replaced())
        again.insert(node);
    for (const NodeId node : m_open)
        again.insert({m_model.root(), node});
    return {std::move(m_values.store()), std::move(m_random), std::move(m_drew), std::move(again),
            m_activations};
}

bool GoingOn::skips(Interpreter& interpreter, const Node& node) {
    if (std::exchange(m_isToBegin, false))
        m_random.restoreLast();
    if (interpreter.parent() || m_known.empty())
        return false;
    const auto known = m_known.extract(node.id);
    if (known.empty())
        return false;
    m_values.store().renew({interpreter.module(), node.id}, interpreter.activation());
    if (known.mapped())
        interpreter.setValue(node.id, *known.mapped());
    return true;
}

void GoingOn::note(NodeId node, uint64_t activation, bool hasDrawn) {
    m_activations = std::max(m_activations, activation);
    if (hasDrawn && m_last)
        m_drew.insert(m_last);
    m_last = node;
}

} // namespace fx
