// SPDX-License-Identifier: GPL-3.0-or-later
// The nodes of printed graphs in a model, with what can be known of the modules and weights that they name.
#pragma once

#include "core/base/progress.h"
#include "core/io/printed/printed_graph.h"
#include "core/module/edit.h"

namespace fx {

class PrintedModelMaker {
public:
    PrintedModelMaker(Edit& edit, Progress& progress) : m_edit(edit), m_progress(progress) {}

    /// Into the graph of the edit's module, which is empty.
    void make(const PrintedGraph& graph);
    // Of which the text has names alone.
    size_t weightCount() const { return m_weightCount; }
    size_t moduleCount() const { return m_moduleCount; }

private:
    void keepName(NodeId id, const std::string& name);
    bool isThere(const std::string& path) const;
    void addAttributes(const PrintedGraph& graph);

    Edit& m_edit;
    Progress& m_progress;
    size_t m_weightCount = 0, m_moduleCount = 0;
};

} // namespace fx
