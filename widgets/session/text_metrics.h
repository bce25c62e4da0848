// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of boxes from their texts, with letter widths measured once, so that any thread may ask.
#pragma once

#include "core/layout/box_text.h"

#include <QFont>

#include <array>

namespace fx::ui {

class TextMetrics {
public:
    TextMetrics(const QFont& text, const QFont& fixed);

    /// Sets the size of a box; of an expanded scope, the width of its title. `hasValue`: of a node, that it
    /// gives one.
    void measure(DiagramBox& box, const BoxText& text, bool isWeight, bool hasValue) const;

private:
    static double width(const std::array<double, 128>& letters, const std::string& text);

    std::array<double, 128> m_bold{}, m_text{}, m_fixed{};
};

/// How a node is drawn, shared by measuring and painting; pixels at 100 %.
namespace card {
inline constexpr double kLeft = 14, kRight = 12;
inline constexpr double kTitle = 20, kDetail = 38, kChip = 46,
                        kChipHeight = 16; ///< baselines and top of the chip
inline constexpr double kHeight = 70, kShortHeight = 48, kWeightHeight = 28, kStubHeight = 20;
inline constexpr double kLeast = 160, kMost = 320;
inline constexpr double kRadius = 7, kBar = 4.5; ///< of the corners; width of the kind's colour
} // namespace card

} // namespace fx::ui
