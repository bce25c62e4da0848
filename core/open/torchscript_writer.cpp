// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/torchscript_writer.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/shape_prop.h"
#include "core/interpret/structure.h"
#include "core/io/script/module_lowering.h"
#include "core/io/script/script_parameters.h"
#include "core/module/edit.h"
#include "core/open/output_comparison.h"
#include "core/open/run_inputs.h"
#include "core/torch/bind/call.h"
#include "core/trace/script/script_values.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/serialization/export.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>

namespace fx {

namespace {

constexpr uint64_t kSeed = 0;

/// What the program gives for the inputs of the model.
Values resultsOf(torch::jit::Module& program, const Model& model, const GraphInputs& inputs, GradMode mode) {
    const GraphInputs own = withOwnTensors(inputs);
    const std::optional<Signature>& signature = model.graph().signature();
    const Values positional = signature ? callArguments(*signature, own.values) : own.values;
    const torch::jit::Method forward = program.get_method("forward");
    const auto& parameters = forward.function().getSchema().arguments();
    const auto given = [](const Value& value, const c10::Argument& parameter) {
        std::optional<c10::IValue> out = toIValue(plainOf(value), parameter.type());
        if (!out)
            throw Error("input '" + parameter.name() + "'", "has a value that TorchScript does not take");
        return std::move(*out);
    };
    std::vector<c10::IValue> args;
    for (const Value& value : positional)
        args.push_back(given(value, parameters.at(args.size() + 1)));
    torch::jit::Kwargs kwargs;
    for (const auto& [name, value] : own.keywords)
        for (const c10::Argument& parameter : parameters)
            if (parameter.name() == name)
                kwargs[name] = given(value, parameter);
    const c10::InferenceMode inference(mode == GradMode::Inference);
    at::manual_seed(kSeed);
    return flattenedFields(fromIValue(forward(std::move(args), kwargs)));
}

void requireSameTensors(const torch::jit::Module& mine, const torch::jit::Module& read,
                        const std::string& path) {
    const auto names = [](const auto& list) {
        std::vector<std::pair<std::string, at::Tensor>> out;
        for (const auto& entry : list)
            out.emplace_back(entry.name, entry.value);
        return out;
    };
    const auto same = [&](const auto& one, const auto& other) {
        if (one.size() != other.size())
            throw Error(path, "was written with other tensors").hint("nothing was saved; report this");
        for (size_t i = 0; i < one.size(); ++i)
            if (one[i].first != other[i].first ||
                !compareOutputs({c10::IValue(one[i].second)}, {c10::IValue(other[i].second)})
                     .difference.empty())
                throw Error(path, "was written with another tensor " + one[i].first)
                    .hint("nothing was saved; report this");
    };
    same(names(mine.named_parameters()), names(read.named_parameters()));
    same(names(mine.named_buffers()), names(read.named_buffers()));
}

/// The model with what a run is given and what its nodes give noted, as far as inputs are to be had.
OpenedModel withKnownValues(const OpenedModel& opened) {
    OpenedModel out = opened;
    Edit edit(out.model, Edit::WithoutHistory());
    for (const NodeId input : edit.graph().findNodes(Opcode::Placeholder))
        if (const auto* recorded = edit.node(input).meta.find<ValueMeta>(meta::kTensorMeta))
            if (!edit.node(input).meta.find(meta::kValue))
                edit.setMeta(input, meta::kValue, MetaValue(*recorded));
    const bool areKnown = std::ranges::none_of(edit.graph(), [](const Node& node) {
        return node.opcode != Opcode::Output && node.opcode != Opcode::GetAttr && !knownValue(node.meta);
    });
    if (!areKnown && hasInputs(out, {}))
        try {
            propagateShapes(edit, withOwnTensors(makeInputs(out, {})));
        } catch (const std::exception&) {
            // It does not run here: what needs no sizes is written all the same.
        }
    edit.finish();
    return out;
}

/// Why the results could not be compared; empty where they are the same.
std::string compareResults(torch::jit::Module& read, const OpenedModel& opened, const std::string& path) {
    if (!hasInputs(opened, {}))
        return "the program was not run, as no inputs are known: give them by --input, or record them by the "
               "pass shape-prop";
    // Without gradients, attention takes a kernel that lays out its result otherwise, so that random numbers
    // after it fall elsewhere: what is the same with them is the same program.
    OutputComparison found;
    for (const GradMode mode : {GradMode::Inference, GradMode::Grad}) {
        GraphInputs inputs;
        Values wanted, results;
        try {
            RunSettings settings;
            settings.seed = kSeed;
            settings.gradMode = mode;
            guarded([&] { inputs = makeInputs(opened, {}); });
            wanted = outputsOf(opened.model, inputs, settings);
        } catch (const Error& error) {
            return "the program was not run, as the model does not run here: " + error.message();
        }
        guarded([&] { results = resultsOf(read, opened.model, inputs, mode); });
        found = compareOutputs(wanted, results);
        if (found.difference.empty())
            return {};
    }
    throw Error(path, "would compute something else than the model: " + found.difference)
        .hint("nothing was saved");
}

std::vector<std::string> writeProgram(const OpenedModel& given, const std::string& path, bool isFrozen,
                                      Progress& progress) {
    requireScriptable(given);
    progress.step(0, "making the program");
    const OpenedModel opened = withKnownValues(given);
    ScriptedModel made = scripted(opened.model);
    OutputFile file(path);
    guarded([&] {
        if (isFrozen)
            made.module = torch::jit::freeze(made.module);
        progress.step(0.4, "writing " + path);
        writeModule(made.module, file);
        file.finish([&](const std::string& written) {
            progress.step(0.6, "loading what was written");
            torch::jit::Module read = torch::jit::load(written, at::kCPU);
            requireSameTensors(made.module, read, path);
            progress.step(0.7, "running it");
            if (std::string why = compareResults(read, opened, path); !why.empty())
                made.notes.push_back(std::move(why));
        });
    });
    progress.step(1, "done");
    return std::move(made.notes);
}

} // namespace

void writeModule(const torch::jit::Module& module, OutputFile& file) {
    // A failure must not be reported to LibTorch's writer, whose destructor would throw: the file remembers
    // it.
    torch::jit::ExportModule(module, [&](const void* bytes, size_t size) {
        file.write({static_cast<const char*>(bytes), size});
        return size;
    });
    file.requireWritten();
}

void requireScriptable(const OpenedModel& model) {
    if (!model.whyNoGraph.reason.empty())
        throw Error("", "there is no graph: " + model.whyNoGraph.reason).hint(model.whyNoGraph.advice);
    scriptParameters(model.model, model.model);
}

std::vector<std::string> writeTorchScript(const OpenedModel& model, const std::string& path,
                                          Progress& progress) {
    return writeProgram(model, path, false, progress);
}

void requireFreezable(const OpenedModel& opened) {
    requireScriptable(opened);
    const Model& model = opened.model;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string& where) {
        if (model.module(id).isTraining)
            throw Error(where.empty() ? "the model" : "module '" + where + "'",
                        "is in training mode, and a frozen program has no modes")
                .hint("apply the pass eval-mode first");
    });
}

std::vector<std::string> writeFrozenTorchScript(const OpenedModel& opened, const std::string& path,
                                                Progress& progress) {
    requireFreezable(opened);
    return writeProgram(opened, path, true, progress);
}

} // namespace fx
