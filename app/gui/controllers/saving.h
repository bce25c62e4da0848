// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of the model in front: saved, exported, or left with its edits.
#pragma once

#include "app/gui/window_context.h"

#include <functional>

namespace fx::ui {

class SavingController : public QObject {
public:
    explicit SavingController(const WindowContext& context);

    /// Does `then` at once or after asking about unsaved changes, or not at all.
    void leave(std::function<void()> then);
    /// Whether the user gave up the edits of the model in front, the last time that leave() asked.
    bool isDiscarded() const { return m_discarded.isCurrent(); }
    /// Whether something waits for a save.
    bool isWaiting() const { return m_afterSave != nullptr; }

private:
    void save(bool asksForPath);
    void saveTo(const QString& path);
    /// Puts operators in the place of calls that a format cannot hold, and saves then.
    void convertAndSave(const QString& path);
    QString askForPath();
    QString reasonAgainst(const QString& path) const;
    QString askToReplace(const QString& path, const QString& reason);
    void tellNotSaved(const QString& path, const QString& reason);
    void takeSaved(const QString& path, const DocumentState& state, const QStringList& notes);
    void exportModel();
    void tellExported(const QString& path, const QString& className, const QString& verdict, bool isDifferent,
                      const QStringList& notes);
    void exportPicture();

    const WindowContext m_context;
    QString m_replaced;                ///< the file that the user wants to be saved into
    std::function<void()> m_afterSave; ///< what one wanted to do when one was asked to save
    DocumentState m_awaited;           ///< and what is to be saved for it
    DocumentState m_discarded;
    bool m_isConverted = false; ///< what is being saved: more cannot be done for it
};

} // namespace fx::ui
