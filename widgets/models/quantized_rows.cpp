// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/quantized_rows.h"

#include "core/passes/quantize/quantize_pass.h"
#include "core/passes/quantize/sqnr.h"
#include "widgets/support/qt_text.h"

#include <algorithm>
#include <limits>

namespace fx::ui {

namespace {

std::optional<double> figureOf(const DictValue& said, const char* name) {
    for (const auto& [key, value] : said.items)
        if (const std::string* text = key.as<std::string>(); text && *text == name)
            return value.as<double>() ? std::optional(*value.as<double>())
                                      : std::optional(std::numeric_limits<double>::infinity());
    return std::nullopt;
}

std::string callOf(const DictValue& said, const Node& node) {
    for (const auto& [key, value] : said.items)
        if (const std::string* text = key.as<std::string>();
            text && *text == "call" && value.as<std::string>())
            return *value.as<std::string>();
    return node.name;
}

QString rangeOf(const DictValue& said) {
    const auto number = [&](const char* name) {
        const std::optional<double> found = figureOf(said, name);
        return found ? QString::number(*found, 'g', 4) : QString();
    };
    return number("range_min").isEmpty() ? QString()
                                         : QString("%1 to %2 in %3 to %4")
                                               .arg(number("observed_min"), number("observed_max"),
                                                    number("range_min"), number("range_max"));
}

QString decibels(const std::optional<double>& sqnr) {
    return sqnr ? qt(decibelText(*sqnr)) : QString();
}

} // namespace

std::vector<QuantizedRow> quantizedRows(const Graph& graph) {
    std::vector<QuantizedRow> out;
    for (const Node& node : graph) {
        const auto* meta = node.meta.find<Argument>(meta::kQuantization);
        const auto* said = meta ? meta->as<DictValue>() : nullptr;
        const std::optional<double> sqnr = said ? figureOf(*said, "sqnr") : std::nullopt;
        if (sqnr)
            out.push_back({node.id, callOf(*said, node), *sqnr, figureOf(*said, "sqnr_accumulated"),
                           figureOf(*said, "sqnr_by_weights"), figureOf(*said, "sqnr_of_weights"),
                           figureOf(*said, "clipped"), figureOf(*said, "max_error").value_or(0),
                           rangeOf(*said)});
    }
    std::ranges::stable_sort(out, {}, &QuantizedRow::sqnr);
    return out;
}

QVariant QuantizedRows::cell(const QuantizedRow& row, int column, int role) const {
    if (role == Qt::TextAlignmentRole && column > 0 && column < 7)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case 0:
        return qt(row.call);
    case 1:
        return decibels(row.sqnr);
    case 2:
        return decibels(row.accumulated);
    case 3:
        return decibels(row.byWeights);
    case 4:
        return decibels(row.ofWeights);
    case 5:
        return QString::number(row.greatest, 'g', 3);
    case 6:
        return row.clipped ? QString("%1 %").arg(*row.clipped * 100, 0, 'g', 3) : QString();
    default:
        return row.range;
    }
}

} // namespace fx::ui
