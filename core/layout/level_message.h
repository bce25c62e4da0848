// SPDX-License-Identifier: GPL-3.0-or-later
// A level and its layout as bytes: for the process that lays out, and a level as the key of a cache.
#pragma once

#include "core/layout/level.h"

#include <string>
#include <string_view>

namespace fx {

std::string levelBytes(const Level& level);
std::string layoutBytes(const LevelLayout& layout);
/// Throw an Error for what is no level, and no layout of that many items and edges.
Level levelFrom(std::string_view bytes);
LevelLayout layoutFrom(std::string_view bytes, size_t items, size_t edges);

} // namespace fx
