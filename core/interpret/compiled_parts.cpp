// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/compiled_parts.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/python_code.h"
#include "core/interpret/compiled_folder.h"
#include "core/interpret/compiled_program.h"
#include "core/ir/argument_text.h"
#include "core/ir/dtype.h"

#include <ATen/ATen.h>
#include <ATen/Version.h>
#include <c10/util/hash.h>
#include <torch/version.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

namespace fx {

namespace {

/// Of texts, one after the other, none of which can seem to be two.
std::string digestOf(std::initializer_list<std::string_view> texts) {
    std::string all;
    for (const std::string_view text : texts)
        all += std::to_string(text.size()) + ' ' + std::string(text);
    return c10::sha1(all).str();
}

std::string tensorText(const at::Tensor& tensor) {
    const auto listed = [](at::IntArrayRef numbers) {
        std::string out;
        appendList(out, numbers, [&](int64_t number) { out += std::to_string(number); });
        return " [" + out + ']';
    };
    if (tensor.layout() != at::kStrided)
        return "not strided";
    return dtypeText(tensor.scalar_type()) + ' ' + tensor.device().str() + listed(tensor.sizes()) +
           listed(tensor.strides());
}

std::string inputsText(const GraphInputs& inputs) {
    if (!inputs.keywords.empty())
        return "by keyword";
    std::string out;
    for (const Value& value : inputs.values)
        out += (out.empty() ? "" : ", ") +
               (value.isTensor() ? tensorText(value.data().toTensor()) : "not a tensor");
    return out;
}

std::string moduleText(const Model& model, ModuleId id) {
    const Module& module = model.module(id);
    // Sorted, as a part that was taken out holds the same in another order.
    std::map<std::string, std::string> held;
    for (const NamedValue& entry : module.values)
        if (entry.name != kCompiledMark)
            held[entry.name] = reprText(entry.value, [](NodeId) { return std::string(); });
    for (const NamedTensor& entry : module.tensors) {
        if (!entry.tensor)
            continue;
        const at::Tensor tensor = model.tensor(entry.tensor).value();
        const at::Tensor bytes = tensor.detach().cpu().contiguous();
        const std::string_view content(static_cast<const char*>(bytes.const_data_ptr()), bytes.nbytes());
        held[entry.name] = tensorText(tensor) + digestOf({content});
    }
    std::string out = module.type + (module.isTraining ? " training\n" : "\n");
    for (const auto& [name, text] : held)
        out += name + '=' + std::to_string(text.size()) + ' ' + text + '\n';
    return module.graph ? out + PythonCode(model, id).text() : out;
}

std::string moduleDigest(const Model& model, ModuleId root) {
    std::map<std::string, std::string> texts;
    model.forEachModule(root,
                        [&](ModuleId id, const std::string& path) { texts[path] = moduleText(model, id); });
    std::string all;
    for (const auto& [path, text] : texts)
        all += digestOf({path, text});
    for (const SourceText& source : model.sources()) // that the graphs may call
        all += digestOf({source.text});
    return digestOf({all});
}

/// Packages are made for what the processor can do, and for one PyTorch.
std::string machineDigest() {
    std::string lines;
    std::ifstream processor("/proc/cpuinfo");
    for (std::string line; std::getline(processor, line) && !line.empty();) // of the first one
        if (line.starts_with("model name") || line.starts_with("flags") || line.starts_with("Features"))
            lines += line + '\n';
    return digestOf({TORCH_VERSION, at::get_cpu_capability(), lines});
}

std::string firstLineOf(const std::exception& error) {
    const std::string text = error.what();
    return text.substr(0, text.find('\n'));
}

/// Of a mark its texts; none of an attribute that only is called so.
std::optional<CompiledKey> readMark(const Argument& mark) {
    const Arguments* items = mark.items();
    CompiledKey out;
    std::string* const texts[] = {&out.form, &out.module, &out.inputs, &out.machine};
    if (!items || items->size() != std::size(texts))
        return std::nullopt;
    for (size_t i = 0; i < items->size(); ++i) {
        const auto* text = (*items)[i].as<std::string>();
        if (!text)
            return std::nullopt;
        *texts[i] = *text;
    }
    return compiledForm(out.form) ? std::optional(out) : std::nullopt;
}

} // namespace

std::string compiledPackageFolder() {
    const auto variable = [](const char* name) {
        const char* found = std::getenv(name);
        return std::string(found ? found : "");
    };
    if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty())
        return cache + "/fxscope/compiled";
    if (const std::string home = variable("HOME"); !home.empty())
        return home + "/.cache/fxscope/compiled";
    throw Error("", "there is no folder for compiled packages").hint("set HOME or XDG_CACHE_HOME");
}

