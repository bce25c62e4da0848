// SPDX-License-Identifier: GPL-3.0-or-later
// The life of an edit: performing, recording, keeping or taking back, and where new nodes go.
// The verbs are in edit_graph.cpp and edit_modules.cpp.
#include "core/module/edit.h"

#include "core/base/error.h"

namespace fx {

Edit::Edit(Model& model) : Edit(model, model.root()) {}

Edit::Edit(Model& model, ModuleId module) : m_model(model), m_module(module) {}

Edit::~Edit() {
    if (!m_isFinished)
        undo(m_model, m_changes);
}

Changes Edit::finish() {
    m_isFinished = true;
    return std::move(m_changes);
}

void Edit::enter(ModuleId module) {
    m_module = module;
    m_anchor = NodeId();
    m_isAfterAnchor = true;
}

void Edit::perform(ModuleId module, ModuleChange change) {
    Change& next = nextChange();
    next = Change{module, std::move(change)};
    m_model.apply(next);
}

Edit::InsertPoint::InsertPoint(Edit& edit, NodeId anchor, bool isAfter)
    : m_edit(edit), m_anchor(edit.m_anchor), m_isAfter(edit.m_isAfterAnchor) {
    edit.m_anchor = anchor;
    edit.m_isAfterAnchor = isAfter;
}

Edit::InsertPoint::~InsertPoint() {
    m_edit.m_anchor = m_anchor;
    m_edit.m_isAfterAnchor = m_isAfter;
}

Edit::InsertPoint Edit::insertingBefore(NodeId anchor) {
    if (anchor && !graph().contains(anchor))
        throw Error("", "Node to insert before is not in graph.");
    return {*this, anchor, false};
}

Edit::InsertPoint Edit::insertingAfter(NodeId anchor) {
    if (anchor && !graph().contains(anchor))
        throw Error("", "Node to insert after is not in graph.");
    return {*this, anchor, true};
}

NodeId Edit::insertionPoint() const {
    if (!m_anchor)
        return m_isAfterAnchor ? NodeId() : graph().first();
    return m_isAfterAnchor ? node(m_anchor).next : m_anchor;
}

} // namespace fx
