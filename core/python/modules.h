// SPDX-License-Identifier: GPL-3.0-or-later
// The modules of a program: what an import gives, where its source is found, and which were run.
#pragma once

#include "core/base/error.h"
#include "core/python/definition_index.h"
#include "core/python/source_finder.h"
#include "core/python/tree.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace fx {

struct Frame;

/// Who imports.
struct Importer {
    const SourceFile* file = nullptr;
    Value globals; ///< of the importing module
    /// A module that cannot be had becomes a stand-in; else it is an error, as for programs that handle it.
    bool takesStandIns = false;
};

/// Whether a statement around the one that runs, in its module, handles imports that fail.
bool areImportsTried(const Frame& frame);

class Modules {
public:
    explicit Modules(Evaluator& evaluator) : m_evaluator(evaluator), m_finder(evaluator) {}
    /// Empties them, as modules refer to themselves.
    void clear();

    /// Runs a file as the module of that name, and gives its SourceModuleObject. Modules are run once.
    Value importFile(const std::string& path, const std::string& moduleName);
    Value runModule(std::shared_ptr<const SourceFile> file, const std::string& moduleName);
    SourceFinder& finder() { return m_finder; }

    /// `import a.b.c`: modules of the sources of names, then what the finder finds.
    Value importModule(const std::string& name, const Importer& importer = {});
    /// The module that `from ...name import` speaks of.
    Value importFrom(const std::string& name, int level, const Importer& importer);
    /// What `from module import name` gives: what the module has, or a module below it.
    Value importName(const Value& module, const std::string& name, const Importer& importer);
    /// What `from module import *` takes.
    NamedValues publicNames(const Value& module);

    /// sys.modules: what was imported, by name; what a program puts there is what an import gives.
    std::vector<std::string> known() const;
    std::optional<Value> known(const std::string& name) const;
    void set(const std::string& name, const Value& module) { m_modules[name] = module; }
    void forget(const std::string& name) { m_modules.erase(name); }

    /// Whether the top of a module runs now, so that stand-ins need not be worth anything yet.
    bool areRunning() const { return m_running > 0; }
    /// Statements at the top of modules that were passed over, as what they do cannot be done here:
    /// "lib/io.py:12 was left out: ...".
    const std::vector<std::string>& leftOut() const { return m_leftOut; }
    /// What an installed package whose own statements were left out would have offered: a class or function
    /// that just one of its modules defines. None for any other module, and where nothing does.
    std::optional<Value> findDeferred(const Value& module, const std::string& name);
    /// The sources of such a package; null for any other module.
    const DefinitionIndex* deferred(const Value& module);

    /// Whether a decorator that fails is left out now.
    bool areDecoratorsOptional() const { return m_areDecoratorsOptional; }

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
    /// With `isTolerant`, statements that cannot be run are left out.
    Value runInto(ByName& modules, const FoundSource& source, const std::string& moduleName, bool isTolerant);
    void runTop(Frame& frame, bool isTolerant, bool isOfPackage);
    void leaveOut(Frame& frame, const Statement& statement, const Error& error);
    /// A function or class without those decorators, of its methods too, that fail; false where that fails
    /// as well.
    bool runWithoutDecorators(Frame& frame, const Statement& statement);
    /// Among the files that the program has made for itself in memory.
    std::optional<FoundSource> ownSource(const std::string& name);
    std::optional<FoundSource> findSource(const std::string& name, const Importer& importer);
    std::optional<Value> findSubmodule(const Value& module, const std::string& name);
    Value standIn(const std::string& name, const std::string& why);
    std::string shownPath(const SourceFile& file) const;

    Evaluator& m_evaluator;
    SourceFinder m_finder;
    ByName m_modules;   ///< those being run too
    ByName m_libraries; ///< texts behind modules that are no text themselves
    ByName m_standIns;
    ByName m_classModules; ///< where libraryClass() has found a class, by the name of that
    std::vector<std::string> m_leftOut;
    std::set<std::string> m_omitting; ///< modules of which a statement was left out
    /// Those that have run, each with its index once that is asked for.
    std::map<std::string, std::optional<DefinitionIndex>> m_partial;
    std::vector<UserFile> m_userFiles;
    int m_running = 0; ///< modules whose top runs now
    bool m_areDecoratorsOptional = false;
};

/// A new dict of names with __name__ and __builtins__ understood.
Value makeGlobals(const std::string& moduleName);

} // namespace fx
