// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/quantize/trade_off.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/interpreter.h"
#include "core/passes/lower/onednn_timing.h"
#include "core/passes/pass_options.h"
#include "core/passes/registry.h"

#include <cstdio>
#include <memory>

namespace fx {

std::optional<double> loweredSeconds(const Model& model, ModuleId module, const GraphInputs& inputs,
                                     const RunSettings& settings, Progress& progress) {
    constexpr double kSeconds = 0.1; // of measuring
    if (settings.gradMode == GradMode::Grad)
        return std::nullopt;
    Model copy = model;
    PassContext context{progress};
    context.inputs = [&](const Model&) { return inputs; };
    context.settings = settings;
    const Pass& lower = findPass("lower");
    try {
        Edit edit(copy, module);
        lower.run(edit, PassOptions(lower, {{"always", "true"}}), context);
        edit.finish();
        Interpreter interpreter(std::make_shared<RunContext>(copy, settings), copy.root());
        const auto run = [&] { interpreter.run(inputs); };
        const auto [one, other] = leastInTurns(run, run, kSeconds);
        return std::min(one, other);
    } catch (const Error&) {
        return std::nullopt;
    }
}

PassTable tradeOffTable(const std::vector<TradeOffPoint>& points) {
    PassTable out{"trade-off", {"quantized", "sqnr", "cosine", "max_error", "bytes", "seconds", "left_out"}};
    const auto known = [](const auto& value, auto TensorError::*member) {
        return value ? PassTable::Cell((*value).*member) : PassTable::Cell();
    };
    for (const TradeOffPoint& point : points)
        out.rows.push_back({static_cast<double>(point.quantized), known(point.error, &TensorError::sqnr),
                            known(point.error, &TensorError::cosine),
                            known(point.error, &TensorError::greatest), static_cast<double>(point.bytes),
                            point.seconds ? PassTable::Cell(*point.seconds) : PassTable::Cell(),
                            join(point.left, ", ")});
    return out;
}

std::vector<std::string> tradeOffLines(const std::vector<TradeOffPoint>& points, uint64_t bytesBefore) {
    std::vector<std::string> out{"the fewer calls are quantized, the worst left out first:"};
    for (const TradeOffPoint& point : points) {
        std::string line = "  " + std::to_string(point.quantized) + " quantized: " +
                           (point.error ? decibelText(point.error->sqnr) : std::string("unknown")) +
                           ", weights of " + byteText(bytesBefore) + " in " + byteText(point.bytes);
        if (point.seconds) {
            char text[48];
            std::snprintf(text, sizeof text, ", %.3g ms a run when lowered", *point.seconds * 1e3);
            line += text;
        }
        if (const size_t count = point.left.size())
            line += "; without " + point.left.back() +
                    (count > 1 ? " and " + plural(count - 1, "call") + " before" : std::string());
        out.push_back(std::move(line));
    }
    return out;
}

} // namespace fx
