// SPDX-License-Identifier: GPL-3.0-or-later
// The module tree with parameter shapes and sizes.
#pragma once

#include "core/interpret/debug_types.h"

#include <QTreeView>
#include <QWidget>

namespace fx::ui {

class GraphDocument;
class ModuleTree;
class Selection;

class ModulesPane : public QWidget {
    Q_OBJECT

public:
    ModulesPane(const GraphDocument& document, Selection& selection);
    /// "25.6 M params · 97.7 MB": for the title.
    QString totals() const;

Q_SIGNALS:
    void totalsChanged(const QString& totals);

private:
    void rebuild();
    void choose(const QModelIndex& index);
    void showSelection();

    const GraphDocument& m_document;
    Selection& m_selection;
    ModuleTree* m_tree;
    QTreeView* m_view;
    bool m_isFollowing = false;
};

} // namespace fx::ui
