// SPDX-License-Identifier: GPL-3.0-or-later
// Names and modules that a program may use beside Python's own: an evaluator asks its sources in order.
#pragma once

#include "core/python/value.h"

#include <optional>
#include <string>
#include <vector>

namespace fx {

struct LibraryModule;

class NameSource {
public:
    virtual ~NameSource() = default;

    /// A name that is neither in the module nor a builtin.
    virtual std::optional<Value> name(Evaluator&, const std::string&) { return std::nullopt; }
    /// "torch.nn": a module that is no Python text.
    virtual std::optional<Value> importModule(Evaluator&, const std::string&) { return std::nullopt; }
    /// What such a module has under a name.
    virtual std::optional<Value> member(Evaluator&, const NamespaceObject& space, const std::string& name) {
        (void)space, (void)name;
        return std::nullopt;
    }
    /// A module as Python text; null where there is none. It lives as long as the source.
    virtual const LibraryModule* libraryModule(const std::string&) { return nullptr; }
    /// A module that has just been run.
    virtual void moduleLoaded(Evaluator&, const std::string& name, const Value& module) {
        (void)name, (void)module;
    }
};

/// Several as one: the one that was added last is asked first, and the first answer counts.
class NameSources : public NameSource {
public:
    /// Who adds a source keeps it for as long as the evaluator lives.
    void add(NameSource& source) { m_sources.insert(m_sources.begin(), &source); }

    std::optional<Value> name(Evaluator&, const std::string& name) override;
    std::optional<Value> importModule(Evaluator&, const std::string& name) override;
    std::optional<Value> member(Evaluator&, const NamespaceObject& space, const std::string& name) override;
    const LibraryModule* libraryModule(const std::string& name) override;
    void moduleLoaded(Evaluator&, const std::string& name, const Value& module) override;

private:
    std::vector<NameSource*> m_sources;
};

} // namespace fx
