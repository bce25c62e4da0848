// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with some graphs at one moment, so that an edit answers only for what it makes worse.
#pragma once

#include "core/module/lint.h"

#include <set>
#include <utility>

namespace fx {

/// The graphs of the model, of nested modules too.
std::vector<ModuleId> graphsOf(const Model& model);

class KnownFaults {
public:
    KnownFaults(const Model& model, const std::vector<ModuleId>& graphs);
    /// In one line, the first fault that was not there then; empty if there is none.
    std::string firstNew(const Model& model, const std::vector<ModuleId>& graphs) const;

private:
    std::set<std::pair<ModuleId, std::string>> m_faults;
};

} // namespace fx
