// SPDX-License-Identifier: GPL-3.0-or-later
// What the runs of a model are started with, and what else is remembered for its file.
#pragma once

#include "core/open/run_inputs.h"
#include "core/run/debuggee.h"
#include "widgets/session/settings.h"

#include <QObject>

namespace fx::ui {

class GraphDocument;

/// A run with what is remembered for its model and the settings of this machine.
RunRequest requestOf(const DebugMemory& memory);

class Inputs : public QObject {
    Q_OBJECT

public:
    /// `isRemote`: the model runs on another machine.
    Inputs(const GraphDocument& document, bool isRemote);

    const DebugMemory& memory() const { return m_memory; }
    /// Replaces all but the breakpoints and watches.
    void set(const DebugMemory& memory);
    void setDevice(const QString& device);
    /// Adds a library of operators that the model needs.
    void addLibrary(const QString& path);
    void setBreakpoints(const QStringList& breakpoints);
    void setWatches(const QStringList& watches);

    InputSpecs specs() const;
    /// True if each input of the model has a value, or one can be made.
    bool areGiven() const;
    /// A run where the model runs.
    RunRequest request(bool pausesAtEntry) const;
    /// The same, which computes the gradients of the loss.
    RunRequest requestForGradients() const;
    /// A run in a process of this machine, wherever the model runs: without files and devices of another one.
    RunRequest requestHere() const;

Q_SIGNALS:
    /// By set(), setDevice() or addLibrary().
    void changed();

private:
    RunRequest requestFor(const DebugMemory& memory, bool pausesAtEntry) const;
    void save();
    QString path() const;

    const GraphDocument& m_document;
    const bool m_isRemote;
    DebugMemory m_memory;
};

} // namespace fx::ui
