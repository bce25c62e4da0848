// SPDX-License-Identifier: GPL-3.0-or-later
// The text of module.py: a class for each graph, which makes its modules (tree_writer.h) and runs the
// generated code; and what stands around the classes.
#pragma once

#include "core/codegen/python_code.h"
#include "core/export/package_names.h"
#include "core/export/tree_writer.h"
#include "core/module/model.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace fx {

class PackageWriter {
public:
    PackageWriter(const Model& model, std::string className);

    /// `origin`: where the model came from, for the head of the file. Throws an Error for what cannot be
    /// written.
    std::string moduleText(const std::string& origin);
    /// What state.pt holds. Known when the text is.
    const std::vector<StateEntry>& state() const { return m_tree.state(); }
    /// The model's sources, as far as they are needed, by their paths in the folder.
    std::map<std::string, std::string> sourceFiles() const { return m_names.sources().files(); }
    std::vector<std::string> notes() const;

private:
    std::string uniqueClass(const std::string& wish);
    std::string classText(ModuleId id);
    std::string initText(ModuleId id);
    void bindNames(ModuleId id, const PythonCode& code);
    std::string specText(const TreeSpec& spec, const std::string& written);
    std::string exampleOf(const TreeSpec& spec);
    std::string namedTuples() const;
    std::string helpers() const;

    const Model& m_model;
    std::string m_className;
    std::map<ModuleId, std::string> m_classNames;
    std::set<std::string> m_taken;
    std::vector<std::string> m_wraps;
    PackageNames m_names;
    TreeWriter m_tree;
    std::map<ModuleId, TreeWriter::Members> m_members; ///< of each graph
};

} // namespace fx
