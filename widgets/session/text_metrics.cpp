// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/text_metrics.h"

#include <QFontMetricsF>

#include <algorithm>

namespace fx::ui {

TextMetrics::TextMetrics(const QFont& text, const QFont& fixed) {
    QFont bold = text;
    bold.setWeight(QFont::DemiBold);
    QFont small = text;
    small.setPixelSize(text.pixelSize() - 1);
    QFont chip = fixed;
    chip.setPixelSize(fixed.pixelSize() - 1);
    const std::pair<const QFont*, std::array<double, 128>*> tables[] = {
        {&bold, &m_bold}, {&small, &m_text}, {&chip, &m_fixed}};
    for (const auto& [font, letters] : tables) {
        const QFontMetricsF metrics(*font);
        for (int c = 32; c < 127; ++c)
            (*letters)[static_cast<size_t>(c)] = metrics.horizontalAdvance(QChar(c));
    }
}

double TextMetrics::width(const std::array<double, 128>& letters, const std::string& text) {
    double out = 0;
    for (unsigned char c : text)
        // The bytes after the first of a letter beyond ASCII take no room.
        out += c < 128 ? letters[c] : (c & 0xC0) == 0x80 ? 0 : letters['m'];
    return out;
}

void TextMetrics::measure(DiagramBox& box, const BoxText& text, bool isWeight, bool hasValue) const {
    using namespace card;
    if (box.kind == DiagramBox::Kind::Stub) {
        box.width = std::clamp(width(m_text, text.title) + 22, 48.0, 180.0);
        box.height = kStubHeight;
        return;
    }
    if (box.kind == DiagramBox::Kind::ExpandedScope) {
        // With a time beside the number of nodes, none of it cut.
        box.width =
            kLeft + width(m_bold, text.title) + width(m_text, text.detail) + width(m_text, text.value) + 120;
        return;
    }
    const double title = width(m_bold, text.title), value = width(m_fixed, text.value) + 12;
    if (isWeight) {
        box.width = std::clamp(kLeft + title + 10 + value + kRight, 90.0, kMost);
        box.height = kWeightHeight;
        return;
    }
    // Room for the time or the number of nodes at the right of the title.
    double widest = std::max(title + 54, width(m_text, text.detail));
    if (box.kind == DiagramBox::Kind::CollapsedScope) {
        widest = std::max(title + 20 + width(m_text, text.value) + 16,
                          width(m_text, text.detail) + width(m_text, text.badge) + 20);
        box.height = kShortHeight;
    } else {
        // A shape that is not recorded is known when the node has run: it has its room by then, as nothing
        // may move.
        static const std::string kUsualShape = "f32[64, 128, 112, 112]";
        const double awaited = hasValue ? width(m_fixed, kUsualShape) + 12 : 0;
        widest = std::max(widest, (text.value.empty() ? awaited : value) + 20);
        box.height = hasValue ? kHeight : kShortHeight;
    }
    box.width = std::clamp(kLeft + widest + kRight, kLeast, kMost);
}

} // namespace fx::ui
