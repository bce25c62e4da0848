// SPDX-License-Identifier: GPL-3.0-or-later
// analyze: what a graph costs, and how long it takes on a device. One list of columns gives the table, CSV
// and JSON.
#include "app/cli/commands.h"
#include "core/analyze/cost_fields.h"
#include "core/analyze/measure.h"
#include "core/analyze/what_if.h"
#include "core/base/error.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/io/json.h"
#include "core/io/output_file.h"
#include "core/ir/dtype.h"
#include "core/module/scopes.h"
#include "core/torch/bind/call.h"

#include <ATen/Parallel.h>

#include <cstdio>
#include <iostream>

namespace fx::cli {

namespace {

std::string number(double value, const char* format) {
    char out[40];
    std::snprintf(out, sizeof out, format, value);
    return out;
}

enum class Unit { Text, Count, Bytes, Seconds, Ratio };

struct Column {
    const char* key;   ///< of JSON and CSV, where numbers are whole
    const char* title; ///< of the table, where they are short
    Unit unit;
    bool isTiming = false; ///< wants a device
    bool isMeasured = false;
};

constexpr Column kColumns[] = {
    {"name", "node", Unit::Text},
    {"type", "calls", Unit::Text},
    {"flops", "FLOPs", Unit::Count},
    {"bytes_read", "read", Unit::Bytes},
    {"bytes_written", "written", Unit::Bytes},
    {"parameters", "parameters", Unit::Count},
    {"live_bytes", "live", Unit::Bytes},
    {"predicted_seconds", "predicted", Unit::Seconds, true},
    {"bound", "bound", Unit::Text, true},
    {"intensity", "FLOPs/B", Unit::Ratio, true},
    {"attainable_flops", "attainable/s", Unit::Count, true},
    {"measured_seconds", "measured", Unit::Seconds, true, true},
    {"prediction_error", "error", Unit::Ratio, true, true},
};

std::string cellText(const Json& cell, Unit unit) {
    if (cell.is_null())
        return "";
    if (cell.is_string())
        return shownLine(cell.get<std::string>());
    const double value = cell.get<double>();
    switch (unit) {
    case Unit::Count:
        return countText(static_cast<uint64_t>(value));
    case Unit::Bytes:
        return byteText(static_cast<uint64_t>(value));
    case Unit::Seconds:
        return secondsText(value);
    default:
        return number(value, "%.3g");
    }
}

std::string csvText(const Json& cell) {
    if (cell.is_null())
        return "";
    if (!cell.is_string())
        return cell.dump();
    return csvQuoted(cell.get<std::string>());
}

struct AnalyzeCommand {
    ModelOptions model;
    RunOptions run;
    bool isJson = false, isCsv = false, isRun = false, isMeasured = false, isFused = false;
    std::string by = "node", on, savedDevice, dtype, otherDevice;
    std::vector<std::string> selected;
    int threads = 0;

    void operator()() const {
        const RunSettings settings = run.settings();
        const std::optional<c10::ScalarType> asked = dtypeFromName(dtype);
        if (!dtype.empty() && !asked)
            throw Error("--as " + dtype, "is no dtype").hint("give bfloat16, float16, int8, float64 ...");
        std::optional<Device> device;
        if (!on.empty())
            device = findDevice(on);
        const std::optional<Device> other =
            otherDevice.empty() ? std::nullopt : std::optional(findDevice(otherDevice));
        const OpenedModel opened = model.open();
        if (threads > 0)
            at::set_num_threads(threads);
        RunOptions onMeta = run;
        onMeta.device = "meta";
        Progress progress;
        const GraphCosts costs = analyzeCosts(opened.model, onMeta.inputsOf(opened), progress);
        if (costs.dependsOnData)
            std::cerr << "note: sizes or branches depend on data: these are the costs of one case\n";
        if (!device && (isMeasured || isRun || asked || isFused || other))
            device = measureDevice(progress);
        if (!savedDevice.empty())
            writeFile(savedDevice, deviceJson(device ? *device : measureDevice(progress)));
        std::optional<MeasuredRun> measured;
        if (isRun)
            measured = measureRun(
                opened.model, [&] { return run.inputsOf(opened); }, settings);
        print(opened.model.graph(), costs, device, measured, asked, other);
    }

private:
    void print(const Graph& graph, const GraphCosts& costs, const std::optional<Device>& device,
               const std::optional<MeasuredRun>& measured, std::optional<c10::ScalarType> asked,
               const std::optional<Device>& other) const {
        std::optional<WhatIfResult> answer;
        if (asked || isFused || other)
            answer =
                askWhatIf(graph, costs, *device, {namedNodes(graph, costs, selected), asked, other, isFused});
        const NodeFigures figures =
            nodeFigures(costs, device ? &*device : nullptr, measured ? measured->seconds : MeasuredSeconds());
        const Json rows = by == "scope" ? scopeRows(costs, figures, device) : nodeRows(graph, costs, figures);
        const Json sums = totals(graph, costs, device, measured, answer);
        if (isJson) {
            Json out = sums;
            out[by + 's'] = rows;
            std::cout << jsonText(out, 2) << '\n';
        } else {
            printRows(rows, device.has_value(), measured.has_value());
            if (!isCsv)
                printTotals(sums, costs, device, measured, answer);
        }
    }

