// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/run_inputs.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/structure.h"
#include "core/io/tensor_files.h"
#include "core/io/torch/torch_archive.h"
#include "core/ir/argument_text.h"
#include "core/ir/dtype.h"
#include "core/torch/bind/call.h"
#include "core/torch/host/live_evaluator.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

std::string tensorSpec(const TensorMeta& tensor) {
    std::vector<std::string> sizes;
    for (const Dimension& dimension : tensor.shape) {
        const auto* symbol = std::get_if<SymbolicInt>(&dimension);
        sizes.push_back(std::to_string(symbol ? symbol->hint.value_or(2) : std::get<int64_t>(dimension)));
    }
    const std::string shape = '(' + join(sizes, ", ") + (sizes.size() == 1 ? ",)" : ")");
    const c10::ScalarType type = tensor.dtype;
    const std::string dtype = ", dtype=" + dtypeText(type);
    // Small numbers are valid indices into anything.
    std::string out = c10::isIntegralType(type, true) ? "randint(0, 2, " + shape : "randn(" + shape;
    const bool isDefault = type == c10::ScalarType::Float || type == c10::ScalarType::Long;
    if (c10::isFloat8Type(type))
        return out + ").to(" + dtypeText(type) + ')';
    out += (isDefault ? "" : dtype) + ')';
    const bool isChannelsLast = tensor.shape.size() == 4 && tensor.stride.size() == 4 &&
                                tensor.stride[1] == Dimension(int64_t(1)) &&
                                tensor.shape[1] != Dimension(int64_t(1));
    return isChannelsLast ? out + ".to(memory_format=torch.channels_last)" : out;
}

} // namespace

std::optional<std::string> generatedSpec(const ModelInput& input) {
    if (!input.value)
        return std::nullopt;
    if (const auto* tensor = std::get_if<TensorMeta>(&input.value->value))
        return tensorSpec(*tensor);
    if (const auto* constant = std::get_if<Argument>(&input.value->value))
        return reprText(*constant, [](NodeId) { return std::string("None"); });
    if (const auto* symbol = std::get_if<SymbolicScalar>(&input.value->value)) {
        const double hint = symbol->hint.value_or(2);
        if (symbol->kind == SymbolicScalar::Kind::Float)
            return pythonFloat(hint);
        if (symbol->kind == SymbolicScalar::Kind::Bool)
            return hint != 0 ? "True" : "False";
        return std::to_string(static_cast<int64_t>(hint));
    }
    return "None";
}

namespace {

Value readValueFile(const std::string& path, const std::string& name) {
    if (path.ends_with(".npy"))
        return c10::IValue(readNpy(path));
    if (path.ends_with(".pt") || path.ends_with(".pth"))
        return readTorchFile(path);
    NamedTensors tensors;
    if (path.ends_with(".safetensors"))
        tensors = readSafetensors(path);
    else if (path.ends_with(".npz"))
        tensors = readNpz(path);
    else
        throw Error(path, "is not of a kind that holds values").hint("give .npy, .pt, .npz or .safetensors");
    for (const auto& [key, slot] : tensors)
        if (key == name || tensors.size() == 1)
            return c10::IValue(slot.value());
    throw Error(path, "holds no tensor named '" + name + "'");
}

/// The values of --inputs FILE by placeholder; `areLeaves`: the graph takes nested arguments apart.
std::map<std::string, Value> readInputsFile(const std::string& path, const std::vector<ModelInput>& inputs,
                                            bool areLeaves) {
    std::map<std::string, Value> out;
    const auto requireInput = [&](const std::string& name) {
        if (std::none_of(inputs.begin(), inputs.end(), [&](const ModelInput& i) { return i.name == name; }))
            throw Error(path, "has a value for '" + name + "', which is no input of the model");
    };
    if (path.ends_with(".npz") || path.ends_with(".safetensors")) {
        for (const auto& [name, slot] : path.ends_with(".npz") ? readNpz(path) : readSafetensors(path)) {
            requireInput(name);
            out.emplace(name, Value(c10::IValue(slot.value())));
        }
        return out;
    }
    const Value content = readTorchFile(path);
    if (const auto* dict = content.as<DictObject>()) {
        for (const auto& [key, value, hash] : dict->entries()) {
            const std::string name = key.isData() && key.data().isString() ? key.data().toStringRef() : "";
            requireInput(name);
            out.emplace(name, value);
        }
        return out;
    }
    const std::optional<Values> items = areLeaves ? std::nullopt : itemsOf(content);
    const Values values = items ? *items : flattened(content);
    if (values.size() > inputs.size())
        throw Error(path, "has " + plural(values.size(), "value") + ", the model takes " +
                              plural(inputs.size(), "input"));
    for (size_t i = 0; i < values.size(); ++i)
        out.emplace(inputs[i].name, values[i]);
    return out;
}

Value valueOf(LiveEvaluator& evaluator, const std::string& spec, const ModelInput& input) {
    if (spec.starts_with('@'))
        return readValueFile(spec.substr(1), input.name);
    Value value;
    guarded([&] { value = evaluator.evaluate(spec, "input '" + input.name + '\''); });
    return value;
}

/// The same value with its tensors on the device.
Value moved(const Value& value, c10::Device device) {
    if (value.isTensor())
        return c10::IValue(value.data().toTensor().to(device));
    const std::optional<Values> items = itemsOf(value);
    if (!items || value.as<SizeObject>())
        return value;
    Values out;
    for (const Value& item : *items)
        out.push_back(moved(item, device));
    return makeSequence(std::move(out), typeName(value) == "list");
}

/// A value of the recorded shape on meta, where nothing is allocated for it; none for what is no tensor.
std::optional<Value> generatedOnMeta(const ModelInput& input) {
    const auto* tensor = input.value ? std::get_if<TensorMeta>(&input.value->value) : nullptr;
    if (!tensor)
        return std::nullopt;
    std::vector<int64_t> sizes;
    for (const Dimension& dimension : tensor->shape) {
        const auto* symbol = std::get_if<SymbolicInt>(&dimension);
        sizes.push_back(symbol ? symbol->hint.value_or(2) : std::get<int64_t>(dimension));
    }
    return Value(c10::IValue(at::empty(sizes, at::TensorOptions(c10::kMeta).dtype(tensor->dtype))));
}

} // namespace

