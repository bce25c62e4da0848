// SPDX-License-Identifier: GPL-3.0-or-later
// The modules, tensors and values that a part of a graph reads, as the tree of a new module that holds just
// them: what torch.fx's GraphModule keeps of the module that it is made from.
#pragma once

#include "core/module/edit.h"

#include <string>
#include <vector>

namespace fx {

class HeldState {
public:
    /// What stands at `source` below the edit's module will stand at `path`. Nothing where it is known.
    void add(const std::string& path, const std::string& source) { m_paths.push_back({path, source, {}}); }
    void addModule(const std::string& path, ModuleId module) { m_paths.push_back({path, {}, module}); }
    /// A new module with a graph, empty as yet.
    ModuleId makeModule(Edit& edit, bool isTraining);
    /// Below the edit's module, in the place of all that is there, but for plain values.
    void replaceIn(Edit& edit);

private:
    struct Entry {
        std::string path;
        Attribute found;
    };
    std::vector<Entry> entries(const Edit& edit) const;

    struct Path {
        std::string path, source;
        ModuleId module; ///< else what is at the source
    };
    std::vector<Path> m_paths;
};

} // namespace fx
