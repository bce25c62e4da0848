// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/run_inputs.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/structure.h"
#include "core/io/tensor_files.h"
#include "core/io/torch/torch_archive.h"
#include "core/ir/argument_text.h"
#include "core/ir/dtype.h"
#include "core/open/input_names.h"
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

namespace {

using ValuesByName = std::map<std::string, Value>;

/// Of an input that may take any number of values, "*" or "**"; null if there is none.
const ModelInput* inputWithStars(const OpenedModel& model, const std::vector<ModelInput>& inputs, int stars) {
    const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const ModelInput& input) {
        return starsOf(model.model.graph().node(input.node).target.name()) == stars;
    });
    return found == inputs.end() ? nullptr : &*found;
}

/// What has names, by placeholder.
ValuesByName byPlaceholder(const std::string& path, NamedValues values, const OpenedModel& model,
                           const std::vector<ModelInput>& inputs) {
    const ModelInput* others = inputWithStars(model, inputs, 2);
    std::vector<std::string> names;
    for (const auto& [name, value] : values)
        names.push_back(name);
    const std::vector<const ModelInput*> named = inputsNamed(model.model, inputs, names);
    ValuesByName out;
    std::vector<std::pair<Value, Value>> rest;
    for (size_t i = 0; i < values.size(); ++i)
        if (named[i])
            out.emplace(named[i]->name, std::move(values[i].second));
        else if (others)
            rest.emplace_back(makeText(names[i]), std::move(values[i].second));
        else
            throw Error(path, "has a value for '" + names[i] + "', which is no input of the model");
    if (!rest.empty() && !out.emplace(others->name, makeDict(rest)).second)
        throw Error(path, "has a value for '" + rest[0].first.data().toStringRef() + "' beside all of '" +
                              others->name + "'");
    return out;
}

/// What is in order, by placeholder.
ValuesByName byPlaceholder(const std::string& path, Values values, const OpenedModel& model,
                           const std::vector<ModelInput>& inputs) {
    ValuesByName out;
    const ModelInput* rest = inputWithStars(model, inputs, 1);
    const size_t named = rest ? static_cast<size_t>(rest - inputs.data()) : inputs.size();
    if (values.size() > named && !rest)
        throw Error(path, "has " + plural(values.size(), "value") + ", the model takes " +
                              plural(inputs.size(), "input"));
    for (size_t i = 0; i < values.size() && i < named; ++i)
        out.emplace(inputs[i].name, values[i]);
    if (values.size() > named)
        out.emplace(rest->name,
                    makeSequence({values.begin() + static_cast<std::ptrdiff_t>(named), values.end()}, false));
    return out;
}

/// Values for all inputs: in order, or by name.
ValuesByName byPlaceholder(const std::string& path, const Value& content, const OpenedModel& model,
                           const std::vector<ModelInput>& inputs) {
    NamedValues named;
    if (const auto* dict = content.as<DictObject>()) {
        for (const auto& [key, value, hash] : dict->entries())
            named.emplace_back(key.isData() && key.data().isString() ? key.data().toStringRef() : "", value);
        return byPlaceholder(path, std::move(named), model, inputs);
    }
    // Where the graph takes nested arguments apart, its inputs are their leaves.
    const std::optional<Values> items = model.model.graph().signature() ? std::nullopt : itemsOf(content);
    return byPlaceholder(path, items ? *items : flattened(content), model, inputs);
}

