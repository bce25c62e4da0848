// SPDX-License-Identifier: GPL-3.0-or-later
// Where a canvas looks: what brings something into sight, and what stays in its place when there is another
// picture.
#pragma once

#include "widgets/canvas/box_states.h"
#include "widgets/canvas/camera.h"
#include "widgets/canvas/canvas_geometry.h"

#include <QObject>
#include <QVariantAnimation>

#include <functional>
#include <optional>

class QWidget;

namespace fx::ui {

class LayoutService;
class Selection;
class Theme;

/// Where one looks, so that it can be found again in another picture: the scale, and where on the screen the
/// corner of a box is.
struct Sight {
    NodeId node;   ///< whose box it is; without one
    QString scope; ///< that of a scope
    QPointF corner;
    double scale = 1;
    bool operator==(const Sight&) const = default;
};

class CanvasCamera : public QObject {
    Q_OBJECT

public:
    /// All outlive it. `canvas`: on which the picture `geometry` is shown.
    CanvasCamera(QWidget& canvas, const CanvasGeometry& geometry, const BoxStates& states,
                 Selection& selection, LayoutService& layout, const Theme& theme);

    const Camera& at() const { return m_camera; }
    void set(const Camera& camera);
    /// Ends a move that is under way; `arrives`: where it was to end.
    void stop(bool arrives = false);
    /// As it was before something that was clicked on, and so is in sight, was selected.
    void stayAt(const Camera& camera);

    /// Shows the whole graph.
    void fit();
    /// What floats over the picture is elsewhere: where one has not looked elsewhere since, it is framed
    /// anew.
    void coversMoved();
    void zoomBy(double factor);
    void setZoom(double scale);
    void panBy(QPointF screenDelta);
    void centerOn(QPointF point);
    /// The same, from afar.
    void jumpTo(QPointF point);
    /// Scrolls as little as shows the box of the node; opens nothing.
    void ensureVisible(NodeId node);
    void ensureBoxVisible(int box);
    /// What is selected next was looked for by its name: it is shown large enough to be read.
    void expectSought() { m_isSought = true; }
    void showSelection();
    /// All that is selected, as large as can be read, or smaller.
    void showWholeSelection();
    void zoomToScope(const QString& path);
    /// By a node or scope of which that is true; none given: by any.
    Sight sight(const std::function<bool(const Sight&)>& isFit = {}) const;
    bool isInSight(const Sight& sight) const;
    bool isSelectionSeen() const;
    /// Looks there; where another picture is about to come, as soon as that is there.
    void lookAt(const Sight& sight);
    /// Looks as another canvas does, at once; the scale alone where the box is not here.
    void follow(const Sight& sight);
    /// The box of a sight; -1: it is not in the picture.
    int boxOf(const Sight& sight) const;
    /// The box of what is selected, or of the closed scope around it; -1: none is shown.
    int selectedBox() const;
    /// In pixels, without the margin.
    QRectF freeArea() const;

    /// Another picture has taken the place of `old`. True if its boxes may set out from their old places.
    bool takePicture(const CanvasGeometry& old);
    void followPart();
    /// The user decides from now on where the camera is; a move goes on.
    void beByHand() { m_framing = Framing::ByHand; }

Q_SIGNALS:
    void changed();
    /// Before it looks at another place at once, which no selection has asked for.
    void jumped();

private:
    enum class Framing { ByHand, Whole, First }; ///< who decides where the camera is
    void frame(Framing framing);
    /// The title of `anchor`, a scope, or else the box that one looks at. A scope that has been opened is
    /// shown whole, from farther away where it is larger than the canvas, and so is the node that is next in
    /// it.
    void keepInPlace(const CanvasGeometry& old, const QString& anchor);
    /// The selected box if it is seen, else the one that is nearest to the middle, of those that are fit; or
    /// -1.
    int boxToHold(const CanvasGeometry& of, const std::function<bool(int)>& isFit) const;
    bool isSeen(int box) const;
    Camera cameraFor(const Sight& sight) const;
    void moveTo(const Camera& camera);
    QRectF all() const;
    /// What floats over the picture, in pixels.
    std::vector<QRectF> covers() const;
    /// Shows `bounds`, with no box of the picture under what floats over it; never larger than at 100 %.
    Camera fitted(const QRectF& bounds) const;

    QWidget& m_canvas;
    const CanvasGeometry& m_geometry;
    const BoxStates& m_states;
    Selection& m_selection;
    LayoutService& m_layout;
    const Theme& m_theme;
    Camera m_camera;
    Framing m_framing = Framing::First;
    bool m_isSought = false;
    bool m_isNewPart = false;          ///< the next picture shows a part of the graph for the first time
    bool m_isAwaiting = false;         ///< the next picture has the selected box, which is to be seen then
    std::optional<Sight> m_awaited;    ///< of the next picture
    std::optional<Sight> m_wholeSight; ///< of the whole graph, while a part is shown
    QVariantAnimation m_move;
    Camera m_moveFrom, m_moveTo;
};

} // namespace fx::ui
