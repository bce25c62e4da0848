// SPDX-License-Identifier: GPL-3.0-or-later
// What a module's names give: what it has, a module below it, and what its package would have offered.
#include "core/python/evaluator.h"
#include "core/python/exceptions.h"
#include "core/python/library.h"
#include "core/python/modules.h"
#include "core/python/stand_ins.h"

namespace fx {

namespace {

/// Of a module, for messages: its name, and the file that it is from.
std::string moduleName(const Value& module) {
    if (const auto* source = module.as<SourceModuleObject>())
        return source->name;
    if (const auto* space = module.as<NamespaceObject>())
        return space->path;
    return typeName(module);
}

std::string modulePlace(const Value& module) {
    if (const auto* source = module.as<SourceModuleObject>())
        if (const Value* file = source->dict.as<DictObject>()->find("__file__"))
            return file->text();
    return "unknown location";
}

} // namespace

std::optional<Value> Modules::findSubmodule(const Value& module, const std::string& name) {
    const auto* source = module.as<SourceModuleObject>();
    if (!source)
        return std::nullopt;
    const std::string full = source->name.empty() ? name : source->name + '.' + name;
    try {
        return importModule(full);
    } catch (const ModuleNotFound& error) {
        if (error.module() != full)
            throw;
    }
    m_evaluator.frames().takeTrace();
    return std::nullopt;
}

const DefinitionIndex* Modules::deferred(const Value& module) {
    const auto* source = module.as<SourceModuleObject>();
    const auto partial = source ? m_partial.find(source->name) : m_partial.end();
    const Value* folder =
        partial == m_partial.end() ? nullptr : source->dict.as<DictObject>()->find("__path__");
    const std::optional<Values> folders = folder ? itemsOf(*folder) : std::nullopt;
    if (!folders || folders->size() != 1 || !(*folders)[0].isString() ||
        !m_finder.isInstalled((*folders)[0].text()))
        return nullptr;
    if (!partial->second)
        partial->second.emplace((*folders)[0].text(), source->name);
    return &*partial->second;
}

std::optional<Value> Modules::findDeferred(const Value& module, const std::string& name) {
    const DefinitionIndex* index = name.starts_with('_') ? nullptr : deferred(module);
    const std::string definer = index ? index->moduleOf(name) : std::string();
    if (definer.empty())
        return std::nullopt;
    return m_evaluator.findAttribute(importModule(definer), name);
}

Value Modules::importName(const Value& module, const std::string& name, const Importer& importer) {
    if (std::optional<Value> found = m_evaluator.findAttribute(module, name))
        return std::move(*found);
    if (std::optional<Value> found = findSubmodule(module, name))
        return std::move(*found);
    const std::string owner = moduleName(module);
    const std::string full = owner + '.' + name;
    // Python's own modules have more names than the library's text; those of torch.fx are there.
    const bool isWhole = owner == "torch.fx" || owner.starts_with("torch.fx.");
    if (importer.takesStandIns && !isWhole &&
        (modulePlace(module).starts_with('<') || m_finder.isCompiled(full)))
        return standIn(full, (importer.file ? shownPath(*importer.file) : "it") + " imports " + full +
                                 ", which is not evaluated here");
    raise("ImportError",
          "cannot import name '" + name + "' from '" + owner + "' (" + modulePlace(module) + ')');
}

NamedValues Modules::publicNames(const Value& module) {
    NamedValues out;
    const auto* source = module.as<SourceModuleObject>();
    if (const auto* space = module.as<NamespaceObject>()) {
        // What the host has itself says its names in the library's text.
        if (m_evaluator.names().libraryModule(space->path))
            return publicNames(runLibrary(space->path));
    }
    if (isStandIn(module))
        return out;
    if (!source) {
        const std::optional<Value> all = m_evaluator.findAttribute(module, "__all__");
        if (!all)
            raise("ImportError", "cannot import all names of '" + moduleName(module) + '\'');
        for (const Value& name : m_evaluator.items(*all))
            out.emplace_back(name.text(), m_evaluator.attribute(module, name.text()));
        return out;
    }
    const DictObject& names = *source->dict.as<DictObject>();
    if (const Value* all = names.find("__all__")) {
        for (const Value& name : m_evaluator.items(*all))
            out.emplace_back(name.text(), m_evaluator.attribute(module, name.text()));
        return out;
    }
    for (const DictObject::Entry& entry : names.entries())
        if (!entry.key.text().starts_with('_'))
            out.emplace_back(entry.key.text(), entry.value);
    return out;
}

} // namespace fx
