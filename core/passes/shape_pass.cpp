// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/shape_pass.h"

#include "core/interpret/shape_prop.h"
#include "core/passes/pass.h"

namespace fx {

namespace {

/// Tells how far the run is; ends it when nobody wants it any more.
class RunProgress : public Observer {
public:
    RunProgress(Progress& progress, size_t nodes)
        : m_progress(progress), m_nodes(static_cast<double>(nodes)) {}
    void beforeNode(Interpreter&, const Node& node) override {
        // Loops and branches run nodes that the graph itself does not have.
        m_progress.step(std::min(1.0, ++m_count / m_nodes), node.name);
    }

private:
    Progress& m_progress;
    double m_nodes, m_count = 0;
};

} // namespace

void runShapeProp(Edit& edit, const PassOptions&, PassContext& context) {
    RunProgress watcher(context.progress, edit.graph().size());
    propagateShapes(edit, context.inputs ? context.inputs(edit.model()) : GraphInputs(), context.settings,
                    &watcher);
}

} // namespace fx
