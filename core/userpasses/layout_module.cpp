// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/userpasses/layout_module.h"

#include "core/layout/linear_layout.h"
#include "core/python/types/support.h"

namespace fx {

namespace {

Value pointValue(const Point& point) {
    return makeTuple({c10::IValue(point.x), c10::IValue(point.y)});
}

int placeOf(Evaluator& evaluator, const Value& value, const Level& level) {
    const int64_t place = evaluator.index(value);
    if (place < 0 || place >= static_cast<int64_t>(level.items.size()))
        raise("IndexError", "an edge ends at a box that is not there");
    return static_cast<int>(place);
}

/// ([(width, height)], [(from, to)]): (width, height, centers, for each edge the points of its cubic Bezier
/// curves).
Value place(Evaluator& evaluator, Values& args) {
    Level level;
    for (const Value& size : evaluator.items(args[0])) {
        const Values sides = evaluator.items(size);
        level.items.push_back({realNumber(sides.at(0)), realNumber(sides.at(1))});
    }
    for (const Value& edge : evaluator.items(args[1])) {
        const Values ends = evaluator.items(edge);
        level.edges.push_back({placeOf(evaluator, ends.at(0), level), placeOf(evaluator, ends.at(1), level)});
    }
    const LevelLayout layout = layoutLinearly(level);
    Values centers, paths;
    for (const Point& center : layout.centers)
        centers.push_back(pointValue(center));
    for (const std::vector<Point>& path : layout.paths) {
        Values points;
        for (const Point& point : path)
            points.push_back(pointValue(point));
        paths.push_back(makeList(std::move(points)));
    }
    return makeTuple({c10::IValue(layout.width), c10::IValue(layout.height), makeList(std::move(centers)),
                      makeList(std::move(paths))});
}

} // namespace

std::optional<Value> LayoutModule::importModule(Evaluator&, const std::string& name) {
    if (name != "torch.fx._layout")
        return std::nullopt;
    NativeModule module(name);
    module.add("place", 2, 2, place);
    return module.value();
}

} // namespace fx
