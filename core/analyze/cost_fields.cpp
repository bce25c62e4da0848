// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analyze/cost_fields.h"

namespace fx {

namespace {

Json orNull(const std::optional<double>& number) {
    return number ? Json(*number) : Json();
}

} // namespace

std::vector<std::pair<const char*, Json>> costFields(const CostFigures& figures) {
    const std::optional<Prediction>& prediction = figures.prediction;
    const auto predicted = [&](auto value) { return prediction ? Json(value) : Json(); };
    return {{"flops", figures.flops},
            {"bytes_read", figures.traffic.read},
            {"bytes_written", figures.traffic.written},
            {"parameters", figures.parameters},
            {"live_bytes", figures.liveBytes},
            {"predicted_seconds", prediction ? Json(prediction->seconds) : Json()},
            {"bound", prediction ? Json(std::string(boundName(prediction->bound()))) : Json()},
            {"intensity", predicted(figures.roofline.intensity)},
            {"attainable_flops", predicted(figures.roofline.attainable)},
            {"measured_seconds", orNull(figures.measured)},
            {"prediction_error", orNull(figures.predictionError())}};
}

} // namespace fx
