// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/source_modules.h"

#include "core/base/text.h"

#include <algorithm>

namespace fx {

void SourceModules::addTo(Evaluator& evaluator) {
    evaluator.names().add(*this);
}

const LibraryModule* SourceModules::libraryModule(const std::string& name) {
    for (const SourceText& source : m_sources) {
        if (source.module != name)
            continue;
        LibraryModule& parsed = m_parsed[name];
        if (!parsed.file)
            parsed = {parseSource(source.text, source.path), source.isPackage};
        return &parsed;
    }
    return nullptr;
}

std::optional<Value> SourceModules::find(Evaluator& evaluator, const std::string& qualifiedName) {
    for (const SourceText& source : m_sources) {
        if (!qualifiedName.starts_with(source.module + '.'))
            continue;
        // The longest module of the name: "package.net.f" is no attribute of `package`.
        const bool isLonger = std::any_of(m_sources.begin(), m_sources.end(), [&](const SourceText& other) {
            return other.module.size() > source.module.size() &&
                   qualifiedName.starts_with(other.module + '.');
        });
        if (isLonger)
            continue;
        std::optional<Value> at = evaluator.modules().importModule(source.module);
        const std::string rest = qualifiedName.substr(source.module.size() + 1);
        for (std::string_view part : split(rest, '.'))
            at = at ? evaluator.findAttribute(*at, std::string(part)) : std::nullopt;
        if (at)
            return at;
    }
    const std::string name = qualifiedName.substr(qualifiedName.rfind('.') + 1);
    for (const SourceText& source : m_sources)
        if (std::optional<Value> found =
                evaluator.findAttribute(evaluator.modules().importModule(source.module), name))
            return found;
    return std::nullopt;
}

} // namespace fx
