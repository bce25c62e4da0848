// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/walk.h"

#include <cmath>

namespace fx::ui {

namespace {

int ownBox(const CanvasGeometry& geometry, int box) {
    const DiagramBox& it = geometry.box(box);
    if (it.kind != DiagramBox::Kind::Stub)
        return box;
    return geometry.picture()->diagram.boxOf(it.node);
}

int alongWires(const CanvasGeometry& geometry, int from, bool isDown) {
    int best = -1;
    double nearest = HUGE_VAL;
    const double x = geometry.rect(from).center().x();
    const auto consider = [&](int box) {
        if (box < 0 || box == from)
            return;
        // Straight ahead wins; among equals the one that is less far.
        const QPointF at = geometry.rect(box).center();
        const double away = std::abs(at.x() - x) + 0.2 * std::abs(at.y() - geometry.rect(from).center().y());
        if (away < nearest) {
            nearest = away;
            best = box;
        }
    };
    const auto& edges = geometry.picture()->diagram.edges;
    for (const DiagramEdge& edge : edges) {
        if (isDown && ownBox(geometry, edge.from) == from)
            consider(edge.to);
        else if (!isDown && edge.to == from)
            consider(ownBox(geometry, edge.from));
    }
    return best;
}

int sideways(const CanvasGeometry& geometry, int from, bool isRight) {
    const QRectF here = geometry.rect(from);
    int best = -1;
    double nearest = HUGE_VAL;
    for (size_t i = 0; i < geometry.picture()->diagram.boxes.size(); ++i) {
        const int box = static_cast<int>(i);
        const DiagramBox::Kind kind = geometry.box(box).kind;
        if (box == from || kind == DiagramBox::Kind::Stub || kind == DiagramBox::Kind::ExpandedScope)
            continue;
        const QPointF way = geometry.rect(box).center() - here.center();
        const double across = isRight ? way.x() : -way.x();
        if (across <= 0 || std::abs(way.y()) > here.height() * 2)
            continue;
        const double away = across + 3 * std::abs(way.y());
        if (away < nearest) {
            nearest = away;
            best = box;
        }
    }
    return best;
}

} // namespace

int walk(const CanvasGeometry& geometry, int from, WalkDirection direction) {
    switch (direction) {
    case WalkDirection::Up:
        return alongWires(geometry, from, false);
    case WalkDirection::Down:
        return alongWires(geometry, from, true);
    case WalkDirection::Left:
        return sideways(geometry, from, false);
    case WalkDirection::Right:
        return sideways(geometry, from, true);
    }
    return -1;
}

} // namespace fx::ui
