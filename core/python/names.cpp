// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/names.h"

namespace fx {

/// The first that is anything.
template <class Ask>
static auto firstAnswer(const std::vector<NameSource*>& sources, Ask ask) {
    decltype(ask(*sources.front())) answer{};
    for (auto source = sources.begin(); source != sources.end() && !answer; ++source)
        answer = ask(**source);
    return answer;
}

std::optional<Value> NameSources::name(Evaluator& evaluator, const std::string& name) {
    return firstAnswer(m_sources, [&](NameSource& source) { return source.name(evaluator, name); });
}

std::optional<Value> NameSources::importModule(Evaluator& evaluator, const std::string& name) {
    return firstAnswer(m_sources, [&](NameSource& source) { return source.importModule(evaluator, name); });
}

std::optional<Value> NameSources::member(Evaluator& evaluator, const NamespaceObject& space,
                                         const std::string& name) {
    return firstAnswer(m_sources, [&](NameSource& source) { return source.member(evaluator, space, name); });
}

const LibraryModule* NameSources::libraryModule(const std::string& name) {
    return firstAnswer(m_sources, [&](NameSource& source) { return source.libraryModule(name); });
}

void NameSources::moduleLoaded(Evaluator& evaluator, const std::string& name, const Value& module) {
    for (NameSource* source : m_sources)
        source->moduleLoaded(evaluator, name, module);
}

} // namespace fx