void requireFitting(const ModelInput& input, const Value& value,
                    const std::map<std::string, SymbolRange>& symbols) {
    const auto* tensor = input.value ? std::get_if<TensorMeta>(&input.value->value) : nullptr;
    if (!tensor)
        return;
    const std::string place = "input '" + input.name + '\'';
    if (!value.isTensor())
        throw Error(place, "should be a tensor, not " + typeName(value));
    const at::Tensor& given = value.data().toTensor();
    const std::string expected = "expected " + std::string(dtypeAbbreviation(tensor->dtype)) +
                                 shapeText(tensor->shape) + ", got " + valueMetaText({describe(given)});
    if (given.dim() != static_cast<int64_t>(tensor->shape.size()))
        throw Error(place, expected);
    for (size_t i = 0; i < tensor->shape.size(); ++i) {
        const int64_t size = given.size(static_cast<int64_t>(i));
        if (const auto* fixed = std::get_if<int64_t>(&tensor->shape[i])) {
            if (size != *fixed)
                throw Error(place, expected)
                    .hint("to run it with other sizes, export the model with dynamic_shapes");
            continue;
        }
        const auto range = symbols.find(std::get<SymbolicInt>(tensor->shape[i]).formula);
        if (range == symbols.end())
            continue;
        // Export treats 0 and 1 apart and records 2 as the least size; the model still takes them.
        const int64_t least = range->second.least.value_or(0) <= 2 ? 0 : *range->second.least;
        if (size < least || (range->second.most && size > *range->second.most))
            throw Error(place, expected + ": dimension " + std::to_string(i) + " must be between " +
                                   std::to_string(least) + " and " +
                                   (range->second.most ? std::to_string(*range->second.most) : "any size"));
    }
}

bool hasInputs(const OpenedModel& model, const InputSpecs& specs) {
    if (model.examples || !specs.file.empty())
        return true;
    const std::vector<ModelInput> inputs = inputsOf(model.model);
    return std::all_of(inputs.begin(), inputs.end(), [&](const ModelInput& input) {
        return input.value || !model.model.graph().node(input.node).args.empty() ||
               specs.byName.contains(input.name);
    });
}

std::vector<Value> makeInputs(const OpenedModel& model, const InputSpecs& specs) {
    const std::vector<ModelInput> inputs = inputsOf(model.model);
    const std::map<std::string, Value> fromFile =
        specs.file.empty() ? std::map<std::string, Value>()
                           : readInputsFile(specs.file, inputs, model.model.graph().signature().has_value());
    for (const auto& [name, spec] : specs.byName)
        if (std::none_of(inputs.begin(), inputs.end(), [&](const ModelInput& i) { return i.name == name; })) {
            std::vector<std::string> names;
            for (const ModelInput& input : inputs)
                names.push_back(input.name);
            throw Error("", "the model has no input '" + name + "'")
                .hint("its inputs are: " + join(names, ", "));
        }
    std::optional<std::vector<Value>> examples;
    const auto example = [&](size_t index) -> std::optional<Value> {
        if (!model.examples)
            return std::nullopt;
        if (!examples) {
            try {
                examples = model.examples();
            } catch (const Error&) {
                examples.emplace(); // an example of classes that are not known here: values are made instead
            }
        }
        return index < examples->size() ? std::optional((*examples)[index]) : std::nullopt;
    };
    LiveEvaluator evaluator([](const std::string&) { return std::nullopt; });
    std::vector<Value> values;
    for (size_t i = 0; i < inputs.size(); ++i) {
        const auto spec = specs.byName.find(inputs[i].name);
        const bool hasSpec =
            spec != specs.byName.end() && trim(spec->second) != "example" && !trim(spec->second).empty();
        if (hasSpec) {
            values.push_back(valueOf(evaluator, spec->second, inputs[i]));
        } else if (const auto given = fromFile.find(inputs[i].name); given != fromFile.end()) {
            values.push_back(given->second);
        } else if (std::optional<Value> saved = example(i)) {
            // A run may write into its inputs; the example stays as it was saved.
            values.push_back(saved->isTensor() ? Value(c10::IValue(saved->data().toTensor().clone()))
                                               : *saved);
        } else if (const auto meta =
                       specs.device && specs.device->is_meta() ? generatedOnMeta(inputs[i]) : std::nullopt) {
            values.push_back(*meta);
        } else if (inputs[i].value) {
            values.push_back(valueOf(evaluator, *generatedSpec(inputs[i]), inputs[i]));
        } else if (!model.model.graph().node(inputs[i].node).args.empty()) {
            break; // it has a default, and so have all that follow
        } else {
            throw Error("input '" + inputs[i].name + '\'', "has no recorded shape")
                .hint("give a value with --input " + inputs[i].name + "=...");
        }
        requireFitting(inputs[i], values.back(), model.symbols);
        if (specs.device)
            values.back() = moved(values.back(), *specs.device);
    }
    return values;
}

} // namespace fx
