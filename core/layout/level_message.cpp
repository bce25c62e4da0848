// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/level_message.h"

#include "core/process/wire.h"

#include <algorithm>

namespace fx {

template <>
inline constexpr Level::Role kLast<Level::Role> = Level::Role::Exit;

auto fields(Point& x) {
    return std::tie(x.x, x.y);
}
auto fields(Level::Item& x) {
    return std::tie(x.width, x.height, x.role);
}
auto fields(Level::Edge& x) {
    return std::tie(x.from, x.to, x.fromX, x.toX, x.isTrunk);
}
auto fields(Level& x) {
    return std::tie(x.items, x.edges, x.portOrder);
}
auto fields(LevelLayout& x) {
    return std::tie(x.centers, x.paths, x.width, x.height);
}

std::string levelBytes(const Level& level) {
    return toWire(level);
}

std::string layoutBytes(const LevelLayout& layout) {
    return toWire(layout);
}

Level levelFrom(std::string_view bytes) {
    auto out = fromWire<Level>(bytes);
    const auto isItem = [&](int item) { return item >= 0 && static_cast<size_t>(item) < out.items.size(); };
    const bool isWhole =
        std::ranges::all_of(out.edges,
                            [&](const Level::Edge& e) { return isItem(e.from) && isItem(e.to); }) &&
        std::ranges::all_of(out.portOrder,
                            [&](const auto& p) { return isItem(p.first) && isItem(p.second); });
    if (!isWhole)
        WireReader::fail();
    return out;
}

LevelLayout layoutFrom(std::string_view bytes, size_t items, size_t edges) {
    auto out = fromWire<LevelLayout>(bytes);
    if (out.centers.size() != items || out.paths.size() != edges)
        WireReader::fail();
    return out;
}

} // namespace fx
