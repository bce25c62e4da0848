// SPDX-License-Identifier: GPL-3.0-or-later
// Tells how far a pass is that runs the graph; ends the run when nobody wants it any more.
#pragma once

#include "core/base/progress.h"
#include "core/interpret/interpreter.h"

#include <algorithm>

namespace fx {

class RunProgress : public Observer {
public:
    RunProgress(Progress& progress, size_t nodes)
        : m_progress(progress), m_nodes(static_cast<double>(nodes)) {}
    bool seesWithin() const override { return false; }
    void beforeNode(Interpreter&, const Node& node) override {
        // Loops and branches run nodes that the graph itself does not have.
        m_progress.step(std::min(1.0, ++m_count / m_nodes), node.name);
    }

private:
    Progress& m_progress;
    double m_nodes, m_count = 0;
};

} // namespace fx
