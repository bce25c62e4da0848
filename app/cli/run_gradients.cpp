// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_gradients.h"

#include "core/base/error.h"
#include "core/base/shown_text.h"
#include "core/interpret/structure.h"
#include "core/io/torch/torch_archive.h"
#include "core/torch/bind/call.h"
#include "core/torch/host/live_evaluator.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstdio>
#include <ostream>

namespace fx::cli {

namespace {

/// Of all modules, parents first.
std::map<ModuleId, std::string> pathsOf(const Model& model) {
    std::map<ModuleId, std::string> out;
    model.forEachModule(model.root(),
                        [&](ModuleId id, const std::string& path) { out.try_emplace(id, path); });
    return out;
}

std::string joined(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + '.' + name;
}

/// The paths of a tensor of the model: more than one where modules share it.
std::map<TensorId, std::vector<std::string>> tensorPathsOf(const Model& model) {
    std::map<TensorId, std::vector<std::string>> out;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string& path) {
        for (const NamedTensor& entry : model.module(id).tensors)
            if (entry.tensor)
                out[entry.tensor].push_back(joined(path, entry.name));
    });
    return out;
}

std::vector<std::string> rowOf(const GradientRecord& record, std::string name, const Value* gradient) {
    if (!gradient)
        return {std::move(name), "none: " + record.absence};
    std::vector<std::string> row{std::move(name), valueMetaText(record.value), "", "", "", ""};
    const auto number = [](const std::optional<double>& each) {
        char text[32] = "";
        if (each)
            std::snprintf(text, sizeof text, "%.5g", *each);
        return std::string(text);
    };
    if (gradient->isTensor() && gradient->data().toTensor().layout() == at::kStrided) {
        const TensorStatistics statistics = statisticsOf(gradient->data().toTensor());
        row[2] = number(statistics.minimum);
        row[3] = number(statistics.maximum);
        row[4] = number(statistics.mean);
    }
    row[5] = record.health.hasNan     ? "NaN"
             : record.health.hasInf   ? "Inf"
             : record.health.isZero() ? "zero"
                                      : "";
    return row;
}

void printTable(const std::vector<std::vector<std::string>>& rows, std::ostream& out) {
    std::vector<size_t> widths;
    for (const auto& row : rows)
        for (size_t i = 0; i + 1 < row.size() && row.size() > 2; ++i) {
            widths.resize(std::max(widths.size(), i + 1));
            widths[i] = std::max(widths[i], row[i].size());
        }
    for (const auto& row : rows)
        widths[0] = std::max(widths[0], row[0].size());
    for (const auto& row : rows) {
        std::string line;
        for (size_t i = 0; i < row.size(); ++i)
            line +=
                row[i] +
                std::string(i + 1 < row.size() ? widths[i] - std::min(widths[i], row[i].size()) + 2 : 0, ' ');
        line.resize(line.find_last_not_of(' ') + 1);
        out << shownLine(line) << '\n';
    }
}

} // namespace

RunGradients runWithGradients(const OpenedModel& opened, GraphInputs inputs, RunSettings settings,
                              const std::string& loss) {
    settings.gradMode = GradMode::Grad;
    const Graph& graph = opened.model.graph();
    RunGradients out;
    GradientTape tape([&](const GradientRecord& record, const Value& gradient) {
        if (record.node.node)
            out.nodes[record.node] = gradient;
        else
            out.parameters[record.tensor] = gradient;
    });
    Interpreter interpreter(opened.model, settings);
    interpreter.keepValues();
    interpreter.context().observers.push_back(&tape);
    out.result = structured(graph.signature(), interpreter.run(tape.track(std::move(inputs))));
    LiveEvaluator evaluator([&](const std::string& name) -> std::optional<Value> {
        if (name == "output")
            return out.result;
        const NodeId node = graph.find(name);
        const Value* value = node ? interpreter.value(node) : nullptr;
        return value ? std::optional(*value) : std::nullopt;
    });
    const at::AutoGradMode grad(true);
    guarded([&] {
        const Loss chosen =
            loss.empty() ? lossOf(out.result, "output") : lossOf(evaluator.evaluate(loss, "--grad"), loss);
        out.loss = lossText(chosen);
        tape.differentiate(chosen, interpreter.context().state, {});
    });
    out.records = tape.records();
    out.fault = tape.fault();
    return out;
}

void printGradients(const RunGradients& gradients, const Model& model, std::ostream& out) {
    out << "loss: " << shownLine(gradients.loss) << "\n\n";
    const std::map<ModuleId, std::string> paths = pathsOf(model);
    std::vector<std::vector<std::string>> nodes{{"node", "gradient", "min", "max", "mean", ""}},
        parameters{{"parameter", "gradient", "min", "max", "mean", ""}};
    const std::map<TensorId, std::vector<std::string>> tensorPaths = tensorPathsOf(model);
    for (const GradientRecord& record : gradients.records) {
        if (record.node.node) {
            // Weights are parameters, below, or have none.
            if (model.graph(record.node.module).node(record.node.node).opcode == Opcode::GetAttr)
                continue;
            const auto found = gradients.nodes.find(record.node);
            nodes.push_back(rowOf(record,
                                  joined(paths.at(record.node.module),
                                         model.graph(record.node.module).node(record.node.node).name),
                                  found == gradients.nodes.end() ? nullptr : &found->second));
            continue;
        }
        const auto found = gradients.parameters.find(record.tensor);
        for (const std::string& path : tensorPaths.at(record.tensor))
            parameters.push_back(
                rowOf(record, path, found == gradients.parameters.end() ? nullptr : &found->second));
    }
    printTable(nodes, out);
    if (parameters.size() > 1) {
        out << '\n';
        printTable(parameters, out);
    }
}

void saveGradients(const RunGradients& gradients, const Model& model, const std::string& path) {
    const std::map<ModuleId, std::string> paths = pathsOf(model);
    std::vector<std::pair<Value, Value>> nodes, parameters;
    for (const auto& [node, gradient] : gradients.nodes)
        nodes.emplace_back(
            makeText(joined(paths.at(node.module), model.graph(node.module).node(node.node).name)), gradient);
    for (const auto& [tensor, tensorPaths] : tensorPathsOf(model))
        if (const auto found = gradients.parameters.find(tensor); found != gradients.parameters.end())
            for (const std::string& each : tensorPaths)
                parameters.emplace_back(makeText(each), found->second);
    writeTorchFile(path, makeDict({{makeText("loss"), makeText(gradients.loss)},
                                   {makeText("nodes"), makeDict(std::move(nodes))},
                                   {makeText("parameters"), makeDict(std::move(parameters))}}));
}

void requireFinite(const RunGradients& gradients, const Model& model) {
    if (!gradients.fault)
        return;
    const std::vector<NodeRef>& nodes = gradients.fault->nodes;
    throw Error(nodes.empty() ? "the loss" : nodePlace(model.graph(nodes.back().module), nodes.back().node),
                gradients.fault->message);
}

} // namespace fx::cli
