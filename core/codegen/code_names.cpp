// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/codegen/code_names.h"

#include "core/ir/names.h"

#include <algorithm>

namespace fx {

namespace {

/// The name that a global gets if nobody is in its way.
std::string wish(const GlobalName& global) {
    return legalName(global.hint);
}

/// What every generated function finds taken.
constexpr std::string_view kRegistered[] = {"inf",    "nan",       "NoneType", "torch",
                                            "device", "fx_pytree", "pytree"};

} // namespace

const std::string& CodeNames::local(const Node& node) const {
    if (m_locals.empty())
        return node.name;
    const auto found = m_locals.find(node.id);
    return found == m_locals.end() ? node.name : found->second;
}

std::string CodeNames::global(const GlobalName& name) const {
    const auto found = m_globals.find(name.name());
    return found == m_globals.end() ? wish(name) : found->second;
}

void CodeNames::claim(Hash name, Hash family, int difference, bool isImpossible) {
    int& claims = m_claims[name];
    const int clashesBefore = std::max(0, claims - 1);
    claims += difference;
    const int clashes = std::max(0, claims - 1) - clashesBefore + (isImpossible ? difference : 0);
    if (claims == 0)
        m_claims.erase(name);
    if (clashes == 0 && !m_trouble.contains(family))
        return;
    m_dirty.insert(family);
    if ((m_trouble[family] += clashes) == 0)
        m_trouble.erase(family);
}

void CodeNames::claimGlobal(const GlobalName& global, int difference) {
    const std::string name = wish(global);
    claim(hashOf(name), hashOf(nameFamily(name)), difference, !global.isBuiltin && isReservedName(name));
}

void CodeNames::lookAgain(const GlobalName& global) {
    if (m_trouble.empty())
        return;
    const Hash family = hashOf(nameFamily(global.hint));
    if (m_trouble.contains(family))
        m_dirty.insert(family);
}

void CodeNames::forget(NodeId id) {
    Record& record = m_records[static_cast<size_t>(id.value)];
    if (!record.isPresent)
        return;
    record.isPresent = false;
    // Where these names were others than wished for, the family is in trouble and is worked out anew.
    m_locals.erase(id);
    claim(record.name, record.family, -1, record.isImpossible);
    for (const GlobalName& global : record.globals) {
        if (--m_globalUses[global.name()] == 0) {
            m_globals.erase(global.name());
            claimGlobal(global, -1);
        } else {
            lookAgain(global);
        }
    }
}

void CodeNames::remember(const Node& node) {
    Record& record = m_records[static_cast<size_t>(node.id.value)];
    record.isPresent = true;
    record.isImpossible = isReservedName(node.name) || !isLegalName(node.name);
    record.name = hashOf(node.name);
    record.family = hashOf(nameFamily(node.name));
    record.globals = nodeGlobals(node).names;
    claim(record.name, record.family, 1, record.isImpossible);
    for (const GlobalName& global : record.globals) {
        if (m_globalUses[global.name()]++ == 0)
            claimGlobal(global, 1);
        else
            lookAgain(global);
    }
}

std::vector<NodeId> CodeNames::update(const Graph& graph, const std::vector<NodeId>& touched) {
    m_claims.reserve(m_claims.size() + touched.size());
    for (NodeId id : touched) {
        if (id.value >= static_cast<int32_t>(m_records.size()))
            m_records.resize(static_cast<size_t>(id.value) + 1);
        forget(id);
        // The output is never called by its name in code.
        if (graph.contains(id) && graph.node(id).opcode != Opcode::Output)
            remember(graph.node(id));
    }
    std::vector<NodeId> changed;
    for (const Hash family : m_dirty)
        resolve(graph, family, changed);
    m_dirty.clear();
    return changed;
}

void CodeNames::resolve(const Graph& graph, Hash family, std::vector<NodeId>& changed) {
    NameTable table;
    for (std::string_view name : kRegistered)
        if (hashOf(nameFamily(name)) == family)
            table.create(name, true);
    std::unordered_map<std::string, std::string> globals;
    std::unordered_set<std::string> changedGlobals;
    const auto meet = [&](const GlobalName& global) {
        if (hashOf(nameFamily(global.hint)) != family || globals.contains(global.name()))
            return;
        const std::string before = this->global(global);
        std::string name = table.create(global.hint, global.isBuiltin);
        if (name != before)
            changedGlobals.insert(global.name());
        if (name == wish(global))
            m_globals.erase(global.name());
        else
            m_globals[global.name()] = name;
        globals.emplace(global.name(), std::move(name));
    };
    for (const Node& node : graph) {
        const Record& record = m_records[static_cast<size_t>(node.id.value)];
        if (!record.isPresent)
            continue;
        const bool isMember = record.family == family;
        if (!isMember && record.globals.empty())
            continue;
        const NodeGlobals used = record.globals.empty() ? NodeGlobals() : nodeGlobals(node);
        for (size_t i = 0; i < used.beforeLocal; ++i)
            meet(used.names[i]);
        if (isMember) {
            const std::string before = local(node);
            std::string name = table.create(node.name);
            if (name != before)
                changed.push_back(node.id);
            if (name == node.name)
                m_locals.erase(node.id);
            else
                m_locals[node.id] = std::move(name);
        }
        for (size_t i = used.beforeLocal; i < used.names.size(); ++i)
            meet(used.names[i]);
    }
    if (changedGlobals.empty())
        return;
    for (const Node& node : graph)
        for (const GlobalName& global : m_records[static_cast<size_t>(node.id.value)].globals)
            if (changedGlobals.contains(global.name()))
                changed.push_back(node.id);
}

} // namespace fx
