// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/diff_view.h"

#include "core/compare/compare_text.h"
#include "widgets/panes/code_sides.h"
#include "widgets/panes/list_view.h"
#include "widgets/panes/still_graph.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QHeaderView>
#include <QShortcut>
#include <QSyntaxHighlighter>
#include <QVBoxLayout>

#include <algorithm>

namespace fx::ui {

namespace {

/// Lines that came and went; each has its sign, too.
class DiffColours : public QSyntaxHighlighter {
public:
    DiffColours(QTextDocument* document, const Theme& theme) : QSyntaxHighlighter(document), m_theme(theme) {
        connect(&theme, &Theme::changed, this, &QSyntaxHighlighter::rehighlight);
    }

protected:
    void highlightBlock(const QString& line) override {
        const Tokens& tokens = m_theme.tokens();
        if (line.startsWith('+'))
            setFormat(0, static_cast<int>(line.size()), tokens.healthy);
        else if (line.startsWith('-'))
            setFormat(0, static_cast<int>(line.size()), tokens.fault);
        else if (line.startsWith("@@"))
            setFormat(0, static_cast<int>(line.size()), tokens.dim);
    }

private:
    const Theme& m_theme;
};

} // namespace

ShownDiff shownDiff(const Model& before, const Model& after, const PairingOptions& options) {
    const ModelDiff diff = diffModels(before, after, options);
    ShownDiff out{
        diffText(diff, before.graph(), after.graph()), changeGraph(before, after, diff), diff.code, {}};
    for (const WeightDiff& weight : diff.weights)
        out.weights.push_back({qt(weight.path), qt(weight.before), qt(weight.after),
                               weight.difference       ? qt(differenceText(*weight.difference))
                               : weight.before.empty() ? "added"
                                                       : "removed"});
    return out;
}

DiffView::DiffView(const Theme& theme)
    : m_theme(theme), m_text(new QPlainTextEdit), m_graphPage(new QWidget), m_code(new CodeSides(theme)),
      m_weights(new WeightRows(this)) {
    setDocumentMode(true);
    m_text->setObjectName("changeText");
    m_text->setAccessibleName("What has changed");
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setFont(theme.fixedFont());
    new DiffColours(m_text->document(), theme);
    auto* page = new QVBoxLayout(m_graphPage);
    page->setContentsMargins(0, 0, 0, 0);
    addTab(m_text, "All");
    addTab(m_graphPage, "Graph");
    addTab(m_code, "Code");
    QTreeView* weights = makeListView(*m_weights, "Weights that differ", "No weight is another one.");
    for (int column = 0; column < 3; ++column)
        weights->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    addTab(weights, "Weights");
    setTabToolTip(1, "What came, went or reads something else, in its place; J and K walk the differences");
    setTabToolTip(2, "Both side by side; J and K walk the differences");
    for (const auto& [key, isForward] : {std::pair(Qt::Key_J, true), std::pair(Qt::Key_K, false)}) {
        auto* shortcut = new QShortcut(key, m_graphPage);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this,
                [this, isForward = isForward] { walkGraph(isForward); });
    }
    connect(this, &QTabWidget::currentChanged, this, &DiffView::showGraph);
    connect(&theme, &Theme::changed, this, [this] { m_text->setFont(m_theme.fixedFont()); });
}

void DiffView::show(ShownDiff diff, const QString& heading) {
    m_text->setPlainText((heading.isEmpty() ? "" : heading + "\n\n") +
                         (diff.text.empty() ? "Notes on nodes alone: what is computed is the same."
                                            : wholeQt(diff.text).trimmed()));
    m_code->show(diff.code);
    m_weights->setRows(std::move(diff.weights));
    m_changes = std::move(diff.graph);
    delete std::exchange(m_graph, nullptr);
    showGraph();
}

void DiffView::showText(const QString& text) {
    m_text->setPlainText(text);
    m_code->show({});
    m_weights->setRows({});
    m_changes = {};
    delete std::exchange(m_graph, nullptr);
}

void DiffView::showGraph() {
    if (m_graph || currentWidget() != m_graphPage || m_changes.model.graph().size() == 0)
        return;
    OpenedModel shown;
    shown.model = m_changes.model;
    m_graph = new StillGraph(shown, "What came, went or is another one", m_theme);
    m_graph->canvas().setChanges(m_changes.changes);
    m_graph->canvas().colourBy(Colouring::Change);
    m_graphPage->layout()->addWidget(m_graph);
    m_walked.clear();
    for (const Node& node : m_changes.model.graph())
        if (m_changes.changes.contains(node.id))
            m_walked.push_back(node.id);
    m_at = 0;
    if (m_walked.empty())
        return;
    m_graph->showAround(m_walked);
    // Of weights there may be many before it.
    const auto call = std::ranges::find_if(m_walked, [this](NodeId node) {
        return m_changes.model.graph().node(node).opcode != Opcode::GetAttr;
    });
    m_at = call == m_walked.end() ? 0 : static_cast<size_t>(call - m_walked.begin());
    m_graph->seek(m_walked[m_at]);
}

void DiffView::walkGraph(bool isForward) {
    if (!m_graph || (isForward ? m_at + 1 >= m_walked.size() : m_at == 0))
        return;
    m_at += isForward ? 1 : size_t(-1);
    m_graph->seek(m_walked[m_at]);
}

} // namespace fx::ui
