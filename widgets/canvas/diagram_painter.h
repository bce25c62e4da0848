// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a diagram by level of detail: the farther away, the less is written, down to filled boxes in the
// colour of their kind. Scopes and that choice are in diagram_painter.cpp, the rest in diagram_boxes.cpp and
// diagram_wires.cpp. The screen, the minimap's neighbour and exported pictures all come from here.
#pragma once

#include "widgets/canvas/box_states.h"
#include "widgets/canvas/camera.h"
#include "widgets/canvas/canvas_geometry.h"
#include "widgets/style/tokens.h"

#include <QFont>
#include <QPainter>

namespace fx::ui {

/// What the mouse is at.
struct Hover {
    int box = -1, edge = -1;
    NodeId value; ///< whose stubs are lit
};

class DiagramPainter {
public:
    DiagramPainter(const CanvasGeometry& geometry, const BoxStates& states, const Tokens& tokens,
                   const QFont& text, const QFont& fixed)
        : m_geometry(geometry), m_states(states), m_tokens(tokens), m_textFont(text), m_fixedFont(fixed) {}

    void setHover(const Hover& hover) { m_hover = hover; }
    void setEdgeLabels(bool shows) { m_showsEdgeLabels = shows; }
    /// Paints what `screen` shows. The background is the caller's.
    void paint(QPainter& painter, const Camera& camera, const QRectF& screen);

private:
    enum class Detail { Blocks, Names, Calls, All };

    const BoxState& state(int box) const { return m_states.of(*m_geometry.picture(), box); }
    bool isLit(const DiagramEdge& edge) const;
    QColor fieldColor() const;
    /// What the colouring says of a box.
    QColor bandColor(const BoxState& s) const;
    void paintScopeFields(const std::vector<int>& boxes);
    void paintScopeTitles(const std::vector<int>& boxes);
    void paintEdges(const std::vector<int>& edges);
    void paintEdgeLabels(const std::vector<int>& edges, const std::vector<int>& boxes);
    /// Boxes and the titles of scope fields, on the screen.
    std::vector<QRectF> writtenPlaces(const std::vector<int>& boxes) const;
    /// A free place on the wire, as near to its middle as can be; empty if there is none.
    QRectF labelPlace(const std::vector<Point>& path, QSizeF size, const std::vector<QRectF>& taken) const;
    void paintBlocks(const std::vector<int>& boxes);
    void paintCard(int box);
    void paintCollapsedScope(int box);
    void paintStub(int box);
    void paintFrame(const QRectF& rect, const BoxState& state, double radius);
    void paintMarks(const QRectF& rect, const BoxState& state);
    /// Those that a user has put there.
    void paintUserMarks(const QRectF& rect, const NodeMark& mark);
    /// At the left edge, `width` in the plane.
    void paintBar(const QRectF& rect, const QColor& color, double width, double radius);
    void write(const QRectF& rect, Qt::Alignment alignment, const QString& text, const QFont& font,
               const QColor& color);
    /// The first line of a box or a scope, as if by a marker pen where a search has found it.
    void writeTitle(const QRectF& rect, const QString& text, const QFont& font, const QColor& color,
                    const BoxState& state);
    /// As small as needed for the text to have its room, and no smaller than one can read.
    QFont fitting(QFont font, const QString& text, double room) const;
    /// A title, which is not cut as long as it can be read, and at the right what there is room for, or a
    /// state.
    void writeFirstLine(QRectF line, const QString& title, const QColor& color, const QString& beside,
                        const QColor& besideColor, bool isState, const BoxState& state);
    QFont scaled(const QFont& font, double pixels, int weight = QFont::Normal) const;
    QPen pen(const QColor& color, double width) const;

    const CanvasGeometry& m_geometry;
    const BoxStates& m_states;
    const Tokens& m_tokens;
    QFont m_textFont, m_fixedFont;
    Hover m_hover;
    bool m_showsEdgeLabels = true;

    // While painting:
    QPainter* m_painter = nullptr;
    Camera m_camera;
    double m_scale = 1;
    Detail m_detail = Detail::All;
    QFont m_title, m_body, m_chip, m_small;
};

} // namespace fx::ui
