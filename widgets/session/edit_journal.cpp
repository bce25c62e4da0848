// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/edit_journal.h"

#include "core/base/error.h"
#include "widgets/support/qt_text.h"

namespace fx::ui {

EditJournal::EditJournal(GraphDocument& document, const QString& folder)
    : m_document(document), m_folder(utf8(folder)), m_known(document.model()),
      m_savedTensors(document.model().tensorCount()) {
    constexpr int kSyncAfter = 10'000; // milliseconds
    m_syncSoon.setSingleShot(true);
    m_syncSoon.setInterval(kSyncAfter);
    connect(&m_syncSoon, &QTimer::timeout, this, &EditJournal::sync);
    connect(&document, &GraphDocument::changed, this, &EditJournal::note);
    connect(&document.undoStack(), &QUndoStack::indexChanged, this, &EditJournal::write);
    connect(&document, &GraphDocument::saved, this, &EditJournal::beginAnew);
}

EditJournal::EditJournal(GraphDocument& document, const QString& folder, const OpeningRequest& request)
    : EditJournal(document, folder) {
    m_base = JournalBase::ofOpened(request, document.model());
}

EditJournal::EditJournal(GraphDocument& document, const QString& folder, FoundJournal recovered)
    : EditJournal(document, folder) {
    m_journal = std::make_shared<Journal>(std::move(recovered), document.model());
}

EditJournal::~EditJournal() {
    if (m_journal)
        m_journal->remove();
}

void EditJournal::note(const Changes& changes, bool isBackwards) {
    m_noted = {changes, isBackwards};
}

void EditJournal::write() {
    const std::optional<Noted> noted = std::exchange(m_noted, std::nullopt);
    if (!noted)
        return;
    const QUndoStack& history = m_document.undoStack();
    append(utf8(noted->isBackwards ? history.redoText() : history.undoText()), noted->changes,
           noted->isBackwards);
}

void EditJournal::append(const std::string& title, const Changes& changes, bool isBackwards) {
    // Where it could not begin, it cannot go on.
    if ((m_hasFailed || !m_base) && !m_journal)
        return;
    try {
        if (!m_journal)
            m_journal = std::make_shared<Journal>(m_folder, *m_base, m_known);
        m_journal->append(title, m_document.model(), changes, isBackwards);
        m_hasFailed = false;
    } catch (const Error& error) {
        fail(error);
        return;
    }
    if (!m_syncSoon.isActive())
        m_syncSoon.start();
}

void EditJournal::beginAnew() {
    const bool isWhole = m_document.isSaved();
    const Model& model = m_document.model();
    if (m_journal)
        m_journal->remove();
    m_journal.reset();
    m_hasFailed = false;
    if (isWhole)
        m_savedTensors = model.tensorCount();
    m_base = JournalBase::ofSaved(m_document.opened().path, model, m_savedTensors);
    m_known = ModelExtent(model);
    if (!isWhole)
        append("Edits made while it was being saved", {}, false);
}

void EditJournal::sync() {
    if (!m_journal)
        return;
    const auto work = [journal = m_journal](JobRun<bool>&) {
        journal->sync();
        return true;
    };
    m_runner.start(*this, Job<bool>{"Keeping the edits", work, {}, [this](const Error& why) { fail(why); }});
}

void EditJournal::fail(const Error& error) {
    if (!std::exchange(m_hasFailed, true))
        Q_EMIT failed(faultText(error.what()));
}

} // namespace fx::ui
