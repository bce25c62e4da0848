// SPDX-License-Identifier: GPL-3.0-or-later
// The breakpoints of a model, which are remembered with its file.
#pragma once

#include "core/run/run_controller.h"

#include <QObject>

namespace fx {

class Console;

} // namespace fx

namespace fx::ui {

class GraphDocument;
class Inputs;

class Breakpoints : public QObject {
    Q_OBJECT

public:
    Breakpoints(const GraphDocument& document, RunController& run, Inputs& inputs)
        : m_document(document), m_run(run), m_inputs(inputs) {}

    const std::vector<Breakpoint>& all() const { return m_run.breakpoints(); }
    void set(std::vector<Breakpoint> breakpoints);
    /// True if an enabled breakpoint stops at this very node.
    bool has(NodeRef node) const;
    void toggle(NodeRef node);
    bool stopsAtNonFinite() const;
    void toggleNonFinite();

    /// Sets those that are remembered for the file.
    void recall(const Console& console);
    /// The controller may have changed the list: reports and remembers it if so.
    void refresh();
    /// The same after an edit. What an edit removes stays remembered for the file, which may be left
    /// unchanged.
    void followEdit();

Q_SIGNALS:
    void changed();

private:
    void remember();

    const GraphDocument& m_document;
    RunController& m_run;
    Inputs& m_inputs;
    std::vector<Breakpoint> m_reported;
};

} // namespace fx::ui
