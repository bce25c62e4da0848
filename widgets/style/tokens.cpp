// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/tokens.h"

#include "core/module/node_marks.h"

namespace fx::ui {

const Tokens& lightTokens() {
    static const Tokens kTokens{
        .isDark = false,
        .window = 0xEEF1F5,
        .panel = 0xFFFFFF,
        .canvas = 0xF6F7F9,
        .line = 0xDCE1E8,
        .text = 0x1D2530,
        .dim = 0x5A6573,
        .faint = 0x7F8A98,
        .selection = 0x2563EB,
        .selectionBack = 0xEAF1FE,
        .current = 0xF59E0B,
        .currentBack = 0xFFF6E0,
        .fault = 0xD92D20,
        .faultBack = 0xFFF7F6,
        .healthy = 0x0E9F6E,
        .match = 0xC026D3,
        .matchBack = 0xF8E0FD,
        .heat = 0xF97316,
        .memory = 0x2DB5A5,
        .overhead = 0x94A3B8,
        .low = 0x1E4FB8,
        .middle = 0xE9ECF1,
        .high = 0xB45309,
        .wire = 0xB4BDC9,
        .wireSelected = 0x2563EB,
        .primaryText = 0xFFFFFF,
        .keyword = 0x7C3AED,
        .string = 0x047857,
        .number = 0xA84A06,
        .comment = 0x5F6A78,
    };
    return kTokens;
}

const Tokens& darkTokens() {
    static const Tokens kTokens{
        .isDark = true,
        .window = 0x16181D,
        .panel = 0x1D2026,
        .canvas = 0x191B20,
        .line = 0x2D323B,
        .text = 0xE4E8EE,
        .dim = 0x9AA4B2,
        .faint = 0x6B7583,
        .selection = 0x5B9BFF,
        .selectionBack = 0x22314D,
        .current = 0xFBBF24,
        .currentBack = 0x3A2F12,
        .fault = 0xFF6B5E,
        .faultBack = 0x40211F,
        .healthy = 0x34D399,
        .match = 0xE879F9,
        .matchBack = 0x5A1F6B,
        .heat = 0xC2410C,
        .memory = 0x0F766E,
        .overhead = 0x475569,
        .low = 0x7FB0FF,
        .middle = 0x262A33,
        .high = 0xFFB454,
        .wire = 0x4A5361,
        .wireSelected = 0x5B9BFF,
        .primaryText = 0x0B1220,
        .keyword = 0xC4A1FF,
        .string = 0x86D993,
        .number = 0xF0A35E,
        .comment = 0x98A3B2,
    };
    return kTokens;
}

QColor Tokens::kind(Opcode opcode) const {
    switch (opcode) {
    case Opcode::Placeholder:
        return 0x3B82F6;
    case Opcode::GetAttr:
        return 0xA78BFA;
    case Opcode::CallModule:
        return 0x14A38B;
    case Opcode::CallFunction:
        return 0x64748B;
    case Opcode::CallMethod:
        return 0xD97706;
    case Opcode::Output:
        return 0xE5484D;
    }
    return dim;
}

QColor Tokens::family(CallFamily family) const {
    // Neighbours in a model differ in lightness, too, so that who sees few hues tells them apart.
    switch (family) {
    case CallFamily::InOut:
        return isDark ? 0xE4E8EE : 0x1D2530;
    case CallFamily::Weight:
        return isDark ? 0x8F86A8 : 0xA79FBD;
    case CallFamily::Layer:
        return isDark ? 0x4F8FD6 : 0x2A6FB8;
    case CallFamily::Normalisation:
        return isDark ? 0x9CCBEF : 0x86BDE6;
    case CallFamily::Activation:
        return isDark ? 0xC9A24B : 0xA87B1D;
    case CallFamily::Attention:
        return isDark ? 0xB48CF2 : 0x7C4DCC;
    case CallFamily::Elementwise:
        return isDark ? 0x8592A3 : 0x64748B;
    case CallFamily::Shape:
        return isDark ? 0x545F6E : 0xB9C2CE;
    case CallFamily::Reduction:
        return isDark ? 0x35B5A3 : 0x12877A;
    case CallFamily::Embedding:
        return isDark ? 0xE28BBE : 0xC25A97;
    case CallFamily::Random:
        return isDark ? 0xA78468 : 0x8A6246;
    case CallFamily::Collective:
        return isDark ? 0x9BB84A : 0x6E8B1E;
    case CallFamily::Constant:
        return isDark ? 0x8C8468 : 0xCDBF93;
    case CallFamily::Other:
        return isDark ? 0x6B7583 : 0x98A2AE;
    }
    return dim;
}

QColor Tokens::mark(std::string_view name) const {
    if (name == "violet")
        return 0x8B5CF6;
    if (name == "teal")
        return 0x0D9488;
    if (name == "pink")
        return 0xDB2777;
    return isDark ? 0xB7791F : 0x92580B; // brown
}

QColor Tokens::series(size_t number) const {
    constexpr QRgb kOthers[] = {0x0891B2, 0x7C8A2E, 0xB565C9, 0x7A6A5B};
    number %= kMarkColours.size() + std::size(kOthers);
    return number < kMarkColours.size() ? mark(kMarkColours[number])
                                        : QColor(kOthers[number - kMarkColours.size()]);
}

QColor blended(const QColor& a, const QColor& b, double t) {
    const auto at = [t](double x, double y) { return static_cast<float>(x + (y - x) * t); };
    return QColor::fromRgbF(at(a.redF(), b.redF()), at(a.greenF(), b.greenF()), at(a.blueF(), b.blueF()));
}

} // namespace fx::ui
