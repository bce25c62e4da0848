// SPDX-License-Identifier: GPL-3.0-or-later
// The graph on the screen: what the mouse is at (canvas_events.cpp), and the gesture that is going on. Where
// it looks, geometry, painting, states and gestures are files of their own beside this one.
#pragma once

#include "core/interpret/debug_types.h"
#include "widgets/canvas/box_states.h"
#include "widgets/canvas/canvas_camera.h"
#include "widgets/canvas/canvas_geometry.h"
#include "widgets/canvas/diagram_painter.h"
#include "widgets/canvas/tools/tool.h"

#include <QVariantAnimation>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

namespace fx::ui {

class DebugService;
class GraphDocument;
class LayoutService;
class Selection;
class SizesService;
class Theme;

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
    const Camera& camera() const { return m_look.at(); }
    CanvasCamera& look() { return m_look; }
    const CanvasCamera& look() const { return m_look; }
    const Tokens& tokens() const;
    GraphDocument& document() { return m_document; }
    Selection& selection() { return m_selection; }
    const BoxStates& states() const { return m_states; }

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
    void takePicture();
    void followRun();
    void showNews();
    void walk(int key);
    void selectBox(int box, bool extends);
    void toggleScope(int box);
    QString toolTipAt(QPointF screen) const;
    /// What a wire leads from, and the node that it leads to where that is seen.
    std::pair<NodeRef, NodeRef> endsOf(int edge) const;
    void updateHover(QPointF screen);
    std::optional<QPointF> hoveredHandle() const;

    GraphDocument& m_document;
    Selection& m_selection;
    LayoutService& m_layout;
    DebugService* m_debug;
    const Theme& m_theme;
    CanvasGeometry m_geometry;
    BoxStates m_states;
    CanvasCamera m_look;
    Hover m_hover;
    bool m_showsEdgeLabels = true;
    bool m_isPicking = false;
    std::vector<std::unique_ptr<Tool>> m_tools;
    Tool* m_gesture = nullptr;
    QVariantAnimation m_passing;
};

} // namespace fx::ui