/// The values of --inputs FILE by placeholder.
ValuesByName readInputsFile(const std::string& path, const OpenedModel& model,
                            const std::vector<ModelInput>& inputs) {
    NamedValues named;
    if (path.ends_with(".npz") || path.ends_with(".safetensors")) {
        for (const auto& [name, slot] : path.ends_with(".npz") ? readNpz(path) : readSafetensors(path))
            named.emplace_back(name, Value(c10::IValue(slot.value())));
        return byPlaceholder(path, std::move(named), model, inputs);
    }
    return byPlaceholder(path, readTorchFile(path), model, inputs);
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
    if (const auto* dict = value.as<DictObject>()) {
        std::vector<std::pair<Value, Value>> out;
        for (const auto& [key, entry, hash] : dict->entries())
            out.emplace_back(key, moved(entry, device));
        return makeDict(std::move(out));
    }
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

namespace {

/// Makes one value after the other.
class InputMaker {
public:
    InputMaker(const OpenedModel& model, const InputSpecs& specs, const std::vector<ModelInput>& inputs)
        : m_model(model), m_specs(specs), m_inputs(inputs),
          m_evaluator([](const std::string&) { return std::nullopt; }) {
        if (specs.content)
            m_fromFile = byPlaceholder(specs.file, *specs.content, model, inputs);
        else if (!specs.file.empty())
            m_fromFile = readInputsFile(specs.file, model, inputs);
    }

    /// None for what nothing was given, and nothing need be.
    std::optional<Value> value(size_t index) {
        const ModelInput& input = m_inputs[index];
        std::optional<Value> out = made(index);
        if (out) {
            requireFitting(input, *out, m_model.symbols);
            return m_specs.device ? moved(*out, *m_specs.device) : *out;
        }
        const Node& node = m_model.model.graph().node(input.node);
        if (node.args.empty() && starsOf(node.target.name()) == 0)
            throw Error("input '" + input.name + '\'', "has no recorded shape")
                .hint("give a value with --input " + input.name + "=...");
        return std::nullopt;
    }

private:
    std::optional<Value> made(size_t index) {
        const ModelInput& input = m_inputs[index];
        const auto spec = m_specs.byName.find(input.name);
        if (spec != m_specs.byName.end() && trim(spec->second) != "example" && !trim(spec->second).empty())
            return valueOf(m_evaluator, spec->second, input);
        if (const auto given = m_fromFile.find(input.name); given != m_fromFile.end())
            return given->second;
        if (const std::optional<Value> saved =
                example(index)) // a run may write into it, and it stays as it was
            return saved->isTensor() ? Value(c10::IValue(saved->data().toTensor().clone())) : *saved;
        if (m_specs.device && m_specs.device->is_meta())
            if (std::optional<Value> meta = generatedOnMeta(input))
                return meta;
        return input.value ? std::optional(valueOf(m_evaluator, *generatedSpec(input), input)) : std::nullopt;
    }

    std::optional<Value> example(size_t index) {
        if (!m_model.examples)
            return std::nullopt;
        if (!m_examples) {
            try {
                m_examples = m_model.examples();
            } catch (const Error&) {
                m_examples
                    .emplace(); // an example of classes that are not known here: values are made instead
            }
        }
        return index < m_examples->size() ? std::optional((*m_examples)[index]) : std::nullopt;
    }

    const OpenedModel& m_model;
    const InputSpecs& m_specs;
    const std::vector<ModelInput>& m_inputs;
    LiveEvaluator m_evaluator;
    ValuesByName m_fromFile;
    std::optional<std::vector<Value>> m_examples;
};

std::vector<std::string> namesOf(const InputSpecs& specs) {
    std::vector<std::string> out;
    for (const auto& [name, spec] : specs.byName)
        out.push_back(name);
    return out;
}

/// The specs by the names of the inputs.
InputSpecs byInput(const Model& model, const InputSpecs& specs, const std::vector<ModelInput>& inputs) {
    InputSpecs out = specs;
    out.byName.clear();
    const std::vector<std::string> names = namesOf(specs);
    const std::vector<const ModelInput*> named = inputsNamed(model, inputs, names);
    for (size_t i = 0; i < names.size(); ++i) {
        if (!named[i]) {
            std::vector<std::string> known;
            for (const ModelInput& each : inputs)
                known.push_back(each.name);
            throw Error("", "the model has no input '" + names[i] + "'")
                .hint("its inputs are: " + join(known, ", "));
        }
        out.byName.emplace(named[i]->name, specs.byName.at(names[i]));
    }
    return out;
}

/// Of `*args`.
Values valuesOf(const ModelInput& input, const Value& given) {
    const std::optional<Values> items = itemsOf(given);
    if (!items)
        throw Error("input '" + input.name + '\'', "takes a list of values, not " + typeName(given));
    return *items;
}

/// Of `**kwargs`.
NamedValues namedValuesOf(const ModelInput& input, const Value& given) {
    const auto* dict = given.as<DictObject>();
    NamedValues out;
    for (const auto& [key, value, hash] : dict ? dict->entries() : std::vector<DictObject::Entry>())
        if (key.isData() && key.data().isString())
            out.emplace_back(key.data().toStringRef(), value);
    if (!dict || out.size() != dict->entries().size())
        throw Error("input '" + input.name + '\'', "takes a dict of values by name, not " + typeName(given));
    return out;
}

} // namespace

bool hasInputs(const OpenedModel& model, const InputSpecs& specs) {
    if (model.examples || !specs.file.empty())
        return true;
    const std::vector<ModelInput> inputs = inputsOf(model.model);
    const std::vector<const ModelInput*> named = inputsNamed(model.model, inputs, namesOf(specs));
    return std::all_of(inputs.begin(), inputs.end(), [&](const ModelInput& input) {
        const Node& node = model.model.graph().node(input.node);
        return input.value || !node.args.empty() || starsOf(node.target.name()) > 0 ||
               std::ranges::find(named, &input) != named.end();
    });
}

GraphInputs makeInputs(const OpenedModel& model, const InputSpecs& specs) {
    const std::vector<ModelInput> inputs = inputsOf(model.model);
    const InputSpecs named = byInput(model.model, specs, inputs);
    InputMaker maker(model, named, inputs);
    GraphInputs out;
    const ModelInput* leftOut = nullptr;
    for (size_t i = 0; i < inputs.size(); ++i) {
        const std::string& parameter = model.model.graph().node(inputs[i].node).target.name();
        const std::optional<Value> value = maker.value(i);
        if (!value) {
            leftOut = starsOf(parameter) > 0 ? leftOut : &inputs[i];
        } else if (starsOf(parameter) == 2) {
            for (auto& keyword : namedValuesOf(inputs[i], *value))
                out.keywords.push_back(std::move(keyword));
        } else if (starsOf(parameter) == 1) {
            Values rest = valuesOf(inputs[i], *value);
            if (leftOut && !rest.empty())
                throw Error("input '" + inputs[i].name + '\'',
                            "needs a value for '" + leftOut->name + "' before it");
            out.values.insert(out.values.end(), rest.begin(), rest.end());
        } else if (leftOut) {
            out.keywords.emplace_back(parameter, *value);
        } else {
            out.values.push_back(*value);
        }
    }
    return out;
}

} // namespace fx
