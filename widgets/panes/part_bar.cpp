// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/part_bar.h"

#include "core/base/text.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/document/graph_document.h"
#include "widgets/session/selection.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>

namespace fx::ui {

namespace {

QString partText(const Selection& selection) {
    const GraphPart& part = *selection.part();
    const Graph& graph = selection.model().graph(selection.graph());
    const QString what =
        part.from.size() == 1 ? qt(graph.node(part.from[0]).name) : QString("%1 nodes").arg(part.from.size());
    const QString hops = qt(plural(part.hops, "hop"));
    const QString which = part.kind == GraphPart::Kind::Around      ? "Around %1, %2"
                          : part.kind == GraphPart::Kind::Ancestors ? "What %1 depends on, %2"
                                                                    : "What depends on %1, %2";
    return which.arg(what, hops) +
           QString(": %1 of %2").arg(selection.nodesOfPart().size()).arg(qt(plural(graph.size(), "node")));
}

} // namespace

PartBar::PartBar(CanvasView& over, Selection& selection, const Theme& theme)
    : QFrame(&over), m_selection(selection), m_text(new QLabel), m_fewer(new QToolButton),
      m_more(new QToolButton) {
    setObjectName("notice");
    m_text->setTextFormat(Qt::PlainText);
    m_fewer->setToolTip("One hop less (-)");
    m_more->setToolTip("One hop more (+)");
    auto* all = new QPushButton("Show all (Esc)");
    all->setObjectName("link");
    all->setFocusPolicy(Qt::TabFocus);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 4, 8, 4);
    row->addWidget(m_text, 1);
    for (QToolButton* each : {m_fewer, m_more}) {
        each->setAccessibleName(each->toolTip());
        each->setFocusPolicy(Qt::TabFocus);
        row->addWidget(each);
    }
    row->addWidget(all);
    connect(m_fewer, &QToolButton::clicked, this, [this] { m_selection.changeHops(-1); });
    connect(m_more, &QToolButton::clicked, this, [this] { m_selection.changeHops(1); });
    connect(all, &QPushButton::clicked, this, [this] { m_selection.showWhole(); });
    connect(&selection, &Selection::partChanged, this, &PartBar::refresh);
    connect(&over.document(), &GraphDocument::changed, this, &PartBar::refresh);
    const auto dress = [this, &theme] {
        m_fewer->setIcon(theme.icon("minus"));
        m_more->setIcon(theme.icon("plus"));
    };
    connect(&theme, &Theme::changed, this, dress);
    dress();
    over.installEventFilter(this);
    hide();
}

void PartBar::refresh() {
    if (!m_selection.part()) {
        if (isAncestorOf(focusWidget()))
            parentWidget()->setFocus();
        hide();
        return;
    }
    m_text->setText(partText(m_selection));
    m_fewer->setEnabled(m_selection.part()->hops > 1);
    setAccessibleName(m_text->text());
    place();
    show();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void PartBar::place() {
    const QWidget& over = *parentWidget();
    layout()->activate();
    setFixedSize(QSize(std::min(sizeHint().width(), over.width() - 40), sizeHint().height()));
    move((over.width() - width()) / 2, 14);
}

bool PartBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible())
        place();
    return QFrame::eventFilter(watched, event);
}

} // namespace fx::ui
