// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/whole_times.h"

#include "core/passes/clean/recorded.h"
#include "core/passes/lower/onednn_timing.h"
#include "core/rewrite/excerpt.h"

#include <ATen/ATen.h>

#include <cstdio>
#include <memory>

namespace fx {

namespace {

constexpr double kWorthwhile = 0.97; ///< of the time before; what is nearer is noise
constexpr double kSeconds = 0.5;     ///< to measure for
constexpr double kNodeSeconds = 0.03;

std::pair<double, double> timesFor(double seconds, const Model& before, const Model& after,
                                   const GraphInputs& inputs, const RunSettings& settings) {
    const auto runner = [&](const Model& model) {
        auto interpreter =
            std::make_shared<Interpreter>(std::make_shared<RunContext>(model, settings), model.root());
        return [interpreter, &inputs] { interpreter->run(inputs); };
    };
    return leastInTurns(runner(before), runner(after), seconds);
}

std::string milliseconds(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g ms", seconds * 1e3);
    return text;
}

} // namespace

std::pair<double, double> wholeTimes(const Model& before, const Model& after, const GraphInputs& inputs,
                                     const RunSettings& settings) {
    return timesFor(kSeconds, before, after, inputs, settings);
}

std::optional<std::pair<double, double>> timesOfNodes(const Model& model, ModuleId module,
                                                      const std::vector<NodeId>& nodes,
                                                      const RunSettings& settings,
                                                      const std::function<void(Edit&)>& one,
                                                      const std::function<void(Edit&)>& other) {
    const Excerpt excerpt = excerptOf(model, module, nodes);
    GraphInputs inputs;
    for (const Node& node : excerpt.model.graph())
        if (node.opcode == Opcode::Placeholder) {
            const TensorMeta* meta = recordedTensor(node);
            if (!meta)
                return std::nullopt;
            inputs.values.emplace_back(c10::IValue(at::ones_like(withoutData(*meta), at::device(at::kCPU))));
        }
    const auto changed = [&](const std::function<void(Edit&)>& change) {
        Model out = excerpt.model;
        Edit edit(out, Edit::WithoutHistory());
        change(edit);
        edit.finish();
        return out;
    };
    return timesFor(kNodeSeconds, changed(one), changed(other), inputs, settings);
}

bool isFasterWith(const Edit& edit, const GraphInputs& inputs, const RunSettings& settings,
                  const std::function<void(Edit&)>& write, std::vector<std::string>& results) {
    Model trial = edit.model();
    Edit other(trial, Edit::WithoutHistory());
    other.enter(edit.module());
    write(other);
    other.finish();
    return isFaster(wholeTimes(edit.model(), trial, inputs, settings), results);
}

bool isFaster(std::pair<double, double> times, std::vector<std::string>& results) {
    const std::string text = milliseconds(times.first) + " before, " + milliseconds(times.second) + " after";
    const bool is = times.second < kWorthwhile * times.first;
    results.push_back((is ? "measured: " : "nothing was changed: it measured no faster, ") + text);
    return is;
}

} // namespace fx
