// SPDX-License-Identifier: GPL-3.0-or-later
// The sizes of all values as formulas of names for the inputs' sizes, for all who show them. Found beside the
// interface once somebody has asked, and anew after each edit.
#pragma once

#include "core/session/sizes_job.h"
#include "widgets/document/graph_document.h"
#include "widgets/support/job.h"

#include <QObject>
#include <QString>

#include <map>

namespace fx {

class DebugService;

class SizesService : public QObject {
    Q_OBJECT

public:
    /// `debug` says what the model runs on.
    SizesService(GraphDocument& document, DebugService& debug, QObject* parent = nullptr);

    /// "x=[N,3,H,W]", "recorded" for the symbols of the file, or nothing, which ends it. Is remembered for
    /// the file.
    void choose(const QString& names);
    const QString& names() const { return m_names; }
    /// Whether the file has symbols of its own.
    bool hasRecorded() const;
    /// Finds them for what is chosen, unless they are known or under way.
    void ask();
    /// Gives up finding them until somebody asks again.
    void cancel();

    /// Empty until they are known; those of before an edit stay until then.
    const SizesAnswer& found() const { return m_found; }
    /// Null: not known.
    const ValueMeta* value(NodeRef node) const;
    /// Where declared sizes are not those that were found, or of nodes of which nothing was, recorded.
    const std::map<NodeRef, QString>& typeFaults() const { return m_typeFaults; }
    /// Why they cannot be found; empty: nothing is wrong.
    const QString& fault() const { return m_fault; }
    bool isWorking() const { return m_runner.isWorking(); }

Q_SIGNALS:
    void started(const QString& what);
    void progressed(double fraction, const QString& what);
    void ended();
    void changed();

private:
    void find();
    void take(SizesAnswer found, const QString& fault);
    void checkTypes();

    GraphDocument& m_document;
    DebugService& m_debug;
    QString m_names, m_fault;
    SizesAnswer m_found;
    std::map<NodeRef, QString> m_typeFaults;
    DocumentState m_asked;  ///< of which they are, or will be
    bool m_isAsked = false; ///< so that edits are followed
    JobRunner m_runner;     ///< last: its thread uses what is above
};

} // namespace fx
