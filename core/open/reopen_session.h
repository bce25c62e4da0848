// SPDX-License-Identifier: GPL-3.0-or-later
// An evaluator for code that torch.fx wrote: in-place operators stay what the code says, functions of modules
// that are not here stay names, and torch.load reads what lies beside the code and nothing else.
#pragma once

#include "core/io/pickle/pickled_module.h"
#include "core/io/pickle/pickled_objects.h"
#include "core/open/module_folder.h"
#include "core/open/python_source.h"
#include "core/trace/tracing_host.h"

#include <functional>
#include <memory>
#include <string>

namespace fx {

class ReopenNames : public NameSource {
public:
    /// Calls of torch.load(path): what is loaded.
    using Load = std::function<Value(Evaluator&, const std::string& path)>;
    void setLoad(Load load) { m_load = std::move(load); }

    std::optional<Value> member(Evaluator&, const NamespaceObject& space, const std::string& name) override;
    const LibraryModule* libraryModule(const std::string& name) override;

private:
    Load m_load;
};

class ReopenSession {
public:
    explicit ReopenSession(EvaluationLimits limits = {});

    Evaluator& evaluator() { return m_evaluator; }
    ReopenNames& names() { return m_names; }
    /// In-place operators that the code has.
    size_t inPlaceCount() const { return m_tracing.inPlaceCount(); }
    /// Before anything else: has torch.nn's text run.
    void prepare();
    /// Runs the file that defines classes of a pickled module.
    void runSource(const std::string& path);
    /// The same for text; `path` is what errors name.
    void runSource(const std::string& text, const std::string& path);
    /// Modules that a source of names of the evaluator has, which the code may import.
    void addModules(std::vector<std::string> names) { m_modules = std::move(names); }
    /// Folders of packages, those that are installed among them, which the code may import.
    void addPackages(const std::vector<std::string>& folders);
    /// A class of those files by the name that a pickle gives.
    std::optional<Value> findClass(const std::string& qualifiedName);
    /// A subclass of Module whose forward is the code. `place` is what errors name.
    Value compile(const PickledGraph& graph, const std::string& place);
    /// Sets the mode and loads the state that the options ask for, and traces.
    Traced trace(const Value& model, const TraceOptions& options, bool areAllLeaves,
                 std::vector<std::string>& notes);
    /// Functions of the user's modules that the code names and nobody defines.
    const std::vector<std::string>& unknownFunctions() const { return m_unknownFunctions; }

private:
    Value importedName(const std::string& module, const std::string& name);
    /// A name of a module that lies beside the sources or in the packages; none where there is no such
    /// module.
    std::optional<Value> findImported(const std::string& module, const std::string& name);
    Value concreteArguments(const TraceOptions& options);

    TorchHosts m_torch;
    TracingHost m_tracing{m_torch};
    ReopenNames m_names;
    Evaluator m_evaluator;
    std::vector<Value> m_sources;
    std::vector<std::string> m_modules;
    bool m_hasPackages = false;
    std::vector<std::string> m_unknownFunctions;
    int m_compiled = 0;
};

} // namespace fx
