// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/whole_times.h"

#include "core/passes/lower/onednn_timing.h"

#include <cstdio>
#include <memory>

namespace fx {

namespace {

constexpr double kWorthwhile = 0.97; ///< of the time before; what is nearer is noise
constexpr double kSeconds = 0.5;     ///< to measure for

std::string milliseconds(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g ms", seconds * 1e3);
    return text;
}

} // namespace

std::pair<double, double> wholeTimes(const Model& before, const Model& after, const GraphInputs& inputs,
                                     const RunSettings& settings) {
    const auto runner = [&](const Model& model) {
        auto interpreter =
            std::make_shared<Interpreter>(std::make_shared<RunContext>(model, settings), model.root());
        return [interpreter, &inputs] { interpreter->run(inputs); };
    };
    return leastInTurns(runner(before), runner(after), kSeconds);
}

bool isFaster(std::pair<double, double> times, std::vector<std::string>& results) {
    const std::string text = milliseconds(times.first) + " before, " + milliseconds(times.second) + " after";
    const bool is = times.second < kWorthwhile * times.first;
    results.push_back((is ? "measured: " : "nothing was changed: it measured no faster, ") + text);
    return is;
}

} // namespace fx
