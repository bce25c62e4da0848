// SPDX-License-Identifier: GPL-3.0-or-later
// Where one has been, to go back and forward through. A place is what is selected in which graph, and how it
// was looked at. Another place begins where one jumps: to what is selected anywhere but under the mouse, to
// another graph, across the canvas. Small moves (panning, clicks in sight, the steps of a run) go along.
#pragma once

#include "widgets/canvas/canvas_view.h"

#include <QObject>
#include <QTimer>

#include <optional>
#include <vector>

namespace fx::ui {

class Places : public QObject {
    Q_OBJECT

public:
    Places(Selection& selection, CanvasView& canvas, const DebugService& debug, QObject* parent = nullptr);

    /// By one place: 1 forward, -1 back. Those that are no more are left out.
    void go(int by);
    bool canGo(int by) const { return find(by).has_value(); }

Q_SIGNALS:
    void changed();

private:
    struct Place {
        ModuleId graph;
        std::vector<NodeId> nodes;
        QString scope;
        Sight sight;
        bool isOfRun = false;  ///< where a run stands
        bool isAcross = false; ///< one has gone there across the canvas, away from what is selected
        bool operator==(const Place&) const = default;
    };
    void follow();
    void begin(bool isAcross);
    void settle();
    bool isJump() const;
    bool isOfRun() const;
    std::optional<size_t> find(int by) const;
    bool isThere(const Place& place) const;

    Selection& m_selection;
    CanvasView& m_canvas;
    const DebugService& m_debug;
    std::vector<Place> m_places;
    size_t m_at = 0;
    bool m_isGoing = false;
    bool m_isFresh = false; ///< all that happens until the event loop has its turn is one jump
    QTimer m_turn;
};

} // namespace fx::ui
