// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/expression_box.h"

#include <QAbstractItemView>
#include <QLineEdit>

#include <array>

namespace fx::ui {

namespace {

bool isInWord(const QString& text, qsizetype at) {
    return at >= 0 && at < text.size() && (text[at].isLetterOrNumber() || text[at] == '_');
}

} // namespace

ExpressionBox::ExpressionBox(const QFont& fixedFont) {
    setEditable(true);
    // Enter is the dialog's while nothing is listed; a completer of the line would take it for itself.
    setCompleter(nullptr);
    setInsertPolicy(QComboBox::NoInsert);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMaxVisibleItems(16);
    lineEdit()->setFont(fixedFont);
    view()->setFont(fixedFont);
    m_completer.setWidget(lineEdit());
    m_completer.setModel(&m_found);
    m_completer.setCompletionMode(QCompleter::UnfilteredPopupCompletion); // search() has filtered
    m_completer.setMaxVisibleItems(12);
    m_completer.popup()->setFont(fixedFont);
    m_completer.popup()->setObjectName("matches");
    m_completer.popup()->setAccessibleName("Matching models");
    connect(lineEdit(), &QLineEdit::textEdited, this, &ExpressionBox::search);
    connect(&m_completer, QOverload<const QString&>::of(&QCompleter::activated), this,
            [this](const QString& chosen) {
                setEditText(chosen);
                placeCursor();
            });
    connect(this, &QComboBox::activated, this, &ExpressionBox::placeCursor);
}

void ExpressionBox::offer(const QStringList& expressions, const QString& preferred) {
    const QString typed = currentText();
    clear();
    addItems(expressions);
    setCurrentIndex(findText(preferred));
    if (typed.isEmpty())
        placeCursor();
    else
        setEditText(typed);
}

void ExpressionBox::placeCursor() {
    QLineEdit& line = *lineEdit();
    line.deselect();
    line.setCursorPosition(static_cast<int>(line.text().size()) - line.text().endsWith(')'));
}

QStringList ExpressionBox::matching(const QString& typed) const {
    std::array<QStringList, 3> found; // the whole of a word, its beginning, anywhere
    for (int i = 0; i < count(); ++i) {
        const QString item = itemText(i);
        const qsizetype at = item.indexOf(typed, 0, Qt::CaseInsensitive);
        if (at >= 0)
            found[isInWord(item, at - 1) ? 2 : isInWord(item, at + typed.size()) ? 1 : 0] << item;
    }
    return found[0] + found[1] + found[2];
}

void ExpressionBox::search(const QString& typed) {
    const bool isWanted = !typed.trimmed().isEmpty() && findText(typed) < 0;
    m_found.setStringList(isWanted ? matching(typed) : QStringList());
    if (m_found.rowCount() == 0)
        return m_completer.popup()->hide();
    m_completer.complete(rect().translated(-lineEdit()->pos()).adjusted(0, 0, 0, 2));
    m_completer.popup()->setCurrentIndex(m_completer.completionModel()->index(0, 0));
}

} // namespace fx::ui
