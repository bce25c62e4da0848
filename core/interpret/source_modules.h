// SPDX-License-Identifier: GPL-3.0-or-later
// The names of a run beside torch's: modules of the Python source that the model was made from.
#pragma once

#include "core/module/source_text.h"
#include "core/python/evaluator.h"
#include "core/python/library.h"

#include <unordered_map>
#include <vector>

namespace fx {

class SourceModules : public NameSource {
public:
    explicit SourceModules(const std::vector<SourceText>& sources) : m_sources(sources) {}

    void addTo(Evaluator& evaluator);
    const LibraryModule* libraryModule(const std::string& name) override;
    /// What "net.helper" or "net.Net" names in those modules: in the one that the name says, else in any that
    /// defines it, since a pickle calls the main program's module otherwise. None where nothing does.
    std::optional<Value> find(Evaluator& evaluator, const std::string& qualifiedName);

private:
    const std::vector<SourceText>& m_sources;
    std::unordered_map<std::string, LibraryModule> m_parsed;
};

} // namespace fx
