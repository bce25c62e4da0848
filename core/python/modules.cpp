// SPDX-License-Identifier: GPL-3.0-or-later
// What the host has, native modules, and what the finder finds; stand-ins for the rest.
#include "core/python/modules.h"

#include "core/base/text.h"
#include "core/python/exceptions.h"
#include "core/python/library.h"
#include "core/python/set_attributes.h"
#include "core/python/stand_ins.h"
#include "core/python/standard_modules.h"
#include "core/python/walker.h"

#include <algorithm>
#include <filesystem>

namespace fx {

namespace {

namespace fs = std::filesystem;

std::string withoutLast(const std::string& name) {
    const size_t dot = name.rfind('.');
    return dot == std::string::npos ? std::string() : name.substr(0, dot);
}

} // namespace

Value makeGlobals(const std::string& moduleName) {
    DictObject names;
    names.set("__name__", makeText(moduleName));
    names.set("__doc__", Value());
    return Object{std::move(names)};
}

void Modules::clear() {
    for (const ByName* modules : {&m_modules, &m_libraries, &m_standIns})
        for (const auto& [name, module] : *modules)
            if (const auto* source = module.as<SourceModuleObject>())
                source->dict.as<DictObject>()->clear();
}

bool areImportsTried(const Frame& frame) {
    for (const Frame* at = &frame; at; at = at->back) {
        if (at->importTries > 0)
            return true;
        if (at->tree && at->tree->kind == FunctionTree::Kind::Module)
            return false;
    }
    return false;
}

Value Modules::runInto(ByName& modules, const FoundSource& source, const std::string& moduleName,
                       bool isTolerant) {
    return m_evaluator.runOutside([&] {
        const Value globals = makeGlobals(moduleName);
        DictObject& names = *globals.as<DictObject>();
        names.set("__package__", makeText(source.isPackage ? moduleName : withoutLast(moduleName)));
        names.set("__spec__", Value());
        names.set("__loader__", Value());
        if (source.isPackage)
            names.set("__path__", makeList({makeText(source.folder)}));
        const Value module = Object{SourceModuleObject{moduleName, globals}};
        // Known before it has run: modules may import each other.
        modules[moduleName] = module;
        if (!source.file) // a namespace package
            return module;
        names.set("__file__", makeText(source.file->path));
        if (source.file->module->hasDocstring)
            names.set("__doc__", makeText(source.file->module->docstring));
        Frame frame;
        frame.file = source.file;
        frame.tree = source.file->module.get();
        frame.module = moduleName;
        frame.globals = globals;
        frame.names = globals;
        frame.locals.resize(frame.tree->locals.size());
        ++m_running;
        try {
            const FrameScope scope(m_evaluator.frames(), frame);
            // What is in a package was made to be imported: what fails, most likely fails for what is missing
            // here.
            const bool isOfPackage = source.isInstalled || source.isPackage || contains(moduleName, ".");
            runTop(frame, isTolerant, isOfPackage);
        } catch (...) {
            --m_running;
            modules.erase(moduleName);
            throw;
        }
        --m_running;
        if (m_omitting.contains(moduleName))
            m_partial.try_emplace(moduleName);
        m_evaluator.names().moduleLoaded(m_evaluator, moduleName, module);
        if (!source.file->isLibrary())
            m_userFiles.push_back({moduleName, source.file, source.isPackage});
        const auto now = modules.find(moduleName); // a module may put something else in its place
        return now == modules.end() ? module : now->second;
    });
}

void Modules::runTop(Frame& frame, bool isTolerant, bool isOfPackage) {
    Walker walker(m_evaluator, frame);
    Frames& frames = m_evaluator.frames();
    if (!isTolerant)
        return frames.guard(frame, [&] { walker.run(frame.tree->body); });
    for (const Statement& statement : frame.tree->body) {
        try {
            frames.guard(frame, [&] { walker.run(statement); });
        } catch (const Error& error) {
            if (!isOurLimit(error) && !(isOfPackage && isCatchable(error)))
                throw;
            leaveOut(frame, statement, error);
        }
    }
}

bool Modules::runWithoutDecorators(Frame& frame, const Statement& statement) {
    using Kind = Statement::Kind;
    if (statement.kind != Kind::ClassDef && statement.decorators.empty())
        return false;
    struct Mode {
        bool& flag;
        explicit Mode(bool& given) : flag(given) { flag = true; }
        ~Mode() { flag = false; }
    } mode(m_areDecoratorsOptional);
    Walker walker(m_evaluator, frame);
    try {
        m_evaluator.frames().guard(frame, [&] { walker.run(statement); });
        return true;
    } catch (const Error& error) {
        if (!isOurLimit(error) && !isCatchable(error))
            throw;
        m_evaluator.frames().takeTrace();
        return false;
    }
}

void Modules::leaveOut(Frame& frame, const Statement& statement, const Error& error) {
    const int line = frame.file->position(frame.position).line;
    const std::string kind = error.kind() == "NotImplementedError" ? "" : std::string(error.kind()) + ": ";
    m_evaluator.frames().takeTrace();
    // A decorator mostly registers or documents what is under it, which is of use without.
    const bool isUndecorated = runWithoutDecorators(frame, statement);
    m_leftOut.push_back(shownPath(*frame.file) + ':' + std::to_string(line) +
                        (isUndecorated ? ": a decorator was left out: " : " was left out: ") + kind +
                        error.message());
    if (!isUndecorated)
        m_omitting.insert(frame.module);
    DictObject& names = *frame.globals.as<DictObject>();
    for (const std::string& name : namesBoundBy(statement))
        if (!names.find(name))
            names.set(name, makeStandIn(m_evaluator, frame.module + '.' + name, m_leftOut.back()));
}

Value Modules::runModule(std::shared_ptr<const SourceFile> file, const std::string& moduleName) {
    return runInto(m_modules, {std::move(file), false, false, {}}, moduleName, false);
}

Value Modules::importFile(const std::string& path, const std::string& givenName) {
    std::string name = givenName;
    fs::path folder = fs::absolute(path).parent_path();
    const bool isPackage = fs::path(path).filename() == "__init__.py";
    if (isPackage) {
        name = folder.filename().string();
        folder = folder.parent_path();
    }
    // In a package the module is called by its whole name, so that its relative imports mean what they say.
    while (fs::exists(folder / "__init__.py")) {
        name = folder.filename().string() + '.' + name;
        folder = folder.parent_path();
    }
    m_finder.addRoot(folder.string());
    const Importer takesAll{nullptr, {}, true};
    if (isPackage)
        return importModule(name, takesAll);
    if (const std::string package = withoutLast(name); !package.empty())
        importModule(package, takesAll);
    if (const auto known = m_modules.find(name); known != m_modules.end())
        return known->second;
    const std::string whole = fs::absolute(path).string();
    const bool isInstalled = m_finder.isInstalled(whole);
    return runInto(m_modules, {parseSource(readSource(path), path), false, isInstalled, {}}, name,
                   isInstalled);
}

std::string Modules::shownPath(const SourceFile& file) const {
    const fs::path path(file.path);
    fs::path folder = path.parent_path(), shown = path.filename();
    while (!folder.filename().empty() && fs::exists(folder / "__init__.py")) {
        shown = folder.filename() / shown;
        folder = folder.parent_path();
    }
    return shown.string();
}

Value Modules::standIn(const std::string& name, const std::string& why) {
    const Value made = makeStandIn(m_evaluator, name, why);
    m_standIns[name] = made;
    const std::string parent = withoutLast(name);
    if (const auto package = m_modules.find(parent);
        package != m_modules.end() && package->second.as<SourceModuleObject>())
        setAttribute(m_evaluator, package->second, name.substr(parent.size() + 1), made);
    return made;
}

std::optional<FoundSource> Modules::ownSource(const std::string& name) {
    const std::optional<Value> files = known("_files");
    // Not while that module is on its way itself.
    const std::optional<Value> find = files ? m_evaluator.findAttribute(*files, "find_source") : std::nullopt;
    if (!find)
        return std::nullopt;
    const Value found = m_evaluator.call(*find, {makeText(name)});
    if (found.isNone())
        return std::nullopt;
    const Values parts = m_evaluator.items(found); // path, text, whether it is a package
    return FoundSource{
        parseSource(parts.at(1).text(), parts[0].text()), m_evaluator.isTrue(parts.at(2)), false, {}};
}

std::optional<FoundSource> Modules::findSource(const std::string& name, const Importer& importer) {
    if (std::optional<FoundSource> own = ownSource(name))
        return own;
    try {
        return m_finder.find(name);
    } catch (const Error& error) {
        // Syntax of a newer Python, say.
        if (!importer.takesStandIns || !importer.file || !m_finder.isInstalled(importer.file->path))
            throw;
        m_leftOut.push_back(name + " was left out: " + error.message());
        return std::nullopt;
    }
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
    return runInto(isHosts ? m_libraries : m_modules, {text->file, text->isPackage, false, {}}, name, false);
}

std::optional<Value> Modules::libraryClass(const std::string& qualifiedName) {
    const size_t dot = qualifiedName.rfind('.');
    if (const auto known = m_classModules.find(qualifiedName); known != m_classModules.end())
        if (const Value* found = known->second.as<SourceModuleObject>()->dict.as<DictObject>()->find(
                qualifiedName.substr(dot + 1)))
            return *found;
    if (dot == std::string::npos)
        return std::nullopt;
    const std::string module = qualifiedName.substr(0, dot);
    if (!m_evaluator.names().libraryModule(module))
        return std::nullopt;
    // The packages above run first, as an import has it: the modules of a package import each other.
    for (size_t end = module.find('.'); end != std::string::npos; end = module.find('.', end + 1))
        if (m_evaluator.names().libraryModule(module.substr(0, end)))
            runLibrary(module.substr(0, end));
    const Value run = runLibrary(module);
    std::optional<Value> found = m_evaluator.findAttribute(run, qualifiedName.substr(dot + 1));
    if (found && run.as<SourceModuleObject>())
        m_classModules[qualifiedName] = run;
    return found;
}

Value Modules::importModule(const std::string& name, const Importer& importer) {
    if (const auto known = m_modules.find(name); known != m_modules.end())
        return known->second;
    if (const auto known = m_standIns.find(name);
        known != m_standIns.end() && (importer.takesStandIns || isStandardModule(name)))
        return known->second;
    if (std::optional<Value> module = m_evaluator.names().importModule(m_evaluator, name))
        return m_modules[name] = std::move(*module);
    if (std::optional<Value> module = nativeModule(m_evaluator, name))
        return m_modules[name] = std::move(*module);
    const std::string parent = withoutLast(name);
    Value package;
    if (!parent.empty()) {
        package = importModule(parent, importer);
        if (isStandIn(package))
            return m_standIns[name] = m_evaluator.attribute(package, name.substr(parent.size() + 1));
        if (!package.as<SourceModuleObject>() && m_evaluator.names().libraryModule(parent))
            runLibrary(parent); // a package is run before what is in it
        if (const auto known = m_modules.find(name); known != m_modules.end())
            return known->second;
    }
    const std::optional<FoundSource> source = findSource(name, importer);
    if (!source) {
        if (importer.takesStandIns || isStandardModule(name))
            return standIn(name, (importer.file ? shownPath(*importer.file) : "it") + " imports " + name +
                                     ", which is not evaluated here");
        ModuleNotFound error(name);
        static_cast<Error&&>(error).hint(
            "only torch, the standard library's pure modules, files beside the model and packages in the "
            "folders of --path can be imported; capture other models with torch.export in your own Python "
            "and "
            "open the .pt2");
        throw error;
    }
    const bool isUsers = source->file && !source->file->isLibrary();
    const Value module = runInto(m_modules, *source, name, isUsers);
    if (!parent.empty() && !package.as<NamespaceObject>())
        setAttribute(m_evaluator, package, name.substr(parent.size() + 1), module);
    return module;
}

Value Modules::importFrom(const std::string& name, int level, const Importer& importer) {
    if (level == 0)
        return importModule(name, importer);
    const Value* given = importer.globals.as<DictObject>()->find("__package__");
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

std::vector<std::string> Modules::known() const {
    std::vector<std::string> out;
    for (const auto& [name, module] : m_modules)
        out.push_back(name);
    std::sort(out.begin(), out.end());
    return out;
}

std::optional<Value> Modules::known(const std::string& name) const {
    const auto found = m_modules.find(name);
    return found == m_modules.end() ? std::nullopt : std::optional(found->second);
}

} // namespace fx