    static Json rowOf(const std::string& name, const std::string& type, const CostFigures& figures) {
        Json row = {{"name", name}, {"type", type}};
        for (auto& [key, value] : costFields(figures))
            if (!value.is_null())
                row[key] = std::move(value);
        return row;
    }

    static Json nodeRows(const Graph& graph, const GraphCosts& costs, const NodeFigures& figures) {
        Json rows = Json::array();
        for (const NodeCost& cost : costs.nodes) {
            const Node& node = graph.node(cost.node);
            rows.push_back(rowOf(node.name, node.target.name(), figures.at(cost.node)));
        }
        return rows;
    }

    static Json scopeRows(const GraphCosts& costs, const NodeFigures& figures,
                          const std::optional<Device>& device) {
        Json rows = Json::array();
        for (const ScopeCost& scope : costs.scopes)
            rows.push_back(rowOf(scope.path.empty() ? "(model)" : scope.path, shortTypeName(scope.type),
                                 scopeFigures(scope, figures, device ? &*device : nullptr)));
        return rows;
    }

    Json totals(const Graph& graph, const GraphCosts& costs, const std::optional<Device>& device,
                const std::optional<MeasuredRun>& measured, const std::optional<WhatIfResult>& answer) const {
        Json out = {{"flops", costs.total().flops},
                    {"bytes_read", costs.total().traffic.read},
                    {"bytes_written", costs.total().traffic.written},
                    {"parameters", costs.parameterCount},
                    {"parameter_bytes", costs.parameterBytes},
                    {"input_bytes", costs.inputBytes},
                    {"depends_on_data", costs.dependsOnData},
                    {"peak_bytes", costs.peakBytes},
                    {"peak_node", costs.peakNode ? Json(graph.node(costs.peakNode).name) : Json()}};
        if (device) {
            Prediction prediction;
            for (const NodeCost& cost : costs.nodes)
                prediction += predict(*device, cost);
            out["device"] = device->title;
            out["predicted_seconds"] = prediction.seconds;
            out["bound"] = std::string(boundName(prediction.bound()));
            out["fits_memory"] = costs.parameterBytes + costs.inputBytes + costs.peakBytes <= device->memory;
        }
        if (measured) {
            out["measured_seconds"] = measured->total;
            out["measured_peak_bytes"] = measured->peakBytes;
        }
        if (answer)
            out["what_if"] = {{"seconds", answer->before.seconds},
                              {"seconds_after", answer->after.seconds},
                              {"bytes", answer->bytes},
                              {"bytes_after", answer->bytesAfter},
                              {"total_seconds", answer->total},
                              {"total_seconds_after", answer->totalAfter}};
        return out;
    }

    void printRows(const Json& rows, bool hasDevice, bool hasRun) const {
        std::vector<std::vector<std::string>> lines(1);
        std::vector<Column> shown;
        for (const Column& column : kColumns)
            if ((!column.isTiming || hasDevice) && (!column.isMeasured || hasRun)) {
                shown.push_back(column);
                lines[0].push_back(isCsv                               ? column.key
                                   : column.key == std::string("name") ? by
                                                                       : column.title);
            }
        for (const Json& row : rows) {
            auto& line = lines.emplace_back();
            for (const Column& column : shown) {
                const Json cell = row.contains(column.key) ? row.at(column.key) : Json();
                line.push_back(isCsv ? csvText(cell) : cellText(cell, column.unit));
            }
        }
        std::vector<size_t> widths(shown.size());
        for (const auto& line : lines)
            for (size_t i = 0; i < line.size(); ++i)
                widths[i] = std::max(widths[i], line[i].size());
        for (const auto& line : lines) {
            std::string text;
            for (size_t i = 0; i < line.size(); ++i) {
                const std::string space(isCsv ? 0 : widths[i] - line[i].size(), ' ');
                const bool isLeft = shown[i].unit == Unit::Text;
                text += (i == 0 ? "" : isCsv ? "," : "  ") + (isLeft ? line[i] + space : space + line[i]);
            }
            std::cout << (isCsv ? text : text.substr(0, text.find_last_not_of(' ') + 1)) << '\n';
        }
    }

