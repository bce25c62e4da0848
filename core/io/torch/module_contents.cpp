// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torch/module_contents.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/written_names.h"
#include "core/interpret/restored_hooks.h"
#include "core/io/harmless_names.h"
#include "core/io/torch/loadable_names.h"
#include "core/ir/torch_constants.h"
#include "core/module/known_faults.h"
#include "core/module/lint.h"

#include <algorithm>

namespace fx {

namespace {

/// The imports that torch.fx puts before all code.
constexpr const char* kCodeImports[] = {"NoneType = type(None)",
                                        "from math import inf",
                                        "from math import nan",
                                        "from torch import device",
                                        "import torch",
                                        "import torch.fx._pytree as fx_pytree",
                                        "import torch.utils._pytree as pytree"};

} // namespace

std::pair<std::string, std::string> ownerAndName(const std::string& qualifiedName) {
    const size_t dot = qualifiedName.rfind('.');
    if (dot == std::string::npos)
        return {"", qualifiedName};
    return {qualifiedName.substr(0, dot), qualifiedName.substr(dot + 1)};
}

ModuleContents::ModuleContents(const Model& model) : m_model(model) {
    m_model.forEachModule(m_model.root(), [&](ModuleId id, const std::string& path) {
        m_paths[id] = path;
        if (!m_model.module(id).graph)
            return;
        for (const Node& node : m_model.graph(id)) {
            const Attribute read = m_model.resolve(id, node.target.name());
            if (node.opcode == Opcode::CallModule && read.module)
                m_called.insert(read.module);
            else if (node.opcode == Opcode::GetAttr && read.value)
                m_read.insert(read.value);
        }
    });
}

void ModuleContents::check() const {
    for (const auto& [id, path] : m_paths) {
        const Module& module = m_model.module(id);
        if (module.graph)
            requireGraph(id);
        else
            className(id);
        for (const NamedValue& value : module.values)
            isKept(id, value);
    }
}

std::string ModuleContents::importBlock(const PythonCode& code) const {
    std::set<std::string> lines(std::begin(kCodeImports), std::end(kCodeImports));
    for (const PythonCode::Global& global : code.globals())
        if (const std::string line = importOf(global); !line.empty())
            lines.insert(line);
    return join(lines, "\n");
}

std::string ModuleContents::className(ModuleId id) const {
    const std::string& type = m_model.module(id).type;
    // What only holds others may be anything.
    if (!m_called.contains(id))
        return isBarePath(type) && isHarmlessName(type) ? type : kPlainModule;
    if (isBarePath(type) && (type.starts_with("torch.") ? isHarmlessName(type) : isOfSources(type)))
        return type;
    throw Error("module '" + m_paths.at(id) + "'",
                "is of the class " + pythonRepr(type) +
                    ", which is not torch's, and whose source is not known")
        .hint("open the model with the file that defines it: --source FILE.py");
}

bool ModuleContents::isTraining(ModuleId id) const {
    const Module& module = m_model.module(id);
    const bool isHolder = module.type == kPlainModule && !m_called.contains(id);
    return module.isTraining ||
           (isHolder && std::ranges::any_of(module.children, [&](const NamedModule& child) {
                return isTraining(child.module);
            }));
}

bool ModuleContents::isOfSources(const std::string& name) const {
    const std::string owner = ownerAndName(name).first;
    return isBarePath(name) && std::ranges::any_of(m_model.sources(), [&](const SourceText& source) {
               return source.module == owner;
           });
}

void ModuleContents::requireGraph(ModuleId id) const {
    const Graph& graph = m_model.graph(id);
    requireSound(m_model, id);
    requireLoadableNames(m_model, id);
    for (const Node& node : graph) {
        requireHarmless(m_model, id, node);
        // torch.load traces the code, and writes it anew in its own way.
        requirePlainNames(m_model, id, node);
        if (node.opcode == Opcode::GetAttr && m_model.resolve(id, node.target.name()).module)
            throw Error("node '" + node.name + "'",
                        "hands a graph on, and torch.load cannot trace such code again")
                .hint("export a .pt2 or a folder");
    }
    importBlock(PythonCode(m_model, id));
}

std::string ModuleContents::importOf(const PythonCode::Global& global) const {
    const auto [owner, name] = ownerAndName(global.name);
    const std::string place = "node '" + nodeName(global) + "'";
    const bool isHarmless = isHarmlessName(global.name);
    if (owner.empty() && isHarmless)
        return global.local == name ? std::string() : global.local + " = " + name;
    if (isHarmless || isOfSources(global.name))
        return "from " + owner + " import " + name + " as " + global.local;
    if (global.isAnnotation)
        return global.local + " = " + pythonRepr(global.name);
    throw Error(place, "needs " + pythonRepr(global.name) + ", whose source is not known")
        .hint("open the model with the file that defines it: --source FILE.py");
}

std::string ModuleContents::nodeName(const PythonCode::Global& global) const {
    for (ModuleId id : graphsOf(m_model))
        if (m_model.graph(id).contains(global.node))
            return m_model.graph(id).node(global.node).name;
    return {};
}

const Arguments* ModuleContents::flatWeights(const Module& module, const NamedValue& entry) {
    const Argument* names = entry.name == "_flat_weights" ? module.value("_flat_weights_names") : nullptr;
    const Arguments* items = names ? names->items() : nullptr;
    const bool areNames = items && std::ranges::all_of(*items, [&](const Argument& item) {
                              return item.as<std::string>() && module.tensor(*item.as<std::string>());
                          });
    return areNames ? items : nullptr;
}

bool ModuleContents::isKept(ModuleId id, const NamedValue& entry) const {
    const bool isNeeded = m_model.module(id).graph ? m_read.contains(&entry.value) : m_called.contains(id);
    const std::string place = "module '" + m_paths.at(id) + "'";
    // Weak references, which torch makes again.
    if (entry.name == "_flat_weight_refs" || flatWeights(m_model.module(id), entry))
        return false;
    if (m_model.module(id).graph &&
        (entry.name.starts_with("_graphmodule") || entry.name.starts_with("_tracer")))
        return false; // torch.fx's own
    if (isRecordedHooks(entry.name)) {
        if (isNeeded)
            throw Error(place, "has forward hooks, which such a file does not hold")
                .hint("export a folder, or put the operators of the module in its place: fxscope apply "
                      "MODEL capture");
        return false;
    }
    bool isPlain = true;
    forEachPart(entry.value, [&](const Argument& part) {
        const auto* function = part.as<FunctionValue>();
        isPlain = isPlain && !part.as<OpaqueValue>() && !part.as<NamedTupleValue>() &&
                  !part.as<SliceValue>() && !part.as<RangeValue>() && !part.as<EllipsisValue>() &&
                  !part.as<c10::Layout>() && !part.as<c10::MemoryFormat>() &&
                  !part.as<std::complex<double>>() && !part.node() &&
                  (!part.as<EnumValue>() || isQScheme(part)) &&
                  (!function || isHarmlessName(function->target.name()));
    });
    if (!isPlain && isNeeded)
        throw Error(place, "has the attribute " + pythonRepr(entry.name) + ", which such a file cannot hold")
            .hint("save an .fxg, which holds it, or export a folder");
    return isPlain;
}

} // namespace fx
