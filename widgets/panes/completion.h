// SPDX-License-Identifier: GPL-3.0-or-later
// Completion of a line in which an expression or a name is typed: a list of what its last word can become,
// and above the line what the call takes whose brackets are open. Down and Enter take one of the list, Tab
// the first; Enter alone leaves what was typed.
#pragma once

#include "core/console/expression_help.h"

#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QStringListModel>
#include <QStyledItemDelegate>

#include <functional>

namespace fx::ui {

class GraphDocument;
class Selection;

/// Of the text as far as the cursor.
using HelpFor = std::function<ExpressionHelp(const QString& text)>;

/// Over the nodes of the graph that is shown; what is known of the model is gathered when a line is entered.
HelpFor expressionHelp(const GraphDocument& document, const Selection& selection,
                       std::vector<std::string> names = {});
/// What the selected node may call instead, by its opcode.
HelpFor targetHelp(const GraphDocument& document, const Selection& selection);

class Completion : public QCompleter {
    Q_OBJECT

public:
    /// Belongs to the line.
    Completion(QLineEdit& line, HelpFor help);
    QString pathFromIndex(const QModelIndex& index) const override;
    QStringList splitPath(const QString& path) const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void hideList();
    void showSignature(const QString& signature);

    QLineEdit& m_line;
    const HelpFor m_help;
    QStringListModel m_offers;
    QString m_before, m_behind; ///< of the word
    QPointer<QLabel> m_signature;
};

/// Gives the editors of a list's cells a completion, in one column alone.
class CompletingDelegate : public QStyledItemDelegate {
public:
    CompletingDelegate(HelpFor help, QObject* parent);
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override;

private:
    const HelpFor m_help;
};

} // namespace fx::ui
