// SPDX-License-Identifier: GPL-3.0-or-later
// What the host has, native modules, siblings of the model's source, and the library's own text.
// Nothing is read but the files beside the source that was opened, and below them.
#include "core/python/modules.h"

#include "core/python/exceptions.h"
#include "core/python/library.h"
#include "core/python/walker.h"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace fx {

namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kLargestSource = 16u << 20;

std::string readSource(const std::string& path) {
    std::error_code fault;
    const uintmax_t size = fs::file_size(path, fault);
    if (fault)
        throw Error(path, "cannot be read");
    if (size > kLargestSource)
        throw Error(path, "is too large to be Python source");
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw Error(path, "cannot be read");
    std::stringstream text;
    text << in.rdbuf();
    return std::move(text).str();
}

std::string withoutLast(const std::string& name) {
    const size_t dot = name.rfind('.');
    return dot == std::string::npos ? std::string() : name.substr(0, dot);
}

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

Value makeGlobals(const std::string& moduleName) {
    DictObject names;
    names.set("__name__", makeText(moduleName));
    names.set("__doc__", Value());
    return Object{std::move(names)};
}

void Modules::clear() {
    for (auto& [name, module] : m_modules)
        if (auto* source = module.as<SourceModuleObject>())
            source->dict.as<DictObject>()->clear();
}

Value Modules::runInto(ByName& modules, std::shared_ptr<const SourceFile> file, const std::string& moduleName,
                       bool isPackage) {
    return m_evaluator.runOutside([&] {
        const Value globals = makeGlobals(moduleName);
        DictObject& names = *globals.as<DictObject>();
        names.set("__file__", makeText(file->path));
        if (file->module->hasDocstring)
            names.set("__doc__", makeText(file->module->docstring));
        names.set("__package__", makeText(isPackage ? moduleName : withoutLast(moduleName)));
        const Value module = Object{SourceModuleObject{moduleName, globals}};
        // Known before it has run: modules may import each other.
        modules[moduleName] = module;
        Frame frame;
        frame.file = file;
        frame.tree = file->module.get();
        frame.module = moduleName;
        frame.globals = globals;
        frame.names = globals;
        frame.locals.resize(frame.tree->locals.size());
        try {
            const FrameScope scope(m_evaluator.frames(), frame);
            m_evaluator.frames().guard(frame, [&] { Walker(m_evaluator, frame).run(frame.tree->body); });
        } catch (...) {
            modules.erase(moduleName);
            throw;
        }
        m_evaluator.names().moduleLoaded(m_evaluator, moduleName, module);
        if (!file->isLibrary())
            m_userFiles.push_back({moduleName, file, isPackage});
        return module;
    });
}

Value Modules::importFile(const std::string& path, const std::string& givenName) {
    std::string name = givenName;
    fs::path folder = fs::absolute(path).parent_path();
    // In a package the module is called by its whole name, so that its relative imports mean what they say.
    while (fs::exists(folder / "__init__.py")) {
        name = folder.filename().string() + '.' + name;
        folder = folder.parent_path();
    }
    m_roots.push_back(folder.string());
    const std::string package = withoutLast(name);
    if (!package.empty())
        importModule(package);
    if (const auto known = m_modules.find(name); known != m_modules.end())
        return known->second;
    const Value module = runModule(parseSource(readSource(path), path), name);
    return module;
}

std::shared_ptr<const SourceFile> Modules::findSource(const std::string& name, bool& isPackage) {
    for (const std::string& root : m_roots) {
        const std::string base = root + '/' + modulePath(name);
        isPackage = fs::is_regular_file(base + "/__init__.py");
        const std::string path = isPackage ? base + "/__init__.py" : base + ".py";
        if (fs::is_regular_file(path))
            return parseSource(readSource(path), path);
    }
    const LibraryModule* module = m_evaluator.names().libraryModule(name);
    if (!module)
        module = standardLibrary().find(name);
    if (!module)
        return nullptr;
    isPackage = module->isPackage;
    return module->file;
}

Value Modules::runLibrary(const std::string& name) {
    if (const auto known = m_libraries.find(name); known != m_libraries.end())
        return known->second;
    if (const auto known = m_modules.find(name);
        known != m_modules.end() && known->second.as<SourceModuleObject>())
        return known->second;
    const LibraryModule* text = m_evaluator.names().libraryModule(name);
    if (!text)
        throw ModuleNotFound(name);
    // The host's own module of that name stays what an import gives.
    const bool isHosts = m_evaluator.names().importModule(m_evaluator, name).has_value();
    return runInto(isHosts ? m_libraries : m_modules, text->file, name, text->isPackage);
}

