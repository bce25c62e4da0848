// SPDX-License-Identifier: GPL-3.0-or-later
// What is shown beside the one tensor: tabs with others that were locked, and the values that the node reads
// and gives.
#include "core/base/text.h"
#include "widgets/document/graph_document.h"
#include "widgets/panes/tensor_body.h"
#include "widgets/panes/tensor_pane.h"
#include "widgets/panes/thumbnail_strip.h"
#include "widgets/support/qt_text.h"

#include <QComboBox>

#include <algorithm>

namespace fx::ui {

void TensorPane::lock() {
    Tab tab = m_open[0];
    const QString what = (tab.subject.tensor || tab.subject.isGradient) && tab.subject.node.node
                             ? '.' + m_what->currentText()
                             : QString();
    tab.subject.title += what;
    tab.view = m_body->view();
    m_open.push_back(tab);
    const int at = m_tabs->addTab(elided(tab.subject.title, 24));
    m_tabs->setTabToolTip(at, plainTip(tab.subject.title + "\nDel closes the tab"));
    m_tabs->setTabButton(0, QTabBar::RightSide, nullptr);
    m_tabs->setTabButton(0, QTabBar::LeftSide, nullptr);
    m_tabs->show();
    m_tabs->setCurrentIndex(at);
}

void TensorPane::closeTab(int tab) {
    if (tab <= 0)
        return;
    m_open.erase(m_open.begin() + tab);
    m_tabs->removeTab(tab);
    m_tabs->setVisible(m_tabs->count() > 1);
}

void TensorPane::showTab(int tab) {
    if (tab < 0 || static_cast<size_t>(tab) >= m_open.size())
        return;
    m_body->setView(m_open[static_cast<size_t>(tab)].view);
    m_shown = m_open[static_cast<size_t>(tab)].subject;
    request();
}

void TensorPane::forgetWhatIsGone() {
    for (int tab = m_tabs->count() - 1; tab > 0; --tab)
        if (!isThere(m_open[static_cast<size_t>(tab)].subject))
            closeTab(tab);
    request();
}

// --- What the node reads and gives

namespace {

constexpr size_t kMostInputs = 6, kMostOutputs = 4;

/// Whose values are what the node gives: it, or where it gives several, who takes one out of them.
std::vector<NodeId> outputsOf(const Graph& graph, NodeId node) {
    std::vector<NodeId> out;
    for (const NodeId user : graph.node(node).users)
        if (const Node& reader = graph.node(user);
            reader.opcode == Opcode::CallFunction && reader.target.name() == "operator.getitem" &&
            !reader.args.empty() && reader.args[0].node() == node && out.size() < kMostOutputs)
            out.push_back(user);
    out.insert(out.begin(), node);
    return out;
}

} // namespace

std::vector<NodeRef> TensorPane::besideOf(NodeRef node) const {
    const Graph& graph = m_document.model().graph(node.module);
    std::vector<NodeRef> out;
    for (const InputUse& use : graph.node(node.node).inputs)
        if (const NodeRef input{node.module, use.node};
            out.size() < kMostInputs && std::ranges::find(out, input) == out.end())
            out.push_back(input);
    for (const NodeId output : outputsOf(graph, node.node))
        out.push_back({node.module, output});
    return out;
}

void TensorPane::showBeside(const Inspection& inspection) {
    std::vector<ThumbnailStrip::Item> items;
    const NodeRef current = inspection.node;
    for (const Thumbnail& each : inspection.beside) {
        const Graph& graph = m_document.model().graph(each.node.module);
        if (!graph.contains(each.node.node))
            continue;
        const auto& inputs = graph.node(current.node).inputs;
        const bool isInput = std::ranges::find(inputs, each.node.node, &InputUse::node) != inputs.end();
        items.push_back({each.node, qt(graph.node(each.node.node).name), isInput, each.picture});
    }
    m_beside->show(std::move(items), current);
}

} // namespace fx::ui
