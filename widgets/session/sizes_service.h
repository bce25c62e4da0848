// SPDX-License-Identifier: GPL-3.0-or-later
// The sizes of all values as formulas of names for the inputs' sizes, for all who show them. Found beside the
// interface once somebody has asked, and anew after each edit.
#pragma once

#include "core/session/sizes_job.h"
#include "widgets/session/derived_data.h"

#include <QObject>
#include <QString>

#include <map>

namespace fx::ui {

class DebugService;

class SizesService : public DerivedData<SizesAnswer> {
    Q_OBJECT

public:
    /// `debug` says what the model runs on.
    SizesService(GraphDocument& document, DebugService& debug, DocumentHost& host, QObject* parent = nullptr);

    /// "x=[N,3,H,W]", "recorded" for the symbols of the file, or nothing, which ends it. Is remembered for
    /// the file.
    void choose(const QString& names);
    const QString& names() const { return m_names; }
    /// Whether the file has symbols of its own.
    bool hasRecorded() const;
    /// Finds them for what is chosen, unless they are known or under way.
    void ask();
    /// Gives up finding them until somebody asks again.
    void cancel() override;

    /// Empty until they are known; those of before an edit stay until then.
    const SizesAnswer& found() const;
    /// Null: not known.
    const ValueMeta* valueOf(NodeRef node) const;
    /// Where declared sizes are not those that were found, or of nodes of which nothing was, recorded.
    const std::map<NodeRef, QString>& typeFaults() const { return m_typeFaults; }

Q_SIGNALS:
    void changed();

private:
    void find();
    void taken() override;
    void checkTypes();

    DebugService& m_debug;
    QString m_names;
    std::map<NodeRef, QString> m_typeFaults;
    bool m_isAsked = false; ///< so that edits are followed
};

} // namespace fx::ui
