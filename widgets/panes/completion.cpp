// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/completion.h"

#include "widgets/document/graph_document.h"
#include "widgets/session/selection.h"
#include "widgets/support/qt_text.h"

#include <QAbstractItemView>
#include <QCoreApplication>
#include <QKeyEvent>

#include <memory>

namespace fx::ui {

namespace {

/// What there is to call and to name takes a while to gather, so a line gathers it once.
class GraphHelper {
public:
    GraphHelper(const GraphDocument& document, const Selection& selection, std::vector<std::string> names)
        : m_document(document), m_selection(selection), m_names(std::move(names)) {}

    const ExpressionHelper& of(const QString& text) {
        // With the first letter: what there is may have changed since another line was typed.
        if (!m_helper || text.size() <= 1 || m_graph != m_selection.graph())
            m_helper = std::make_unique<ExpressionHelper>(m_document.model(), m_selection.graph(), m_names);
        m_graph = m_selection.graph();
        return *m_helper;
    }

private:
    const GraphDocument& m_document;
    const Selection& m_selection;
    const std::vector<std::string> m_names;
    std::unique_ptr<ExpressionHelper> m_helper;
    ModuleId m_graph;
};

} // namespace

HelpFor expressionHelp(const GraphDocument& document, const Selection& selection,
                       std::vector<std::string> names) {
    const auto helper = std::make_shared<GraphHelper>(document, selection, std::move(names));
    return [helper](const QString& text) { return helper->of(text).expression(utf8(text)); };
}

HelpFor targetHelp(const GraphDocument& document, const Selection& selection) {
    const auto helper = std::make_shared<GraphHelper>(document, selection, std::vector<std::string>());
    return [&document, &selection, helper](const QString& text) {
        const NodeRef at = selection.current();
        return at.node ? helper->of(text).target(utf8(text),
                                                 document.model().graph(at.module).node(at.node).opcode)
                       : ExpressionHelp();
    };
}

Completion::Completion(QLineEdit& line, HelpFor help)
    : QCompleter(&line), m_line(line), m_help(std::move(help)) {
    setModel(&m_offers);
    setMaxVisibleItems(10);
    popup()->setObjectName("matches");
    popup()->setAccessibleName("What can be typed here");
    popup()->setFont(line.font());
    // Before the line asks its completer, which it does when the text has changed.
    connect(&line, &QLineEdit::textEdited, this, &Completion::refresh);
    connect(&line, &QLineEdit::editingFinished, this, [this] { showSignature({}); });
    connect(&line, &QLineEdit::cursorPositionChanged, this, [this] {
        if (m_line.hasFocus())
            showSignature(qt(m_help(m_line.text().left(m_line.cursorPosition())).signature));
    });
    line.setCompleter(this);
    line.installEventFilter(this);
}

void Completion::refresh() {
    const QString text = m_line.text().left(m_line.cursorPosition());
    const ExpressionHelp help = m_help(text);
    const QByteArray bytes = text.toUtf8();
    m_before = QString::fromUtf8(bytes.left(static_cast<qsizetype>(help.begin)));
    m_behind = m_line.text().mid(m_line.cursorPosition());
    QStringList offers;
    for (const ExpressionOffer& each : help.offers)
        if (const QString offer = wholeQt(each.text);
            offer == qt(each.text)) // else it is too long for a list
            offers << offer;
    m_offers.setStringList(offers);
    if (offers.isEmpty())
        hideList();
    showSignature(qt(help.signature));
}

void Completion::hideList() {
    if (!popup()->isVisible())
        return;
    popup()->hide();
    m_line.window()->activateWindow(); // not every platform gives it back what the list has taken
}

QString Completion::pathFromIndex(const QModelIndex& index) const {
    return m_before + index.data().toString() + m_behind;
}

/// All that is offered fits: refresh() has chosen.
QStringList Completion::splitPath(const QString&) const {
    return {QString()};
}

void Completion::showSignature(const QString& signature) {
    if (signature.isEmpty()) {
        if (m_signature)
            m_signature->hide();
        return;
    }
    if (!m_signature) {
        m_signature = new QLabel(&m_line, Qt::ToolTip);
        m_signature->setObjectName("signature");
        m_signature->setAccessibleName("What the call takes");
        m_signature->setTextFormat(Qt::PlainText);
        m_signature->setFont(m_line.font());
        m_signature->setMargin(6);
        m_signature->setAttribute(Qt::WA_ShowWithoutActivating);
    }
    m_signature->setText(signature);
    m_signature->adjustSize();
    m_signature->move(m_line.mapToGlobal(QPoint(0, -m_signature->height() - 4)));
    m_signature->show();
}

bool Completion::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &m_line && (event->type() == QEvent::FocusOut || event->type() == QEvent::Hide) &&
        !popup()->isVisible())
        showSignature({});
    const int key = event->type() == QEvent::KeyPress ? static_cast<QKeyEvent*>(event)->key() : 0;
    const bool isTab = key == Qt::Key_Tab;
    const bool isEnter = key == Qt::Key_Return || key == Qt::Key_Enter;
    // The list goes first: a line that closes under it would leave the focus nowhere. And the line is to get
    // the key as any other, with those who watch it.
    if (isEnter && popup()->isVisible() && !popup()->currentIndex().isValid()) {
        hideList();
        if (watched == popup()) {
            QCoreApplication::sendEvent(&m_line, event);
            return true;
        }
    }
    if (isTab && popup()->isVisible() && (watched == popup() || watched == &m_line)) {
        const QModelIndex chosen = popup()->currentIndex();
        m_line.setText(pathFromIndex(chosen.isValid() ? chosen : popup()->model()->index(0, 0)));
        m_line.setCursorPosition(static_cast<int>(m_line.text().size() - m_behind.size()));
        m_line.setModified(true);
        hideList();
        return true;
    }
    return QCompleter::eventFilter(watched, event);
}

CompletingDelegate::CompletingDelegate(HelpFor help, QObject* parent)
    : QStyledItemDelegate(parent), m_help(std::move(help)) {}

QWidget* CompletingDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                          const QModelIndex& index) const {
    QWidget* editor = QStyledItemDelegate::createEditor(parent, option, index);
    if (auto* line = qobject_cast<QLineEdit*>(editor))
        new Completion(*line, m_help);
    return editor;
}

} // namespace fx::ui
