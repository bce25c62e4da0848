// SPDX-License-Identifier: GPL-3.0-or-later
// Going about in the model: what of it is shown and how large, found by name, back and forward, and the marks
// that a user puts on nodes.
#pragma once

#include "app/gui/window_context.h"
#include "core/module/node_marks.h"

#include <functional>

namespace fx::ui {

class PlacesController : public QObject {
public:
    explicit PlacesController(const WindowContext& context);

private:
    void addPlaces();
    void addSight();
    void addScopes();
    void addParts();
    void addMarks();
    void addSearch();
    void addThemes();
    /// Joins what is shown of the model that was opened.
    void follow();
    /// To the next of what the last search has found, or with -1 to the one before.
    void walkMatches(int by);
    void tellMatch();
    /// Of the selected node, which there must be.
    NodeMark markOfCurrent() const;
    void mark(const QString& title, const std::function<void(NodeMark&)>& change);
    void writeNote();
    void walkMarks(int by);

    const WindowContext m_context;
    bool m_showsEdgeShapes = true;
};

} // namespace fx::ui
