// SPDX-License-Identifier: GPL-3.0-or-later
// What the generated module.py imports: torch, a few of Python's own modules, and the model's sources, of
// which it keeps what is needed. Anything else is refused before a file is written.
#pragma once

#include "core/export/needed_sources.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace fx {

class PackageNames {
public:
    explicit PackageNames(const std::vector<SourceText>& sources) : m_sources(sources) {}

    /// Makes `local` mean a function or class in module.py. Throws an Error at `place` for one that is
    /// neither PyTorch's nor of a source.
    void bind(const std::string& local, const std::string& qualifiedName, const std::string& place);
    /// The same for a name that only annotates: what cannot be imported is its text.
    void bindAnnotation(const std::string& local, const std::string& qualifiedName);
    /// An expression for a function or class, with what it needs to be imported.
    std::string expression(const std::string& qualifiedName, const std::string& place);
    /// A module of PyTorch that `import torch` does not load.
    void importModule(const std::string& module) { m_modules.insert(module); }

    std::string importLines() const;
    const NeededSources& sources() const { return m_sources; }

private:
    bool tryBind(const std::string& local, const std::string& qualifiedName);
    void add(const std::string& local, std::string line, const std::string& place);

    NeededSources m_sources;
    std::set<std::string> m_modules;
    std::vector<std::string> m_lines;
    std::map<std::string, std::string> m_bound; ///< by local name
};

} // namespace fx