Argument CompiledKey::mark() const {
    return ListValue{{Argument(form), Argument(module), Argument(inputs), Argument(machine)}};
}

std::string CompiledKey::packagePath() const {
    const CompiledForm& known = *compiledForm(form);
    return compiledPackageFolder() + '/' + digestOf({known.package, module, inputs, machine}) +
           std::string(known.ending);
}

CompiledKey compiledKey(const std::string& form, const Model& model, ModuleId module,
                        const GraphInputs& inputs) {
    if (!inputs.keywords.empty() || !std::ranges::all_of(inputs.values, &Value::isTensor))
        throw Error("", "its inputs are not tensors alone, given by position");
    return {form, moduleDigest(model, module), inputsText(inputs), machineDigest()};
}

CompiledParts::CompiledParts(const Model& model) : m_model(model) {}
CompiledParts::~CompiledParts() = default;

bool CompiledParts::isMarked(ModuleId module) const {
    return m_model.module(module).value(kCompiledMark) != nullptr;
}

void CompiledParts::note(ModuleId module, const std::string& why) {
    std::string name = "the model";
    m_model.forEachModule(m_model.root(), [&](ModuleId id, const std::string& path) {
        if (id == module && !path.empty())
            name = pythonRepr(path);
    });
    std::string text = name + " is marked as compiled and was interpreted: " + why;
    if (std::ranges::find(m_notes, text) == m_notes.end())
        m_notes.push_back(std::move(text));
}

std::unique_ptr<CompiledProgram> CompiledParts::load(ModuleId module, const CompiledKey& key) {
    const std::string again = "; lower --to " + key.form.substr(0, key.form.find('-')) + " compiles it";
    std::error_code fault;
    if (key.machine != machineDigest())
        note(module, "it was compiled on another machine or for another PyTorch" + again);
    else if (key.module != moduleDigest(m_model, module))
        note(module, "it was changed since" + again);
    else if (!std::filesystem::exists(key.packagePath(), fault))
        note(module, "its package is not in " + compiledPackageFolder() + again);
    else
        try {
            return compiledForm(key.form)->load(key.packagePath());
        } catch (const std::exception& error) {
            note(module, "its package cannot be loaded: " + firstLineOf(error) +
                             "; remove it and compile it again: " + key.packagePath());
        }
    return nullptr;
}

std::optional<Value> CompiledParts::run(ModuleId module, const GraphInputs& inputs) {
    const auto [at, isNew] = m_parts.try_emplace(module);
    Part& part = at->second;
    if (isNew) {
        part.key = readMark(*m_model.module(module).value(kCompiledMark));
        if (!part.key)
            note(module, "its mark is none of the pass lower");
    }
    if (!part.key)
        return std::nullopt;
    if (part.key->inputs != inputsText(inputs)) {
        note(module, "it was compiled for other inputs: " + part.key->inputs);
        return std::nullopt;
    }
    if (!std::exchange(part.wasLoaded, true))
        part.package = load(module, *part.key);
    if (!part.package)
        return std::nullopt;
    std::vector<at::Tensor> tensors;
    for (const Value& value : inputs.values)
        tensors.push_back(value.data().toTensor());
    try {
        return resultOf(module, part.package->run(tensors));
    } catch (const std::exception& error) {
        note(module, "its package failed: " + firstLineOf(error));
        return std::nullopt;
    }
}

/// The outputs of a package are the tensors of the result, one after the other.
Value CompiledParts::resultOf(ModuleId module, const std::vector<at::Tensor>& outputs) const {
    const Graph& graph = m_model.graph(module);
    size_t next = 0;
    return makeValue(graph.node(graph.outputNode()).args.at(0),
                     [&](NodeId) { return Value(c10::IValue(outputs.at(next++))); });
}

} // namespace fx
