// SPDX-License-Identifier: GPL-3.0-or-later
// The modules of a program: what an import gives, where its source is found, and which were run.
#pragma once

#include "core/python/tree.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace fx {

class Modules {
public:
    explicit Modules(Evaluator& evaluator) : m_evaluator(evaluator) {}
    /// Empties them, as modules refer to themselves.
    void clear();

    /// Runs a file as the module of that name, and gives its SourceModuleObject. Modules are run once.
    Value importFile(const std::string& path, const std::string& moduleName);
    Value runModule(std::shared_ptr<const SourceFile> file, const std::string& moduleName,
                    bool isPackage = false) {
        return runInto(m_modules, std::move(file), moduleName, isPackage);
    }
    /// Sources in this folder can be imported, as if a file of it had been.
    void addRoot(const std::string& folder) { m_roots.push_back(folder); }

    /// `import a.b.c`: modules of the sources of names, then siblings of the importing file, then the
    /// library.
    Value importModule(const std::string& name, const SourceFile* importer = nullptr);
    /// The module that `from ...name import` speaks of; `globals` are the importing module's names.
    Value importFrom(const std::string& name, int level, const Value& globals, const SourceFile* importer);
    /// What `from module import name` gives: what the module has, or a module below it.
    Value importName(const Value& module, const std::string& name, const SourceFile* importer);
    /// What `from module import *` takes.
    NamedValues publicNames(const Value& module);

    /// The library's text of a module, run once: a SourceModuleObject, whatever an import of the name gives.
    Value runLibrary(const std::string& name);
    /// A class of the library by its qualified name: "torch.nn.modules.linear.Linear".
    std::optional<Value> libraryClass(const std::string& qualifiedName);

    /// The files that were run, in the order in which they were done; nothing of the library.
    struct UserFile {
        std::string module;
        std::shared_ptr<const SourceFile> file;
        bool isPackage = false;
    };
    const std::vector<UserFile>& userFiles() const { return m_userFiles; }

private:
    using ByName = std::unordered_map<std::string, Value>;
    Value runInto(ByName& modules, std::shared_ptr<const SourceFile> file, const std::string& moduleName,
                  bool isPackage);
    std::optional<Value> findSubmodule(const Value& module, const std::string& name,
                                       const SourceFile* importer);
    std::shared_ptr<const SourceFile> findSource(const std::string& name, bool& isPackage);

    Evaluator& m_evaluator;
    ByName m_modules;                 ///< those being run too
    ByName m_libraries;               ///< texts behind modules that are no text themselves
    std::vector<std::string> m_roots; ///< folders of the sources that siblings may be imported from
    std::vector<UserFile> m_userFiles;
};

/// A new dict of names with __name__ and __builtins__ understood.
Value makeGlobals(const std::string& moduleName);

} // namespace fx