std::optional<Value> Modules::libraryClass(const std::string& qualifiedName) {
    const size_t dot = qualifiedName.rfind('.');
    if (dot == std::string::npos)
        return std::nullopt;
    const std::string module = qualifiedName.substr(0, dot);
    if (!m_evaluator.names().libraryModule(module))
        return std::nullopt;
    // The packages above run first, as an import has it: the modules of a package import each other.
    for (size_t end = module.find('.'); end != std::string::npos; end = module.find('.', end + 1))
        if (m_evaluator.names().libraryModule(module.substr(0, end)))
            runLibrary(module.substr(0, end));
    return m_evaluator.findAttribute(runLibrary(module), qualifiedName.substr(dot + 1));
}

Value Modules::importModule(const std::string& name, const SourceFile* importer) {
    if (const auto known = m_modules.find(name); known != m_modules.end())
        return known->second;
    if (std::optional<Value> module = m_evaluator.names().importModule(m_evaluator, name))
        return m_modules[name] = std::move(*module);
    if (std::optional<Value> module = nativeModule(m_evaluator, name))
        return m_modules[name] = std::move(*module);
    const std::string parent = withoutLast(name);
    Value package;
    if (!parent.empty()) {
        package = importModule(parent, importer);
        if (!package.as<SourceModuleObject>() && m_evaluator.names().libraryModule(parent))
            runLibrary(parent); // a package is run before what is in it
        if (const auto known = m_modules.find(name); known != m_modules.end())
            return known->second;
    }
    bool isPackage = false;
    const std::shared_ptr<const SourceFile> source = findSource(name, isPackage);
    if (!source) {
        ModuleNotFound error(name);
        static_cast<Error&&>(error).hint(
            "only torch, the standard library's pure modules and files beside the model can be imported; "
            "capture other models with torch.export in your own Python and open the .pt2");
        throw error;
    }
    const Value module = runModule(source, name, isPackage);
    if (auto* space = package.as<SourceModuleObject>())
        space->dict.as<DictObject>()->set(name.substr(parent.size() + 1), module);
    return module;
}

Value Modules::importFrom(const std::string& name, int level, const Value& globals,
                          const SourceFile* importer) {
    if (level == 0)
        return importModule(name, importer);
    const Value* given = globals.as<DictObject>()->find("__package__");
    std::string package = given && given->isString() ? given->text() : std::string();
    for (int i = 1; i < level; ++i) {
        if (package.empty())
            raise("ImportError", "attempted relative import beyond top-level package");
        package = withoutLast(package);
    }
    // A lone file's relative imports mean the files beside it.
    std::string full = package.empty() ? name : name.empty() ? package : package + '.' + name;
    if (full.empty()) {
        const Value space = Object{SourceModuleObject{"", Object{DictObject()}}};
        return space;
    }
    return importModule(full, importer);
}

std::optional<Value> Modules::findSubmodule(const Value& module, const std::string& name,
                                            const SourceFile* importer) {
    const auto* source = module.as<SourceModuleObject>();
    if (!source)
        return std::nullopt;
    const std::string full = source->name.empty() ? name : source->name + '.' + name;
    try {
        return importModule(full, importer);
    } catch (const ModuleNotFound& error) {
        if (error.module() != full)
            throw;
    }
    m_evaluator.frames().takeTrace();
    return std::nullopt;
}

Value Modules::importName(const Value& module, const std::string& name, const SourceFile* importer) {
    if (std::optional<Value> found = m_evaluator.findAttribute(module, name))
        return std::move(*found);
    if (std::optional<Value> found = findSubmodule(module, name, importer))
        return std::move(*found);
    raise("ImportError", "cannot import name '" + name + "' from '" + moduleName(module) + "' (" +
                             modulePlace(module) + ')');
}

NamedValues Modules::publicNames(const Value& module) {
    NamedValues out;
    const auto* source = module.as<SourceModuleObject>();
    if (const auto* space = module.as<NamespaceObject>()) {
        // What the host has itself says its names in the library's text.
        if (m_evaluator.names().libraryModule(space->path))
            return publicNames(runLibrary(space->path));
    }
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
