// SPDX-License-Identifier: GPL-3.0-or-later
// What of a model's modules is in a pickle of them: their classes, their plain attributes, and what the code
// of their graphs imports. All that is named is torch's own, or defined by the model's sources.
#pragma once

#include "core/codegen/python_code.h"
#include "core/module/model.h"

#include <map>
#include <set>
#include <string>
#include <utility>

namespace fx {

/// "a.b" and "c" of "a.b.c".
std::pair<std::string, std::string> ownerAndName(const std::string& qualifiedName);

class ModuleContents {
public:
    /// The model outlives this.
    explicit ModuleContents(const Model& model);

    /// Throws an Error that names the node or module for what cannot be named or made.
    void check() const;
    const std::string& path(ModuleId id) const { return m_paths.at(id); }
    /// The imports before the code of a graph.
    std::string importBlock(const PythonCode& code) const;
    /// The class that stands for a module without a graph.
    std::string className(ModuleId id) const;
    /// A module that only holds others is what they are.
    bool isTraining(ModuleId id) const;
    /// Of a graph those attributes that it reads; throws for one of a module that is called and cannot be
    /// made again.
    bool isKept(ModuleId id, const NamedValue& entry) const;
    /// The names of the parameters that a recurrent layer keeps in a list, too; null for any other attribute.
    static const Arguments* flatWeights(const Module& module, const NamedValue& entry);

private:
    bool isOfSources(const std::string& name) const;
    void requireGraph(ModuleId id) const;
    std::string importOf(const PythonCode::Global& global) const;
    std::string nodeName(const PythonCode::Global& global) const;

    const Model& m_model;
    std::map<ModuleId, std::string> m_paths;
    std::set<ModuleId> m_called;      ///< by a call_module node
    std::set<const Argument*> m_read; ///< attributes that a get_attr node reads
};

} // namespace fx
