// SPDX-License-Identifier: GPL-3.0-or-later
// The statements that make the modules and tensors below a module with a graph: constructors where they give
// what the model holds, with what they leave open set after them.
#pragma once

#include "core/export/constructors.h"
#include "core/export/package_names.h"
#include "core/export/statements.h"
#include "core/module/model.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace fx {

/// An entry of state.pt, by its path from the root. The same tensor may be there under several.
struct StateEntry {
    std::string path;
    TensorId tensor;
};

/// Python functions of module.py that the statements call.
struct TreeHelpers {
    bool scriptObject = false, restored = false, object = false;
};

class TreeWriter {
public:
    /// `classNames`: what each module with a graph is called in module.py.
    TreeWriter(const Model& model, PackageNames& names, const std::map<ModuleId, std::string>& classNames);

    /// What makes all that a module with a graph holds. `path` leads to it from the root.
    struct Members {
        std::vector<std::string> lines;
        bool areOnMeta = false; ///< constructors are among them, and all can do without memory
    };
    Members members(ModuleId graph, const std::string& path);
    /// When all is written: where each module is made, and those that are called, with all below them.
    const std::map<ModuleId, std::string>& homes() const { return m_written; }
    const std::set<ModuleId>& called() const { return m_called; }

    const std::vector<StateEntry>& state() const { return m_state; }
    const TreeHelpers& helpers() const { return m_helpers; }

private:
    void noteCalled(ModuleId id);
    void writeMembers(ModuleId id, const TreePlace& at, Lines& out);
    void writeTensors(ModuleId id, const TreePlace& at, Lines& out);
    void writeTensor(const NamedTensor& entry, const TreePlace& at, Lines& out);
    void writeValue(const NamedValue& entry, const TreePlace& at, Lines& out);
    void writeHooks(const Module& module, const TreePlace& at, Lines& out);
    /// The expression that makes a module; `after` takes what is to be done to it then.
    std::string made(ModuleId id, const TreePlace& at, Lines& after);
    std::string container(ModuleId id, const TreePlace& at, Lines& after);
    std::string parametrized(ModuleId id, const TreePlace& at, Lines& after);
    std::string restored(ModuleId id, const TreePlace& at, Lines& after);
    /// What of an instance is not as the model has it; false where that cannot be mended.
    bool mend(const Value& instance, ModuleId id, const TreePlace& at, Lines& after);
    bool mendTensors(const Value& instance, const Module& module, const TreePlace& at, Lines& after);
    void keepTensors(ModuleId id, const TreePlace& at);
    /// What is undone if the lines that were written since are dropped.
    struct Progress {
        size_t states = 0;
        std::map<ModuleId, std::string> written;
        std::map<int64_t, std::string> shared;
    };
    Progress progress() const { return {m_state.size(), m_written, m_shared}; }
    void goBackTo(Progress before);
    bool claim(ModuleId id, const TreePlace& at);
    std::string partialText(const NamedTupleValue& object, const std::string& path);
    std::string capturedText(const NamedTupleValue& captured, const std::string& path);
    std::string argumentText(const Argument& value, const std::string& path);
    std::string stateExpression(TensorId id, const std::string& path, bool isTaken);
    std::string scriptObject(ModuleId id, const std::string& path);
    std::string stateOfObject(const Module& module, const Argument& state, const std::string& path);

    const Model& m_model;
    PackageNames& m_names;
    const std::map<ModuleId, std::string>& m_classNames;
    Constructors m_constructors;
    std::set<ModuleId> m_called;               ///< leaf modules, and all below them
    std::map<ModuleId, std::string> m_written; ///< the path at which each module is made
    std::vector<StateEntry> m_state;
    std::map<int64_t, std::string> m_shared; ///< local variables of objects that hooks share
    std::set<int64_t> m_sharedBefore;        ///< those of other graphs
    Lines* m_hookLines = nullptr;            ///< while hooks are written
    TreeHelpers m_helpers;
    bool m_hasConstructors = false, m_needsMemory = false;
};

} // namespace fx
