// SPDX-License-Identifier: GPL-3.0-or-later
// What a run took: its nodes and modules over time, the memory of its values, and which of these were there
// when it was highest.
#pragma once

#include "core/interpret/debug_types.h"
#include "widgets/support/refresh_when_seen.h"

#include <QLabel>
#include <QTreeView>
#include <QWidget>

namespace fx::ui {

class AliveRows;
class DebugService;
class GraphDocument;
class Selection;
class Theme;
class TimelineView;

class TimelinePane : public QWidget {
    Q_OBJECT

public:
    TimelinePane(const GraphDocument& document, Selection& selection, DebugService& debug,
                 const Theme& theme);

private:
    void refresh();
    void follow();
    QString nameOf(NodeRef node) const;

    const GraphDocument& m_document;
    Selection& m_selection;
    DebugService& m_debug;
    QLabel* m_summary;
    TimelineView* m_view;
    AliveRows* m_alive;
    QTreeView* m_list;
    bool m_isFollowing = false;
    RefreshWhenSeen m_sight{*this, [this] { refresh(); }};
};

} // namespace fx::ui
