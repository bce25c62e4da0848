// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/breadcrumbs.h"

#include "core/base/text.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/document/graph_document.h"
#include "widgets/session/selection.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QUrl>

namespace fx::ui {

Breadcrumbs::Breadcrumbs(const GraphDocument& document, Selection& selection, CanvasView& canvas,
                         const QList<QAction*>& history, const Theme& theme)
    : m_document(document), m_selection(selection), m_canvas(canvas), m_theme(theme), m_path(new QLabel),
      m_count(new QLabel) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    m_count->setObjectName("dim");
    m_path->setObjectName("place");
    m_path->setTextFormat(Qt::RichText);
    m_path->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_path->setMinimumWidth(40);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 2, 14, 2);
    row->setSpacing(2);
    for (QAction* action : history) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonIconOnly);
        button->setFocusPolicy(Qt::TabFocus);
        row->addWidget(button);
    }
    row->addSpacing(6);
    row->addWidget(m_path, 1);
    row->addWidget(m_count);
    connect(m_path, &QLabel::linkActivated, this, &Breadcrumbs::follow);
    connect(&selection, &Selection::changed, this, &Breadcrumbs::refresh);
    connect(&selection, &Selection::graphShown, this, &Breadcrumbs::refresh);
    connect(&document, &GraphDocument::changed, this, &Breadcrumbs::refresh);
    connect(&document, &GraphDocument::saved, this, &Breadcrumbs::refresh); // perhaps under another name
    connect(&theme, &Theme::changed, this, &Breadcrumbs::refresh);
    connect(&canvas, &CanvasView::cameraChanged, this, &Breadcrumbs::count);
    refresh();
    count();
}

void Breadcrumbs::refresh() {
    const Model& model = m_document.model();
    const QString color = m_theme.tokens().selection.name();
    QStringList parts;
    const auto link = [&](const QString& target, const QString& text) {
        parts << QString("<a href='%1' style='color:%2;text-decoration:none'>%3</a>")
                     .arg(QString::fromUtf8(QUrl::toPercentEncoding(target)), color, text.toHtmlEscaped());
    };
    link("graph:0", m_document.title());
    if (m_selection.graph() != model.root()) {
        QString path;
        model.forEachModule(model.root(), [&](ModuleId id, const std::string& where) {
            if (id == m_selection.graph() && path.isEmpty())
                path = qt(where);
        });
        link("graph:" + QString::number(m_selection.graph().value), path);
    }
    const ScopeTree& scopes = m_selection.scopes();
    QStringList inside;
    int scope = m_selection.scope().isEmpty() ? 0 : scopes.find(utf8(m_selection.scope()));
    if (const NodeId node = m_selection.currentNode())
        scope = scopes.scopeOf(node);
    for (; scope > 0; scope = scopes.scope(scope).parent)
        inside.prepend(qt(scopes.scope(scope).path));
    QString before;
    for (const QString& path : inside) {
        const bool isBelow = !before.isEmpty() && path.startsWith(before + '.');
        link("scope:" + path, isBelow ? path.mid(before.size() + 1) : path);
        if (!path.endsWith(')')) // a group is no part of the paths in it
            before = path;
    }
    QString text = parts.join(QString(" <span style='color:%1'>&nbsp;%2&nbsp;</span> ")
                                  .arg(m_theme.tokens().faint.name(), QString(QChar(0x203A))));
    if (const NodeId node = m_selection.currentNode())
        text += QString(" <span style='color:%1'>&nbsp;%2&nbsp;</span> <b>%3</b>")
                    .arg(m_theme.tokens().faint.name(), QString(QChar(0x203A)),
                         qt(model.graph(m_selection.graph()).node(node).name).toHtmlEscaped());
    // A link that begins the text holds the focus: Shift+Tab would not leave it.
    m_path->setText(QChar(0x200B) + text);
}

void Breadcrumbs::count() {
    const size_t all = m_document.model().graph(m_selection.graph()).size();
    m_count->setText(QString("%1 %2 %3 on screen")
                         .arg(qt(plural(all, "node")))
                         .arg(QChar(0xB7))
                         .arg(m_canvas.visibleNodeCount()));
}

void Breadcrumbs::follow(const QString& link) {
    const QString target = QUrl::fromPercentEncoding(link.toUtf8());
    if (target.startsWith("graph:")) {
        const ModuleId graph{target.mid(6).toInt()};
        if (graph == m_selection.graph())
            m_selection.clear();
        m_selection.showGraph(graph);
    } else {
        m_selection.selectScope(target.mid(6));
        m_canvas.look().zoomToScope(target.mid(6));
    }
}

} // namespace fx::ui
