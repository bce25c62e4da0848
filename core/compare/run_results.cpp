// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/run_results.h"

#include "core/base/text.h"
#include "core/interpret/structure.h"
#include "core/interpret/written_tensors.h"
#include "core/torch/bind/call.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

bool isChanged(const Value& before, const Value& after) {
    const Values a = flattened(before), b = flattened(after);
    for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
        if (!a[i].isTensor() || !b[i].isTensor())
            continue;
        const at::Tensor &left = a[i].data().toTensor(), &right = b[i].data().toTensor();
        if (left.sizes() != right.sizes() || left.scalar_type() != right.scalar_type())
            return true;
        if (left.is_meta() || left.layout() != c10::kStrided || left.is_quantized())
            continue;
        // One NaN is as good as another.
        if (!at::allclose(left.cpu(), right.cpu(), 0, 0, /*equal_nan=*/true))
            return true;
    }
    return false;
}

void addOutputs(const Value& result, NamedResults& out) {
    const Values leaves = flattenedFields(result);
    for (size_t i = 0; i < leaves.size(); ++i)
        out.emplace_back(leaves.size() == 1 ? "output" : "output[" + std::to_string(i) + ']', leaves[i]);
}

void addChangedInputs(const Model& model, const GraphInputs& before, const GraphInputs& after,
                      NamedResults& out) {
    const std::vector<NodeId> placeholders = model.graph().findNodes(Opcode::Placeholder);
    for (size_t i = 0; i < before.values.size(); ++i)
        if (isChanged(before.values[i], after.values[i]))
            out.emplace_back(
                "input " +
                    (i < placeholders.size() ? model.graph().node(placeholders[i]).name : std::to_string(i)) +
                    " after the run",
                after.values[i]);
    for (size_t i = 0; i < before.keywords.size(); ++i)
        if (isChanged(before.keywords[i].second, after.keywords[i].second))
            out.emplace_back("input " + before.keywords[i].first + " after the run",
                             after.keywords[i].second);
}

std::string stateName(const std::string& module, const std::string& name) {
    return "buffer " + module + (module.empty() ? "" : ".") + name + " after the run";
}

void addChangedTensors(const Model& model, RunContext& context, NamedResults& out) {
    const std::set<TensorId> written = writtenTensors(model);
    model.forEachModule(model.root(), [&](ModuleId id, const std::string& path) {
        for (const NamedTensor& named : model.module(id).tensors) {
            if (!named.tensor || !written.contains(named.tensor))
                continue;
            const Value before = c10::IValue(model.tensor(named.tensor).value());
            const Value after = c10::IValue(context.state.tensor(named.tensor, named.role));
            if (isChanged(before, after))
                out.emplace_back(stateName(path, named.name), after);
        }
    });
}

} // namespace

std::set<std::string> stateNames(const Model& model) {
    std::set<std::string> out;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string& path) {
        for (const NamedTensor& named : model.module(id).tensors)
            out.insert(stateName(path, named.name));
    });
    return out;
}

std::string inputsText(const Model& model, const GraphInputs& inputs) {
    std::vector<std::string> parts;
    InputReader reader(model.graph(), inputs);
    for (const NodeId id : model.graph().findNodes(Opcode::Placeholder))
        if (const std::optional<Value> value = reader.next(model.graph().node(id), true))
            parts.push_back(model.graph().node(id).name + ' ' + valueMetaText(describeValue(*value)));
    return parts.empty() ? "none" : join(parts, ", ");
}

NamedResults resultsOfRun(const Model& model, const GraphInputs& inputs, RunSettings settings,
                          const std::vector<Observer*>& observers) {
    settings.seed = settings.seed.value_or(0);
    NamedResults out;
    guarded([&] {
        const GraphInputs given = withOwnTensors(inputs);
        const auto context = std::make_shared<RunContext>(model, settings);
        context->observers = observers;
        const Value result = Interpreter(context, model.root()).run(given);
        addOutputs(structured(model.graph().signature(), result), out);
        addChangedInputs(model, inputs, given, out);
        addChangedTensors(model, *context, out);
    });
    return out;
}

} // namespace fx
