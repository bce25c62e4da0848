// SPDX-License-Identifier: GPL-3.0-or-later
// The graph on the screen: looks after the camera (canvas_camera.cpp), what the mouse is at
// (canvas_events.cpp), and the gesture that is going on. Geometry, painting, states and gestures are files of
// their own beside this one.
#pragma once

#include "core/interpret/debug_types.h"
#include "widgets/canvas/box_states.h"
#include "widgets/canvas/camera.h"
#include "widgets/canvas/canvas_geometry.h"
#include "widgets/canvas/diagram_painter.h"
#include "widgets/canvas/tools/tool.h"

#include <QVariantAnimation>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

namespace fx {

class DebugService;
class GraphDocument;
class LayoutService;
class Selection;
class SizesService;
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

class CanvasView : public QWidget {
    Q_OBJECT

public:
    /// How near to a wire the mouse must come, in pixels.
    static constexpr double kReach = 6;

    /// `debug`: null where the model is there to be looked at: it does not run, and no gesture changes it.
    CanvasView(GraphDocument& document, Selection& selection, LayoutService& layout, DebugService* debug,
               const Theme& theme, QWidget* parent = nullptr);
    ~CanvasView() override;

    const CanvasGeometry& geometry() const { return m_geometry; }
    const Camera& camera() const { return m_camera; }
    const Tokens& tokens() const;
    GraphDocument& document() { return m_document; }
    Selection& selection() { return m_selection; }
    const BoxStates& states() const { return m_states; }

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
    void setCamera(const Camera& camera);
    /// Scrolls as little as shows the box of the node; opens nothing.
    void ensureVisible(NodeId node);
    /// What is selected next was looked for by its name: it is shown large enough to be read.
    void expectSought() { m_isSought = true; }
    void ensureBoxVisible(int box);
    void zoomToScope(const QString& path);
    /// All that is selected, as large as can be read, or smaller.
    void showWholeSelection();
    /// By a node or scope of which that is true; none given: by any.
    Sight sight(const std::function<bool(const Sight&)>& isFit = {}) const;
    bool isInSight(const Sight& sight) const;
    bool isSelectionSeen() const;
    /// Looks there; where another picture is about to come, as soon as that is there.
    void lookAt(const Sight& sight);
    /// Looks as another canvas does, at once; the scale alone where the box is not here.
    void follow(const Sight& sight);
    bool hasBox(const Sight& sight) const { return boxOf(sight) >= 0; }
    /// A node or scope is being selected where one looks, by mouse or keys on the canvas.
    bool isPicking() const { return m_isPicking; }
    void pick(const std::function<void(Selection&)>& select);
    /// How many nodes are at least partly seen.
    int visibleNodeCount() const;
    void setEdgeLabels(bool shows);
    void colourBy(Colouring colouring);
    /// Shows formulas of sizes, where they are known. Outlives the view.
    void showSizes(const SizesService& sizes);
    /// Of nodes of the root graph, for the colourings by costs.
    void setCosts(NodeFigures costs);
    /// How far nodes of the root graph are from those of another run, for the colouring by that.
    void setDifferences(NodeDifferences differences);
    void setChanges(NodeChanges changes);
    bool showsEdgeLabels() const { return m_showsEdgeLabels; }

    // For gestures:
    void click(QPointF screen, Qt::KeyboardModifiers modifiers);
    void endGesture();
    void paintNote(QPainter& painter, QPointF at, const QString& text, bool isFault) const;
    /// Paints the whole diagram for a picture file; `painter`'s plane is the diagram's.
    void paintAll(QPainter& painter, bool isDark);

Q_SIGNALS:
    void cameraChanged();
    /// Before it looks at another place at once, which no selection has asked for.
    void jumped();
    void contextMenuWanted(const QPoint& globalPosition);
    /// A gesture that cannot be done, and why.
    void refused(const QString& reason);
    /// Double click on a node with a graph of its own.
    void graphWanted(fx::NodeRef node);
    /// Double click on a wire, or on nothing: then there are no nodes.
    void insertWanted(fx::NodeRef producer, fx::NodeRef reader);
    /// By Tab: at what is selected. Where nobody listens, Tab walks on as elsewhere.
    void paletteWanted();
    /// A wire was drawn from one to the other, or, without a reader, to where nothing is.
    void connectWanted(fx::NodeRef producer, fx::NodeRef reader);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Framing { ByHand, Whole, First }; ///< who decides where the camera is
    void takePicture();
    void frame(Framing framing);
    void keepInPlace(const CanvasGeometry& old, const QString& anchor);
    /// The selected box if it is seen, else the one that is nearest to the middle, of those that are fit; or
    /// -1.
    int boxToHold(const CanvasGeometry& of, const std::function<bool(int)>& isFit) const;
    int boxOf(const Sight& sight) const;
    bool isSeen(int box) const;
    void followPart();
    void framePart(const CanvasGeometry& old);
    void fitTo(const QRectF& area);
    Camera cameraFor(const Sight& sight) const;
    void followRun();
    void showNews();
    void moveCameraTo(const Camera& camera);
    QRectF freeArea() const;
    /// What floats over the picture, in pixels.
    std::vector<QRectF> covers() const;
    /// Shows `bounds`, with no box of the picture under what floats over it; never larger than at 100 %.
    Camera fitted(const QRectF& bounds) const;
    void walk(int key);
    void selectBox(int box, bool extends);
    void toggleScope(int box);
    QString toolTipAt(QPointF screen) const;
    int selectedBox() const;
    /// What a wire leads from, and the node that it leads to where that is seen.
    std::pair<NodeRef, NodeRef> endsOf(int edge) const;
    void showSelection();
    void updateHover(QPointF screen);
    std::optional<QPointF> hoveredHandle() const;

    GraphDocument& m_document;
    Selection& m_selection;
    LayoutService& m_layout;
    DebugService* m_debug;
    const Theme& m_theme;
    CanvasGeometry m_geometry;
    BoxStates m_states;
    Camera m_camera;
    Hover m_hover;
    bool m_showsEdgeLabels = true;
    Framing m_framing = Framing::First;
    bool m_isSought = false;
    bool m_isPicking = false;
    bool m_isNewPart = false;          ///< the next picture shows a part of the graph for the first time
    std::optional<Sight> m_awaited;    ///< of the next picture
    std::optional<Sight> m_wholeSight; ///< of the whole graph, while a part is shown
    bool m_isAwaiting = false;         ///< the next picture has the selected box, which is to be seen then
    std::vector<std::unique_ptr<Tool>> m_tools;
    Tool* m_gesture = nullptr;
    QVariantAnimation m_cameraMove, m_passing;
    Camera m_moveFrom, m_moveTo;
};

} // namespace fx
