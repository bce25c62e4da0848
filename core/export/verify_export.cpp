// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/verify_export.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/structure.h"
#include "core/open/open.h"
#include "core/open/output_comparison.h"
#include "core/torch/bind/call.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

constexpr uint64_t kExportSeed = 0;

ExportVerdict verdictOf(const OutputComparison& found) {
    if (!found.difference.empty())
        return {ExportState::Different, "but " + found.difference};
    if (found.rounding > 0)
        return {ExportState::Close,
                "outputs equal but for rounding (" + pythonFloat(found.rounding) + " of the largest value)"};
    return {ExportState::Equal, "outputs equal bit for bit"};
}

std::string onOneLine(const Error& error) {
    const std::string text = error.what();
    return text.substr(0, text.find('\n'));
}

/// True if Python itself could not run what was written: a fault of the writer, whatever the graph calls.
bool isBroken(const Error& error) {
    static constexpr std::string_view kKinds[] = {"SyntaxError", "IndentationError",
                                                  "NameError",   "UnboundLocalError",
                                                  "ImportError", "ModuleNotFoundError"};
    return std::ranges::find(kKinds, std::string_view(error.kind())) != std::end(kKinds);
}

/// True if `isOne` holds for the target of a function that some graph calls.
bool callsAny(const Model& model, bool (*isOne)(const Target& target)) {
    bool found = false;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
        if (model.module(id).graph)
            for (const Node& node : model.graph(id))
                found |= node.opcode == Opcode::CallFunction && isOne(node.target);
    });
    return found;
}

/// True for Python's own functions, by which texts, lists and dicts are computed. Their code runs in Python,
/// but torch.fx cannot trace it: the functions refuse a Proxy.
bool refusesProxies(const Target& target) {
    return target.isBuiltin() && target.name() != "getattr";
}

/// True for what torch.fx traces to a constant, as a Proxy is an object of its own.
bool asksForIdentity(const Target& target) {
    return target.name().ends_with("operator.is_") || target.name().ends_with("operator.is_not");
}

} // namespace

ExportVerdict verifyExport(const OpenedModel& model, const std::string& folder, const GraphInputs& inputs,
                           const RunSettings& given) {
    RunSettings settings = given;
    settings.seed = given.seed.value_or(kExportSeed);
    Values wanted;
    try {
        wanted = outputsOf(model.model, inputs, settings);
    } catch (const Error& error) {
        return {ExportState::NotCompared, "not compared: the model does not run here: " + onOneLine(error)};
    }
    if (callsAny(model.model, asksForIdentity))
        return {
            ExportState::NotCompared,
            "not compared: torch.fx cannot trace the written code, which Python runs: its 'is' of a Proxy is "
            "a constant"};
    OpenedModel again;
    try {
        Progress progress;
        again = openModel(folder, {}, progress);
    } catch (const Error& error) {
        if (!isBroken(error) && callsAny(model.model, refusesProxies))
            return {ExportState::NotCompared,
                    "not compared: torch.fx cannot trace the written code, which Python runs: " +
                        onOneLine(error)};
        return {ExportState::Different, "but the folder does not run: " + onOneLine(error)};
    }
    try {
        // Reading its code turns what flattens nested inputs into nodes.
        const std::optional<Signature>& nested = model.model.graph().signature();
        const bool isFlat = nested && !again.model.graph().signature();
        return verdictOf(compareOutputs(
            wanted,
            outputsOf(again.model, isFlat ? callArguments(*nested, inputs.values) : inputs, settings)));
    } catch (const Error& error) {
        return {ExportState::Different, "but the folder does not run: " + onOneLine(error)};
    }
}

ExportVerdict verifyExport(const OpenedModel& model, const std::string& folder, const InputSpecs& specs,
                           const RunSettings& settings) {
    GraphInputs inputs;
    try {
        at::manual_seed(settings.seed.value_or(kExportSeed));
        guarded([&] { inputs = makeInputs(model, specs); });
    } catch (const Error& error) {
        return {ExportState::NotCompared, "not compared: " + onOneLine(error)};
    }
    return verifyExport(model, folder, inputs, settings);
}

std::string exportLine(const ExportedFolder& folder, const ExportVerdict& verdict) {
    return "written, " + plural(folder.files.size(), "file") + ", " + verdict.text;
}

} // namespace fx
