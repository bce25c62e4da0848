// SPDX-License-Identifier: GPL-3.0-or-later
// The nodes that ran, in order, with their values.
#pragma once

#include "core/interpret/debug_types.h"
#include "widgets/models/list_rows.h"

#include <QTreeView>
#include <QWidget>

#include <map>
#include <set>

namespace fx::ui {

class DebugService;
class GraphDocument;
class Selection;
class Theme;

class StepsPane : public QWidget {
    Q_OBJECT

public:
    StepsPane(const GraphDocument& document, Selection& selection, DebugService& debug, const Theme& theme);

Q_SIGNALS:
    void countChanged(int count);

private:
    StepRow rowOf(NodeRef node) const;
    void refresh();
    void replace(const std::set<NodeRef>& nodes);

    const GraphDocument& m_document;
    Selection& m_selection;
    DebugService& m_debug;
    StepRows* m_rows;
    std::map<NodeRef, int> m_places; ///< rows by node
    QTreeView* m_view;
    bool m_isFollowing = false;
};

} // namespace fx::ui
