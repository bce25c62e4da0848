// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the edits of a document on disk until they are saved or given up (core/session/journal.h): each is
// written when it is made, and brought to the disk some seconds later, off the interface's thread.
#pragma once

#include "core/session/journal.h"
#include "widgets/document/graph_document.h"
#include "widgets/support/job.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>

namespace fx::ui {

class EditJournal : public QObject {
    Q_OBJECT

public:
    /// Of a document that was just opened; `request` opens it again. The first edit begins the journal.
    EditJournal(GraphDocument& document, const QString& folder, const OpeningRequest& request);
    /// Of a document that cannot be opened again on this machine. It begins when the document has been saved.
    EditJournal(GraphDocument& document, const QString& folder);
    /// Of a document that was just recovered.
    EditJournal(GraphDocument& document, const QString& folder, FoundJournal recovered);
    /// The document is closed: what was not saved has been given up.
    ~EditJournal() override;

Q_SIGNALS:
    /// The first time of several that edits cannot be written.
    void failed(const QString& why);

private:
    void note(const Changes& changes, bool isBackwards);
    void write();
    void fail(const Error& error);
    void append(const std::string& title, const Changes& changes, bool isBackwards);
    void beginAnew();
    void sync();

    struct Noted {
        Changes changes;
        bool isBackwards;
    };
    GraphDocument& m_document;
    std::string m_folder;
    std::optional<JournalBase> m_base; ///< of a journal that has not begun; none: it cannot
    ModelExtent m_known;               ///< of the base
    size_t m_savedTensors;             ///< of the file that the document belongs to
    std::shared_ptr<Journal> m_journal;
    std::optional<Noted> m_noted; ///< done, and not written yet: the history has no name for it yet
    bool m_hasFailed = false;
    QTimer m_syncSoon;
    JobRunner m_runner;
};

} // namespace fx::ui
