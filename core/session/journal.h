// SPDX-License-Identifier: GPL-3.0-or-later
// The edits of one open model on disk, as they are made, so that a crash costs none of them: Journal writes,
// and FoundJournal is what a process that died has left. Edits name ids, so they are done again on the model
// as it was when they began: its file is opened once more, and where that gives another model, nothing is
// done. When to write, and what to say of it, is for widgets/session/edit_journal.h.
#pragma once

#include "core/io/opened_model.h"
#include "core/module/follow.h"
#include "core/session/journal_file.h"
#include "core/session/opening.h"

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace fx {

/// What the edits of a journal begin with.
struct JournalBase {
    OpeningRequest request; ///< what opens the model again
    /// The files that it reads, and which content they had.
    std::vector<std::pair<std::string, std::string>> files;
    uint64_t fingerprint = 0; ///< of the model as it is opened
    /// CBOR of the model, where its file was saved from it: a .fxg has ids of its own, and the tensors, which
    /// are found there by their names. Empty otherwise.
    std::string snapshot;

    /// Of a model as it was opened.
    static JournalBase ofOpened(const OpeningRequest& request, const Model& model);
    /// Of a model after it was saved there; edits that the file lacks are in the base, and one without
    /// changes is to be written to tell of them. `savedTensors`: so many, the first, are in the file where
    /// something names them; the others are kept here.
    static JournalBase ofSaved(const std::string& path, const Model& model, size_t savedTensors);
};

/// Which content of which file, or of the files in a folder, it is, as far as the system tells.
std::string contentVersion(const std::string& path);

class FoundJournal;

class Journal {
public:
    /// Begins one in the folder. Throws an Error where nothing can be written.
    Journal(const std::string& folder, const JournalBase& base, const ModelExtent& known);
    /// Goes on with one that was found, and recovered as that model.
    Journal(FoundJournal found, const Model& model);

    /// After `changes` were done in `after`, or undone. Throws an Error where that cannot be written: it is
    /// tried again before the next.
    void append(const std::string& title, const Model& after, const Changes& changes, bool isBackwards);
    /// Waits until all of it is on the disk. From any thread.
    void sync() const { m_file.sync(); }
    void remove() { m_file.remove(); }

private:
    JournalFile m_file;
    ModelExtent m_known;
    std::deque<std::string> m_unwritten;
};

struct JournalEdit {
    std::string title;
    int64_t time = 0; ///< in seconds since 1970
    bool isBackwards = false;
};

/// A step of the history, as it was.
struct RecoveredStep {
    std::string title;
    Changes changes;
};

class FoundJournal {
public:
    /// Those in the folder whose process has died; nobody else is given them while they are held.
    static std::vector<FoundJournal> in(const std::string& folder);

    const OpeningRequest& request() const { return m_base.request; }
    /// The last is the newest. Not empty.
    const std::vector<JournalEdit>& edits() const { return m_edits; }
    /// Bytes at the end that are no whole edit: it was being written.
    uint64_t tornBytes() const { return m_tornBytes; }
    /// Why it cannot be recovered as things are; empty if nothing is known to be in the way.
    std::string obstacle() const;
    /// Does all edits again on the model that request() opens, and gives the steps that can be undone. Throws
    /// an Error, with the model as it was, where it is not the model that was edited.
    std::vector<RecoveredStep> recover(OpenedModel& opened) const;
    void discard() { m_file.remove(); }

private:
    friend class Journal;
    explicit FoundJournal(JournalFile file);

    JournalFile m_file;
    JournalBase m_base;
    std::vector<JournalEdit> m_edits;
    uint64_t m_tornBytes = 0;
};

} // namespace fx
