// SPDX-License-Identifier: GPL-3.0-or-later
// What a call does beside giving a value, as far as the model tells.
#pragma once

#include "core/module/model.h"

#include <map>
#include <set>
#include <vector>

namespace fx {

struct CallEffects {
    std::vector<NodeId> written; ///< inputs that it may write into
    bool hasState = false;       ///< of its own, which it may change
    bool any() const { return hasState || !written.empty(); }
};

class EffectsFinder {
public:
    explicit EffectsFinder(const Model& model) : m_model(model) {}

    /// `node`: of that module's graph, or what it was before an edit.
    CallEffects of(ModuleId module, const Node& node);

private:
    bool writes(ModuleId graph);

    const Model& m_model;
    std::map<ModuleId, bool> m_writes;
    std::set<ModuleId> m_hasState; ///< graphs that may change it
};

} // namespace fx