    static void printTotals(const Json& sums, const GraphCosts& costs, const std::optional<Device>& device,
                            const std::optional<MeasuredRun>& measured,
                            const std::optional<WhatIfResult>& answer) {
        std::cout << '\n'
                  << countText(costs.total().flops) << " FLOPs, " << byteText(costs.total().traffic.read)
                  << " read, " << byteText(costs.total().traffic.written) << " written, "
                  << countText(costs.parameterCount) << " parameters (" << byteText(costs.parameterBytes)
                  << ")\nmemory: " << byteText(costs.inputBytes) << " of inputs, at most "
                  << byteText(costs.peakBytes) << " of values at once";
        if (costs.peakNode)
            std::cout << ", at " << shownLine(sums.at("peak_node").get<std::string>());
        if (measured)
            std::cout << "; measured " << byteText(measured->peakBytes);
        std::cout << '\n';
        if (device) {
            std::cout << "on " << shownLine(device->title) << ": "
                      << secondsText(sums.at("predicted_seconds").get<double>());
            if (measured)
                std::cout << " predicted, " << secondsText(measured->total) << " measured, "
                          << number(100 * (sums.at("predicted_seconds").get<double>() / measured->total - 1),
                                    "%+.0f %%");
            if (!sums.at("fits_memory").get<bool>())
                std::cout << "; does not fit into its " << byteText(device->memory);
            std::cout << '\n';
        }
        if (answer)
            std::cout << "then: " << whatIfText(*answer) << '\n';
    }
};

} // namespace

void addAnalyze(CLI::App& app) {
    auto command = std::make_shared<AnalyzeCommand>();
    CLI::App* parser = app.add_subcommand(
        "analyze", "what the graph costs by its shapes alone: FLOPs, bytes, memory, time on a device");
    command->model.addTo(*parser);
    command->run.addTo(*parser, command->model);
    parser->add_option("--by", command->by, "a line for each node, or for each module")
        ->check(CLI::IsMember({"node", "scope"}))
        ->capture_default_str();
    CLI::Option* json = parser->add_flag("--json", command->isJson, "all numbers, for programs");
    parser->add_flag("--csv", command->isCsv, "the same lines for a table")->excludes(json);
    parser
        ->add_option("--on", command->on,
                     "predict the time on a device: " + join(deviceNames(), ", ") +
                         ", or a .json that describes one")
        ->type_name("DEVICE");
    parser->add_flag("--measure", command->isMeasured,
                     "predict it for this machine, which is measured for two seconds");
    command->model.asOutput(
        parser->add_option("--save-device", command->savedDevice, "write the device as a .json for --on")
            ->type_name("FILE.json"));
    parser->add_flag("--run", command->isRun,
                     "also run, and show what was measured beside what was predicted");
    parser->add_option("--threads", command->threads,
                       "of --measure and --run: threads to compute with; 0: as many as LibTorch likes");
    parser->add_option("--as", command->dtype, "what if it computed in this dtype: bfloat16, int8 ...")
        ->type_name("DTYPE");
    parser->add_option("--move-to", command->otherDevice, "what if it ran on this device")
        ->type_name("DEVICE");
    parser->add_flag("--fused", command->isFused, "what if it were one kernel");
    parser
        ->add_option("--select", command->selected,
                     "of --as, --move-to and --fused: these nodes and modules, not the whole graph")
        ->type_name("NAME")
        ->delimiter(',')
        ->allow_extra_args(false);
    parser->footer("Examples:\n  fxscope analyze resnet50.pt2 --by scope\n"
                   "  fxscope analyze resnet50.pt2 --on h100 --as bfloat16 --select layer1\n"
                   "  fxscope analyze net.py:Net() --input 'x=randn(8,3,224,224)' --measure --run");
    parser->callback([command] { guarded([&] { (*command)(); }); });
}

} // namespace fx::cli
